//! The reason why a command failed.

use std::fmt;
use std::io::{self, Write};

use crate::cli::exit::Exit;
use crate::limits::Cause;
use crate::terminal::{Visible, visible, without_codes};

/// The reason why a command failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What is wrong, in one line.
    pub(crate) message: String,
    /// The text for the user.
    pub(crate) text: String,
    /// The exit code of the command.
    exit: Exit,
}

impl Failure {
    pub(crate) fn new(message: impl fmt::Display) -> Failure {
        let message = readable(message);
        Failure {
            text: format!("error: {message}"),
            message,
            exit: Exit::Error,
        }
    }

    /// Creates a failure with advice below.
    pub(crate) fn with_help(message: impl fmt::Display, advice: impl fmt::Display) -> Failure {
        Failure::new(message).below("help", advice)
    }

    /// Creates a failure with a note below.
    pub(crate) fn with_note(message: impl fmt::Display, note: impl fmt::Display) -> Failure {
        Failure::new(message).below("note", note)
    }

    fn below(mut self, kind: &str, text: impl fmt::Display) -> Failure {
        self.text += &format!("\n  = {kind}: {}", readable(text));
        self
    }

    /// Creates a failure from a rendered diagnostic.
    pub(crate) fn rendered(message: &str, diagnostic: String) -> Failure {
        Failure {
            message: message.to_owned(),
            text: diagnostic,
            exit: Exit::Error,
        }
    }

    /// Creates a failure for a run that ended without a result. `outcome` says what that means for the user.
    pub(crate) fn ended(cause: Cause, outcome: &str) -> Failure {
        let (why, exit) = cause_of_end(cause);
        let message = format!("{why}: {outcome}");
        Failure {
            text: message.clone(),
            message,
            exit,
        }
    }
}

/// Returns the words for why a run ended early, and its exit code.
pub(crate) fn cause_of_end(cause: Cause) -> (&'static str, Exit) {
    match cause {
        Cause::Raised => ("interrupted", Exit::Interrupted),
        Cause::Deadline => ("out of time", Exit::TimedOut),
    }
}

/// Returns the text for people: control characters for terminals are visible, and messages of the system have no error numbers.
pub(crate) fn readable(text: impl fmt::Display) -> String {
    visible(&without_codes(&text.to_string())).into_owned()
}

/// Prints the failure.
pub(crate) fn fail(failure: &Failure) -> Exit {
    // A failure to write to standard error cannot be reported.
    let _ = writeln!(Visible::with_colors(io::stderr()), "{}", failure.text.trim_end());
    failure.exit
}
