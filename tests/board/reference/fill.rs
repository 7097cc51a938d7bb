//! Forms of `reach`.

use shakmaty::Bitboard;
use skewer::board::Direction;

use super::rays::generalised_branchless;

/// Computes the reach one step at a time, until nothing is left to move.
///
/// Source: chessprogramming wiki, "Dumb7Fill", with an early end instead of unrolled steps.
#[inline]
pub(crate) fn reach_by_steps(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut front = direction.shift(set);
    while front.any() {
        seen |= front;
        front = direction.shift(front & empty);
    }
    seen
}

/// Computes the reach in seven unrolled steps.
///
/// Source: chessprogramming wiki, "Dumb7Fill".
#[inline]
pub(crate) fn reach_dumb7(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let step = direction.step().rem_euclid(64) as u32;
    let passable = empty.0 & direction.landings().0;
    let mut front = set.0;
    let mut filled = set.0;
    for _ in 0..6 {
        front = passable & front.rotate_left(step);
        filled |= front;
    }
    direction.shift(Bitboard(filled))
}

/// Computes the reach as the union of the ray attacks of the members.
#[inline]
pub(crate) fn reach_by_members(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    set.into_iter().fold(Bitboard::EMPTY, |seen, square| {
        seen | generalised_branchless(!empty, direction, square)
    })
}
