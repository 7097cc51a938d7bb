//! Who hears of a search while it runs.

use crate::game::Warning;
use crate::output::Totals;

/// Hears what a search has to say beside what it finds, on the thread that collects: warnings, messages, how far it has come. What
/// is not listened to is lost.
pub(crate) trait Listener {
    /// What comes next is said by the search at this place among those of the run; if there are several, they may have names.
    fn begin_search(&mut self, _place: usize, _name: Option<&str>) {}

    /// What comes next is about other games.
    fn begin_games(&mut self) {}

    /// The warnings about each of some games, and what the query prints about it: complete lines.
    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>);

    /// What the query prints at its end: complete lines.
    fn close(&mut self, lines: &[u8]);

    /// The run has read this many bytes and games, and found this much.
    fn advance(&mut self, bytes: u64, games: u64, totals: Totals);
}

/// Nobody who listens.
pub(crate) struct Silence;

impl Listener for Silence {
    fn log(&mut self, _games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {}

    fn close(&mut self, _lines: &[u8]) {}

    fn advance(&mut self, _bytes: u64, _games: u64, _totals: Totals) {}
}
