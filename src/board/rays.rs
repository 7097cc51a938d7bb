//! Attacks along one ray from one square.
//!
//! Source: chessprogramming wiki, "Classical Approach": the ray on the empty board, less the ray behind the first man on it.

use shakmaty::{Bitboard, Square};

use super::directions::{Direction, offset};

/// The rays on the empty board, by direction and square.
pub(super) static RAYS: [[u64; 64]; 8] = rays();

const fn rays() -> [[u64; 64]; 8] {
    let mut rays = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = Direction::ALL[direction].delta();
        let mut square = 0;
        while square < 64 {
            let mut next = offset(square, files, ranks);
            while let Some(at) = next {
                rays[direction][square] |= 1 << at;
                next = offset(at, files, ranks);
            }
            square += 1;
        }
        direction += 1;
    }
    rays
}

/// The squares in a direction from a square up to the edge, without the square itself: the ray on the empty board.
///
/// Source: chessprogramming wiki, "On an empty Board".
///
/// ```
/// use skewer::board::{Direction, Square, rays::ray};
///
/// let squares = ray(Direction::NorthWest, Square::G2);
/// assert_eq!(format!("{squares:?}"), "\
/// 1 . . . . . . .
/// . 1 . . . . . .
/// . . 1 . . . . .
/// . . . 1 . . . .
/// . . . . 1 . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn ray(direction: Direction, square: Square) -> Bitboard {
    Bitboard(RAYS[direction.index()][square.to_usize()])
}

/// The squares that a slider sees in one direction: the empty ones up to the first man, and that man's.
///
/// Source: chessprogramming wiki, "Classical Approach", the branchless form. The bit scan always finds something, because
/// the last corner in its way (h8 or a1) is counted as occupied; the rays of that direction from the corner are empty, so this
/// takes nothing away. Fastest where the direction is known when compiling, as in the line attacks that are made of it.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, rays::ray_attacks};
///
/// let occupied = Bitboard::from_iter([Square::A8, Square::C6, Square::G2, Square::H1]);
/// let seen = ray_attacks(occupied, Direction::NorthWest, Square::G2);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . 1 . . . . .
/// . . . 1 . . . .
/// . . . . 1 . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn ray_attacks(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS[direction.index()];
    let attacks = rays[square.to_usize()];
    let men = attacks & occupied.0;
    let first = if direction.is_positive() {
        (men | 1 << 63).trailing_zeros()
    } else {
        63 - (men | 1).leading_zeros()
    };
    Bitboard(attacks ^ rays[first as usize])
}
