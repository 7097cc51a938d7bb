//! What all threads of a search share.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::error::Error;
use super::pipeline::Cancelled;
use crate::eval::out_of_memory;
use crate::eval::report::Stop;
use crate::limits::Memory;
use crate::syntax::token::Span;

/// The numbers of games to look at.
pub(super) struct WantedGames {
    /// All are among these.
    pub(super) numbers: RangeInclusive<u64>,
    /// Only these of them, if they were chosen.
    pub(super) chosen: Option<Arc<BTreeSet<u64>>>,
}

impl WantedGames {
    pub(super) fn contains(&self, number: u64) -> bool {
        self.numbers.contains(&number) && self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&number))
    }

    /// Whether all games from the first to the last of some numbers are among them.
    pub(super) fn contain_all(&self, first: u64, last: u64) -> bool {
        self.chosen.is_none() && self.numbers.contains(&first) && self.numbers.contains(&last)
    }

    /// The number after which there is none.
    pub(super) fn last(&self) -> u64 {
        let chosen = self.chosen.as_ref().map(|chosen| chosen.last().copied().unwrap_or(0));
        chosen.map_or(*self.numbers.end(), |last| last.min(*self.numbers.end()))
    }
}

/// What all threads of a search share.
pub(super) struct SearchContext<K> {
    /// What makes items of the games.
    pub(super) recorder: K,
    /// The recorder wants to see all games that are searched.
    pub(super) sees_all: bool,
    /// The games to look at.
    pub(super) wanted: WantedGames,
    /// Games after this many matches are left alone.
    pub(super) limit: Option<u64>,
    /// No warnings about the input.
    pub(super) quiet: bool,
    /// The search has ended.
    pub(super) over: Cancelled,
    /// What its results may take.
    pub(super) memory: Arc<Memory>,
    /// The query in errors about all of it.
    pub(super) span: Span,
}

impl<K> SearchContext<K> {
    /// The error of results that take too much.
    pub(super) fn out_of_memory(&self) -> Error {
        Error::Evaluation(Stop {
            diagnostic: out_of_memory(self.span, self.memory.limit()),
        })
    }
}
