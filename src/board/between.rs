//! In-between sets: the squares strictly between two squares of one rank, file or diagonal.
//!
//! [`between_sets`] is the filter `between`. [`between()`] looks up one pair of squares, for pins, checks and the moves of games. Forms with smaller
//! tables, or without a table, are in `tests/board/reference`.
//!
//! Source: chessprogramming wiki, "Square Attacked By", section "In Between".

use shakmaty::{Bitboard, Square};

use super::directions::{Direction, offset};
use super::fill::beyond;

/// The in-between sets of all pairs: 32 KiB.
static BETWEEN: [[u64; 64]; 64] = rectangular();

const fn rectangular() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = Direction::ALL[direction].delta();
            let mut passed = 0;
            let mut next = offset(from, files, ranks);
            while let Some(to) = next {
                table[from][to] = passed;
                passed |= 1 << to;
                next = offset(to, files, ranks);
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// Returns the squares strictly between two squares of one line; no squares if they are equal, adjacent or not aligned.
///
/// Source: chessprogramming wiki, "Square Attacked By", rectangular lookup.
///
/// ```
/// use skewer::board::{Bitboard, Square, between::between};
///
/// let squares = between(Square::B2, Square::F6);
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . 1 . . . .
/// . . 1 . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// assert_eq!(between(Square::B2, Square::C4), Bitboard::EMPTY);
/// ```
#[inline]
pub const fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.to_usize()][b.to_usize()])
}

/// Up to this many pairs, one lookup for each pair is faster than fills. See `docs/board-variants.md`.
const FEW_PAIRS: usize = 16;

/// Returns the squares strictly between a square of one set and a square of the other: the union over all aligned pairs.
///
/// Pieces do not block.
///
/// ```
/// use skewer::board::{Bitboard, Square, between::between_sets};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::D4]);
/// let squares = between_sets(rooks, Bitboard::from_iter([Square::A4, Square::H8]));
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . 1 .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . 1 1 1 . . . .
/// 1 . 1 . . . . .
/// 1 1 . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn between_sets(a: Bitboard, b: Bitboard) -> Bitboard {
    if a.count() * b.count() <= FEW_PAIRS {
        between_pairs(a, b)
    } else {
        between_by_fill(a, b)
    }
}

/// Returns [`between_sets`] by one lookup for each pair. This is the form for small sets.
///
/// ```
/// use skewer::board::{Square, between::between_pairs};
///
/// let squares = between_pairs(Square::A1.into(), Square::A4.into());
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn between_pairs(a: Bitboard, b: Bitboard) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for from in a {
        for to in b {
            squares |= between(from, to);
        }
    }
    squares
}

/// Returns [`between_sets`] by fills: a square is between if it lies beyond one set in some direction and beyond the other in the
/// opposite direction. This is the form for large sets.
///
/// ```
/// use skewer::board::{Square, between::between_by_fill};
///
/// let squares = between_by_fill(Square::A1.into(), Square::A4.into());
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn between_by_fill(a: Bitboard, b: Bitboard) -> Bitboard {
    Direction::ALL.into_iter().fold(Bitboard::EMPTY, |squares, direction| {
        squares | beyond(a, direction) & beyond(b, direction.opposite())
    })
}
