//! Why a command could not do what it should.

use std::fmt;
use std::io::{self, Write};

use crate::cli::exit::Exit;
use crate::terminal::{Visible, visible, without_codes};

/// Why a command could not do what it should.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What is wrong, in a line.
    pub(crate) message: String,
    /// The text for the user.
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(message: impl fmt::Display) -> Failure {
        let message = readable(message);
        Failure {
            text: format!("error: {message}"),
            message,
        }
    }

    /// With advice below.
    pub(crate) fn with_help(message: impl fmt::Display, advice: impl fmt::Display) -> Failure {
        let message = readable(message);
        Failure {
            text: format!("error: {message}\n  = help: {}", readable(advice)),
            message,
        }
    }

    /// With what belongs to it below.
    pub(crate) fn with_note(message: impl fmt::Display, note: impl fmt::Display) -> Failure {
        let message = readable(message);
        Failure {
            text: format!("error: {message}\n  = note: {}", readable(note)),
            message,
        }
    }

    /// A diagnostic that is ready to be printed.
    pub(crate) fn rendered(message: &str, diagnostic: String) -> Failure {
        Failure {
            message: message.to_owned(),
            text: diagnostic,
        }
    }
}

/// What is said to people: what is a command for a terminal can be seen, and what the system says has no numbers.
pub(crate) fn readable(text: impl fmt::Display) -> String {
    visible(&without_codes(&text.to_string())).into_owned()
}

/// Tells the user.
pub(crate) fn fail(failure: &Failure) -> Exit {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(Visible::with_colors(io::stderr()), "{}", failure.text.trim_end());
    Exit::Error
}
