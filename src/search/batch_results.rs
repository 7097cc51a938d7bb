//! The results of one batch of games, as a worker hands them over.

use std::sync::Arc;

use super::error::Error;
use crate::eval::report::SortValue;
use crate::game::Warning;
use crate::limits::{Memory, Share};

/// The results of one search over a batch: what a recorder made of the games, and where the share of each game ends.
#[derive(Debug)]
pub(super) struct BatchResults<Item> {
    /// What the recorder keeps of the games.
    pub(super) items: Vec<Item>,
    /// The bytes that the items take in addition to their own size.
    pub(super) item_bytes: usize,
    /// The warnings about the games.
    pub(super) warnings: Vec<Warning>,
    /// The number of files that could not be read.
    pub(super) unread_files: u64,
    /// What the query prints, in complete lines.
    pub(super) messages: Vec<u8>,
    /// The games that were looked at, in order.
    pub(super) games: Vec<GameResult>,
    /// The sort keys of the matching games, one game after another.
    pub(super) keys: Vec<Option<SortValue>>,
    /// The bytes in the texts of the keys.
    pub(super) key_bytes: usize,
    /// The memory reserved for all of this.
    pub(super) share: Share,
    /// What the query prints if the search ends after these games.
    pub(super) closing: Vec<u8>,
    /// Why the search ends after these results.
    pub(super) failure: Option<Error>,
}

/// The largest buffer that is kept for the next batch, in bytes.
const MOST_BUFFERED: usize = 8 << 20;

/// The outcome of one game of a batch, or of several successive games with the same outcome. Such a run has no match, and only its first game
/// may have items, warnings or messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct GameResult {
    /// The number of games.
    pub(super) games: usize,
    /// Whether the game matches.
    pub(super) matched: bool,
    /// The number of its positions that match.
    pub(super) positions: usize,
    /// Whether the game was read and has variations.
    pub(super) has_variations: bool,
    /// Whether the game is outside the narrowing of the search.
    pub(super) is_left_alone: bool,
    /// Whether the game could not be read because its file is damaged.
    pub(super) is_unreadable: bool,
    /// The end of its part of [`BatchResults::items`].
    pub(super) items_end: usize,
    /// The end of its part of [`BatchResults::warnings`].
    pub(super) warnings_end: usize,
    /// The end of its part of [`BatchResults::messages`].
    pub(super) messages_end: usize,
}

impl GameResult {
    /// Returns whether `next` can be counted together with these games, which it follows.
    #[inline]
    fn goes_on_with(&self, next: &GameResult) -> bool {
        let games = self.games;
        !next.matched && *self == GameResult { games, ..*next }
    }
}

impl<Item> Default for BatchResults<Item> {
    fn default() -> BatchResults<Item> {
        BatchResults {
            items: Vec::new(),
            item_bytes: 0,
            warnings: Vec::new(),
            unread_files: 0,
            messages: Vec::new(),
            games: Vec::new(),
            keys: Vec::new(),
            key_bytes: 0,
            share: Share::default(),
            closing: Vec::new(),
            failure: None,
        }
    }
}

impl<Item> BatchResults<Item> {
    /// Empties the results for the next batch. Buffers stay, up to a limit.
    pub(super) fn clear(&mut self) {
        self.warnings.clear();
        self.unread_files = 0;
        self.items.clear();
        self.items.shrink_to(MOST_BUFFERED / size_of::<Item>().max(1));
        self.item_bytes = 0;
        self.messages.clear();
        self.messages.shrink_to(MOST_BUFFERED);
        self.share.resize(0);
        self.games.clear();
        self.keys.clear();
        self.key_bytes = 0;
        self.closing.clear();
        self.failure = None;
    }

    /// Returns roughly how many bytes the results take.
    pub(super) fn bytes(&self) -> usize {
        let keys = self.key_bytes + self.keys.len() * size_of::<Option<SortValue>>();
        let items = self.item_bytes + self.items.len() * size_of::<Item>();
        items + self.messages.len() + keys
    }

    /// Reserves memory for the results and for `more` bytes. Returns whether there is enough.
    pub(super) fn fit(&mut self, more: usize, memory: &Arc<Memory>) -> bool {
        self.share.move_to(memory);
        self.share.resize(self.bytes().saturating_add(more))
    }

    /// Returns whether there are lines for the log.
    pub(super) fn has_log(&self) -> bool {
        !self.warnings.is_empty() || !self.messages.is_empty()
    }

    /// Returns the warnings and messages of the first `taken` entries of [`games`](BatchResults::games), in order. If these are all entries, what
    /// was logged after the last one follows.
    pub(super) fn log(&self, taken: usize) -> impl Iterator<Item = (&[Warning], &[u8])> {
        let (mut warnings, mut messages) = (0, 0);
        let ends = self
            .games
            .iter()
            .take(taken)
            .map(|game| (game.warnings_end, game.messages_end));
        let rest = (taken == self.games.len()).then_some((self.warnings.len(), self.messages.len()));
        ends.chain(rest).map(move |(warnings_end, messages_end)| {
            let warned = &self.warnings[std::mem::replace(&mut warnings, warnings_end)..warnings_end];
            let printed = &self.messages[std::mem::replace(&mut messages, messages_end)..messages_end];
            (warned, printed)
        })
    }

    /// Ends the part of one game with its outcome `found`, and fills in where that part ends.
    pub(super) fn end_game(&mut self, found: GameResult) {
        self.end_games(1, found);
    }

    /// Does the same for this many successive games, none of which matches.
    #[inline]
    pub(super) fn end_games(&mut self, games: usize, found: GameResult) {
        if games == 0 {
            return;
        }
        let found = GameResult {
            games,
            items_end: self.items.len(),
            warnings_end: self.warnings.len(),
            messages_end: self.messages.len(),
            ..found
        };
        // A search in a pass of many finds nothing in most games: they must take no room.
        match self.games.last_mut() {
            Some(last) if last.goes_on_with(&found) => last.games += games,
            _ => self.games.push(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_which_nothing_is_kept_or_said_are_counted_together() {
        let mut results: BatchResults<u8> = BatchResults::default();
        let matching = GameResult {
            matched: true,
            positions: 1,
            ..GameResult::default()
        };
        results.end_games(3, GameResult::default());
        results.end_games(0, GameResult::default());
        results.end_game(GameResult::default());
        results.end_game(matching);
        results.end_game(matching);
        results.end_game(GameResult::default());
        results.messages.extend(b"said of the next\n");
        results.end_game(GameResult::default());
        results.end_games(16, GameResult::default());
        results.end_game(GameResult {
            has_variations: true,
            ..GameResult::default()
        });
        let counts: Vec<(usize, bool, usize)> = results
            .games
            .iter()
            .map(|found| (found.games, found.matched, found.messages_end))
            .collect();
        assert_eq!(
            counts,
            [
                (4, false, 0),
                (1, true, 0),
                (1, true, 0),
                (1, false, 0),
                (17, false, 17),
                (1, false, 17)
            ]
        );
    }
}
