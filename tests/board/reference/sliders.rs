//! Forms of the attacks of a single slider (`rook_attacks`, `bishop_attacks`) without magic tables, and of the attacks along one line.
//!
//! Source of all: chessprogramming wiki, "Classical Approach".

use shakmaty::{Bitboard, Square};
use skewer::board::Direction;
use skewer::board::sliders::{bishop_attacks, bishop_lines, rook_attacks, rook_lines};

use super::rays::{RAYS, branchless};

/// Returns the attacks along the rank.
///
/// Source: chessprogramming wiki, "Classical Approach": the union of two opposite rays. This also holds for the other three lines.
#[inline]
pub(crate) fn rank_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    branchless(occupied, Direction::East, square) | branchless(occupied, Direction::West, square)
}

/// Returns the attacks along the file.
#[inline]
pub(crate) fn file_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    branchless(occupied, Direction::North, square) | branchless(occupied, Direction::South, square)
}

/// Returns the attacks along the diagonal, which is parallel to a1-h8.
#[inline]
pub(crate) fn diagonal_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    branchless(occupied, Direction::NorthEast, square) | branchless(occupied, Direction::SouthWest, square)
}

/// Returns the attacks along the antidiagonal, which is parallel to a8-h1.
#[inline]
pub(crate) fn antidiagonal_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    branchless(occupied, Direction::NorthWest, square) | branchless(occupied, Direction::SouthEast, square)
}

/// Returns the attacks of a rook as the union of its line attacks.
#[inline]
pub(crate) fn rook_attacks_by_lines(occupied: Bitboard, square: Square) -> Bitboard {
    file_attacks(occupied, square) | rank_attacks(occupied, square)
}

/// Returns the attacks of a bishop as the union of its line attacks.
#[inline]
pub(crate) fn bishop_attacks_by_lines(occupied: Bitboard, square: Square) -> Bitboard {
    diagonal_attacks(occupied, square) | antidiagonal_attacks(occupied, square)
}

/// Returns the rank attacks as the part of the rook's attacks on its rank.
#[inline]
pub(crate) fn rank_attacks_of_rook(occupied: Bitboard, square: Square) -> Bitboard {
    rook_attacks(occupied, square) & square.rank()
}

/// Returns the file attacks as the part of the rook's attacks on its file.
#[inline]
pub(crate) fn file_attacks_of_rook(occupied: Bitboard, square: Square) -> Bitboard {
    rook_attacks(occupied, square) & square.file()
}

/// Returns the diagonal attacks as the part of the bishop's attacks on its diagonal.
#[inline]
pub(crate) fn diagonal_attacks_of_bishop(occupied: Bitboard, square: Square) -> Bitboard {
    let index = square.to_usize();
    let diagonal = RAYS[Direction::NorthEast.index()][index] | RAYS[Direction::SouthWest.index()][index];
    bishop_attacks(occupied, square) & Bitboard(diagonal)
}

/// Four rays of one square, each with the corner that its scan reaches last: h8 for the two positive rays, which come first, a1 for the others.
type Stops = [u64; 4];

const ROOK_DIRECTIONS: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];
const BISHOP_DIRECTIONS: [Direction; 4] = [
    Direction::NorthEast,
    Direction::NorthWest,
    Direction::SouthWest,
    Direction::SouthEast,
];

static ROOK_STOPS: [Stops; 64] = stops(ROOK_DIRECTIONS);
static BISHOP_STOPS: [Stops; 64] = stops(BISHOP_DIRECTIONS);

const fn stops(directions: [Direction; 4]) -> [Stops; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let corner = if directions[i].is_positive() { 1 << 63 } else { 1 };
            table[square][i] = RAYS[directions[i].index()][square] | corner;
            i += 1;
        }
        square += 1;
    }
    table
}

/// Returns the attacks of a rook in one run: all attacks on the empty board, without the four rays behind the first pieces.
///
/// The corners count as occupied, so every scan finds something and there is no branch (the form of Robert Hyatt and Michael Sherwin).
#[inline]
pub(crate) fn rook_attacks_in_one_run(occupied: Bitboard, square: Square) -> Bitboard {
    let stops = &ROOK_STOPS[square.to_usize()];
    rook_lines(square) ^ Bitboard(behind_first_pieces(occupied.0, stops, ROOK_DIRECTIONS))
}

/// Returns the attacks of a bishop in one run.
#[inline]
pub(crate) fn bishop_attacks_in_one_run(occupied: Bitboard, square: Square) -> Bitboard {
    let stops = &BISHOP_STOPS[square.to_usize()];
    bishop_lines(square) ^ Bitboard(behind_first_pieces(occupied.0, stops, BISHOP_DIRECTIONS))
}

/// Returns the rays behind the first pieces in two positive and two negative directions.
#[inline]
fn behind_first_pieces(occupied: u64, stops: &Stops, directions: [Direction; 4]) -> u64 {
    let occupied = occupied | 1 << 63 | 1;
    let [a, b, c, d] = directions.map(|direction| &RAYS[direction.index()]);
    a[(occupied & stops[0]).trailing_zeros() as usize % 64]
        ^ b[(occupied & stops[1]).trailing_zeros() as usize % 64]
        ^ c[63 - (occupied & stops[2] | 1).leading_zeros() as usize]
        ^ d[63 - (occupied & stops[3] | 1).leading_zeros() as usize]
}
