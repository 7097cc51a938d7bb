//! Attacks of a single bishop or rook; a queen has both.
//!
//! A slider attacks the empty squares of each of its rays and the first piece there, of either colour. Its own square is not
//! attacked, and need not be occupied.
//!
//! Used by `->` and `<-` for single pieces, by `pin`, and by the legal moves. Magic tables are fastest. The forms by rays, by lines and
//! in one run are in `tests/board/reference`.

use shakmaty::{Bitboard, Square, attacks};

use super::rays::RAYS;

static ROOK_LINES: [u64; 64] = empty_board_attacks(0);
static BISHOP_LINES: [u64; 64] = empty_board_attacks(1);

/// Returns the unions of every second ray, beginning with the direction of that index.
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

/// Returns the attacks of a rook on the empty board: its rank and file without its own square.
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
pub const fn rook_lines(square: Square) -> Bitboard {
    Bitboard(ROOK_LINES[square.to_usize()])
}

/// Returns the attacks of a bishop on the empty board: its diagonals without its own square.
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
pub const fn bishop_lines(square: Square) -> Bitboard {
    Bitboard(BISHOP_LINES[square.to_usize()])
}

/// Returns the attacks of a bishop.
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

/// Returns the attacks of a rook.
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
