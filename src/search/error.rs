//! Why a search ends before its end.

use std::fmt;
use std::io;

use crate::eval::report::Stop;
use crate::pgn::InputError;
use crate::terminal::in_a_line;

/// Why a whole run fails, for reasons that do not depend on any query.
#[derive(Debug)]
pub enum RunError {
    /// An input cannot be read.
    Input {
        /// Its name.
        name: String,
        /// What is wrong.
        error: io::Error,
    },
    /// A thread cannot be started.
    Thread(io::Error),
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        Error::Run(error)
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        Error::Run(error.into())
    }
}

/// Why a search ended early. Its output until then covers the input before the error.
#[derive(Debug)]
pub enum Error {
    /// The whole run fails.
    Run(RunError),
    /// The query asks for something that cannot be done.
    Evaluation(Stop),
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Run(RunError::Input { name, error }) => write!(f, "cannot read {}: {error}", in_a_line(name)),
            Error::Run(RunError::Thread(error)) => write!(f, "cannot start a thread: {error}"),
            Error::Evaluation(stop) => stop.fmt(f),
            Error::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Run(RunError::Input { error, .. } | RunError::Thread(error)) | Error::Output(error) => Some(error),
            Error::Evaluation(stop) => Some(stop),
        }
    }
}
