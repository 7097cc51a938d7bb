//! Reads games once and shows them to several searches.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use super::findings::{Findings, Found};
use super::games::{Batch, MakePositions, Reach, ReadGames, VisitGames};
use super::pipeline::Cancelled;
use super::window::{Seen, Slot, Whole, Window};
use super::{Error, RunError};

use super::sink::Recorder;
use crate::eval::out_of_memory;
use crate::eval::report::{Evaluate, SortValue, Stop, Wish};
use crate::game::Warning;
use crate::limits::{Interrupt, Memory};
use crate::output::GameFacts;
use crate::syntax::token::Span;

/// What a search makes of the games of a batch.
pub(super) struct Part<Item> {
    pub(super) findings: Findings<Item>,
    /// What is printed if the search ends after these games.
    pub(super) closing: Vec<u8>,
    /// Why nothing comes after the findings.
    pub(super) failure: Option<Error>,
}

impl<Item> Default for Part<Item> {
    fn default() -> Part<Item> {
        Part {
            findings: Findings::default(),
            closing: Vec::new(),
            failure: None,
        }
    }
}

/// The numbers of games to look at.
pub(super) struct Wanted {
    /// All are among these.
    pub(super) numbers: RangeInclusive<u64>,
    /// Only these of them, if they were chosen.
    pub(super) chosen: Option<Arc<BTreeSet<u64>>>,
}

impl Wanted {
    fn contains(&self, number: u64) -> bool {
        self.numbers.contains(&number) && self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&number))
    }

    /// The number behind which there is none.
    pub(super) fn last(&self) -> u64 {
        let chosen = self.chosen.as_ref().map(|chosen| chosen.last().copied().unwrap_or(0));
        chosen.map_or(*self.numbers.end(), |last| last.min(*self.numbers.end()))
    }
}

/// What an examiner has to know of a search.
pub(super) struct Terms<K> {
    /// What makes items of the games.
    pub(super) recorder: K,
    /// The games to look at.
    pub(super) wanted: Wanted,
    /// Games after so many matches are left alone.
    pub(super) limit: Option<u64>,
    /// No warnings about the input.
    pub(super) quiet: bool,
    /// The search has ended.
    pub(super) over: Cancelled,
    /// What its findings may take.
    pub(super) memory: Arc<Memory>,
    /// The query in errors about all of it.
    pub(super) span: Span,
}

impl<K> Terms<K> {
    /// The error of findings that take too much.
    pub(super) fn out_of_memory(&self) -> Error {
        Error::Evaluation(Stop {
            diagnostic: out_of_memory(self.span, self.memory.limit()),
        })
    }
}

/// Reads games on one thread; evaluates and records them for all searches that see the same of each game.
pub(super) struct Examiner<'s, R: ReadGames, E, K> {
    reader: R,
    searches: Vec<Examined<'s, E, K>>,
    interrupt: &'s Interrupt,
    window: Window<R::Game>,
}

/// A search, as an examiner sees it.
struct Examined<'s, E, K> {
    evaluator: E,
    terms: &'s Terms<K>,
    /// Its place among the searches of the reader.
    #[cfg_attr(not(feature = "database"), expect(dead_code, reason = "no facts are known of text"))]
    place: usize,
    /// How many more games may match before the rest is left alone.
    left: Option<u64>,
}

impl<'s, R: ReadGames, E: Evaluate<R::Game>, K: Recorder> Examiner<'s, R, E, K> {
    pub(super) fn new(
        reader: R,
        searches: impl Iterator<Item = (E, &'s Terms<K>, usize)>,
        is_serial: bool,
        interrupt: &'s Interrupt,
    ) -> Examiner<'s, R, E, K> {
        let examined = |(evaluator, terms, place): (E, &'s Terms<K>, usize)| Examined {
            evaluator,
            terms,
            place,
            left: terms.limit,
        };
        let searches: Vec<_> = searches.map(examined).collect();
        Examiner {
            reader,
            window: Window::of(if is_serial { 1 } else { searches.len() }),
            searches,
            interrupt,
        }
    }

    /// How many searches there are.
    pub(super) fn len(&self) -> usize {
        self.searches.len()
    }

