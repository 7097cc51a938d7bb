//! The matching games with the query's comments.

use super::{Format, GameFacts};
use crate::eval::report::GameReport;

/// Whole games as PGN.
pub(super) struct Pgn;

impl Format for Pgn {
    fn has_comments(&self) -> bool {
        true
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        if report.matched {
            game.write_pgn(report, out);
        }
    }
}
