//! Forms of [`xray_rook_attacks`](crate::board::xray::xray_rook_attacks) and its like: along one line, and by rays.
//!
//! Source of all: chessprogramming wiki, "X-ray Attacks".

use shakmaty::{Bitboard, Square};

use crate::board::directions::DirectionSet;
use crate::board::rays::ray;
use crate::board::reference::rays::generalised_branchless;
use crate::board::reference::sliders::{antidiagonal_attacks, diagonal_attacks, file_attacks, rank_attacks};
use crate::board::xray::through_blockers;

/// The squares on its rank that a slider sees through one blocker.
///
/// ```
/// use skewer::board::{Bitboard, Square, reference::xray::xray_rank_attacks};
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
/// use skewer::board::{Bitboard, Square, reference::xray::xray_file_attacks};
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
/// use skewer::board::{Bitboard, Square, reference::xray::xray_diagonal_attacks};
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
/// use skewer::board::{Bitboard, Square, reference::xray::xray_antidiagonal_attacks};
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

/// The squares that a slider with the given directions sees through one blocker, as the rays that go on behind the first piece of
/// each ray.
///
/// ```
/// use skewer::board::{Bitboard, DirectionSet, Square, reference::xray::xray_by_rays};
///
/// let occupied = Bitboard::from_iter([Square::D2, Square::D4, Square::D7, Square::F4]);
/// let behind = xray_by_rays(occupied, Square::D4.into(), Square::D2, DirectionSet::ORTHOGONAL);
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
pub fn xray_by_rays(occupied: Bitboard, blockers: Bitboard, square: Square, directions: DirectionSet) -> Bitboard {
    directions.iter().fold(Bitboard::EMPTY, |behind, direction| {
        let pieces = ray(direction, square) & occupied;
        let first = if direction.is_positive() {
            pieces.first()
        } else {
            pieces.last()
        };
        match first {
            Some(first) if blockers.contains(first) => behind | generalised_branchless(occupied, direction, first),
            _ => behind,
        }
    })
}