    /// Examines the games of a batch; one part for each search. If the batch `is_cut_short`, the end of the input is not known
    /// and the games are left alone.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    pub(super) fn examine(
        &mut self,
        batch: &R::Batch,
        is_cut_short: bool,
        parts: &mut [Part<K::Item>],
    ) -> Result<(), RunError> {
        for part in &mut *parts {
            part.findings.clear();
            part.closing.clear();
            part.failure = None;
        }
        let examined = if is_cut_short {
            Ok(())
        } else {
            self.examine_games(batch, parts)
        };
        for (search, part) in self.searches.iter().zip(parts) {
            search.evaluator.closing(&mut part.closing);
        }
        examined
    }

    fn examine_games(&mut self, batch: &R::Batch, parts: &mut [Part<K::Item>]) -> Result<(), RunError> {
        let searches = self.searches.iter_mut().zip(parts);
        let open = searches.filter(|(search, _)| search.left != Some(0) && !search.terms.over.get());
        let visits: Vec<_> = open
            .map(|(search, part)| Visit::<R, E, K> {
                batch,
                warnings: batch.warnings(),
                search,
                told: 0,
                part,
                interrupt: self.interrupt,
                wanted: 0,
                left_alone: 0,
                refused: None,
                has_ended: false,
            })
            .collect();
        if visits.is_empty() {
            return Ok(());
        }
        // Of a batch before, if its reader has failed.
        self.window.take();
        let mut visits = Visits {
            visits,
            window: &mut self.window,
        };
        self.reader.read(batch, &mut visits)?;
        visits.visits.into_iter().for_each(Visit::finish);
        Ok(())
    }
}

/// The ways of all searches through one batch.
struct Visits<'a, 's, R: ReadGames, E, K: Recorder> {
    visits: Vec<Visit<'a, 's, R, E, K>>,
    window: &'a mut Window<R::Game>,
}

impl<R: ReadGames, E: Evaluate<R::Game>, K: Recorder> VisitGames<R::Game> for Visits<'_, '_, R, E, K> {
    fn wants(&mut self, game: &R::Game) -> bool {
        let Some(first) = self.visits.first() else {
            return false;
        };
        let number = R::facts(first.batch, game).number();
        let place = self.window.place();
        let mut is_wanted = false;
        for visit in self.visits.iter_mut().filter(|visit| !visit.has_ended) {
            is_wanted |= visit.wants(place, number, game);
        }
        is_wanted
    }

    #[cfg(feature = "database")]
    fn rule_out(&mut self, may_match: &dyn Fn(usize) -> bool) -> bool {
        // A reader has asked for a query that is alone already.
        if self.visits.len() == 1 {
            return true;
        }
        let bit = 1 << self.window.place();
        let mut is_wanted = false;
        for visit in self.visits.iter_mut().filter(|visit| visit.wanted & bit != 0) {
            if may_match(visit.search.place) {
                is_wanted = true;
            } else {
                visit.wanted &= !bit;
            }
        }
        is_wanted
    }

    fn visit(
        &mut self,
        index: usize,
        game: &mut R::Game,
        reach: Reach,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        if self.is_to_end() {
            return Ok(ControlFlow::Break(()));
        }
        let seen = Seen { index, reach };
        if self.window.takes_some() && !R::is_large(game) {
            return match self.window.push(game, seen) {
                true => self.examine_waiting(make_positions),
                false => Ok(ControlFlow::Continue(())),
            };
        }
        let place = self.window.place();
        if place > 0 && self.examine_waiting(make_positions)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let whole = &mut self.window.whole;
        whole.begin();
        let flow = for_all(&mut self.visits, |visit| {
            visit.visit(place, seen, game, whole, make_positions)
        });
        whole.forget_if(R::is_large);
        if self.window.takes_some() {
            // Its memory would make the next one seem large.
            *game = R::Game::default();
        }
        flow
    }

    fn finish(&mut self, make_positions: &mut MakePositions<'_, R::Game>) -> io::Result<()> {
        self.examine_waiting(make_positions).map(|_| ())
    }
}

impl<R: ReadGames, E: Evaluate<R::Game>, K: Recorder> Visits<'_, '_, R, E, K> {
    /// Whether nothing more is to be done as the run shall end, which is asked once for all.
    fn is_to_end(&self) -> bool {
        self.visits.first().is_none_or(|visit| visit.interrupt.is_raised())
    }

