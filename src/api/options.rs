//! Options of a search.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread;

use crate::eval::Settings;
use crate::game::Rules;
use crate::limits::{Interrupt, Memory};
use crate::query::tags::TagUse;
use crate::search;

/// Options that say how a search runs and what it keeps of each game.
///
/// ```
/// let mut options = skewer::Options::default();
/// options.limit = Some(100);
/// options.squares = false;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The number of threads that evaluate games. The results are the same for any number. The default is one for each processor.
    pub threads: NonZeroUsize,
    /// Ends the search after this many matching games. With `None`, all games are searched.
    pub limit: Option<u64>,
    /// The numbers of the games to look at, counted through the whole input. The default is all games.
    pub games: Option<Arc<BTreeSet<u64>>>,
    /// Whether to keep the comments of the query. A game that matches is read a second time for them, so a search for positions only is
    /// faster without. The default is `true`.
    pub comments: bool,
    /// Whether to keep the [remarks](super::Match::remarks) on positions. They are some of the comments, but need no second reading. The
    /// default is `false`.
    pub remarks: bool,
    /// The names of the tags to keep, for games that are not read completely for comments or PGN. The default is all tags. From a database,
    /// only these tags and those that the query asks for are read.
    pub tags: Option<Vec<String>>,
    /// Whether to find the squares and lines that made the match. Each matching position is evaluated a second time for them. The default is
    /// `true`.
    pub squares: bool,
    /// Whether to keep games as PGN, too. The default is `false`.
    pub pgn: bool,
    /// The number of bytes that the query's strings, dictionaries and comments and the results that wait to be taken may use. Exceeding it
    /// is an error. The default is 2 GB.
    pub max_memory: usize,
    /// How many times the loops of the query may run at one position before they count as endless, which is an error. The default is ten
    /// million.
    pub max_rounds: u64,
    /// Ends the search early when it is raised, by a caller or by its deadline. What was found by then is kept, and the search is not an
    /// error. Dropping a [`Search`](super::Search) raises it, too. With `None`, the search has an interrupt of its own.
    pub interrupt: Option<Arc<Interrupt>>,
}

impl Default for Options {
    fn default() -> Options {
        // Asking the system takes longer than evaluating a position.
        static THREADS: LazyLock<NonZeroUsize> =
            LazyLock::new(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        let Settings { max_rounds, memory, .. } = Settings::default();
        Options {
            threads: *THREADS,
            limit: None,
            games: None,
            comments: true,
            remarks: false,
            tags: None,
            squares: true,
            pgn: false,
            max_memory: memory.limit(),
            max_rounds,
            interrupt: None,
        }
    }
}

impl Options {
    /// Returns options for searches that only ask whether something matches.
    pub(super) fn frugal() -> Options {
        Options {
            threads: NonZeroUsize::MIN,
            comments: false,
            squares: false,
            ..Options::default()
        }
    }

    /// Returns the tags to keep.
    pub(super) fn shown_tags(&self) -> TagUse {
        match &self.tags {
            None => TagUse::all(),
            Some(names) => TagUse {
                names: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
                ..TagUse::default()
            },
        }
    }

    /// Returns the options of the pipeline. The search ends when `interrupt` is raised.
    pub(super) fn of_search(&self, interrupt: &Arc<Interrupt>) -> search::Options {
        search::Options {
            threads: self.threads,
            limit: self.limit,
            rules: Rules::Full,
            quiet: false,
            interrupt: Arc::clone(interrupt),
        }
    }

    /// Returns the settings of the evaluation.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            max_rounds: self.max_rounds,
            memory: Arc::new(Memory::new(self.max_memory)),
            ..Settings::default()
        }
    }

    /// Returns the interrupt that ends the search.
    pub(super) fn interrupt(&self) -> Arc<Interrupt> {
        self.interrupt.clone().unwrap_or_default()
    }
}
