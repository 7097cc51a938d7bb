//! Successive games of a source on their way to whoever reads them.

use std::sync::Arc;

use crate::game::Warning;
use crate::pgn::canonical::Batch;
#[cfg(feature = "files")]
use crate::pgn::positions::PositionBlock;

/// Successive games of a source: PGN, or rows of positions. The buffers of what it does not hold wait for later.
#[derive(Default)]
pub(crate) struct Part {
    games: Batch,
    #[cfg(feature = "files")]
    positions: PositionBlock,
    #[cfg(feature = "files")]
    has_positions: bool,
}

impl Part {
    /// Games of PGN.
    pub(crate) fn of_games(games: Batch) -> Part {
        Part {
            games,
            #[cfg(feature = "files")]
            positions: PositionBlock::default(),
            #[cfg(feature = "files")]
            has_positions: false,
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
        #[cfg(feature = "files")]
        {
            self.has_positions = false;
        }
        &mut self.games
    }

    /// From now on it holds rows of positions.
    #[cfg(feature = "files")]
    pub(super) fn begin_positions(&mut self) -> &mut PositionBlock {
        self.has_positions = true;
        &mut self.positions
    }

    /// The rows of positions, if it holds some.
    #[cfg(feature = "files")]
    pub(crate) fn positions(&self) -> Option<&PositionBlock> {
        self.has_positions.then_some(&self.positions)
    }

    /// The games as canonical PGN.
    pub(crate) fn text(&self) -> &Batch {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.text();
        }
        &self.games
    }

    /// The same, for the only one who asks.
    pub(super) fn into_text(mut self) -> Batch {
        #[cfg(feature = "files")]
        if self.has_positions {
            return self.positions.take_text();
        }
        std::mem::take(&mut self.games)
    }

    /// The source, as messages name it.
    pub(crate) fn source(&self) -> &Arc<str> {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.source();
        }
        &self.games.source
    }

    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.len();
        }
        self.games.games.len()
    }

    /// How many bytes of text there are.
    pub(crate) fn bytes(&self) -> usize {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.bytes();
        }
        self.games.text.len() + self.games.stripped.len()
    }

    /// How many bytes of the source there are, or nearly.
    pub(crate) fn source_bytes(&self) -> usize {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.bytes();
        }
        self.games.text.len()
    }

    /// The number of a game.
    pub(crate) fn number(&self, index: usize) -> u64 {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.number(index);
        }
        self.games.games.get(index).map_or(0, |game| game.number)
    }

    /// What is wrong with the text around the games; of rows of positions, each game says itself what is wrong with it.
    pub(crate) fn warnings(&self) -> &[Warning] {
        #[cfg(feature = "files")]
        if let Some(positions) = self.positions() {
            return positions.warnings();
        }
        &self.games.warnings
    }
}
