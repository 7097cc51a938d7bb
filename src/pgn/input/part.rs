//! Successive games of a source on their way to a reader.

use std::sync::Arc;

use crate::game::Warning;
use crate::pgn::canonical::Batch;
use crate::pgn::read::{GameReader, Scope};
use crate::pgn::split::{ReadGame, RowBlock};

/// Successive games of a source.
pub(crate) enum Part {
    /// Canonical PGN.
    Text(Batch),
    /// Rows that become text on demand.
    Rows(Box<dyn RowBlock>),
}

impl Default for Part {
    fn default() -> Part {
        Part::Text(Batch::default())
    }
}

impl From<Warning> for Part {
    fn from(warning: Warning) -> Part {
        Part::Text(Batch {
            warnings: vec![warning],
            ..Batch::default()
        })
    }
}

impl Part {
    /// Replaces the contents by rows, if there are any. Returns whether there are.
    pub(super) fn take_rows(&mut self, rows: Option<impl RowBlock + 'static>) -> bool {
        let taken = rows.map(|rows| *self = Part::Rows(Box::new(rows)));
        taken.is_some()
    }

    /// Returns the games as canonical PGN.
    pub(crate) fn text(&self) -> &Batch {
        match self {
            Part::Text(batch) => batch,
            Part::Rows(block) => block.text(),
        }
    }

    /// Returns the games as canonical PGN and drops the rest.
    pub(super) fn into_text(self) -> Batch {
        match self {
            Part::Text(batch) => batch,
            Part::Rows(block) => block.make_text(),
        }
    }

    /// Returns a function that reads the games one after another, with the tags for whose names `keeps_tag` returns true.
    pub(crate) fn games<'b>(&'b self, scope: Scope, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> Box<ReadGame<'b>> {
        let of_rows = match self {
            Part::Text(_) => None,
            Part::Rows(block) => block.games(scope, keeps_tag),
        };
        of_rows.unwrap_or_else(|| {
            let mut reader = GameReader::new(self.text()).keeping_tags(keeps_tag);
            Box::new(move |game, wants| reader.read(scope, game, wants))
        })
    }

    /// Returns the name of the source in messages.
    pub(crate) fn source(&self) -> &Arc<str> {
        match self {
            Part::Text(batch) => &batch.source,
            Part::Rows(block) => &block.head().source.name,
        }
    }

    /// Returns the number of games.
    pub(crate) fn len(&self) -> usize {
        match self {
            Part::Text(batch) => batch.games.len(),
            Part::Rows(block) => block.head().games,
        }
    }

    /// Returns the bytes of text, or of what becomes text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Part::Text(batch) => batch.text.len() + batch.stripped.len(),
            Part::Rows(block) => block.head().bytes,
        }
    }

    /// Returns roughly how many bytes of the source the part covers.
    pub(crate) fn source_bytes(&self) -> u64 {
        match self {
            Part::Text(batch) => batch.text.len() as u64,
            Part::Rows(block) => block.head().source_bytes,
        }
    }

    /// Returns the number of the game with this index.
    pub(crate) fn number(&self, index: usize) -> u64 {
        match self {
            Part::Text(batch) => batch.games.get(index).map_or(0, |game| game.number),
            Part::Rows(block) => block.head().number(index),
        }
    }

    /// Returns the number of the last game, if there is one.
    pub(crate) fn last_number(&self) -> Option<u64> {
        Some(self.number(self.len().checked_sub(1)?))
    }

    /// Returns the warnings about the text that its games do not have themselves.
    pub(crate) fn warnings(&self) -> &[Warning] {
        match self {
            Part::Text(batch) => &batch.warnings,
            Part::Rows(block) => block.warnings(),
        }
    }
}