    /// Shows the games that wait to each search.
    #[inline(never)]
    fn examine_waiting(&mut self, make_positions: &mut MakePositions<'_, R::Game>) -> io::Result<ControlFlow<()>> {
        let is_to_end = self.is_to_end();
        let slots = self.window.take();
        if is_to_end {
            return Ok(ControlFlow::Break(()));
        }
        let are_quiet = slots.iter().all(Slot::is_quiet::<R>);
        let with_moves = slots.iter().rev().fold(0, |places, slot| {
            places << 1 | u64::from(slot.seen.reach == Reach::Moves)
        });
        let flow = for_all(&mut self.visits, |visit| {
            if are_quiet && visit.takes_all(slots) {
                return visit.visit_quiet(slots, with_moves, make_positions);
            }
            for (place, slot) in slots.iter_mut().enumerate() {
                let flow = visit.visit(place, slot.seen, &mut slot.game, &mut slot.whole, make_positions)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
            Ok(ControlFlow::Continue(()))
        });
        slots.iter_mut().for_each(|slot| slot.whole.forget_if(R::is_large));
        flow
    }
}

/// Does the same for all that have not ended; whether all have now.
fn for_all<'a, 's: 'a, R: ReadGames, E, K: Recorder>(
    visits: &mut [Visit<'a, 's, R, E, K>],
    mut visit_one: impl FnMut(&mut Visit<'a, 's, R, E, K>) -> io::Result<ControlFlow<()>>,
) -> io::Result<ControlFlow<()>> {
    let mut have_ended = true;
    for visit in visits.iter_mut().filter(|visit| !visit.has_ended) {
        visit.has_ended = visit_one(visit)?.is_break();
        have_ended &= visit.has_ended;
    }
    Ok(if have_ended {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    })
}

/// The way of a search through one batch.
struct Visit<'a, 's, R: ReadGames, E, K: Recorder> {
    batch: &'a R::Batch,
    /// Those of the batch.
    warnings: &'a [Warning],
    search: &'a mut Examined<'s, E, K>,
    /// How many warnings of the batch are written.
    told: usize,
    part: &'a mut Part<K::Item>,
    interrupt: &'a Interrupt,
    /// The moves of these games of the window shall be read: a bit for each place.
    wanted: u64,
    /// These are not among those to which the search is narrowed.
    left_alone: u64,
    /// What the query asked for of the game at a place, and what cannot be done.
    refused: Option<(usize, Stop)>,
    /// The games that are left are none of its business.
    has_ended: bool,
}

/// What came of a game.
#[derive(Default)]
struct Evaluated {
    matched: bool,
    /// How many match.
    positions: usize,
    /// Not all of it was looked at.
    called_off: bool,
    /// It was not written to its end, so it does not count.
    is_cut: bool,
}

impl<R: ReadGames, E: Evaluate<R::Game>, K: Recorder> Visit<'_, '_, R, E, K> {
    /// Whether it wants the moves of the next game, which comes to a place.
    fn wants(&mut self, place: usize, number: u64, game: &R::Game) -> bool {
        // A reader may ask for numbers that are not searched; they are no business of the query.
        let Examined { evaluator, terms, .. } = &mut *self.search;
        // Behind one that is refused nothing is asked.
        if self.refused.is_some() || !terms.wanted.contains(number) {
            return false;
        }
        let called_off = || terms.over.get() || self.interrupt.is_raised();
        match evaluator.wants(game, &called_off) {
            Ok(Wish::Wanted) => {
                self.wanted |= 1 << place;
                true
            }
            Ok(Wish::LeftAlone) => {
                self.left_alone |= 1 << place;
                false
            }
            Ok(Wish::Unwanted) => false,
            Err(stop) => {
                self.refused = Some((place, stop));
                false
            }
        }
    }

