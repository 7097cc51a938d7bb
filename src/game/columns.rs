//! The boards of a game side by side, as columns that sixteen lanes are read from at once.

use super::tree::Game;
use crate::board::columns::{Boards, LANES, Parts};
use crate::board::processor::for_this_processor;
use crate::board::stretches::Stretches;
use crate::chess::Position;

impl Game {
    /// Puts parts of the boards side by side, for [`columns`](Game::columns). The positions must not change any more. Of a game that
    /// nobody wants any more some are left out.
    pub fn fill_columns(&mut self, parts: Parts) {
        if parts.is_empty() {
            return;
        }
        let blocks = self.positions.len().div_ceil(LANES);
        self.derived.begin(blocks, self.derived.column_positions, parts);
        let blocks = self.positions.chunks(LANES);
        for (index, positions) in blocks.enumerate() {
            if self.watch.is_over_at(index + 1) {
                self.derived.blocks = index;
                return;
            }
            if index == self.derived.columns.len() {
                self.derived.columns.push(Boards::default());
            }
            let Some(boards) = self.derived.columns.get_mut(index) else {
                return;
            };
            fill(boards, positions, parts);
        }
    }

    /// The boards of the positions, [`LANES`] of them side by side in the order of their ids: those parts that were filled. In
    /// lanes after the last position may stand anything. Nothing, if nobody has filled them.
    pub fn columns(&self) -> &[Boards] {
        self.derived.columns.get(..self.derived.blocks).unwrap_or_default()
    }

    /// Whether the boards of all its positions stand side by side.
    pub(crate) fn has_all_columns(&self) -> bool {
        self.derived.blocks == self.len().div_ceil(LANES)
    }

    /// Stretches of the positions, [`LANES`] of them side by side, as far as the boards stand so; in lanes after the last may stand
    /// anything.
    pub fn stretches(&self) -> &[Stretches] {
        self.derived.stretches.get_or_make(|stretches| {
            // A block has two stretches.
            let blocks = self.columns().chunks(LANES / 2);
            stretches.resize_with(blocks.len(), Stretches::default);
            for (stretches, blocks) in stretches.iter_mut().zip(blocks) {
                stretches.fill(blocks, self.derived.parts);
            }
        })
    }

    /// Whether someone has asked for them.
    pub(crate) fn has_stretches(&self) -> bool {
        self.derived.stretches.is_made()
    }
}

/// Puts parts of the boards of some positions into the lanes of a block.
fn fill(boards: &mut Boards, positions: &[Position], parts: Parts) {
    for_this_processor!(boards.fill(positions, |position| &position.board, parts));
}
