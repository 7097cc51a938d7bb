//! The boards of a game as columns, of which sixteen lanes are read at once.

use super::tree::Game;
use crate::board::columns::{Boards, LANES, Parts};
use crate::board::processor::for_this_processor;
use crate::board::stretches::Stretches;
use crate::chess::Position;

impl Game {
    /// Fills the columns with `parts` of the boards, for [`columns`](Game::columns). The positions must not change afterwards. If the game
    /// is no longer wanted, some columns are left out.
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

    /// Returns the boards of the positions, [`LANES`] of them side by side in the order of their ids. Only the filled parts are valid.
    /// Lanes after the last position may contain anything. Empty if the columns have not been filled.
    pub fn columns(&self) -> &[Boards] {
        self.derived.columns.get(..self.derived.blocks).unwrap_or_default()
    }

    /// Returns whether the boards of all positions are in columns.
    pub(crate) fn has_all_columns(&self) -> bool {
        self.derived.blocks == self.len().div_ceil(LANES)
    }

    /// Returns the stretches of the positions, [`LANES`] of them side by side, for all boards in columns. Lanes after the last stretch may contain
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

    /// Returns whether the stretches have been made.
    pub(crate) fn has_stretches(&self) -> bool {
        self.derived.stretches.is_made()
    }
}

/// Fills the lanes of a block with parts of the boards of positions.
fn fill(boards: &mut Boards, positions: &[Position], parts: Parts) {
    for_this_processor!(boards.fill(positions, |position| &position.board, parts));
}
