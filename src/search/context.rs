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
    /// The range that contains all of them.
    pub(super) numbers: RangeInclusive<u64>,
    /// The only ones in that range, if games were chosen.
    pub(super) chosen: Option<Arc<BTreeSet<u64>>>,
}

impl WantedGames {
    pub(super) fn contains(&self, number: u64) -> bool {
        self.numbers.contains(&number) && self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&number))
    }

    /// Returns whether all games from `first` to `last` are wanted. It may return `false` for chosen games.
    pub(super) fn contain_all(&self, first: u64, last: u64) -> bool {
        self.chosen.is_none() && self.numbers.contains(&first) && self.numbers.contains(&last)
    }

    /// Returns the number of the last wanted game.
    pub(super) fn last(&self) -> u64 {
        let chosen = self.chosen.as_ref().map(|chosen| chosen.last().copied().unwrap_or(0));
        chosen.map_or(*self.numbers.end(), |last| last.min(*self.numbers.end()))
    }
}

/// What all threads of a search share.
pub(super) struct SearchContext<K> {
    /// Makes items from the games.
    pub(super) recorder: K,
    /// Whether the sink wants to see all games that are searched.
    pub(super) sees_all: bool,
    /// The games to look at.
    pub(super) wanted: WantedGames,
    /// The number of matches after which a serial query sees no more games.
    pub(super) limit: Option<u64>,
    /// Whether warnings about the input are left out.
    pub(super) quiet: bool,
    /// Whether the search has ended.
    pub(super) over: Cancelled,
    /// The memory that the results may take.
    pub(super) memory: Arc<Memory>,
    /// The text of the query, for errors about the query as a whole.
    pub(super) span: Span,
}

impl<K> SearchContext<K> {
    /// Returns the error for results that take too much memory.
    pub(super) fn out_of_memory(&self) -> Error {
        Error::Evaluation(Stop {
            diagnostic: out_of_memory(self.span, self.memory.limit()),
        })
    }
}
