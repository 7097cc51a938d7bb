//! Stretches of successive positions side by side, for questions that only need to know where a condition may hold.
//!
//! Few pieces move in a few moves. The pieces that are on a square at any position of a stretch are little more than those at one of
//! its positions, so one look at a stretch often rules out all its positions.

use shakmaty::Color;

use super::columns::{Boards, Column, LANES, Parts};
use super::processor::for_this_processor;

/// The number of positions in a stretch: half a block.
pub const STRETCH: usize = LANES / 2;

/// [`LANES`] stretches, one for each lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stretches {
    /// The squares of pieces at any of the positions. One square may have several pieces.
    pub boards: Boards,
    /// The squares that are empty at one or more of the positions.
    pub empty: Column,
}

impl Stretches {
    /// Fills the first lanes with the stretches of successive blocks of a game: with `parts` of the boards, which must be filled there, and
    /// with both colours. Other parts and lanes stay unchanged.
    pub fn fill(&mut self, blocks: &[Boards], parts: Parts) {
        for_this_processor!(self.fill_in_vectors(blocks, parts));
    }

    #[inline(always)]
    fn fill_in_vectors(&mut self, blocks: &[Boards], parts: Parts) {
        for (pair, boards) in blocks.iter().enumerate() {
            self.fill_pair(pair, boards, parts);
        }
    }

    /// Stores both stretches of a block in a pair of lanes.
    #[inline(always)]
    fn fill_pair(&mut self, pair: usize, boards: &Boards, parts: Parts) {
        for (role, from) in boards.roles.as_ref().zip_role() {
            if parts.intersects(Parts::role(role)) {
                self.boards.roles.get_mut(role).put_pair(pair, from.halves());
            }
        }
        for color in Color::ALL {
            let column = self.boards.colors.get_mut(color);
            column.put_pair(pair, boards.colors.get(color).halves());
        }
        self.empty.put_pair(pair, boards.empty().halves());
    }
}
