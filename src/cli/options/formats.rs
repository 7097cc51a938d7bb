//! What a run writes: which format, and how it looks.

use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::drawing::DrawingArguments;
use crate::output::{FormatName, Look, Screen};

/// The format of what is found: as the user says, else as the name of the output does. On a screen it is one to read, everywhere else
/// PGN.
pub(crate) fn format(asked: Option<FormatName>, output: Option<&Path>, is_screen: bool) -> FormatName {
    let named = || FormatName::of_extension(output?.extension()?.to_str()?);
    let usual = match is_screen {
        true => FormatName::Lines,
        false => FormatName::Pgn,
    };
    asked.or_else(named).unwrap_or(usual)
}

impl ValueEnum for FormatName {
    fn value_variants<'a>() -> &'a [FormatName] {
        FormatName::NAMED
    }

    /// They are named as the files that they make.
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.extension()).help(self.description()))
    }
}

/// How text for people looks on standard output, or in a file.
pub(crate) fn look(drawing: &DrawingArguments, color: bool, is_file: bool) -> Look {
    let mut look = Look::default();
    look.screen = Screen {
        width: (!is_file).then(screen_width).flatten(),
        drawing: drawing.drawing(color),
    };
    look
}

/// The width of the screen, if somebody says it: COLUMNS, or the terminal that standard output is.
fn screen_width() -> Option<usize> {
    let named = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    named.filter(|columns| *columns > 0).or_else(|| {
        let (width, _) = terminal_size::terminal_size()?;
        io::stdout().is_terminal().then_some(usize::from(width.0))
    })
}
