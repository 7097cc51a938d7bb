//! Matching positions by number.

use std::io::Write;

use super::facts::GameFacts;
use super::format::Format;
use crate::eval::report::{Extras, GameReport};

/// `GAME:POSITIONID` of every matching position in the order of evaluation, also where `matchcount` shuts the game out.
pub(super) struct Ids;

impl Format for Ids {
    fn extras(&self) -> Extras {
        Extras {
            ids_alone: true,
            ..Extras::default()
        }
    }

    fn is_sorted(&self) -> bool {
        false
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for id in &report.positions {
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "{}:{id}", game.number());
        }
    }
}
