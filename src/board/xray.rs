//! X-ray attacks: what a slider would see if certain men, the blockers, did not stand in its way.
//!
//! Source of all: chessprogramming wiki, "X-ray Attacks".
//!
//! For one slider the attacks are taken twice, the second time without those blockers that it sees; the difference is what it
//! sees through exactly one of them. Blockers that are no men are ignored.

use shakmaty::{Bitboard, Square};

use super::directions::Direction;
use super::fill::reach;
use super::sliders::{
    antidiagonal_attacks, bishop_attacks, diagonal_attacks, file_attacks, queen_attacks, rank_attacks, rook_attacks,
};

/// The squares that are seen through the first blockers only, by a slider with the given attacks.
#[inline]
fn through_blockers(
    occupied: Bitboard,
    blockers: Bitboard,
    square: Square,
    attacks: impl Fn(Bitboard, Square) -> Bitboard,
) -> Bitboard {
    let seen = attacks(occupied, square);
    let blockers = blockers & occupied & seen;
    if blockers.is_empty() {
        return Bitboard::EMPTY;
    }
    seen ^ attacks(occupied ^ blockers, square)
}

/// The squares that a rook sees through one blocker: behind it the empty ones and the next man.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_rook_attacks};
///
/// let occupied = Bitboard::from_iter([Square::D2, Square::D4, Square::D7, Square::F4]);
/// let behind = xray_rook_attacks(occupied, Square::D4.into(), Square::D2);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_rook_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, rook_attacks)
}

/// The squares that a bishop sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_bishop_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B2, Square::D4, Square::G7, Square::C1]);
/// let behind = xray_bishop_attacks(occupied, occupied, Square::B2);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . .
/// . . . . . . 1 .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_bishop_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, bishop_attacks)
}

/// The squares that a queen sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_queen_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B2, Square::D4, Square::G7, Square::B5]);
/// let behind = xray_queen_attacks(occupied, occupied, Square::B2);
/// assert_eq!(format!("{behind:?}"), "\
/// . 1 . . . . . .
/// . 1 . . . . 1 .
/// . 1 . . . 1 . .
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_queen_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, queen_attacks)
}

/// The squares on its rank that a slider sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_rank_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B4, Square::D4, Square::G4]);
/// let behind = xray_rank_attacks(occupied, Square::D4.into(), Square::B4);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 1 1 .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_rank_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, rank_attacks)
}

/// The squares on its file that a slider sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_file_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B2, Square::B3, Square::B5]);
/// let behind = xray_file_attacks(occupied, Square::B3.into(), Square::B2);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . 1 . . . . . .
/// . 1 . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_file_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, file_attacks)
}

/// The squares on its diagonal (parallel to a1-h8) that a slider sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_diagonal_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B2, Square::C3]);
/// let behind = xray_diagonal_attacks(occupied, Square::C3.into(), Square::B2);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . 1
/// . . . . . . 1 .
/// . . . . . 1 . .
/// . . . . 1 . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_diagonal_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, diagonal_attacks)
}

/// The squares on its antidiagonal (parallel to a8-h1) that a slider sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, xray::xray_antidiagonal_attacks};
///
/// let occupied = Bitboard::from_iter([Square::B6, Square::C5]);
/// let behind = xray_antidiagonal_attacks(occupied, Square::C5.into(), Square::B6);
/// assert_eq!(format!("{behind:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . 1 . . .
/// . . . . . 1 . .
/// . . . . . . 1 .
/// ");
/// ```
#[inline]
pub fn xray_antidiagonal_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, antidiagonal_attacks)
}

/// The squares that some of the sliders see in a direction through one of the blockers that they see.
///
/// Blockers on empty squares count as well: then the squares behind them in the same open line are seen. Give only men to
/// look through men.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, xray::xray_attacks};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::C1, Square::F1]);
/// let blockers = Bitboard::from_iter([Square::A3, Square::C6]);
/// let men = rooks | blockers | Square::A6 | Square::F4;
/// let behind = xray_attacks(rooks, !men, blockers, Direction::North);
/// assert_eq!(format!("{behind:?}"), "\
/// . . 1 . . . . .
/// . . 1 . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn xray_attacks(sliders: Bitboard, empty: Bitboard, blockers: Bitboard, direction: Direction) -> Bitboard {
    let seen = blockers & reach(sliders, empty, direction);
    if seen.is_empty() {
        seen
    } else {
        reach(seen, empty, direction)
    }
}

/// The squares that some slider sees in a direction and some target sees in the opposite one: the empty squares between a
/// slider and a target in its view, or the only man between them.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, xray::between_slider_and_target};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::C1, Square::F1]);
/// let targets = Bitboard::from_iter([Square::A4, Square::C6, Square::F6]);
/// let men = rooks | targets | Square::C3 | Square::F3 | Square::F4;
/// let squares = between_slider_and_target(rooks, !men, targets, Direction::North);
/// assert_eq!(format!("{squares:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// 1 . 1 . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn between_slider_and_target(
    sliders: Bitboard,
    empty: Bitboard,
    targets: Bitboard,
    direction: Direction,
) -> Bitboard {
    reach(sliders, empty, direction) & reach(targets, empty, direction.opposite())
}