    /// Takes the game at a place, to evaluate it if it was wanted.
    #[inline]
    fn visit(
        &mut self,
        place: usize,
        Seen { index, reach }: Seen,
        game: &mut R::Game,
        whole: &mut Whole<R::Game>,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        let (is_wanted, is_left_alone) = (take_bit(&mut self.wanted, place), take_bit(&mut self.left_alone, place));
        let is_wanted = is_wanted && reach == Reach::Moves;
        // The searches before may have taken long.
        if self.search.terms.over.get() || is_wanted && self.interrupt.is_raised() {
            return Ok(ControlFlow::Break(()));
        }
        let number = self.batch.number(index);
        self.warn_up_to(number);
        if !self.search.terms.wanted.contains(number) {
            return Ok(ControlFlow::Continue(()));
        }
        if reach == Reach::Nothing {
            self.leave_out(game);
            return Ok(ControlFlow::Continue(()));
        }
        match self.refused.take_if(|(refused, _)| *refused == place) {
            Some((_, stop)) => Ok(self.conclude(Err(Error::Evaluation(stop)), game)),
            None if is_wanted && !self.search.evaluator.rules_out(game) => {
                self.look_into(index, game, whole, make_positions)
            }
            None => {
                self.pass_by(game, is_wanted, is_left_alone);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Whether there is nothing to say of some games but what the query finds, if they are quiet.
    fn takes_all(&self, slots: &[Slot<R::Game>]) -> bool {
        let mut ends = slots.first().into_iter().chain(slots.last());
        self.told >= self.warnings.len()
            && self.refused.is_none()
            && self.left_alone == 0
            && self.search.terms.wanted.chosen.is_none()
            && ends.all(|slot| self.search.terms.wanted.contains(self.batch.number(slot.seen.index)))
    }

    /// Takes the games that wait, if there is nothing else to say of them: most searches of a pass find nothing in most games. The moves
    /// of some of them were read: a bit for each place.
    fn visit_quiet(
        &mut self,
        slots: &mut [Slot<R::Game>],
        with_moves: u64,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        let wanted = self.wanted & with_moves;
        // A game that comes next, and does not wait, may have been asked for already.
        self.wanted &= u64::MAX << slots.len();
        let game = |place: usize| slots.get(place).map(|slot| &slot.game);
        let possible = self.search.evaluator.possible(wanted, game);
        let mut passed = 0;
        for (place, slot) in slots.iter_mut().enumerate() {
            if possible >> place & 1 == 0 {
                passed += 1;
                continue;
            }
            self.part.findings.end_games(mem::take(&mut passed), Found::default());
            if self.search.terms.over.get() || self.interrupt.is_raised() {
                return Ok(ControlFlow::Break(()));
            }
            self.search.evaluator.turn_to(place);
            let flow = self.look_into(slot.seen.index, &mut slot.game, &mut slot.whole, make_positions)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        self.part.findings.end_games(passed, Found::default());
        Ok(ControlFlow::Continue(()))
    }

    /// Evaluates a game that is not ruled out, with the positions that are needed for that; if there are none, it cannot match.
    fn look_into(
        &mut self,
        index: usize,
        game: &mut R::Game,
        whole: &mut Whole<R::Game>,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        let is_ready =
            R::has_positions(game) || !self.search.evaluator.needs_positions(game) || make_positions(index, game)?;
        if !is_ready {
            self.pass_by(game, true, false);
            return Ok(ControlFlow::Continue(()));
        }
        let evaluated = self.evaluate(index, game, whole);
        Ok(self.conclude(evaluated, game))
    }

    /// Notes what came of a game that was wanted.
    fn conclude(&mut self, evaluated: Result<Evaluated, Error>, game: &R::Game) -> ControlFlow<()> {
        match evaluated {
            Ok(Evaluated { is_cut: true, .. }) => return ControlFlow::Break(()),
            Ok(Evaluated {
                matched,
                positions,
                called_off,
                ..
            }) => {
                self.part.findings.end_game(Found {
                    matched,
                    positions,
                    has_variations: R::has_variations(game),
                    ..Found::default()
                });
                if called_off {
                    return ControlFlow::Break(());
                }
                if let Some(left) = self.search.left.as_mut().filter(|_| matched) {
                    *left -= 1;
                    if *left == 0 {
                        return ControlFlow::Break(());
                    }
                }
            }
            Err(failure) => {
                self.part.failure = Some(failure);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes a game in which nothing can be found.
    fn pass_by(&mut self, game: &R::Game, is_wanted: bool, is_left_alone: bool) {
        let warnings = R::warnings(game);
        if !warnings.is_empty() {
            let is_of_read = |warning: &&Warning| is_wanted || !warning.is_in_moves();
            let warnings = warnings.iter().filter(is_of_read);
            write_warnings(warnings, self.search.terms.quiet, &mut self.part.findings.warnings);
        }
        self.part.findings.end_game(Found {
            has_variations: is_wanted && R::has_variations(game),
            is_left_alone,
            ..Found::default()
        });
    }

    /// Says why a game is left out. It counts as one that does not match.
    fn leave_out(&mut self, game: &R::Game) {
        let findings = &mut self.part.findings;
        write_warnings(R::warnings(game), self.search.terms.quiet, &mut findings.warnings);
        findings.end_game(Found::default());
    }

    /// Evaluates and records a game.
    fn evaluate(&mut self, index: usize, game: &mut R::Game, whole: &mut Whole<R::Game>) -> Result<Evaluated, Error> {
        let Examined { evaluator, terms, .. } = &mut *self.search;
        let called_off = || terms.over.get() || self.interrupt.is_raised();
        let findings = &mut self.part.findings;
        write_warnings(R::warnings(game), terms.quiet, &mut findings.warnings);
        let report = evaluator.evaluate(game, &called_off).map_err(Error::Evaluation)?;
        write_warnings(&report.warnings, terms.quiet, &mut findings.warnings);
        // As text it takes about as much as in the report.
        if !findings.fit(report.bytes(), &terms.memory) {
            return Err(terms.out_of_memory());
        }
        let Findings {
            messages,
            keys,
            key_bytes,
            items,
            item_bytes,
            ..
        } = findings;
        let before = items.len();
        let recorder = &terms.recorder;
        let shown = if report.matched && recorder.extras().comments {
            let complete = |game: &mut R::Game| R::complete(self.batch, index, game);
            whole.of(game, complete, |spare| R::read_whole(self.batch, index, spare))?
        } else {
            game
        };
        let recorded_bytes = recorder.record(&R::facts(self.batch, shown), report, items);
        if report.matched && self.interrupt.is_raised() {
            // Perhaps it was not written to its end.
            items.truncate(before);
            return Ok(Evaluated {
                is_cut: true,
                ..Evaluated::default()
            });
        }
        *item_bytes += recorded_bytes;
        messages.extend_from_slice(&report.messages);
        if report.matched {
            keys.extend_from_slice(&report.keys);
            *key_bytes += report.keys.iter().flatten().map(SortValue::bytes).sum::<usize>();
        }
        Ok(Evaluated {
            matched: report.matched,
            positions: report.positions.len(),
            called_off: report.called_off,
            is_cut: false,
        })
    }

    /// Writes what is left to say about the batch.
    fn finish(self) {
        if self.part.failure.is_none() && !self.interrupt.is_raised() {
            let left = self.warnings.get(self.told..).unwrap_or_default();
            write_warnings(left, self.search.terms.quiet, &mut self.part.findings.warnings);
        }
    }

    /// Writes the warnings about text before the end of a game.
    #[inline]
    fn warn_up_to(&mut self, number: u64) {
        if self.told < self.warnings.len() {
            self.warn_of_some(number);
        }
    }

    #[inline(never)]
    fn warn_of_some(&mut self, number: u64) {
        let left = self.warnings.get(self.told..).unwrap_or_default();
        // The numbers do not always grow, as text before the first game of a file has none.
        let dues = self.batch.dues().get(self.told..).unwrap_or_default();
        let is_due = |(index, warning): &(usize, &Warning)| *dues.get(*index).unwrap_or(&warning.game) <= number;
        let count = left.iter().enumerate().take_while(is_due).count();
        self.told += count;
        let earlier = left.iter().take(count);
        write_warnings(earlier, self.search.terms.quiet, &mut self.part.findings.warnings);
    }
}

/// Takes a bit out of some; whether it was among them.
fn take_bit(bits: &mut u64, place: usize) -> bool {
    let bit = 1 << place;
    let is_set = *bits & bit != 0;
    *bits &= !bit;
    is_set
}

fn write_warnings<'w>(warnings: impl IntoIterator<Item = &'w Warning>, quiet: bool, out: &mut Vec<Warning>) {
    if !quiet {
        out.extend(warnings.into_iter().cloned());
    }
}
