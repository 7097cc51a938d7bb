//! The matching games with the query's comments.

use super::facts::GameFacts;
use super::format::Format;
use crate::eval::report::{Extras, GameReport};

/// Whole games as PGN.
pub(super) struct Pgn;

impl Format for Pgn {
    fn extras(&self) -> Extras {
        Extras {
            comments: true,
            ..Extras::default()
        }
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        if report.matched {
            game.write_pgn(report, out);
        }
    }
}
