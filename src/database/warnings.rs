//! Warnings about the text of games, as stored in the file.

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::damaged;
use crate::game::{Warning, WarningKind};

/// A warning of a game, in the column `warnings` or in the metadata.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The kind, which databases of the first version lack.
    kind: Option<WarningKind>,
    /// The PGN file.
    source: String,
    /// The line in it.
    line: u64,
    /// The number of the game in the database, or 0 for text before the first game of its file.
    game: u64,
    /// Whether it was found when the moves were read, so that it is only shown when they are.
    pub(super) in_moves: bool,
    /// What is wrong.
    message: String,
}

impl Kept {
    /// Creates a warning of the game that has this number in the database. A warning about text before the first game of a file has no game.
    pub(super) fn new(warning: &Warning, game: u64, in_moves: bool) -> Kept {
        Kept {
            kind: Some(warning.kind),
            source: warning.source.to_string(),
            line: warning.line,
            game: if warning.game == 0 { 0 } else { game },
            in_moves,
            message: warning.message.clone(),
        }
    }

    /// Renumbers the warning if the game with the number `old` gets the number `new`. The warning is about that game or an earlier one.
    pub(super) fn renumbered(self, old: u64, new: u64) -> Kept {
        let game = match self.game {
            0 => 0,
            game => new.saturating_sub(old.saturating_sub(game)),
        };
        Kept { game, ..self }
    }

    /// Returns the kind of the warning.
    pub(super) fn kind(&self) -> Option<WarningKind> {
        self.kind
    }

    /// Returns the warning for a search in which this many games come before those of the database.
    pub(super) fn warning(&self, before: u64) -> Warning {
        Warning {
            kind: self.kind.unwrap_or(if self.in_moves {
                WarningKind::WrongMove
            } else {
                WarningKind::StrayText
            }),
            source: Arc::from(self.source.as_str()),
            line: self.line,
            game: if self.game > 0 {
                before.saturating_add(self.game)
            } else {
                0
            },
            message: self.message.clone(),
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
