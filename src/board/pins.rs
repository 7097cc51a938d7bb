//! Pins: a slider, one piece of the other colour in front of it, and behind that the square to which it is pinned.
//!
//! [`pins()`] is the filter `pin`. It is built on the routines of [`xray`](super::xray). `absolutepin` of the prelude and the pinned pieces of
//! `puremate` and related filters use it.

use shakmaty::{Bitboard, Color, Square};

use super::between::between;
use super::directions::Direction;
use super::fill::reach;
use super::pieces::Board;
use super::sliders::{bishop_lines, rook_lines};
use super::xray::{between_slider_and_target, xray_attacks, xray_bishop_attacks, xray_rook_attacks};

/// The squares that take part in pins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pins {
    /// The sliders that pin.
    pub from: Bitboard,
    /// The pinned pieces.
    pub through: Bitboard,
    /// The squares to which pieces are pinned.
    pub to: Bitboard,
}

/// Up to this many targets are checked one by one. See `docs/board-variants.md`.
const FEW_TARGETS: usize = 8;

/// Returns all pins by a slider on `from`, of a piece on `through`, to a square of `to`.
///
/// A pin consists of three squares on one line, in this order: a rook, bishop or queen that moves along the line; a piece of the other
/// colour, which is the only piece between; and a square that is empty or holds a piece of the other colour than the slider's. Only
/// geometry counts: the kind of the piece in between and values do not matter, and pins of both colours are found.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, pins::pins};
///
/// let board: Board = "4k2r/4n3/8/b7/8/2N5/7P/4RK2".parse()?;
/// let found = pins(&board, Bitboard::FULL, Bitboard::FULL, board.roles.king | Square::E1);
/// assert_eq!(format!("{:?}", found.through), "\
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . 1 . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// assert_eq!(found.from, Bitboard::from_iter([Square::E1, Square::A5]));
/// assert_eq!(found.to, Bitboard::from_iter([Square::E8, Square::E1]));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn pins(board: &Board, from: Bitboard, through: Bitboard, to: Bitboard) -> Pins {
    if to.count() <= FEW_TARGETS {
        pins_by_targets(board, from, through, to)
    } else {
        pins_by_fill(board, from, through, to)
    }
}

/// Returns [`pins`] by looking from each target through the pieces in its view. This is the form for few targets, such as the kings.
///
/// Source: chessprogramming wiki, "Checks and Pinned Pieces (Bitboards)", absolute pins.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, pins::pins_by_targets};
///
/// let board: Board = "4k3/4n3/8/8/8/8/8/4RK2".parse()?;
/// let found = pins_by_targets(&board, Bitboard::FULL, Bitboard::FULL, board.roles.king);
/// assert_eq!(found.through, Square::E7.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn pins_by_targets(board: &Board, from: Bitboard, through: Bitboard, to: Bitboard) -> Pins {
    let mut pins = Pins::default();
    for target in to {
        for color in Color::ALL {
            let own = *board.colors.get(color);
            if own.contains(target) {
                continue;
            }
            let blockers = through & *board.colors.get(color.other());
            let pinners = pinners_of(board, from & own, blockers, target);
            if pinners.any() {
                pins.from |= pinners;
                pins.to |= Bitboard::from(target);
                for pinner in pinners {
                    // There is only one piece between, and it is one of `blockers`.
                    pins.through |= between(pinner, target) & blockers;
                }
            }
        }
    }
    pins
}

/// Returns the sliders that a target sees through one of the pieces to be pinned.
#[inline]
fn pinners_of(board: &Board, sliders: Bitboard, blockers: Bitboard, target: Square) -> Bitboard {
    let rooks = sliders & board.orthogonal_sliders() & rook_lines(target);
    let bishops = sliders & board.diagonal_sliders() & bishop_lines(target);
    // Few targets have a slider on their lines.
    let mut pinners = Bitboard::EMPTY;
    if rooks.any() {
        pinners |= rooks & xray_rook_attacks(board.occupied(), blockers, target);
    }
    if bishops.any() {
        pinners |= bishops & xray_bishop_attacks(board.occupied(), blockers, target);
    }
    pinners
}

/// Returns [`pins`] by fills for all sliders of a colour and direction at once. This is the form for many targets.
///
/// Source: chessprogramming wiki, "X-ray Attacks", multiple sliders.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, pins::pins_by_fill};
///
/// let board: Board = "4k3/4n3/8/8/8/8/8/4RK2".parse()?;
/// let found = pins_by_fill(&board, Bitboard::FULL, Bitboard::FULL, board.roles.king);
/// assert_eq!(found.through, Square::E7.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn pins_by_fill(board: &Board, from: Bitboard, through: Bitboard, to: Bitboard) -> Pins {
    let empty = !board.occupied();
    let mut pins = Pins::default();
    for color in Color::ALL {
        let own = *board.colors.get(color);
        let other = *board.colors.get(color.other());
        for direction in Direction::ALL {
            let sliders = from & own & board.sliders(direction);
            let blockers = through & other;
            let targets = to & !own & xray_attacks(sliders, empty, &[blockers], direction);
            if targets.any() {
                let pinned = blockers & between_slider_and_target(sliders, empty, targets, direction);
                pins.from |= sliders & reach(pinned, empty, direction.opposite());
                pins.through |= pinned;
                pins.to |= targets;
            }
        }
    }
    pins
}
