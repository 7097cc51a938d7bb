//! Puts the results of the batches together.

use std::io;
use std::ops::ControlFlow;

use super::batch_results::{BatchResults, GameResult};
use super::listener::Listener;
use super::sink::{ItemOf, Sink, SinkBatch};
use crate::limits::Interrupt;
use crate::output::Totals;

/// Takes results in the order of the input and passes the items of the games to the sink and lines to the listener.
pub(super) struct Collector<S> {
    sink: S,
    /// The number of matching games after which the search has enough.
    limit: Option<u64>,
    totals: Totals,
}

impl<S: Sink> Collector<S> {
    /// Creates a collector that hands at most `limit` matching games to the sink.
    pub(super) fn new(sink: S, limit: Option<u64>) -> Collector<S> {
        Collector {
            sink,
            limit,
            totals: Totals::default(),
        }
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    /// Takes the results of the next batch. Breaks when the search has enough.
    pub(super) fn take(
        &mut self,
        results: &mut BatchResults<ItemOf<S>>,
        listener: &mut dyn Listener,
    ) -> io::Result<ControlFlow<()>> {
        let wanted = self.wanted(&results.games);
        if results.has_log() {
            listener.log(&mut results.log(wanted));
        }
        let games = &results.games[..wanted];
        let taken = self.sink.take(SinkBatch {
            games,
            items: &mut results.items,
            keys: &mut results.keys,
        });
        let games = match taken {
            Ok(ControlFlow::Break(count)) => &games[..count.min(wanted)],
            // A match counts as found even if it cannot be written.
            Ok(ControlFlow::Continue(())) | Err(_) => games,
        };
        self.totals = games.iter().fold(self.totals, after);
        self.totals.unread_files += results.unread_files;
        Ok(if taken?.is_break() || self.is_full(self.totals) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Returns whether there is memory for what waits for the last game.
    pub(super) fn has_room(&mut self) -> bool {
        self.sink.has_room()
    }

    /// Ends the output of the sink.
    pub(super) fn finish(&mut self, interrupt: &Interrupt) -> io::Result<()> {
        self.sink.finish(&self.totals, interrupt)
    }

    /// Ends the output of the sink when the rest of the input cannot be read.
    pub(super) fn break_off(&mut self) -> io::Result<()> {
        self.sink.break_off(&self.totals)
    }

    /// Returns how many of these entries are needed until enough games match.
    fn wanted(&self, games: &[GameResult]) -> usize {
        let mut totals = self.totals;
        let enough = games.iter().position(|game| {
            let is_full = self.is_full(totals);
            totals = after(totals, game);
            is_full
        });
        enough.unwrap_or(games.len())
    }

    /// Returns whether the search has enough.
    fn is_full(&self, totals: Totals) -> bool {
        self.limit.is_some_and(|limit| totals.matches >= limit)
    }
}

/// Returns the totals after one more entry.
fn after(totals: Totals, found: &GameResult) -> Totals {
    let games = found.games as u64;
    Totals {
        games: totals.games + games,
        matches: totals.matches + games * u64::from(found.matched),
        positions: totals.positions + games * found.positions as u64,
        with_variations: totals.with_variations + games * u64::from(found.has_variations),
        left_alone: totals.left_alone + games * u64::from(found.is_left_alone),
        unreadable: totals.unreadable + games * u64::from(found.is_unreadable),
        unread_files: totals.unread_files,
    }
}
