//! What is computed of the positions of a game when someone asks for it.

use std::sync::OnceLock;

use shakmaty::zobrist::Zobrist64;

use super::lazy_buffer::LazyBuffer;
use crate::board::PieceCounts;
use crate::board::columns::{Boards, Parts};
use crate::board::stretches::Stretches;
use crate::chess::Rights;

/// What was computed so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    /// Boards of positions side by side; only the first `blocks` of them are of this game.
    pub(super) columns: Vec<Boards>,
    /// How many blocks of positions were put side by side.
    pub(super) blocks: usize,
    /// Which parts of the boards are in them.
    pub(super) parts: Parts,
    /// How many positions these blocks have, if the game has nothing but them.
    pub(super) column_positions: usize,
    /// Stretches of positions.
    pub(super) stretches: LazyBuffer<Vec<Stretches>>,
    /// What the Polyglot keys of the positions are made of.
    pub(super) key_parts: LazyBuffer<Vec<KeyParts>>,
    /// The least and the most pieces of each kind.
    pub(super) piece_counts: OnceLock<[PieceCounts; 2]>,
}

impl Derived {
    /// Forgets everything but the buffers. What is in the columns from now on are these parts of this many blocks.
    pub(super) fn begin(&mut self, blocks: usize, column_positions: usize, parts: Parts) {
        self.blocks = blocks;
        self.column_positions = column_positions;
        self.parts = parts;
        self.stretches.forget();
        self.key_parts.forget();
        self.piece_counts = OnceLock::new();
    }
}

/// What the key of a position is made of and the next one can be made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyParts {
    /// The keys of all pieces.
    pub(super) pieces: Zobrist64,
    pub(super) rights: Rights,
}
