//! Takes what a search finds.
//!
//! A search has two kinds of threads, so its output has two halves. On the threads that evaluate, a [`Recorder`] makes items from each game
//! and its report: the bytes of a text, or one value for a program. On the thread that collects, a [`Sink`] takes the items in the order of
//! the games.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::batch_results::GameResult;
use crate::eval::report::{Extras, GameReport, SortValue};
use crate::limits::{Interrupt, Memory};
use crate::output::{GameFacts, SpoolSpace, Totals};
use crate::query::tags::TagUse;
use crate::query::{Query, SortKey};

/// Makes items from games, on the threads that evaluate.
pub(crate) trait Recorder: Sync {
    /// The type of the items. A game may have any number of them.
    type Item: Send;

    /// Returns what a report must contain besides the matching positions. If comments are wanted, games that match are read as a whole.
    fn extras(&self) -> Extras;

    /// Appends the items of a game. It is called for each game that is evaluated, whether or not the game matches. Returns how many bytes the items
    /// take in addition to their own size.
    fn record(&self, game: &dyn GameFacts, report: &GameReport, items: &mut Vec<Self::Item>) -> usize;

    /// Does the same for a game that is not evaluated because it cannot match. It is called if the sink [sees all](Sink::sees_all).
    fn pass_by(&self, _game: &dyn GameFacts, _items: &mut Vec<Self::Item>) -> usize {
        0
    }
}

/// Takes what a search finds, on the thread that collects.
pub(crate) trait Sink {
    /// The half of the sink on the threads that evaluate.
    type Recorder: Recorder;

    /// Learns the query, before anything else.
    fn meet(&mut self, _query: &Query) {}

    /// Returns what makes the items for a query with these sort keys.
    fn recorder(&self, keys: &[SortKey]) -> Self::Recorder;

    /// Returns whether the sink takes all games despite a limit, because with these sort keys the best may come last.
    fn is_ranked(&self, _keys: &[SortKey]) -> bool {
        false
    }

    /// Returns whether the sink wants to see the tags of all games that are searched, even if they cannot match.
    fn sees_all(&self) -> bool {
        false
    }

    /// Returns the tags that the sink shows of games that are not read as a whole.
    fn tags(&self) -> TagUse {
        TagUse::default()
    }

    /// Starts the output, before the first game.
    ///
    /// # Errors
    /// Returns an error if nothing can be written.
    fn begin(&mut self, _context: &SinkContext<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Takes the results of several games. To stop the search, it breaks with the count that [`SinkBatch::counted`] returned with the last item
    /// taken.
    ///
    /// # Errors
    /// Returns an error if the results cannot be written.
    fn take(&mut self, batch: SinkBatch<'_, ItemOf<Self>>) -> io::Result<ControlFlow<usize>>;

    /// Returns whether there is memory for what waits for the last game.
    fn has_room(&mut self) -> bool {
        true
    }

    /// Ends the output, after the last game.
    ///
    /// # Errors
    /// Returns an error if what waited for the last game cannot be written.
    fn finish(&mut self, _totals: &Totals, _interrupt: &Interrupt) -> io::Result<()> {
        Ok(())
    }

    /// Called instead of [`finish`](Sink::finish) if the rest of the input cannot be read.
    ///
    /// # Errors
    /// Returns an error if what the sink writes about a part of the games cannot be written.
    fn break_off(&mut self, _totals: &Totals) -> io::Result<()> {
        Ok(())
    }
}

/// The items that a sink takes.
pub(crate) type ItemOf<S> = <<S as Sink>::Recorder as Recorder>::Item;

/// What a sink has to know about its search.
pub(crate) struct SinkContext<'t> {
    /// The keys by which the query sorts.
    pub(crate) keys: &'t [SortKey],
    /// The number of matching games that are wanted.
    pub(crate) limit: Option<u64>,
    /// Where text waits for the end.
    pub(super) room: &'t SpoolSpace,
    /// The memory for what is kept.
    pub(crate) memory: &'t Arc<Memory>,
}

/// The results of successive games.
pub(crate) struct SinkBatch<'h, Item> {
    /// The games that were looked at.
    pub(super) games: &'h [GameResult],
    /// Their items, perhaps followed by those of games that are no longer wanted.
    pub(crate) items: &'h mut Vec<Item>,
    /// The sort keys of the matching games, one game after another.
    pub(super) keys: &'h mut Vec<Option<SortValue>>,
}

impl<'h, Item> SinkBatch<'h, Item> {
    /// Returns each item with the number of entries of `games` up to and including its own.
    pub(crate) fn counted(self) -> impl Iterator<Item = (usize, Item)> + use<'h, Item> {
        let SinkBatch { games, items, .. } = self;
        let length = games.last().map_or(0, |last| last.items_end);
        let mut game = 0;
        items.drain(..length).enumerate().map(move |(index, item)| {
            while games.get(game).is_some_and(|found| found.items_end <= index) {
                game += 1;
            }
            (game + 1, item)
        })
    }

    /// Returns the number of items of the games.
    pub(crate) fn len(&self) -> usize {
        self.games.last().map_or(0, |last| last.items_end)
    }
}
