//! Attacks of many squares at once, along one direction.
//!
//! [`reach`] extends the rays of [`xray`](super::xray), so `ray`, `xray` and `pin` are built on it. [`rook_reach`] and
//! [`bishop_reach`] are the sliders in `->` and `<-` if there are several pieces and targets. [`beyond`] ignores pieces, for `between`,
//! `intersection` and pawn structures. Other forms are in `tests/board/reference`.
//!
//! Source: chessprogramming wiki, "Kogge-Stone Algorithm" and "Fill Algorithms".

use shakmaty::Bitboard;

use super::directions::Direction;

/// Returns the generators and all squares that they reach in a direction over empty squares only.
///
/// Takes three doubling steps, like the carries of a parallel prefix adder: `passable` is first the set of squares that a fill may enter,
/// then the set of squares where it may enter the last two, then the last four squares. Occupied squares stop a fill and are not part of it, but
/// the generators are, occupied or not.
///
/// Source: chessprogramming wiki, "Kogge-Stone Algorithm", occluded fill.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, fill::occluded_fill};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let pieces = rooks | Square::A5;
/// let filled = occluded_fill(rooks, !pieces, Direction::North);
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
    kogge_stone(generators, empty & direction.landings(), |set, steps| {
        set.rotate_left(step * steps)
    })
}

/// Takes the three steps of a fill over `passable` squares. `carry` moves a set a number of steps and ignores the edges.
#[inline(always)]
fn kogge_stone(generators: Bitboard, passable: Bitboard, carry: impl Fn(u64, u32) -> u64) -> Bitboard {
    let (mut filled, mut passable) = (generators.0, passable.0);
    filled |= passable & carry(filled, 1);
    passable &= carry(passable, 1);
    filled |= passable & carry(filled, 2);
    passable &= carry(passable, 2);
    filled |= passable & carry(filled, 4);
    Bitboard(filled)
}

/// Returns the squares that are seen from a square of a set in a direction, with only empty squares strictly between: on each ray
/// the empty squares and the first piece.
///
/// Rays, x-rays and pins are all built on this function. The squares of the set may hold any piece or none.
///
/// Source: chessprogramming wiki, "Kogge-Stone Algorithm", sliding attacks: the occluded fill moved one step further.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, fill::reach};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::H3]);
/// let pieces = rooks | Square::A5;
/// let seen = reach(rooks, !pieces, Direction::North);
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

/// Returns [`reach`] for a direction known at compile time. Uses shifts, for which there are vector instructions,
/// instead of rotations, and a carry towards the east.
#[inline(always)]
pub(super) fn reach_by_shifts(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let carry = |set, steps| direction.carry(set, steps);
    match direction {
        Direction::East => reach_by_carry(set, empty),
        // Squares that leave the board to the north or south are shifted out.
        Direction::North | Direction::South => Bitboard(carry(kogge_stone(set, empty, carry).0, 1)),
        _ => {
            let filled = kogge_stone(set, empty & direction.landings(), carry);
            Bitboard(carry(filled.0, 1)) & direction.landings()
        }
    }
}

/// Returns [`reach`] towards the east. Adding one to the lowest of neighbouring empty squares carries through them to the first piece, as
/// in the subtraction of chessprogramming wiki, "o^(o-2r)", but for any number of sliders on a rank. The last file ends each carry.
#[inline(always)]
fn reach_by_carry(set: Bitboard, empty: Bitboard) -> Bitboard {
    const FILE_H: u64 = 0x8080_8080_8080_8080;
    let next = Direction::East.carry(set.0, 1) & Direction::East.landings().0;
    let passable = empty.0 & !FILE_H;
    Bitboard(next | passable.wrapping_add(next & passable) ^ passable)
}

/// Returns the squares in a direction from a square of a set, at any distance. Pieces do not block.
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

/// Returns all squares of the files on which a set has squares.
///
/// Source: chessprogramming wiki, "Pawn Fills", file fill.
///
/// ```
/// use skewer::board::{Bitboard, File, Square, fill::files_through};
///
/// let set = Bitboard::from_iter([Square::C6, Square::E4, Square::E7]);
/// assert_eq!(files_through(set), Bitboard::from_file(File::C) | Bitboard::from_file(File::E));
/// ```
#[inline]
pub fn files_through(set: Bitboard) -> Bitboard {
    let mut files = set.0;
    files |= files.rotate_left(8);
    files |= files.rotate_left(16);
    files |= files.rotate_left(32);
    Bitboard(files)
}

/// Returns all squares of the ranks on which a set has squares.
///
/// Each rank is a byte. Its bits are gathered in the lowest bit, which is then multiplied by 255.
///
/// ```
/// use skewer::board::{Bitboard, Rank, Square, fill::ranks_through};
///
/// let set = Bitboard::from_iter([Square::C6, Square::E4, Square::H4]);
/// assert_eq!(ranks_through(set), Bitboard::from_rank(Rank::Fourth) | Bitboard::from_rank(Rank::Sixth));
/// ```
#[inline]
pub fn ranks_through(set: Bitboard) -> Bitboard {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let mut ranks = (set.0 | set.0 >> 4) & (0x0f * LOWEST);
    ranks = (ranks | ranks >> 2) & (0x03 * LOWEST);
    ranks = (ranks | ranks >> 1) & LOWEST;
    Bitboard((ranks << 8).wrapping_sub(ranks))
}

/// Returns the squares that rooks on all squares of a set attack.
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
    reach_by_shifts(set, empty, Direction::North)
        | reach_by_shifts(set, empty, Direction::East)
        | reach_by_shifts(set, empty, Direction::South)
        | reach_by_shifts(set, empty, Direction::West)
}

/// Returns the squares that bishops on all squares of a set attack.
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
    reach_by_shifts(set, empty, Direction::NorthEast)
        | reach_by_shifts(set, empty, Direction::SouthEast)
        | reach_by_shifts(set, empty, Direction::SouthWest)
        | reach_by_shifts(set, empty, Direction::NorthWest)
}

/// Returns the squares in line with a square of a set, whether or not there are pieces between: on its rank or file, including the square
/// itself, or on a diagonal.
///
/// ```
/// use skewer::board::{Bitboard, File, Rank, Square, fill::lines_through};
///
/// let lines = Bitboard::from_rank(Rank::Fourth) | Bitboard::from_file(File::E);
/// assert_eq!(lines_through(Square::E4.into(), true, false), lines);
/// ```
#[inline(always)]
pub fn lines_through(set: Bitboard, straight: bool, diagonal: bool) -> Bitboard {
    let mut lines = Bitboard::EMPTY;
    if straight {
        lines |= files_through(set) | ranks_through(set);
    }
    if diagonal {
        lines |= bishop_reach(set, Bitboard::FULL);
    }
    lines
}
