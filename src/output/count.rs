//! The numbers of matches.

use std::io::Write;

use super::facts::GameFacts;
use super::format::{Format, FormatTraits, Totals};
use crate::eval::report::{Extras, GameReport};

/// Two lines, `games: N` and `positions: M`. People ask for either number, and a number without its name would not say which one it is.
pub(super) struct Count;

impl Format for Count {
    fn extras(&self) -> Extras {
        Extras::IDS_ALONE
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::UNSORTED | FormatTraits::END_ALONE
    }

    fn game(&self, _game: &dyn GameFacts, _report: &GameReport, _out: &mut Vec<u8>) {}

    fn end(&self, totals: &Totals, out: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "games: {}\npositions: {}", totals.matches, totals.positions);
    }
}
