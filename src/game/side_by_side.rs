//! The boards of a game side by side.

use super::overview::Known;
use super::position::Position;
use super::tree::Game;
use crate::board::columns::{Boards, LANES, Parts};
use crate::board::processor::for_this_processor;
use crate::board::stretches::Stretches;
use crate::board::structures::Structures;

impl Game {
    /// Notes that parts of the boards stand side by side in so many blocks. If that is all that was made of the game, they have so many
    /// positions.
    pub(super) fn lay_out(&mut self, blocks: usize, positions: usize, parts: Parts) {
        self.blocks = blocks;
        self.laid_out = positions;
        self.parts = parts;
        self.stretches.forget();
        self.structures.forget();
        self.key_parts.forget();
        self.known = Known::default();
    }

    /// Puts parts of the boards side by side, for [`columns`](Game::columns). The positions must not change any more. Of a game that
    /// nobody wants any more some are left out.
    pub fn fill_columns(&mut self, parts: Parts) {
        if parts.is_empty() {
            return;
        }
        let blocks = self.positions.len().div_ceil(LANES);
        self.lay_out(blocks, self.laid_out, parts);
        let blocks = self.positions.chunks(LANES);
        for (index, positions) in blocks.enumerate() {
            if self.watch.is_over_at(index + 1) {
                self.blocks = index;
                return;
            }
            if index == self.columns.len() {
                self.columns.push(Boards::default());
            }
            let Some(boards) = self.columns.get_mut(index) else {
                return;
            };
            fill(boards, positions, parts);
        }
    }

    /// The boards of the positions, [`LANES`] of them side by side in the order of their ids: those parts that were filled. In
    /// lanes after the last position may stand anything. Nothing, if nobody has filled them.
    pub fn columns(&self) -> &[Boards] {
        self.columns.get(..self.blocks).unwrap_or_default()
    }

    /// Whether the boards of all its positions stand side by side.
    pub(crate) fn has_all_columns(&self) -> bool {
        self.blocks == self.len().div_ceil(LANES)
    }

    /// Stretches of the positions, [`LANES`] of them side by side, as far as the boards stand so; in lanes after the last may stand
    /// anything.
    pub fn stretches(&self) -> &[Stretches] {
        self.stretches.get_or_make(|stretches| {
            // A block has two stretches.
            let blocks = self.columns().chunks(LANES / 2);
            stretches.resize_with(blocks.len(), Stretches::default);
            for (stretches, blocks) in stretches.iter_mut().zip(blocks) {
                stretches.fill(blocks, self.parts);
            }
        })
    }

    /// Whether somebody has asked for them.
    pub(crate) fn has_stretches(&self) -> bool {
        self.stretches.is_made()
    }

    /// The pawn structures of the positions, as far as the boards stand side by side with pawns and both colours.
    pub fn structures(&self) -> &Structures {
        self.structures
            .get_or_make(|structures| structures.fill(self.columns(), self.len()))
    }

    /// Whether somebody has asked for them.
    pub(crate) fn has_structures(&self) -> bool {
        self.structures.is_made()
    }
}

/// Puts parts of the boards of some positions into the lanes of a block.
fn fill(boards: &mut Boards, positions: &[Position], parts: Parts) {
    for_this_processor!(boards.fill(positions, |position| &position.board, parts));
}
