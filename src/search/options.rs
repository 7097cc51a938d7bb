//! How a search runs.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::game::Rules;
use crate::limits::Interrupt;

/// How a search runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads that evaluate games. With one, everything happens on the calling thread. The output is the same for any number.
    pub threads: NonZeroUsize,
    /// The number of matching games after which the search ends. A query that sorts reads all games and then writes the best ones.
    pub limit: Option<u64>,
    /// The rules by which PGN is read. A database was read when it was made.
    pub rules: Rules,
    /// Whether warnings about the input are left out.
    pub quiet: bool,
    /// Ends the search soon, even within a game, when it is raised or its deadline passes. What was found by then is written.
    pub interrupt: Arc<Interrupt>,
}

impl Options {
    /// Returns options with one thread, no limit and no warnings.
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
