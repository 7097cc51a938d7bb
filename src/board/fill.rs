//! Attacks of many squares at once, along one direction.
//!
//! Source: chessprogramming wiki, "Kogge-Stone Algorithm" and "Fill Algorithms".

use shakmaty::Bitboard;

use super::directions::Direction;

/// The generators and all squares that they reach in a direction over empty squares only.
///
/// Three doubling steps, as a parallel prefix adder carries: `passable` is first the set of squares that a fill may enter,
/// then that of squares whose last two, then four squares it may enter. Squares of men stop a fill and are not part of it, but
/// the generators are, occupied or not.
///
/// Source: chessprogramming wiki, "Kogge-Stone Algorithm", occluded fill.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, fill::occluded_fill};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let men = rooks | Square::A5;
/// let filled = occluded_fill(rooks, !men, Direction::North);
/// assert_eq!(format!("{filled:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . .
/// 1 . . . . . . .
/// ");
/// ```
#[inline]
pub fn occluded_fill(generators: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let step = direction.rotation();
    let mut filled = generators.0;
    let mut passable = empty.0 & direction.landings().0;
    filled |= passable & filled.rotate_left(step);
    passable &= passable.rotate_left(step);
    filled |= passable & filled.rotate_left(2 * step);
    passable &= passable.rotate_left(2 * step);
    filled |= passable & filled.rotate_left(4 * step);
    Bitboard(filled)
}

/// The squares that are seen from some square of a set in a direction with only empty squares strictly between: on each ray
/// the empty squares and the first man.
///
/// This is the one primitive behind rays, x-rays and pins. The squares of the set may hold any man or none.
///
/// Source: chessprogramming wiki, "Kogge-Stone Algorithm", sliding attacks: the occluded fill moved on by one step.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, fill::reach};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let men = rooks | Square::A5;
/// let seen = reach(rooks, !men, Direction::North);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . 1
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn reach(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    direction.shift(occluded_fill(set, empty, direction))
}

/// The squares that lie in a direction from some square of a set, at any distance; men do not block.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, fill::beyond};
///
/// let set = Bitboard::from_iter([Square::C6, Square::E4]);
/// let squares = beyond(set, Direction::SouthEast);
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . 1 . . .
/// . . . . . 1 . .
/// . . . . . . 1 .
/// . . . . . . . 1
/// ");
/// ```
#[inline]
pub fn beyond(set: Bitboard, direction: Direction) -> Bitboard {
    reach(set, Bitboard::FULL, direction)
}

/// The squares that rooks on all squares of a set attack.
///
/// ```
/// use skewer::board::{Bitboard, Square, fill::rook_reach};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::C2]);
/// let attacks = rook_reach(rooks, !(rooks | Square::C4));
/// assert_eq!(format!("{attacks:?}"), "\
/// 1 . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// 1 . 1 . . . . .
/// 1 . 1 . . . . .
/// 1 1 . 1 1 1 1 1
/// . 1 1 1 1 1 1 1
/// ");
/// ```
#[inline]
pub fn rook_reach(set: Bitboard, empty: Bitboard) -> Bitboard {
    reach(set, empty, Direction::North)
        | reach(set, empty, Direction::East)
        | reach(set, empty, Direction::South)
        | reach(set, empty, Direction::West)
}

/// The squares that bishops on all squares of a set attack.
///
/// ```
/// use skewer::board::{Bitboard, Square, fill::bishop_reach};
///
/// let bishops = Bitboard::from_iter([Square::A1, Square::C1]);
/// let attacks = bishop_reach(bishops, !(bishops | Square::D4 | Square::B2));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . 1
/// . . . . . . 1 .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . 1 . 1 . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn bishop_reach(set: Bitboard, empty: Bitboard) -> Bitboard {
    reach(set, empty, Direction::NorthEast)
        | reach(set, empty, Direction::SouthEast)
        | reach(set, empty, Direction::SouthWest)
        | reach(set, empty, Direction::NorthWest)
}
