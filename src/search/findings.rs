//! What a worker hands over for one batch of games.

use crate::eval::report::SortValue;

/// The results of a batch: text that is ready to be printed, and where each game's share of it ends.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What the format made of the games.
    pub(super) text: Vec<u8>,
    /// Warnings and messages: complete lines for standard error.
    pub(super) log: Vec<u8>,
    /// The games that were looked at.
    pub(super) games: Vec<Found>,
    /// The sort keys of the games that match, one game after the other.
    pub(super) keys: Vec<Option<SortValue>>,
}

/// One game of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// The game matches.
    pub(super) matched: bool,
    /// How many of its positions match.
    pub(super) positions: usize,
    /// Where its part of [`Findings::text`] ends.
    pub(super) text_end: usize,
    /// Where its part of [`Findings::log`] ends.
    pub(super) log_end: usize,
}

impl Findings {
    /// Makes room for the next batch.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.log.clear();
        self.games.clear();
        self.keys.clear();
    }

    /// Ends the part of a game.
    pub(super) fn end_game(&mut self, matched: bool, positions: usize) {
        self.games.push(Found {
            matched,
            positions,
            text_end: self.text.len(),
            log_end: self.log.len(),
        });
    }
}
