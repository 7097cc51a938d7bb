//! Values computed from the positions of a game on first use.

use shakmaty::zobrist::Zobrist64;

use super::lazy_buffer::LazyBuffer;
use crate::board::columns::{Boards, Parts};
use crate::board::stretches::Stretches;
use crate::chess::Rights;

/// The values computed so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    /// The boards of positions in columns. Only the first `blocks` belong to this game.
    pub(super) columns: Vec<Boards>,
    /// The number of blocks of positions in the columns.
    pub(super) blocks: usize,
    /// The parts of the boards in the columns.
    pub(super) parts: Parts,
    /// The number of positions in these blocks, if the game has only columns.
    pub(super) column_positions: usize,
    /// Stretches of positions.
    pub(super) stretches: LazyBuffer<Vec<Stretches>>,
    /// The parts of the Polyglot keys of the positions.
    pub(super) key_parts: LazyBuffer<Vec<KeyParts>>,
}

impl Derived {
    /// Clears everything except the buffers. From now on, the columns contain these parts of this many blocks.
    pub(super) fn begin(&mut self, blocks: usize, column_positions: usize, parts: Parts) {
        self.blocks = blocks;
        self.column_positions = column_positions;
        self.parts = parts;
        self.stretches.forget();
        self.key_parts.forget();
    }
}

/// The parts of a position's key, from which the next one can be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyParts {
    /// The keys of all pieces.
    pub(super) pieces: Zobrist64,
    pub(super) rights: Rights,
}
