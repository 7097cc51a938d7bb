//! Successive games of a source on their way to whoever reads them.

use std::sync::Arc;

use crate::game::Warning;
use crate::pgn::canonical::Batch;
use crate::pgn::read::{GameReader, Scope};
use crate::pgn::split::{ReadGame, RowBlock};

/// Successive games of a source.
pub(crate) enum Part {
    /// Canonical PGN.
    Text(Batch),
    /// Rows that become text where someone asks for it.
    #[cfg_attr(
        not(any(feature = "chessbase", feature = "database", feature = "files", feature = "scid")),
        expect(dead_code, reason = "texts have no rows")
    )]
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
    /// Takes rows in place of what it holds, if there are some; whether there are.
    #[cfg(any(feature = "files", feature = "scid", feature = "chessbase"))]
    pub(super) fn take_rows(&mut self, rows: Option<impl RowBlock + 'static>) -> bool {
        let taken = rows.map(|rows| *self = Part::Rows(Box::new(rows)));
        taken.is_some()
    }

    /// The games as canonical PGN.
    pub(crate) fn text(&self) -> &Batch {
        match self {
            Part::Text(batch) => batch,
            Part::Rows(block) => block.text(),
        }
    }

    /// The same, for whoever has nothing else to ask.
    pub(super) fn into_text(self) -> Batch {
        match self {
            Part::Text(batch) => batch,
            Part::Rows(block) => block.make_text(),
        }
    }

    /// Reads the games one after the other, with those tags of which `keeps_tag` says so, by their names.
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

    /// The source, as messages name it.
    pub(crate) fn source(&self) -> &Arc<str> {
        match self {
            Part::Text(batch) => &batch.source,
            Part::Rows(block) => &block.head().source.name,
        }
    }

    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Part::Text(batch) => batch.games.len(),
            Part::Rows(block) => block.head().games,
        }
    }

    /// How many bytes of text there are, or of what becomes text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Part::Text(batch) => batch.text.len() + batch.stripped.len(),
            Part::Rows(block) => block.head().bytes,
        }
    }

    /// How many bytes of the source there are, or nearly.
    pub(crate) fn source_bytes(&self) -> u64 {
        match self {
            Part::Text(batch) => batch.text.len() as u64,
            Part::Rows(block) => block.head().source_bytes,
        }
    }

    /// The number of a game.
    pub(crate) fn number(&self, index: usize) -> u64 {
        match self {
            Part::Text(batch) => batch.games.get(index).map_or(0, |game| game.number),
            Part::Rows(block) => block.head().number(index),
        }
    }

    /// The number of the last game, if there is one.
    pub(crate) fn last_number(&self) -> Option<u64> {
        Some(self.number(self.len().checked_sub(1)?))
    }

    /// What is wrong with the text, as far as its games do not say it themselves.
    pub(crate) fn warnings(&self) -> &[Warning] {
        match self {
            Part::Text(batch) => &batch.warnings,
            Part::Rows(block) => block.warnings(),
        }
    }
}
