//! What is known about a source before its games are read.

use std::sync::Arc;

use crate::game::{Rules, Warning, WarningKind};
use crate::limits::InterruptHandle;
use crate::pgn::notation::Language;

/// A source of games: a text, or a table whose rows are games.
#[derive(Clone, Default)]
pub struct RowSource {
    /// Its name in messages.
    pub name: Arc<str>,
    /// The rules by which its games are read.
    pub rules: Rules,
    /// The language of the piece letters, if it is known.
    pub language: Option<Language>,
    /// Tells whether its games are still wanted.
    pub watch: InterruptHandle,
}

impl From<&str> for RowSource {
    fn from(name: &str) -> RowSource {
        RowSource {
            name: name.into(),
            ..RowSource::default()
        }
    }
}

impl RowSource {
    /// Returns a warning about a row and the game with this number.
    pub(crate) fn warning(&self, kind: WarningKind, row: u64, game: u64, message: impl Into<String>) -> Warning {
        Warning::new(kind, &self.name, row, game, message)
    }
}
