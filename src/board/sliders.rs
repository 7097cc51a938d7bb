//! Attacks of a single slider: along one line, and those of bishop, rook and queen.
//!
//! A slider attacks the empty squares of each of its rays and the first man there, of either colour. Its own square is not
//! attacked, and whether that is occupied does not matter.

use shakmaty::{Bitboard, Square, attacks};

use super::directions::Direction;
use super::rays::{RAYS, ray_attacks};

static ROOK_LINES: [u64; 64] = empty_board_attacks(0);
static BISHOP_LINES: [u64; 64] = empty_board_attacks(1);

/// Unions of every second ray, from the direction of that index on.
const fn empty_board_attacks(first_direction: usize) -> [u64; 64] {
    let mut lines = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = first_direction;
        while direction < 8 {
            lines[square] |= RAYS[direction][square];
            direction += 2;
        }
        square += 1;
    }
    lines
}

/// The attacks of a rook on the empty board: its rank and file without its own square.
///
/// ```
/// use skewer::board::{Square, sliders::rook_lines};
///
/// let squares = rook_lines(Square::B2);
/// assert_eq!(format!("{squares:?}"), "\
/// . 1 . . . . . .
/// . 1 . . . . . .
/// . 1 . . . . . .
/// . 1 . . . . . .
/// . 1 . . . . . .
/// . 1 . . . . . .
/// 1 . 1 1 1 1 1 1
/// . 1 . . . . . .
/// ");
/// ```
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    Bitboard(ROOK_LINES[square.to_usize()])
}

/// The attacks of a bishop on the empty board: its diagonals without its own square.
///
/// ```
/// use skewer::board::{Square, sliders::bishop_lines};
///
/// let squares = bishop_lines(Square::B2);
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . 1
/// . . . . . . 1 .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . . . 1 . . . .
/// 1 . 1 . . . . .
/// . . . . . . . .
/// 1 . 1 . . . . .
/// ");
/// ```
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    Bitboard(BISHOP_LINES[square.to_usize()])
}

/// The attacks along the rank.
///
/// Source: chessprogramming wiki, "Classical Approach": the union of two opposite rays. So are the other three lines.
///
/// ```
/// use skewer::board::{Bitboard, Square, sliders::rank_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B4, Square::F4, Square::H4]);
/// let attacks = rank_attacks(occupied, Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . 1 1 . 1 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn rank_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    ray_attacks(occupied, Direction::East, square) | ray_attacks(occupied, Direction::West, square)
}

/// The attacks along the file.
///
/// Source: as for [`rank_attacks`].
///
/// ```
/// use skewer::board::{Bitboard, Square, sliders::file_attacks};
///
/// let occupied = Bitboard::from_iter([Square::D2, Square::D6, Square::D7]);
/// let attacks = file_attacks(occupied, Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn file_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    ray_attacks(occupied, Direction::North, square) | ray_attacks(occupied, Direction::South, square)
}

/// The attacks along the diagonal, which is parallel to a1-h8.
///
/// Source: as for [`rank_attacks`].
///
/// ```
/// use skewer::board::{Square, sliders::diagonal_attacks};
///
/// let attacks = diagonal_attacks(Square::F6.into(), Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . . . . . . . .
/// . . 1 . . . . .
/// . 1 . . . . . .
/// 1 . . . . . . .
/// ");
/// ```
#[inline]
pub fn diagonal_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    ray_attacks(occupied, Direction::NorthEast, square) | ray_attacks(occupied, Direction::SouthWest, square)
}

/// The attacks along the antidiagonal, which is parallel to a8-h1.
///
/// Source: as for [`rank_attacks`].
///
/// ```
/// use skewer::board::{Square, sliders::antidiagonal_attacks};
///
/// let attacks = antidiagonal_attacks(Square::F2.into(), Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// 1 . . . . . . .
/// . 1 . . . . . .
/// . . 1 . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn antidiagonal_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    ray_attacks(occupied, Direction::NorthWest, square) | ray_attacks(occupied, Direction::SouthEast, square)
}

/// The attacks of a bishop.
///
/// Source: shakmaty's magic tables; chessprogramming wiki, "Magic Bitboards".
///
/// ```
/// use skewer::board::{Bitboard, Square, sliders::bishop_attacks};
///
/// let occupied = Bitboard::from_iter([Square::F6, Square::C5, Square::B2]);
/// let attacks = bishop_attacks(occupied, Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . 1 . 1 . . .
/// . . . . . . . .
/// . . 1 . 1 . . .
/// . 1 . . . 1 . .
/// . . . . . . 1 .
/// ");
/// ```
#[inline]
pub fn bishop_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    attacks::bishop_attacks(square, occupied)
}

/// The attacks of a rook.
///
/// Source: as for [`bishop_attacks`].
///
/// ```
/// use skewer::board::{Bitboard, Square, sliders::rook_attacks};
///
/// let occupied = Bitboard::from_iter([Square::D6, Square::C4, Square::G4]);
/// let attacks = rook_attacks(occupied, Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . 1 . 1 1 1 .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// ");
/// ```
#[inline]
pub fn rook_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    attacks::rook_attacks(square, occupied)
}

/// The attacks of a queen: those of a bishop and those of a rook.
///
/// ```
/// use skewer::board::{Bitboard, Square, sliders::queen_attacks};
///
/// let occupied = Bitboard::from_iter([Square::D6, Square::C4, Square::E4, Square::D3, Square::F6]);
/// let attacks = queen_attacks(occupied, Square::D4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// 1 . . . . . . .
/// . 1 . 1 . 1 . .
/// . . 1 1 1 . . .
/// . . 1 . 1 . . .
/// . . 1 1 1 . . .
/// . 1 . . . 1 . .
/// 1 . . . . . 1 .
/// ");
/// ```
#[inline]
pub fn queen_attacks(occupied: Bitboard, square: Square) -> Bitboard {
    bishop_attacks(occupied, square) | rook_attacks(occupied, square)
}
