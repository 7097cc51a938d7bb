//! Successive rows of a source, which become PGN on demand.

use std::sync::OnceLock;

use super::row_source::RowSource;
use super::rows::RowBatcher;
use crate::game::{Game, Warning};
use crate::pgn::canonical::Batch;
use crate::pgn::read::{Reading, Scope};

/// What is known about a block of rows without reading them.
#[derive(Default)]
pub struct BlockHead {
    /// The source of the rows.
    pub source: RowSource,
    /// The number of the first game.
    pub first: u64,
    /// The number of games.
    pub games: usize,
    /// Roughly how many bytes of text they have in memory.
    pub bytes: usize,
    /// Roughly how many bytes of the source they cover.
    pub source_bytes: u64,
    /// The warnings about the source as a whole.
    pub warnings: Vec<Warning>,
    /// The games as text, once it is needed.
    pub text: OnceLock<Batch>,
}

impl BlockHead {
    /// Returns the number of the game with this index.
    pub fn number(&self, index: usize) -> u64 {
        self.first.saturating_add(index as u64)
    }
}

/// A function that reads the next game if it is wanted.
pub type ReadGame<'r> = dyn FnMut(&mut Game, &mut dyn FnMut(&Game) -> bool) -> Reading + 'r;

/// Successive rows of one source. Each is a game.
pub trait RowBlock: Send + Sync {
    /// Returns what is known without reading.
    fn head(&self) -> &BlockHead;

    /// Adds the games as text, and the warnings about their rows.
    fn write(&self, games: &mut RowBatcher);

    /// Returns a function that reads the games one after another, with the tags for whose names `keeps_tag` returns true. Returns `None` if most
    /// games need a text.
    fn games<'b>(&'b self, _scope: Scope, _keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> Option<Box<ReadGame<'b>>> {
        None
    }

    /// Returns the warnings about the rows that their games do not have themselves.
    fn warnings(&self) -> &[Warning] {
        &self.text().warnings
    }

    /// Returns the games as canonical PGN, which is made at the first call. Lines are rows of the source.
    fn text(&self) -> &Batch {
        self.head().text.get_or_init(|| self.make_text())
    }

    /// Makes the games as canonical PGN again.
    fn make_text(&self) -> Batch {
        let head = self.head();
        let mut games = RowBatcher::new(&head.source);
        self.write(&mut games);
        let mut batch = games.finish();
        batch.warnings.splice(0..0, head.warnings.iter().cloned());
        batch
    }
}
