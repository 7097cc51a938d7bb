//! X-rays of one slider as rays that go on behind the first man.
//!
//! Source: chessprogramming wiki, "X-ray Attacks", by ray directions instead of a changed occupancy.

use shakmaty::{Bitboard, Square};

use crate::board::directions::DirectionSet;
use crate::board::rays::{ray, ray_attacks};

/// The squares that a slider with the given directions sees through one blocker.
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
        let men = ray(direction, square) & occupied;
        let first = if direction.is_positive() {
            men.first()
        } else {
            men.last()
        };
        match first {
            Some(first) if blockers.contains(first) => behind | ray_attacks(occupied, direction, first),
            _ => behind,
        }
    })
}
