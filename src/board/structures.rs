//! The pawn structures of a game side by side, for questions about nothing but pawns.
//!
//! Less than a third of the moves of masters move a pawn or take one, so these questions are asked of fewer boards than a game has
//! positions.
//!
//! Source: chessprogramming wiki, "Pawn Structure", and "Pawn Hash Table" for the idea.

use std::ops::Range;

use shakmaty::Bitboard;

use super::columns::{Boards, Column, LANES, Lanes, first_lanes};
use super::processor::for_this_processor;

/// The pawn structures of a game in order, each as long as it lasts.
///
/// ```
/// use skewer::board::Board;
/// use skewer::board::columns::Boards;
/// use skewer::board::structures::Structures;
///
/// let boards = Boards::from_iter([
///     "4k3/p7/8/8/8/8/8/4K3".parse::<Board>()?,
///     "8/p2k4/8/8/8/8/8/4K3".parse()?,
///     "8/3k4/p7/8/8/8/8/4K3".parse()?,
/// ]);
/// let mut structures = Structures::default();
/// structures.fill(&[boards], 3);
/// assert_eq!(structures.positions(0..1), 0..2);
/// assert_eq!(structures.positions(1..2), 2..3);
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Structures {
    /// Boards with pawns alone; only the first are those of these positions.
    blocks: Vec<Boards>,
    /// The first position of each.
    starts: Vec<u32>,
    /// How many positions there are.
    positions: usize,
}

impl Structures {
    /// Makes them those of so many successive positions, which stand side by side in blocks: the pawns and both colours.
    pub fn fill(&mut self, blocks: &[Boards], positions: usize) {
        for_this_processor!(self.fill_in_vectors(blocks, positions));
    }

    #[inline(always)]
    fn fill_in_vectors(&mut self, blocks: &[Boards], positions: usize) {
        self.starts.clear();
        self.positions = positions;
        let mut before = None;
        for (index, boards) in blocks.iter().enumerate() {
            let pawns = Pawns::of(boards);
            let changed = pawns.changed(before) & first_lanes(positions.saturating_sub(index * LANES));
            for lane in Bitboard(u64::from(changed)) {
                let lane = lane.to_usize() % LANES;
                self.add(index * LANES + lane, pawns.in_lane(lane));
            }
            before = Some(pawns.in_lane(LANES - 1));
        }
    }

    /// Adds a structure.
    #[inline(always)]
    fn add(&mut self, start: usize, [white, black]: [Bitboard; 2]) {
        let (block, lane) = (self.starts.len() / LANES, self.starts.len() % LANES);
        if block == self.blocks.len() {
            self.blocks.push(Boards::default());
        }
        if let Some(boards) = self.blocks.get_mut(block) {
            boards.roles.pawn.put(lane, white | black);
            boards.colors.white.put(lane, white);
            boards.colors.black.put(lane, black);
        }
        self.starts.push(start as u32);
    }

    /// Boards with the pawns of each structure, [`LANES`] of them side by side; in lanes after the last may stand any pawns.
    pub fn blocks(&self) -> &[Boards] {
        self.blocks.get(..self.starts.len().div_ceil(LANES)).unwrap_or_default()
    }

    /// The positions that have one of some successive structures.
    pub fn positions(&self, structures: Range<usize>) -> Range<usize> {
        let start = |structure: usize| {
            self.starts
                .get(structure)
                .map_or(self.positions, |start| *start as usize)
        };
        start(structures.start)..start(structures.end)
    }
}

/// The pawns of a block.
struct Pawns {
    white: Column,
    black: Column,
}

impl Pawns {
    #[inline(always)]
    fn of(boards: &Boards) -> Pawns {
        let pawns = &boards.roles.pawn;
        Pawns {
            white: *pawns & boards.colors.white,
            black: *pawns & boards.colors.black,
        }
    }

    #[inline(always)]
    fn in_lane(&self, lane: usize) -> [Bitboard; 2] {
        [self.white.lane(lane), self.black.lane(lane)]
    }

    /// In which lanes are other pawns than in the one before; before the first were these, or no position.
    #[inline(always)]
    fn changed(&self, before: Option<[Bitboard; 2]>) -> Lanes {
        let [white, black] = before.unwrap_or_default();
        let (white, black) = (self.white.after(white), self.black.after(black));
        let is_changed = |lane| self.white.lane(lane) != white.lane(lane) || self.black.lane(lane) != black.lane(lane);
        Column::lanes_where(is_changed) | Lanes::from(before.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Color, Role};

    #[test]
    fn each_structure_lasts_until_a_pawn_moves_or_is_taken() {
        fastrand::seed(24);
        let mut structures = Structures::default();
        for positions in [0, 1, 15, 16, 17, 100] {
            let mut board = Board::default();
            let boards: Vec<Board> = (0..positions)
                .map(|_| {
                    if fastrand::u8(..3) == 0 {
                        // Colours change without other squares, too, as at the beginning of a variation.
                        board.roles.pawn = Bitboard(fastrand::u64(..4));
                        board.colors.white = Bitboard(fastrand::u64(..16));
                        board.colors.black = !board.colors.white;
                    }
                    board.roles.king = Bitboard(1 << fastrand::u8(8..64));
                    board
                })
                .collect();
            let blocks: Vec<Boards> = boards
                .chunks(LANES)
                .map(|chunk| chunk.iter().copied().collect())
                .collect();
            structures.fill(&blocks, positions);
            let pawns = |board: &Board| Color::ALL.map(|color| board.pieces(color, Role::Pawn));
            let expected: Vec<&[Board]> = boards.chunk_by(|left, right| pawns(left) == pawns(right)).collect();
            assert_eq!(structures.starts.len(), expected.len());
            assert_eq!(structures.blocks().len(), expected.len().div_ceil(LANES));
            let mut start = 0;
            for (index, same) in expected.into_iter().enumerate() {
                assert_eq!(structures.positions(index..index + 1), start..start + same.len());
                let shown = structures.blocks()[index / LANES].board(index % LANES);
                assert_eq!(pawns(&shown), pawns(&same[0]));
                assert_eq!(shown.occupied(), shown.roles.pawn);
                start += same.len();
            }
        }
    }
}
