//! Attacks of many squares at once, along one direction.
//!
//! [`reach`] carries the rays of [`xray`](super::xray) on, so it is what `ray`, `xray` and `pin` are made of; [`rook_reach`] and
//! [`bishop_reach`] are the sliders in `->` and `<-` where several meet, and [`beyond`] does without pieces, for `between`,
//! `intersection` and the structures of pawns. Other forms are in `tests/board/reference`.
//!
//! Source: chessprogramming wiki, "Kogge-Stone Algorithm" and "Fill Algorithms".

use shakmaty::Bitboard;

use super::directions::Direction;

/// The generators and all squares that they reach in a direction over empty squares only.
///
/// Three doubling steps, as a parallel prefix adder carries: `passable` is first the set of squares that a fill may enter,
/// then that of squares whose last two, then four squares it may enter. Squares of pieces stop a fill and are not part of it, but
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

/// The three steps of a fill over `passable` squares; `carry` moves a set on by this many steps, without regard to the edges.
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

/// The squares that are seen from some square of a set in a direction with only empty squares strictly between: on each ray
/// the empty squares and the first piece.
///
/// This is the one primitive behind rays, x-rays and pins. The squares of the set may hold any piece or none.
///
/// Source: chessprogramming wiki, "Kogge-Stone Algorithm", sliding attacks: the occluded fill moved on by one step.
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

/// The same as [`reach`] for a direction that is known when the program is built: with shifts, which vector instructions have,
/// instead of rotations, and with a carry towards the east.
#[inline(always)]
pub(super) fn reach_by_shifts(set: Bitboard, empty: Bitboard, direction: Direction) -> Bitboard {
    let carry = |set, steps| direction.carry(set, steps);
    match direction {
        Direction::East => reach_by_carry(set, empty),
        // What leaves the board to the north or south is shifted out.
        Direction::North | Direction::South => Bitboard(carry(kogge_stone(set, empty, carry).0, 1)),
        _ => {
            let filled = kogge_stone(set, empty & direction.landings(), carry);
            Bitboard(carry(filled.0, 1)) & direction.landings()
        }
    }
}

/// [`reach`] towards the east: one added to the lowest of neighbouring empty squares carries through them to the first piece, as
/// in the subtraction of chessprogramming wiki, "o^(o-2r)", but for any number of sliders on a rank. The last file ends each carry.
#[inline(always)]
fn reach_by_carry(set: Bitboard, empty: Bitboard) -> Bitboard {
    const FILE_H: u64 = 0x8080_8080_8080_8080;
    let next = Direction::East.carry(set.0, 1) & Direction::East.landings().0;
    let passable = empty.0 & !FILE_H;
    Bitboard(next | passable.wrapping_add(next & passable) ^ passable)
}

/// The squares that lie in a direction from some square of a set, at any distance; pieces do not block.
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

/// All squares of the files on which a set has squares.
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

/// All squares of the ranks on which a set has squares.
///
/// Each rank is a byte: its bits are gathered in the lowest one, which is then multiplied by 255.
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
    reach_by_shifts(set, empty, Direction::North)
        | reach_by_shifts(set, empty, Direction::East)
        | reach_by_shifts(set, empty, Direction::South)
        | reach_by_shifts(set, empty, Direction::West)
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
    reach_by_shifts(set, empty, Direction::NorthEast)
        | reach_by_shifts(set, empty, Direction::SouthEast)
        | reach_by_shifts(set, empty, Direction::SouthWest)
        | reach_by_shifts(set, empty, Direction::NorthWest)
}

/// The squares that are in line with a square of a set, whatever stands between: on its rank or file, with the square itself, or on a
/// diagonal.
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
