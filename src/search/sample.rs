//! Games drawn at random.

use std::collections::{BTreeSet, BinaryHeap};
use std::io;
use std::num::NonZeroU64;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use super::error::Error;
use super::games::{Batch, Games, MakePositions, Reach, ReadGames, VisitGames, wanted_numbers};
use super::inputs::{InputGames, readers};
use super::options::Options;
use crate::eval::report::{Compiled, Evaluate, Extras, Relevance, Stop};
use crate::eval::{Evaluation, Evaluator, Settings};
use crate::game::Game;
use crate::limits::Interrupt;
use crate::pgn::Source;
use crate::query::Query;
use crate::query::tags::TagUse;

/// How many games or matches to draw, and the seed of the draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// The number of games or matches.
    pub count: NonZeroU64,
    /// The seed: the same one always draws the same games.
    pub seed: u64,
}

impl Draw {
    /// Returns the rank of a game. The games with the lowest ranks are drawn. The constants are those of SplitMix64.
    fn rank(self, number: u64) -> u64 {
        let mut rank = self.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            rank = (rank ^ (rank >> shift)).wrapping_mul(factor);
        }
        rank ^ (rank >> 31)
    }

    /// Returns the rank of a match, given the numbers of its game and its position.
    pub(super) fn rank_of_match(self, game: u64, position: u32) -> u64 {
        let seed = self.rank(game);
        Draw { seed, ..self }.rank(position.into())
    }
}

/// Draws games from those that a query leaves before moves are read, and returns their numbers. If there are no more than `draw.count`, all are
/// drawn. The inputs are read, but no moves.
///
/// # Errors
/// Returns an error if an input cannot be read, or if the evaluation of a game's tags ends the run.
pub fn sample(
    query: &Query,
    inputs: impl IntoIterator<Item = Source>,
    draw: Draw,
    settings: &Settings,
    options: &Options,
) -> Result<BTreeSet<u64>, Error> {
    let evaluation = Evaluation::new(query, settings.clone());
    let prepared = evaluation
        .prepare(None, &options.interrupt)
        .map_err(Error::Evaluation)?;
    let mut drawing = Drawing {
        draw,
        wanted: wanted_numbers(query.header.games),
        evaluator: evaluation.evaluator(&prepared, Extras::default()),
        drawn: BinaryHeap::new(),
        interrupt: &options.interrupt,
        failure: None,
    };
    let mut reader = readers(&[query], &TagUse::default())();
    let mut games = InputGames::new(inputs)
        .with_rules(options.rules)
        .within(&settings.memory)
        .until(&options.interrupt);
    let mut batch = Default::default();
    while drawing.goes_on(&batch) {
        match games.next(&mut batch) {
            Ok(true) => {}
            Ok(false) => break,
            // An input that fails after an interrupt fails because of it.
            Err(_) if options.interrupt.is_raised() => break,
            Err(error) => return Err(error.into()),
        }
        reader.read(&batch, &mut drawing)?;
        if let Some(stop) = drawing.failure {
            return Err(Error::Evaluation(stop));
        }
    }
    Ok(drawing.drawn.into_iter().map(|(_, number)| number).collect())
}

/// The games that have been drawn so far.
struct Drawing<'a> {
    draw: Draw,
    wanted: RangeInclusive<u64>,
    evaluator: Evaluator<'a>,
    /// Ranks and numbers, the highest rank on top.
    drawn: BinaryHeap<(u64, u64)>,
    interrupt: &'a Arc<Interrupt>,
    failure: Option<Stop>,
}

impl Drawing<'_> {
    /// Returns whether games after this batch may be drawn.
    fn goes_on(&self, batch: &impl Batch) -> bool {
        let last = batch.len().checked_sub(1).map(|last| batch.number(last));
        !self.interrupt.is_raised() && last.is_none_or(|last| last < *self.wanted.end())
    }

    fn consider(&mut self, game: &Game) {
        let drawn = (self.draw.rank(game.number), game.number);
        let has_room = (self.drawn.len() as u64) < self.draw.count.get();
        let is_lower = self.drawn.peek().is_some_and(|highest| drawn < *highest);
        if !self.wanted.contains(&game.number) || !(has_room || is_lower) {
            return;
        }
        let interrupt = self.interrupt;
        match self.evaluator.wants(game, &|| interrupt.is_raised()) {
            Ok(Relevance::Wanted) => {
                self.drawn.push(drawn);
                if !has_room {
                    self.drawn.pop();
                }
            }
            Ok(Relevance::Unwanted | Relevance::LeftAlone) => {}
            Err(stop) => self.failure = Some(stop),
        }
    }
}

impl VisitGames<Game> for Drawing<'_> {
    fn wants(&mut self, game: &Game) -> bool {
        if self.failure.is_none() {
            self.consider(game);
        }
        false
    }

    fn visit(
        &mut self,
        _index: usize,
        _game: &mut Game,
        _reach: Reach,
        _make_positions: &mut MakePositions<'_, Game>,
    ) -> io::Result<ControlFlow<()>> {
        Ok(if self.failure.is_some() || self.interrupt.is_raised() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_differ_between_seeds_and_are_spread_evenly() {
        let rank = |seed, number| {
            let count = NonZeroU64::MIN;
            Draw { count, seed }.rank(number)
        };
        assert_ne!(rank(0, 1), rank(1, 1));
        let low = (1..=10_000).filter(|number| rank(7, *number) < u64::MAX / 4).count();
        assert!((2_350..2_650).contains(&low), "{low}");
    }
}
