//! Warnings about the text of games, as stored in the file.

use std::io;

use serde::{Deserialize, Serialize};

use super::error::damaged;
use crate::game::Warning;

/// A warning of a game, in the column `warnings` or in the metadata. It has the number of the game in the database, or 0 for text before the first
/// game of its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    #[serde(flatten)]
    pub(super) warning: Warning,
    /// Whether it was found when the moves were read, so that it is only shown when they are.
    pub(super) in_moves: bool,
}

impl Kept {
    /// Creates a warning of the game that has this number in the database. A warning about text before the first game of a file has no game.
    pub(super) fn new(warning: &Warning, game: u64, in_moves: bool) -> Kept {
        let warning = Warning {
            game: if warning.game == 0 { 0 } else { game },
            ..warning.clone()
        };
        Kept { warning, in_moves }
    }

    /// Renumbers the warning if the game with the number `old` gets the number `new`. The warning is about that game or an earlier one.
    pub(super) fn renumbered(self, old: u64, new: u64) -> Kept {
        let game = match self.warning.game {
            0 => 0,
            game => new.saturating_sub(old.saturating_sub(game)),
        };
        let warning = Warning { game, ..self.warning };
        Kept { warning, ..self }
    }

    /// Returns the warning for a search in which this many games come before those of the database.
    pub(super) fn warning(&self, before: u64) -> Warning {
        let game = match self.warning.game {
            0 => 0,
            game => before.saturating_add(game),
        };
        Warning {
            game,
            ..self.warning.clone()
        }
    }
}

/// Returns warnings as text, or `None` if there are none.
pub(super) fn to_text(warnings: &[Kept]) -> io::Result<Option<String>> {
    if warnings.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::to_string(warnings)?))
}

/// Reads warnings from their text.
pub(super) fn from_text(text: &[u8]) -> io::Result<Vec<Kept>> {
    serde_json::from_slice(text).map_err(|_| damaged("warnings that cannot be read"))
}
