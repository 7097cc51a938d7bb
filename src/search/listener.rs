//! Receives reports from a search while it runs.

use crate::game::Warning;
use crate::output::Totals;

/// Receives what a search reports besides its results, on the thread that collects: warnings, messages and progress. The default methods ignore them.
pub(crate) trait Listener {
    /// Announces that what follows comes from the search with this index in the run. If there are several searches, they may have names.
    fn begin_search(&mut self, _place: usize, _name: Option<&str>) {}

    /// Announces that what follows is about other games.
    fn begin_games(&mut self) {}

    /// Takes the warnings about each of several games, and what the query prints about it, in complete lines.
    fn log(&mut self, _games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {}

    /// Takes what the query prints at its end, in complete lines.
    fn close(&mut self, _lines: &[u8]) {}

    /// Takes the progress: bytes and games that the run has read, and what it has found.
    fn advance(&mut self, _bytes: u64, _games: u64, _totals: Totals) {}
}

/// A listener that ignores everything.
pub(crate) struct NoListener;

impl Listener for NoListener {}
