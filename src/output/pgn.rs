//! The matching games with the query's comments, or games that begin at their matching positions.

use super::facts::{GameFacts, matching_positions};
use super::format::{Format, FormatTraits};
use super::look::{FromMatch, Look};
use crate::eval::report::{Extras, GameReport};

/// Games as PGN: whole ones, or one for each match.
pub(super) struct Pgn {
    from_match: Option<FromMatch>,
}

impl Pgn {
    pub(super) fn new(look: &Look) -> Pgn {
        Pgn {
            from_match: look.from_match,
        }
    }
}

impl Format for Pgn {
    fn extras(&self) -> Extras {
        Extras::COMMENTS
    }

    fn traits(&self) -> FormatTraits {
        match self.from_match {
            None => FormatTraits::BY_GAME,
            Some(_) => FormatTraits::empty(),
        }
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        match self.from_match {
            None if report.matched => game.write_pgn(report, out),
            None => {}
            Some(from_match) => matching_positions(game, report)
                .for_each(|position| game.write_continuation(position, from_match.plies(), report, out)),
        }
    }
}
