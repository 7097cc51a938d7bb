//! One search over the games of one batch.

use std::io;
use std::ops::{ControlFlow, Range};

use super::batch_results::{BatchResults, GameResult};
use super::context::SearchContext;
use super::error::Error;
use super::games::{Batch, LeftAlone, MakePositions, Reach, ReadGames};
use super::sink::Recorder;
use super::window::{Seen, Slot, Whole};
use crate::board::columns::{Lanes, first_lanes};
use crate::eval::report::{Evaluate, Extras, Relevance, SortValue, Stop};
use crate::game::{Warning, WarningKind};
use crate::limits::Interrupt;
use crate::output::GameFacts;
use crate::query::TagCondition;

/// A search, as one worker sees it.
pub(super) struct WorkerSearch<'s, E, K> {
    pub(super) evaluator: E,
    pub(super) context: &'s SearchContext<K>,
    /// The index of the search among those of the reader.
    pub(super) place: usize,
    /// How many more games may match before the search ends.
    pub(super) left: Option<u64>,
}

/// One search over one batch.
pub(super) struct BatchSearch<'a, 's, R: ReadGames, E, K: Recorder> {
    batch: &'a R::Batch,
    /// The warnings about the batch.
    warnings: &'a [Warning],
    search: &'a mut WorkerSearch<'s, E, K>,
    /// How many of these warnings are written.
    told: usize,
    /// The game of the last reported warning about games that are damaged together.
    told_of_damage: u64,
    part: &'a mut BatchResults<K::Item>,
    interrupt: &'a Interrupt,
    /// The lanes of the games that are wanted in any case: all or none.
    unasked: Lanes,
    /// The games in the window whose moves must be read, a lane for each place.
    wanted: Lanes,
    /// The games in the window that are outside the narrowing.
    left_alone: Lanes,
    /// The waiting games that this search has to see, a lane for each place.
    possible: Lanes,
    /// How many waiting games are counted, if those that are ruled out need only be counted.
    counted: Option<usize>,
    /// The place of the game that the query cannot decide about, and the reason.
    refused: Option<(usize, Stop)>,
    /// Whether the search takes no more games.
    has_ended: bool,
}

/// The outcome of a game, and whether the evaluation was called off before its end. `None` stands for a game that may not have been written to its
/// end, so that it does not count.
type Evaluated = Option<(GameResult, bool)>;

impl<'a, 's, R: ReadGames, E: Evaluate<R::Game>, K: Recorder> BatchSearch<'a, 's, R, E, K> {
    /// Creates a search over the games of `batch`.
    pub(super) fn new(
        batch: &'a R::Batch,
        search: &'a mut WorkerSearch<'s, E, K>,
        part: &'a mut BatchResults<K::Item>,
        interrupt: &'a Interrupt,
    ) -> BatchSearch<'a, 's, R, E, K> {
        let last = batch.number(batch.len().saturating_sub(1));
        let wants_all = search.evaluator.wants_all() && search.context.wanted.contain_all(batch.number(0), last);
        let unasked = if wants_all { Lanes::MAX } else { 0 };
        BatchSearch {
            batch,
            warnings: batch.warnings(),
            search,
            told: 0,
            told_of_damage: 0,
            part,
            interrupt,
            unasked,
            wanted: unasked,
            left_alone: 0,
            possible: 0,
            counted: None,
            refused: None,
            has_ended: false,
        }
    }

    /// Returns whether the search takes no more games.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns whether the search wants the moves of the next game, which takes this place in the window.
    pub(super) fn wants(&mut self, place: usize, game: &R::Game) -> bool {
        if self.unasked != 0 {
            return true;
        }
        let number = R::facts(self.batch, game).number();
        // A reader may ask about games that are not searched.
        let WorkerSearch { evaluator, context, .. } = &mut *self.search;
        // Nothing is asked after a refusal.
        if self.refused.is_some() || !context.wanted.contains(number) {
            return false;
        }
        let called_off = || context.over.get() || self.interrupt.is_raised();
        match evaluator.wants(game, &called_off) {
            Ok(Relevance::Wanted) => {
                self.wanted |= 1 << place;
                true
            }
            Ok(Relevance::LeftAlone) => {
                self.left_alone |= 1 << place;
                false
            }
            Ok(Relevance::Unwanted) => false,
            Err(stop) => {
                self.refused = Some((place, stop));
                false
            }
        }
    }

