//! Successive rows of a source, which become PGN where someone asks for it.

use std::sync::OnceLock;

use super::rows::{RowBatcher, RowSource};
use crate::game::{Game, Warning};
use crate::pgn::canonical::Batch;
use crate::pgn::read::{Reading, Scope};

/// What is known of a block of rows without reading them.
#[derive(Default)]
pub struct BlockHead {
    /// Where they are from.
    pub source: RowSource,
    /// The number of the first game.
    pub first: u64,
    /// How many games there are.
    pub games: usize,
    /// How many bytes of text they have, or nearly, as far as they are in memory.
    pub bytes: usize,
    /// How many bytes of the source there are, or nearly.
    pub source_bytes: u64,
    /// What there is to say about the source as a whole.
    pub warnings: Vec<Warning>,
    /// The games as text, once someone has asked for it.
    pub text: OnceLock<Batch>,
}

impl BlockHead {
    /// The number of a game.
    pub fn number(&self, index: usize) -> u64 {
        self.first.saturating_add(index as u64)
    }
}

/// Reads the next game, if it is wanted.
pub type ReadGame<'r> = dyn FnMut(&mut Game, &mut dyn FnMut(&Game) -> bool) -> Reading + 'r;

/// Successive rows of one source. Each is a game.
pub trait RowBlock: Send + Sync {
    /// What is known of it without reading.
    fn head(&self) -> &BlockHead;

    /// Adds the games as text, and what is wrong with their rows.
    fn write(&self, games: &mut RowBatcher);

    /// Reads the games one after the other, with those tags of which `keeps_tag` says so, if few of them need a text.
    fn games<'b>(&'b self, _scope: Scope, _keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> Option<Box<ReadGame<'b>>> {
        None
    }

    /// What is wrong with the rows, as far as their games do not say it themselves.
    fn warnings(&self) -> &[Warning] {
        &self.text().warnings
    }

    /// The games as canonical PGN, made by the first who asks. Lines are rows of the source.
    fn text(&self) -> &Batch {
        self.head().text.get_or_init(|| self.make_text())
    }

    /// The same, made anew.
    fn make_text(&self) -> Batch {
        let head = self.head();
        let mut games = RowBatcher::new(&head.source);
        self.write(&mut games);
        let mut batch = games.finish();
        batch.warnings.splice(0..0, head.warnings.iter().cloned());
        batch
    }
}
