//! Rays on the empty board.
//!
//! Used by `ray`, `xray` and the arrows with three or more operands ([`lines`](super::lines)) to find the pieces in line, by
//! `intersection`, and for the tables of [`sliders`](super::sliders). `tests/board/reference` has five forms of the attacks along a ray up
//! to the first piece. They are not used here: a fill ([`reach`](super::fill::reach)) returns the attacks of all squares of a set, and
//! magic tables return those of a rook or bishop in less time.
//!
//! Source: chessprogramming wiki, "Classical Approach".

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

/// Returns the squares in a direction from a square up to the edge, without the square itself.
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
pub const fn ray(direction: Direction, square: Square) -> Bitboard {
    Bitboard(RAYS[direction.index()][square.to_usize()])
}
