//! Only how many.

use std::io::Write;

use super::facts::GameFacts;
use super::format::{Format, Totals};
use crate::eval::report::{Extras, GameReport};

/// Two lines, `games: N` and `positions: M`: a query has two counts that people ask for, and a number without its name would
/// leave open which it is.
pub(super) struct Count;

impl Format for Count {
    fn extras(&self) -> Extras {
        Extras {
            ids_alone: true,
            ..Extras::default()
        }
    }

    fn is_sorted(&self) -> bool {
        false
    }

    fn game(&self, _game: &dyn GameFacts, _report: &GameReport, _out: &mut Vec<u8>) {}

    fn is_end_alone(&self) -> bool {
        true
    }

    fn end(&self, totals: &Totals, out: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "games: {}\npositions: {}", totals.matches, totals.positions);
    }
}
