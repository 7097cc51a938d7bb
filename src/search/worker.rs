//! A worker reads each game once and shows it to all searches that need the same parts of it.

use std::io;
use std::ops::{ControlFlow, Range};

use super::batch_results::BatchResults;
use super::batch_search::{BatchSearch, WorkerSearch};
use super::context::SearchContext;
use super::error::RunError;
use super::games::{LeftAlone, MakePositions, Reach, ReadGames, VisitGames};
use super::sink::Recorder;
use super::window::{Seen, Slot, Window};
use crate::board::Bitboard;
use crate::board::columns::Lanes;
use crate::eval::report::Evaluate;
use crate::limits::Interrupt;
use crate::query::TagCondition;

/// Reads games on one thread, then evaluates and records them for all searches that need the same parts of each game.
pub(super) struct Worker<'s, R: ReadGames, E, K> {
    reader: R,
    searches: Vec<WorkerSearch<'s, E, K>>,
    interrupt: &'s Interrupt,
    window: Window<R::Game>,
}

impl<'s, R: ReadGames, E: Evaluate<R::Game>, K: Recorder> Worker<'s, R, E, K> {
    pub(super) fn new(
        reader: R,
        searches: impl Iterator<Item = (E, &'s SearchContext<K>, usize)>,
        may_wait: bool,
        interrupt: &'s Interrupt,
    ) -> Worker<'s, R, E, K> {
        let search = |(evaluator, context, place): (E, &'s SearchContext<K>, usize)| WorkerSearch {
            evaluator,
            context,
            place,
            left: context.limit,
        };
        Worker {
            reader,
            window: Window::of(may_wait),
            searches: searches.map(search).collect(),
            interrupt,
        }
    }

    /// Returns the number of searches.
    pub(super) fn len(&self) -> usize {
        self.searches.len()
    }

    /// Examines the games of a batch and fills one part for each search. If the batch `is_cut_short`, the end of the input is unknown and the games
    /// are left alone.
    ///
    /// # Errors
    /// Returns an error if the batch turns out to be damaged.
    pub(super) fn examine(
        &mut self,
        batch: &R::Batch,
        is_cut_short: bool,
        parts: &mut [BatchResults<K::Item>],
    ) -> Result<(), RunError> {
        parts.iter_mut().for_each(BatchResults::clear);
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

    fn examine_games(&mut self, batch: &R::Batch, parts: &mut [BatchResults<K::Item>]) -> Result<(), RunError> {
        let searches = self.searches.iter_mut().zip(parts);
        let open = searches.filter(|(search, _)| search.left != Some(0) && !search.context.over.get());
        let visits: Vec<_> = open
            .map(|(search, part)| BatchSearch::<R, E, K>::new(batch, search, part, self.interrupt))
            .collect();
        if visits.is_empty() {
            return Ok(());
        }
        // If the reader of an earlier batch failed, games are left.
        self.window.take();
        let mut visits = Visits {
            visits,
            window: &mut self.window,
            interrupt: self.interrupt,
        };
        self.reader.read(batch, &mut visits)?;
        visits.visits.into_iter().for_each(BatchSearch::finish);
        Ok(())
    }
}

/// All searches over one batch.
struct Visits<'a, 's, R: ReadGames, E, K: Recorder> {
    visits: Vec<BatchSearch<'a, 's, R, E, K>>,
    window: &'a mut Window<R::Game>,
    interrupt: &'a Interrupt,
}

impl<R: ReadGames, E: Evaluate<R::Game>, K: Recorder> VisitGames<R::Game> for Visits<'_, '_, R, E, K> {
    fn wants(&mut self, game: &R::Game) -> bool {
        let place = self.window.place();
        let mut is_wanted = false;
        for visit in self.visits.iter_mut().filter(|visit| !visit.has_ended()) {
            is_wanted |= visit.wants(place, game);
        }
        is_wanted
    }

    fn rule_out(&mut self, may_match: &[Lanes], lane: usize) -> bool {
        // For a single query the reader has decided already.
        if self.visits.len() == 1 {
            return true;
        }
        let place = self.window.place();
        let visits = self.visits.iter_mut();
        let wanted = visits.fold(0, |wanted, visit| wanted | visit.rule_out(place, may_match, lane));
        wanted >> place & 1 != 0
    }

