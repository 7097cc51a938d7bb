//! X-ray attacks: the squares that a slider would see if certain pieces, the blockers, were not in its way.
//!
//! | routine | looks through | filters that use it |
//! |---|---|---|
//! | [`xray_rook_attacks`], [`xray_bishop_attacks`] | one blocker, from one square in all directions | `pin`, by [`pins_by_targets`](super::pins::pins_by_targets) |
//! | [`xray_attacks`] | blockers of several sets, one behind the other, from many squares in one direction | `xray`, `ray`, `->` and `<-` with three or more operands, by [`lines`](super::lines); `pin`, by [`pins_by_fill`](super::pins::pins_by_fill) |
//! | [`between_slider_and_target`] | | `pin`, by [`pins_by_fill`](super::pins::pins_by_fill) |
//!
//! The motifs of the prelude (`battery`, `skewer`, `discoveredcheck` and the others) are built on `xray`, `ray` and `pin`. Slower
//! forms are in `tests/board/reference`.
//!
//! Source of all routines: chessprogramming wiki, "X-ray Attacks".

use shakmaty::{Bitboard, Square};

use super::directions::Direction;
use super::fill::reach;
use super::sliders::{bishop_attacks, rook_attacks};

/// Returns the squares seen through exactly one blocker by a slider with the given attacks.
///
/// Computes the attacks twice, the second time without the blockers that the slider sees. The difference is what it sees
/// through exactly one of them. Blockers on empty squares are ignored.
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

/// Returns the squares that a rook sees through one blocker: the empty squares behind it and the next piece.
///
/// Source: chessprogramming wiki, "X-ray Attacks", modifying occupancy.
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

/// Returns the squares that a bishop sees through one blocker.
///
/// Source: as for [`xray_rook_attacks`].
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

/// Returns the squares that one of the sliders sees in a direction through one blocker of each set, in the order of the sets.
///
/// Each blocker that is seen looks further in the same direction. Without sets, these are the squares in the view of the sliders. Blockers on empty
/// squares count as well, so the squares behind them in the same open line are seen. To look only through pieces, pass only pieces.
///
/// Source: chessprogramming wiki, "X-ray Attacks", multiple sliders. The wiki has only one set of blockers.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, xray::xray_attacks};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::C1, Square::F1]);
/// let blockers = Bitboard::from_iter([Square::A3, Square::C6]);
/// let occupied = rooks | blockers | Square::A6 | Square::F4;
/// let behind = xray_attacks(rooks, !occupied, &[blockers], Direction::North);
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
/// let behind_both = xray_attacks(rooks, !occupied, &[blockers, Square::A6.into()], Direction::North);
/// assert_eq!(behind_both, Bitboard::from_iter([Square::A7, Square::A8]));
/// ```
#[inline]
pub fn xray_attacks<'b>(
    sliders: Bitboard,
    empty: Bitboard,
    blockers: impl IntoIterator<Item = &'b Bitboard>,
    direction: Direction,
) -> Bitboard {
    let mut front = sliders;
    for set in blockers {
        if front.is_empty() {
            break;
        }
        front = *set & reach(front, empty, direction);
    }
    if front.is_empty() {
        front
    } else {
        reach(front, empty, direction)
    }
}

/// Returns the squares that a slider sees in a direction and a target sees in the opposite one: the empty squares between a
/// slider and a target in its view, or the only piece between them.
///
/// Source: chessprogramming wiki, "X-ray Attacks", blockers by targets.
///
/// ```
/// use skewer::board::{Bitboard, Direction, Square, xray::between_slider_and_target};
///
/// let rooks = Bitboard::from_iter([Square::A1, Square::C1, Square::F1]);
/// let targets = Bitboard::from_iter([Square::A4, Square::C6, Square::F6]);
/// let occupied = rooks | targets | Square::C3 | Square::F3 | Square::F4;
/// let squares = between_slider_and_target(rooks, !occupied, targets, Direction::North);
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
