//! How a search runs.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::game::Rules;
use crate::limits::Interrupt;

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
    /// When raised, by someone or by a deadline, the search ends soon, also within a game, and writes what it has found.
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
