//! Matching positions as a JSON document.

use std::io::{self, BufRead, Write};

use super::facts::GameFacts;
use super::format::{Format, FormatTraits, Waiting};
use super::jsonl::Jsonl;
use crate::eval::report::{Extras, GameReport};
use crate::limits::Interrupt;

/// One array with an object for each matching position, the same objects as those of [`Jsonl`].
pub(super) struct Json(pub(super) Jsonl);

impl Format for Json {
    fn extras(&self) -> Extras {
        self.0.extras()
    }

    fn traits(&self) -> FormatTraits {
        self.0.traits() | FormatTraits::ASSEMBLED
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        self.0.game(game, report, out);
    }

    fn assemble(&self, games: &mut dyn Waiting, out: &mut dyn Write, interrupt: &Interrupt) -> io::Result<()> {
        out.write_all(b"[")?;
        for (index, line) in games.lines().enumerate() {
            if interrupt.cuts_off() {
                break;
            }
            let before = if index == 0 { "\n" } else { ",\n" };
            write!(out, "{before}{}", line?)?;
        }
        out.write_all(b"\n]\n")
    }
}
