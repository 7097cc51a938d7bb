//! The keys of the boards of a row group that is being made.

use super::board_filter::BoardFilter;
use super::decoded::Decoded;
use super::facts::Events;
use crate::board::BoardKey;
use crate::chess::Start;
use crate::game::{Game, Replayer, Rules};

/// The keys of the boards of main lines.
#[derive(Default)]
pub(super) struct BoardKeys {
    keys: Vec<BoardKey>,
    /// The moves of some game could not be played.
    are_incomplete: bool,
    replayer: Replayer,
    game: Game,
}

impl BoardKeys {
    /// Adds keys, little end first.
    pub(super) fn add(&mut self, keys: &[u8]) {
        let (keys, _) = keys.as_chunks();
        self.keys
            .extend(keys.iter().map(|key| BoardKey(u64::from_le_bytes(*key))));
    }

    /// Adds those of a row of another database, which was read by some rules. A game that is read from its text has none: whoever passes over row
    /// groups knows of such games.
    pub(super) fn add_row(&mut self, rows: &Decoded, index: usize, rules: Rules) {
        let events = rows.events(index);
        if events.has(Events::FROM_TEXT) || events.has(Events::UNREADABLE) {
            return;
        }
        match self.play(rows, index, rules) {
            Some(()) => self
                .keys
                .extend(self.game.positions.iter().map(|position| BoardKey::of(&position.board))),
            None => self.are_incomplete = true,
        }
    }

    fn play(&mut self, rows: &Decoded, index: usize, rules: Rules) -> Option<()> {
        self.game.begin(rules);
        if rows.events(index).has(Events::SETUP) {
            let fen = rows.fen(index)?;
            let start = match rules {
                Rules::Full => Start::from_fen(fen),
                Rules::Cql => Start::from_fen_of_cql(fen),
            };
            self.game.start = Some(start.ok()?);
        }
        self.replayer.replay(&mut self.game, rows.main_line(index)?, &[]).ok()
    }

    /// Makes the filter of the keys; it is empty unless they are all.
    pub(super) fn filter(self) -> BoardFilter {
        match self.are_incomplete {
            true => BoardFilter::default(),
            false => BoardFilter::of(self.keys),
        }
    }
}