    /// Rules out the next game, at this place, if the search cannot match it. `may_match` has sixteen games for each search of the reader; this
    /// one is in `lane`. Returns the games that are still wanted.
    pub(super) fn rule_out(&mut self, place: usize, may_match: &[Lanes], lane: usize) -> Lanes {
        let may_match = may_match.get(self.search.place).unwrap_or(&Lanes::MAX);
        let is_ruled_out = !may_match >> lane & 1;
        self.wanted &= !(is_ruled_out << place);
        self.wanted
    }

    /// Stops taking games.
    pub(super) fn end(&mut self) {
        self.has_ended = true;
        (self.unasked, self.wanted) = (0, 0);
    }

    /// Forgets what was decided about the games at these places, as others take them.
    fn begin(&mut self, places: Lanes) {
        self.wanted = self.wanted & !places | self.unasked & places;
        self.left_alone &= !places;
    }

    /// Takes the game at this place and evaluates it if it was wanted.
    #[inline]
    pub(super) fn visit(
        &mut self,
        place: usize,
        Seen { index, reach }: Seen,
        game: &mut R::Game,
        whole: &mut Whole<R::Game>,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        let is_wanted = reach == Reach::Moves && self.wanted >> place & 1 != 0;
        let is_left_alone = self.left_alone >> place & 1 != 0;
        self.begin(1 << place);
        // The searches before this one may have taken long.
        if self.search.context.over.get() || is_wanted && self.interrupt.is_raised() {
            return Ok(ControlFlow::Break(()));
        }
        let number = self.batch.number(index);
        self.warn_up_to(number);
        if !self.search.context.wanted.contains(number) {
            return Ok(ControlFlow::Continue(()));
        }
        let is_left_alone = is_left_alone || reach == Reach::LeftAlone;
        if !(is_left_alone || matches!(reach, Reach::Moves | Reach::Head)) {
            self.leave_out(game, reach != Reach::Nothing);
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

    /// Returns whether quiet games in these slots have no effect except what the query finds.
    fn takes_all(&self, slots: &[Slot<R::Game>]) -> bool {
        let [Some(first), Some(last)] = [slots.first(), slots.last()] else {
            return true;
        };
        self.has_nothing_to_say(first.seen.index, last.seen.index)
    }

    /// Returns whether the games from `first` to `last` have no effect except what the query finds.
    fn has_nothing_to_say(&self, first: usize, last: usize) -> bool {
        let [first, last] = [first, last].map(|index| self.batch.number(index));
        self.told >= self.warnings.len()
            && self.refused.is_none()
            && self.left_alone == 0
            && !self.search.context.sees_all
            && self.search.context.wanted.contain_all(first, last)
    }

    /// Returns whether these games, in which nothing can be found, need only be counted.
    pub(super) fn may_pass_over(&self, games: &Range<usize>) -> bool {
        !self.search.context.over.get() && self.has_nothing_to_say(games.start, games.end.saturating_sub(1))
    }

    /// Returns whether this is the search with this place among those of the reader.
    pub(super) fn is_of(&self, place: usize) -> bool {
        self.search.place == place
    }

    /// Returns whether a game that only has the tag that a condition reads fulfils it, or `None` if that is undecided.
    pub(super) fn fulfils(&mut self, condition: &TagCondition, game: &R::Game) -> Option<bool> {
        self.search.evaluator.passes(condition, game)
    }

    /// Counts this many games, in which nothing can be found.
    pub(super) fn pass_over(&mut self, games: usize, left_alone: LeftAlone<'_>) {
        let mut end = |games, is_left_alone| {
            let result = GameResult {
                is_left_alone,
                ..GameResult::default()
            };
            self.part.end_games(games, result);
        };
        match left_alone {
            LeftAlone::All => end(games, true),
            LeftAlone::Lanes(of_each, lane) => match of_each.get(self.search.place).map_or(0, |lanes| lanes >> lane) {
                0 => end(games, false),
                lanes => (0..games).for_each(|index| end(1, lanes >> index & 1 != 0)),
            },
        }
    }

    /// Starts with the waiting games and returns the places of those that the search has to see. These are few if the games have no effect except
    /// what the query finds: most searches of a pass find nothing in most games. `with_moves` has a lane for each game whose moves were read.
    pub(super) fn begin_waiting(
        &mut self,
        slots: &[Slot<R::Game>],
        are_quiet: bool,
        with_moves: Lanes,
        together: &E::Batch,
    ) -> Lanes {
        let places = first_lanes(slots.len());
        let is_quiet = are_quiet && self.takes_all(slots);
        self.counted = is_quiet.then_some(0);
        self.possible = if is_quiet {
            let game = |place: usize| slots.get(place).map(|slot| &slot.game);
            self.search.evaluator.possible(self.wanted & with_moves, game, together)
        } else {
            places
        };
        self.possible
    }

    /// Takes the waiting game at this place if the search has to see it.
    pub(super) fn visit_waiting(
        &mut self,
        place: usize,
        slot: &mut Slot<R::Game>,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        if self.possible >> place & 1 == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(counted) = &mut self.counted {
            let ruled_out = place - std::mem::replace(counted, place + 1);
            self.part.end_games(ruled_out, GameResult::default());
        }
        let Slot { game, seen, whole } = slot;
        self.visit(place, *seen, game, whole, make_positions)
    }

    /// Counts the waiting games after the last one that the search has seen; `games` is the number of waiting games.
    pub(super) fn finish_waiting(&mut self, games: usize) {
        if let Some(counted) = self.counted.take() {
            self.part.end_games(games - counted, GameResult::default());
            // The next game, which does not wait, may have been asked about already.
            self.begin(first_lanes(games));
        }
    }

    /// Evaluates a game that is not ruled out, and makes its positions first if they are needed. A game that has no positions then cannot match.
    fn look_into(
        &mut self,
        index: usize,
        game: &mut R::Game,
        whole: &mut Whole<R::Game>,
        make_positions: &mut MakePositions<'_, R::Game>,
    ) -> io::Result<ControlFlow<()>> {
        let is_ready = R::has_positions(game) || !self.search.evaluator.needs_positions(game);
        let reach = match is_ready {
            true => Reach::Moves,
            false => make_positions(index, game)?,
        };
        match reach {
            Reach::Moves => {
                let evaluated = self.evaluate(index, game, whole);
                return Ok(self.conclude(evaluated, game));
            }
            Reach::Damaged => self.leave_out(game, true),
            _ => self.pass_by(game, true, false),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Records the outcome of a game that was wanted.
    fn conclude(&mut self, evaluated: Result<Evaluated, Error>, game: &R::Game) -> ControlFlow<()> {
        match evaluated {
            Ok(None) => return ControlFlow::Break(()),
            Ok(Some((found, called_off))) => {
                self.part.end_game(GameResult {
                    has_variations: R::has_variations(game),
                    ..found
                });
                if called_off {
                    return ControlFlow::Break(());
                }
                if let Some(left) = self.search.left.as_mut().filter(|_| found.matched) {
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
            write_warnings(warnings, self.search.context.quiet, &mut self.part.warnings);
        }
        if self.search.context.sees_all && !is_left_alone {
            let results = &mut *self.part;
            let recorder = &self.search.context.recorder;
            results.item_bytes += recorder.pass_by(&R::facts(self.batch, game), &mut results.items);
        }
        self.part.end_game(GameResult {
            has_variations: is_wanted && R::has_variations(game),
            is_left_alone,
            ..GameResult::default()
        });
    }

    /// Reports why a game is left out. It counts as a game that does not match.
    fn leave_out(&mut self, game: &R::Game, is_unreadable: bool) {
        let results = &mut *self.part;
        let warnings = R::warnings(game);
        let first = warnings.first().map_or(0, |warning| warning.game);
        if !is_unreadable || std::mem::replace(&mut self.told_of_damage, first) != first {
            write_warnings(warnings, self.search.context.quiet, &mut results.warnings);
        }
        results.end_game(GameResult {
            is_unreadable,
            ..GameResult::default()
        });
    }

    /// Evaluates and records a game.
    fn evaluate(&mut self, index: usize, game: &mut R::Game, whole: &mut Whole<R::Game>) -> Result<Evaluated, Error> {
        let WorkerSearch { evaluator, context, .. } = &mut *self.search;
        let called_off = || context.over.get() || self.interrupt.is_raised();
        let results = &mut *self.part;
        write_warnings(R::warnings(game), context.quiet, &mut results.warnings);
        let report = evaluator.evaluate(game, &called_off).map_err(Error::Evaluation)?;
        write_warnings(&report.warnings, context.quiet, &mut results.warnings);
        // The text takes about as much memory as the report.
        if !results.fit(report.bytes(), &context.memory) {
            return Err(context.out_of_memory());
        }
        let BatchResults {
            messages,
            keys,
            key_bytes,
            items,
            item_bytes,
            ..
        } = results;
        let before = items.len();
        let recorder = &context.recorder;
        let shown = if report.matched && recorder.extras().contains(Extras::COMMENTS) {
            let complete = |game: &mut R::Game| R::complete(self.batch, index, game);
            let read = whole.of(game, complete, |spare| R::read_whole(self.batch, index, spare));
            match read {
                Ok(whole) => whole,
                Err(error) => {
                    let complaint = R::complaint(self.batch, index, &error).ok_or(error)?;
                    write_warnings([&complaint], context.quiet, &mut results.warnings);
                    let found = GameResult {
                        is_unreadable: true,
                        ..GameResult::default()
                    };
                    return Ok(Some((found, false)));
                }
            }
        } else {
            game
        };
        let recorded_bytes = recorder.record(&R::facts(self.batch, shown), report, items);
        if report.matched && self.interrupt.is_raised() {
            // It may not have been written to its end.
            items.truncate(before);
            return Ok(None);
        }
        *item_bytes += recorded_bytes;
        messages.extend_from_slice(&report.messages);
        if report.matched {
            keys.extend_from_slice(&report.keys);
            *key_bytes += report.keys.iter().flatten().map(SortValue::bytes).sum::<usize>();
        }
        let found = GameResult {
            matched: report.matched,
            positions: report.positions.len(),
            ..GameResult::default()
        };
        Ok(Some((found, report.called_off)))
    }

    /// Writes the remaining warnings about the batch.
    pub(super) fn finish(self) {
        if self.part.failure.is_none() && !self.interrupt.is_raised() {
            let left = self.warnings.get(self.told..).unwrap_or_default();
            let unread = left.iter().filter(|warning| warning.kind == WarningKind::UnreadFile);
            self.part.unread_files = unread.count() as u64;
            write_warnings(left, self.search.context.quiet, &mut self.part.warnings);
        }
    }

    /// Writes the warnings about the input that are due before the end of this game.
    #[inline]
    fn warn_up_to(&mut self, number: u64) {
        if self.told < self.warnings.len() {
            self.warn_of_some(number);
        }
    }

    #[inline(never)]
    fn warn_of_some(&mut self, number: u64) {
        let left = self.warnings.get(self.told..).unwrap_or_default();
        // The numbers do not always grow: text before the first game of a file has none.
        let dues = self.batch.dues().get(self.told..).unwrap_or_default();
        let is_due = |(index, warning): &(usize, &Warning)| *dues.get(*index).unwrap_or(&warning.game) <= number;
        let count = left.iter().enumerate().take_while(is_due).count();
        self.told += count;
        let earlier = left.iter().take(count);
        write_warnings(earlier, self.search.context.quiet, &mut self.part.warnings);
    }
}

fn write_warnings<'w>(warnings: impl IntoIterator<Item = &'w Warning>, quiet: bool, out: &mut Vec<Warning>) {
    if !quiet {
        out.extend(warnings.into_iter().cloned());
    }
}
