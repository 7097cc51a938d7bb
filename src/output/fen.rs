//! Matching positions as FEN.

use super::facts::{GameFacts, matching_positions};
use super::format::Format;
use crate::eval::report::GameReport;

/// The FEN of each matching position with all six fields, one per line.
pub(super) struct Fen;

impl Format for Fen {
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for position in matching_positions(game, report) {
            game.write_fen(position, out);
            out.push(b'\n');
        }
    }
}
