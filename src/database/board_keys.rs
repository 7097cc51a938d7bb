//! The boards of a row group that is being made: their keys, and where kings and pawns have been.

use std::io;

use super::board_filter::BoardFilter;
use super::decoded::Decoded;
use super::facts::Events;
use super::squares::{PackedSquares, VisitedSquares};
use crate::board::BoardKey;
use crate::game::{Game, Replayer, Rules};

/// The boards of main lines.
#[derive(Default)]
pub(super) struct BoardKeys {
    keys: Vec<BoardKey>,
    /// Where the pieces of each game have been.
    ever: Vec<VisitedSquares>,
    /// Whether the moves of a game could not be played.
    are_incomplete: bool,
    replayer: Replayer,
    game: Game,
}

impl BoardKeys {
    /// Adds a game by the keys of its boards in little-endian order.
    pub(super) fn add(&mut self, keys: &[u8], ever: VisitedSquares) {
        self.ever.push(ever);
        let (keys, _) = keys.as_chunks();
        self.keys
            .extend(keys.iter().map(|key| BoardKey(u64::from_le_bytes(*key))));
    }

    /// Adds a row of another database whose games were read by `rules`. A game that is read from its text has no boards; filters of row groups know
    /// about such games.
    pub(super) fn add_row(&mut self, rows: &Decoded, index: usize, rules: Rules) {
        let events = rows.events(index);
        if events.has(Events::FROM_TEXT) || events.has(Events::UNREADABLE) {
            self.ever.push(VisitedSquares::default());
            return;
        }
        match self.play(rows, index, rules) {
            Some(()) => {
                let positions = &self.game.positions;
                self.keys
                    .extend(positions.iter().map(|position| BoardKey::of(&position.board)));
                self.ever.push(VisitedSquares::of(positions));
            }
            None => self.are_incomplete = true,
        }
    }

    fn play(&mut self, rows: &Decoded, index: usize, rules: Rules) -> Option<()> {
        self.game.begin(rules);
        if rows.events(index).has(Events::SETUP) {
            self.game.start = Some(rules.start(rows.fen(index)?).ok()?);
        }
        self.replayer.replay(&mut self.game, rows.main_line(index)?, &[]).ok()
    }

    /// Makes the filter of the keys, and packs where pieces have been. Both are empty unless all moves could be played.
    ///
    /// # Errors
    /// Returns an error if packing fails.
    pub(super) fn finish(self) -> io::Result<(BoardFilter, PackedSquares)> {
        match self.are_incomplete {
            true => Ok((BoardFilter::default(), PackedSquares::default())),
            false => Ok((BoardFilter::of(self.keys), PackedSquares::of(&self.ever)?)),
        }
    }
}
