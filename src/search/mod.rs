//! A query over many games: batches on several threads, results in the order of the input.

#[cfg(feature = "cli")]
mod chosen;
mod collector;
#[cfg(feature = "database")]
mod database;
mod examiner;
mod findings;
mod games;
#[cfg(feature = "cli")]
mod indexing;
mod inputs;
mod listener;
mod log;
mod memory;
#[cfg(feature = "cli")]
mod parallel;
mod pgn;
mod pipeline;
mod ranking;
mod run;
mod sample;
mod single;
mod sink;
mod spool;
mod tasks;
mod terms;
#[cfg(test)]
mod tests;
mod text;
mod under_way;
mod visit;
mod way;
mod window;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::{fmt, io};

use crate::eval::report::Stop;
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::pgn::InputError;
use crate::terminal::in_a_line;

#[cfg(feature = "cli")]
pub use chosen::{Chosen, Id, Whole};
pub use memory::{Printed, search_in_memory, search_sources};
pub use pipeline::STACK_BYTES;
pub use sample::{Draw, sample};

#[cfg(feature = "cli")]
pub(crate) use chosen::search_chosen;
#[cfg(feature = "cli")]
pub(crate) use games::{Batch, Games, ReadGames};
#[cfg(feature = "cli")]
pub(crate) use indexing::{Indexed, index};
#[cfg(feature = "database")]
pub(crate) use inputs::wanted;
#[cfg(feature = "cli")]
pub(crate) use inputs::{InputBatch, InputGames, InputReader};
pub(crate) use listener::Listener;
pub(crate) use log::Log;
#[cfg(feature = "cli")]
pub(crate) use parallel::in_parallel;
pub(crate) use pipeline::on_deep_stack;
pub(crate) use run::Outcome;
pub(crate) use single::search_only;
pub(crate) use sink::{Harvest, Recorder, Sink};
pub(crate) use tasks::{Task, search_all, search_one};
pub(crate) use text::TextSink;

/// How a search runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads evaluate games. With one, everything happens on the calling thread. The output is the same for any
    /// number.
    pub threads: NonZeroUsize,
    /// The search ends after this many matching games. A query that sorts needs all games; its output then has the best ones.
    pub limit: Option<u64>,
    /// By which rules PGN is read. A database has been read when it was made.
    pub rules: Rules,
    /// No warnings about the input.
    pub quiet: bool,
    /// When raised, by somebody or by a deadline, the search ends soon, also within a game, and writes what it has found.
    pub interrupt: Arc<Interrupt>,
}

impl Options {
    /// One thread, no limit and no warnings.
    pub fn quiet() -> Options {
        Options {
            threads: NonZeroUsize::MIN,
            limit: None,
            rules: Rules::default(),
            quiet: true,
            interrupt: Arc::default(),
        }
    }
}

/// Why no search of a run comes to its end: what does not depend on any query.
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
        match error {
            RunError::Input { name, error } => Error::Input { name, error },
            RunError::Thread(error) => Error::Thread(error),
        }
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        RunError::from(error).into()
    }
}

/// Why a search ended before its end. What it had printed by then is what came before the error in the input.
#[derive(Debug)]
pub enum Error {
    /// An input cannot be read.
    Input {
        /// Its name.
        name: String,
        /// What is wrong.
        error: io::Error,
    },
    /// The query asks for something that cannot be done.
    Evaluation(Stop),
    /// The output cannot be written.
    Output(io::Error),
    /// A thread cannot be started.
    Thread(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { name, error } => write!(f, "cannot read {}: {error}", in_a_line(name)),
            Error::Evaluation(stop) => stop.fmt(f),
            Error::Output(error) => write!(f, "cannot write the output: {error}"),
            Error::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Input { error, .. } | Error::Output(error) | Error::Thread(error) => Some(error),
            Error::Evaluation(stop) => Some(stop),
        }
    }
}
