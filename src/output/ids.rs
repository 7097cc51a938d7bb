//! Matching positions by number.

use std::io::Write;

use super::facts::GameFacts;
use super::format::{Format, FormatTraits};
use crate::eval::report::{Extras, GameReport};

/// `GAME:POSITIONID` of every matching position in the order of evaluation, also in games that `matchcount` excludes.
pub(super) struct Ids;

impl Format for Ids {
    fn extras(&self) -> Extras {
        Extras::IDS_ALONE
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::UNSORTED
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for id in &report.positions {
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "{}:{id}", game.number());
        }
    }
}
