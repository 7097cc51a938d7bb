//! What whoever searches decides.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread;

use crate::eval::Settings;
use crate::game::Rules;
use crate::limits::{Interrupt, Memory};
use crate::query::tags::TagUse;
use crate::search;

/// How a search runs and what of a game it keeps.
///
/// ```
/// let mut options = skewer::Options::default();
/// options.limit = Some(100);
/// options.squares = false;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How many threads evaluate games; what is found is the same for any number. One for each processor, unless it is changed.
    pub threads: NonZeroUsize,
    /// The search ends after so many games that match. Without it, it goes through all games.
    pub limit: Option<u64>,
    /// The numbers of the games that are looked at; all of them, unless it is changed. Numbers are counted through the whole input.
    pub games: Option<Arc<BTreeSet<u64>>>,
    /// Whether comments of the query are kept. A game that matches is read once more for them, so a search for positions alone is
    /// faster without. They are kept unless it is changed.
    pub comments: bool,
    /// Whether the [remarks](super::Match::remarks) on positions are kept, which is part of their comments and takes no second reading.
    /// They are not, unless it is changed.
    pub remarks: bool,
    /// The names of the tags that are kept, as far as games are not read as a whole for comments or PGN; all, unless it is changed. Of a
    /// database, only these and those that the query asks for are read.
    pub tags: Option<Vec<String>>,
    /// Whether squares and lines that made the match are found out, which takes a second evaluation of each position that matches.
    /// They are found out unless it is changed.
    pub squares: bool,
    /// Whether games are kept as PGN, too. They are not, unless it is changed.
    pub pgn: bool,
    /// How many bytes may be taken by what the query makes: strings, dictionaries, comments, and what waits to be taken. More is an
    /// error. 2 GB, unless it is changed.
    pub max_memory: usize,
    /// How often loops of the query may go round at one position before they count as endless, which is an error. Ten million,
    /// unless it is changed.
    pub max_rounds: u64,
    /// Ends the search early when it is raised, by someone or by its deadline; what was found by then stays, and is not an error. A
    /// search that nobody takes any more raises it, too. Without it, the search has one of its own.
    pub interrupt: Option<Arc<Interrupt>>,
}

impl Default for Options {
    fn default() -> Options {
        // To ask the system takes longer than to evaluate a position.
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
    /// For whoever wants to know only whether something matches.
    pub(super) fn frugal() -> Options {
        Options {
            threads: NonZeroUsize::MIN,
            comments: false,
            squares: false,
            ..Options::default()
        }
    }

    /// The tags that are kept.
    pub(super) fn shown_tags(&self) -> TagUse {
        match &self.tags {
            None => TagUse::all(),
            Some(names) => TagUse {
                names: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
                ..TagUse::default()
            },
        }
    }

    /// The same for the search, which ends when `interrupt` is raised.
    pub(super) fn of_search(&self, interrupt: &Arc<Interrupt>) -> search::Options {
        search::Options {
            threads: self.threads,
            limit: self.limit,
            rules: Rules::Full,
            quiet: false,
            interrupt: Arc::clone(interrupt),
        }
    }

    /// The same for the evaluation.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            max_rounds: self.max_rounds,
            memory: Arc::new(Memory::new(self.max_memory)),
            ..Settings::default()
        }
    }

    /// What ends the search.
    pub(super) fn interrupt(&self) -> Arc<Interrupt> {
        self.interrupt.clone().unwrap_or_default()
    }
}
