//! Successive games of a source on their way to whoever reads them.

use std::sync::Arc;

use crate::game::Warning;
use crate::pgn::canonical::Batch;
#[cfg(any(feature = "scid", feature = "chessbase"))]
use crate::pgn::foreign::ForeignBlock;
#[cfg(feature = "files")]
use crate::pgn::positions::PositionBlock;

/// Successive games of a source: PGN, rows of positions, or games of a database of another program. The buffers of what it does not hold wait for later.
#[derive(Default)]
pub(crate) struct Part {
    content: Content,
    games: Batch,
    #[cfg(feature = "files")]
    positions: PositionBlock,
    #[cfg(any(feature = "scid", feature = "chessbase"))]
    foreign: ForeignBlock,
}

/// What a part holds.
#[derive(Clone, Copy, Default)]
enum Content {
    #[default]
    Games,
    #[cfg(feature = "files")]
    Positions,
    #[cfg(any(feature = "scid", feature = "chessbase"))]
    Foreign,
}

impl Part {
    /// Games of PGN.
    pub(crate) fn of_games(games: Batch) -> Part {
        Part {
            games,
            ..Part::default()
        }
    }

    /// Nothing but a warning.
    pub(crate) fn of_warning(warning: Warning) -> Part {
        Part::of_games(Batch {
            warnings: vec![warning],
            ..Batch::default()
        })
    }

    /// From now on it holds games of PGN.
    pub(super) fn begin_games(&mut self) -> &mut Batch {
        self.content = Content::Games;
        &mut self.games
    }

    /// From now on it holds rows of positions.
    #[cfg(feature = "files")]
    pub(super) fn begin_positions(&mut self) -> &mut PositionBlock {
        self.content = Content::Positions;
        &mut self.positions
    }

    /// From now on it holds games of a database of another program.
    #[cfg(any(feature = "scid", feature = "chessbase"))]
    pub(super) fn begin_foreign(&mut self) -> &mut ForeignBlock {
        self.content = Content::Foreign;
        &mut self.foreign
    }

    /// The rows of positions, if it holds some.
    #[cfg(feature = "files")]
    pub(crate) fn positions(&self) -> Option<&PositionBlock> {
        matches!(self.content, Content::Positions).then_some(&self.positions)
    }

    /// The games as canonical PGN.
    pub(crate) fn text(&self) -> &Batch {
        match self.content {
            Content::Games => &self.games,
            #[cfg(feature = "files")]
            Content::Positions => self.positions.text(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.text(),
        }
    }

    /// The same, for the only one who asks.
    pub(super) fn into_text(mut self) -> Batch {
        match self.content {
            Content::Games => std::mem::take(&mut self.games),
            #[cfg(feature = "files")]
            Content::Positions => self.positions.take_text(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.take_text(),
        }
    }

    /// The source, as messages name it.
    pub(crate) fn source(&self) -> &Arc<str> {
        match self.content {
            Content::Games => &self.games.source,
            #[cfg(feature = "files")]
            Content::Positions => self.positions.source(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.source(),
        }
    }

    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        match self.content {
            Content::Games => self.games.games.len(),
            #[cfg(feature = "files")]
            Content::Positions => self.positions.len(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.len(),
        }
    }

    /// How many bytes of text there are, or of what becomes text.
    pub(crate) fn bytes(&self) -> usize {
        match self.content {
            Content::Games => self.games.text.len() + self.games.stripped.len(),
            #[cfg(feature = "files")]
            Content::Positions => self.positions.bytes(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.bytes(),
        }
    }

    /// How many bytes of the source there are, or nearly.
    pub(crate) fn source_bytes(&self) -> usize {
        match self.content {
            Content::Games => self.games.text.len(),
            #[cfg(feature = "files")]
            Content::Positions => self.positions.bytes(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.source_bytes(),
        }
    }

    /// The number of a game.
    pub(crate) fn number(&self, index: usize) -> u64 {
        match self.content {
            Content::Games => self.games.games.get(index).map_or(0, |game| game.number),
            #[cfg(feature = "files")]
            Content::Positions => self.positions.number(index),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => self.foreign.number(index),
        }
    }

    /// What is wrong with the text around the games; of rows of positions, each game says itself what is wrong with it.
    pub(crate) fn warnings(&self) -> &[Warning] {
        match self.content {
            Content::Games => &self.games.warnings,
            #[cfg(feature = "files")]
            Content::Positions => self.positions.warnings(),
            #[cfg(any(feature = "scid", feature = "chessbase"))]
            Content::Foreign => &self.foreign.text().warnings,
        }
    }
}
