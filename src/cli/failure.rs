//! Why a command could not do what it should.

use std::fmt;
use std::io::{self, Write};

use crate::cli::exit::Exit;
use crate::limits::Cause;
use crate::terminal::{Visible, visible, without_codes};

/// Why a command could not do what it should.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What is wrong, in a line.
    pub(crate) message: String,
    /// The text for the user.
    pub(crate) text: String,
    /// How the command ends.
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

    /// With advice below.
    pub(crate) fn with_help(message: impl fmt::Display, advice: impl fmt::Display) -> Failure {
        Failure::new(message).below("help", advice)
    }

    /// With what belongs to it below.
    pub(crate) fn with_note(message: impl fmt::Display, note: impl fmt::Display) -> Failure {
        Failure::new(message).below("note", note)
    }

    fn below(mut self, kind: &str, text: impl fmt::Display) -> Failure {
        self.text += &format!("\n  = {kind}: {}", readable(text));
        self
    }

    /// A diagnostic that is ready to be printed.
    pub(crate) fn rendered(message: &str, diagnostic: String) -> Failure {
        Failure {
            message: message.to_owned(),
            text: diagnostic,
            exit: Exit::Error,
        }
    }

    /// The end of a run that leaves nothing, and what that means for the user.
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

/// What is said of why a run ended early, and its exit code.
pub(crate) fn cause_of_end(cause: Cause) -> (&'static str, Exit) {
    match cause {
        Cause::Raised => ("interrupted", Exit::Interrupted),
        Cause::Deadline => ("out of time", Exit::TimedOut),
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
    failure.exit
}
