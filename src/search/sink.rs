//! What a search does with what it finds.
//!
//! A search has two kinds of threads, so what it does has two halves. On the threads that evaluate, a [`Recorder`] makes items of
//! each game while the game and its report are there: the bytes of a text, or one value with all that is asked for. The thread that
//! collects has a [`Sink`], which takes the items in the order of the games.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::batch_results::GameResult;
use super::spool::Room;
use crate::eval::report::{Extras, GameReport, SortValue};
use crate::limits::{Interrupt, Memory};
use crate::output::{GameFacts, Totals};
use crate::query::tags::TagUse;
use crate::query::{Query, SortKey};

/// Makes items of games, on the threads that evaluate.
pub(crate) trait Recorder: Sync {
    /// What is kept of a game are some of these.
    type Item: Send;

    /// What a report has to have beside what matches. Where comments are wanted, games that match come with all that is in them.
    fn extras(&self) -> Extras;

    /// Appends the items of a game; called for each game that is evaluated, whether or not it matches. Says how many bytes they
    /// take beside their own size.
    fn record(&self, game: &dyn GameFacts, report: &GameReport, items: &mut Vec<Self::Item>) -> usize;

    /// The same for a game that need not be evaluated, as it cannot match; called where the sink [sees all](Sink::sees_all).
    fn pass_by(&self, _game: &dyn GameFacts, _items: &mut Vec<Self::Item>) -> usize {
        0
    }
}

/// Takes what a search finds, on the thread that collects.
pub(crate) trait Sink {
    /// Its half on the threads that evaluate.
    type Recorder: Recorder;

    /// Learns which query it is for, before anything else.
    fn meet(&mut self, _query: &Query) {}

    /// What makes its items for a query with these sort keys.
    fn recorder(&self, keys: &[SortKey]) -> Self::Recorder;

    /// Whether it takes all games, however few are wanted, because with these sort keys the best may come last.
    fn is_ranked(&self, _keys: &[SortKey]) -> bool {
        false
    }

    /// Whether it wants to see the tags of all games that are searched, also of those that cannot match.
    fn sees_all(&self) -> bool {
        false
    }

    /// The tags that it shows of games that are not read as a whole.
    fn tags(&self) -> TagUse {
        TagUse::default()
    }

    /// Called before the first game.
    ///
    /// # Errors
    /// When nothing can be written.
    fn begin(&mut self, _context: &SinkContext<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Takes what came of some games. To want no more it breaks with what [`SinkBatch::counted`] gives beside the last item that it took.
    ///
    /// # Errors
    /// When that cannot be written.
    fn take(&mut self, batch: SinkBatch<'_, ItemOf<Self>>) -> io::Result<ControlFlow<usize>>;

    /// Whether there is memory for what waits for the last game.
    fn has_room(&mut self) -> bool {
        true
    }

    /// Called after the last game.
    ///
    /// # Errors
    /// When what waited for it cannot be written.
    fn finish(&mut self, _totals: &Totals, _interrupt: &Interrupt) -> io::Result<()> {
        Ok(())
    }

    /// Called in place of [`finish`](Sink::finish) where the input cannot be read on.
    ///
    /// # Errors
    /// When what can be said of a part of the games cannot be written.
    fn break_off(&mut self, _totals: &Totals) -> io::Result<()> {
        Ok(())
    }
}

/// What a sink takes.
pub(crate) type ItemOf<S> = <<S as Sink>::Recorder as Recorder>::Item;

/// What a sink has to know of its search.
pub(crate) struct SinkContext<'t> {
    /// By which the query sorts.
    pub(crate) keys: &'t [SortKey],
    /// How many matching games are wanted.
    pub(crate) limit: Option<u64>,
    /// Where text waits for the end.
    pub(super) room: &'t Room,
    /// What may be kept.
    pub(crate) memory: &'t Arc<Memory>,
}

/// What came of some successive games.
pub(crate) struct SinkBatch<'h, Item> {
    /// The games that were looked at.
    pub(super) games: &'h [GameResult],
    /// Their items, and perhaps those of games that are not wanted any more.
    pub(crate) items: &'h mut Vec<Item>,
    /// The sort keys of those that match, one game after the other.
    pub(super) keys: &'h mut Vec<Option<SortValue>>,
}

impl<'h, Item> SinkBatch<'h, Item> {
    /// The items, each with how many of the entries of `games` there are up to its own.
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

    /// How many items the games have.
    pub(crate) fn len(&self) -> usize {
        self.games.last().map_or(0, |last| last.items_end)
    }
}
