//! Forms of `xray_rook_attacks`: along one line, and by rays.
//!
//! Source of all: chessprogramming wiki, "X-ray Attacks".

use shakmaty::{Bitboard, Square};
use skewer::board::DirectionSet;
use skewer::board::rays::ray;

use super::rays::generalised_branchless;
use super::sliders::{file_attacks, rank_attacks};

/// Returns the squares that a slider sees only through the first blockers. `attacks` gives its attacks.
#[inline]
fn through_blockers(
    occupied: Bitboard,
    blockers: Bitboard,
    square: Square,
    attacks: impl Fn(Bitboard, Square) -> Bitboard,
) -> Bitboard {
    let seen = attacks(occupied, square);
    seen ^ attacks(occupied ^ (blockers & occupied & seen), square)
}

/// Returns the squares on its rank that a slider sees through one blocker.
#[inline]
pub(crate) fn xray_rank_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, rank_attacks)
}

/// Returns the squares on its file that a slider sees through one blocker.
#[inline]
pub(crate) fn xray_file_attacks(occupied: Bitboard, blockers: Bitboard, square: Square) -> Bitboard {
    through_blockers(occupied, blockers, square, file_attacks)
}

/// Returns the squares that a slider sees through one blocker in these directions: each ray continues behind its first piece.
#[inline]
pub(crate) fn xray_by_rays(
    occupied: Bitboard,
    blockers: Bitboard,
    square: Square,
    directions: DirectionSet,
) -> Bitboard {
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