    fn fulfils(&mut self, place: usize, condition: &TagCondition, game: &R::Game) -> Option<bool> {
        let mut visits = self.visits.iter_mut();
        match visits.find(|visit| visit.is_of(place)) {
            Some(visit) => visit.fulfils(condition, game),
            // A search that has ended takes no more games.
            None => Some(false),
        }
    }

    fn pass_over(&mut self, games: Range<usize>, left_alone: LeftAlone<'_>) -> bool {
        let may = self.window.place() == 0 && !self.is_to_end();
        let may = may && self.visits.iter().all(|visit| visit.may_pass_over(&games));
        if may {
            let visits = self.visits.iter_mut();
            visits.for_each(|visit| visit.pass_over(games.len(), left_alone));
        }
        may
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
        // Games that are passed over do not interrupt the window.
        let is_lone = R::is_lone(game) || reach != Reach::Moves && self.window.place() > 0;
        if self.window.takes(is_lone) && !R::is_large(game) {
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
        flow
    }

    fn finish(&mut self, make_positions: &mut MakePositions<'_, R::Game>) -> io::Result<()> {
        self.examine_waiting(make_positions).map(|_| ())
    }
}

impl<R: ReadGames, E: Evaluate<R::Game>, K: Recorder> Visits<'_, '_, R, E, K> {
    /// Returns whether the run shall end. This is checked once for all searches.
    fn is_to_end(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Shows the waiting games to each search.
    #[inline(never)]
    fn examine_waiting(&mut self, make_positions: &mut MakePositions<'_, R::Game>) -> io::Result<ControlFlow<()>> {
        let is_to_end = self.is_to_end();
        let slots = self.window.take();
        if is_to_end {
            return Ok(ControlFlow::Break(()));
        }
        let are_quiet = slots.iter().all(Slot::is_quiet::<R>);
        let with_moves = places_where(slots, |slot| slot.seen.reach == Reach::Moves);
        let together = E::Batch::default();
        let mut asked = 0;
        for visit in self.visits.iter_mut().filter(|visit| !visit.has_ended()) {
            asked |= visit.begin_waiting(slots, are_quiet, with_moves, &together);
        }
        // A reader of whole games only moves forward, so all searches take one game before any takes the next.
        let mut flow = ControlFlow::Continue(());
        for place in Bitboard(asked.into()) {
            let place = place.to_usize();
            let Some(slot) = slots.get_mut(place) else { break };
            flow = for_all(&mut self.visits, |visit| {
                visit.visit_waiting(place, slot, make_positions)
            })?;
            if flow.is_break() {
                break;
            }
        }
        for visit in self.visits.iter_mut().filter(|visit| !visit.has_ended()) {
            visit.finish_waiting(slots.len());
        }
        slots.iter_mut().for_each(|slot| slot.whole.forget_if(R::is_large));
        Ok(flow)
    }
}

/// Returns the places of the waiting games for which `is_so` returns true.
fn places_where<Game>(slots: &[Slot<Game>], is_so: impl Fn(&Slot<Game>) -> bool) -> Lanes {
    slots
        .iter()
        .rev()
        .fold(0, |places, slot| places << 1 | Lanes::from(is_so(slot)))
}

/// Calls `visit_one` for all searches that have not ended. Breaks if all have ended now.
fn for_all<'a, 's: 'a, R: ReadGames, E: Evaluate<R::Game>, K: Recorder>(
    visits: &mut [BatchSearch<'a, 's, R, E, K>],
    mut visit_one: impl FnMut(&mut BatchSearch<'a, 's, R, E, K>) -> io::Result<ControlFlow<()>>,
) -> io::Result<ControlFlow<()>> {
    let mut have_ended = true;
    for visit in visits.iter_mut().filter(|visit| !visit.has_ended()) {
        if visit_one(visit)?.is_break() {
            visit.end();
        }
        have_ended &= visit.has_ended();
    }
    Ok(if have_ended {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    })
}
