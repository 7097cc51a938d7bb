//! Forms of [`reach`](crate::board::fill::reach).

use shakmaty::Bitboard;

use crate::board::directions::Direction;
use crate::board::reference::rays::generalised_branchless;

/// The reach, one step at a time until nothing is left to move.
///
/// Source: chessprogramming wiki, "Dumb7Fill", with an early end instead of unrolled steps.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, reference::fill::reach_by_steps};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let seen = reach_by_steps(rooks, !(rooks | Square::A4), Direction::North);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn reach_by_steps(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut front = direction.shift(set);
    while front.any() {
        seen |= front;
        front = direction.shift(front & empty);
    }
    seen
}

/// The reach as seven unrolled steps.
///
/// Source: chessprogramming wiki, "Dumb7Fill".
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, reference::fill::reach_dumb7};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let seen = reach_dumb7(rooks, !(rooks | Square::A4), Direction::North);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn reach_dumb7(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let step = direction.rotation();
    let passable = empty.0 & direction.landings().0;
    let mut front = set.0;
    let mut filled = set.0;
    for _ in 0..6 {
        front = passable & front.rotate_left(step);
        filled |= front;
    }
    direction.shift(Bitboard(filled))
}

/// The reach as the union of the ray attacks of the members.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, reference::fill::reach_by_members};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let seen = reach_by_members(rooks, !(rooks | Square::A4), Direction::North);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn reach_by_members(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    set.into_iter().fold(Bitboard::EMPTY, |seen, square| {
        seen | generalised_branchless(!empty, direction, square)
    })
}
