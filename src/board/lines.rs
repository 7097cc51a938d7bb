//! Rays through several sets: the filters `ray`, `xray` and the arrows with three or more operands.
//!
//! Squares s1, s2, ..., sn of the sets S1, S2, ..., Sn form a line if they lie in this order on one ray from s1 and every square strictly between
//! neighbours is empty. Set by set, one fill a direction carries all lines forward at once; no square is looked at alone.
//!
//! Source: the repeated sliding attacks of chessprogramming wiki, "X-ray Attacks", multiple sliders.

use shakmaty::{Bitboard, Square};

use super::directions::{Direction, DirectionSet};
use super::fill::reach;
use super::men::Board;
use super::rays::ray;
use super::sliders::{bishop_lines, rook_lines};

/// The squares of the last set at which some line through the sets in their order ends.
///
/// With `sliders_first`, the first square must hold a rook, bishop or queen that moves along the line. With one set, these are
/// the squares of the set, and the sliders among them if so wanted; with none there is nothing.
///
/// `ray` and `xray` have this value, and `<-` with three or more operands, whose sets are written the other way round.
///
/// ```
/// use skewer::board::{Board, DirectionSet, lines::seen_last};
///
/// // The rook on e1 looks at the king through the pawn.
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.colors.white, board.colors.black, board.roles.king];
/// let seen = seen_last(&board, DirectionSet::ALL, true, &sets);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn seen_last(board: &Board, directions: DirectionSet, sliders_first: bool, sets: &[Bitboard]) -> Bitboard {
    let Some((first, rest)) = sets.split_first() else {
        return Bitboard::EMPTY;
    };
    if sets.iter().any(|set| set.is_empty()) {
        return Bitboard::EMPTY;
    }
    let aligned = Aligned::with(sets);
    if !aligned.may_begin(board, directions, *first, sliders_first) {
        return Bitboard::EMPTY;
    }
    let empty = !board.occupied();
    directions.iter().fold(Bitboard::EMPTY, |seen, direction| {
        let start = starts(board, *first, direction, sliders_first) & aligned.behind(direction);
        seen | carry(start, rest.iter(), empty, direction)
    })
}

/// The squares of the first set at which some line through the sets in their order begins.
///
/// As [`seen_last`], but with the other end for its value: `->` with three or more operands.
///
/// ```
/// use skewer::board::{Board, DirectionSet, lines::seen_first};
///
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.colors.white, board.colors.black, board.roles.king];
/// let seen = seen_first(&board, DirectionSet::ALL, true, &sets);
/// assert_eq!(format!("{seen:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn seen_first(board: &Board, directions: DirectionSet, sliders_first: bool, sets: &[Bitboard]) -> Bitboard {
    let [first, rest @ ..] = sets else {
        return Bitboard::EMPTY;
    };
    if sets.iter().any(|set| set.is_empty()) {
        return Bitboard::EMPTY;
    }
    let aligned = Aligned::with(sets);
    if !aligned.may_begin(board, directions, *first, sliders_first) {
        return Bitboard::EMPTY;
    }
    let empty = !board.occupied();
    directions.iter().fold(Bitboard::EMPTY, |seen, direction| {
        let start = starts(board, *first, direction, sliders_first) & aligned.behind(direction);
        let Some((last, middle)) = rest.split_last() else {
            return seen | start;
        };
        if start.is_empty() {
            return seen;
        }
        let back = middle.iter().rev().chain([&start]);
        seen | carry(*last, back, empty, direction.opposite())
    })
}

/// From where a line can reach its last set at all. Mostly that is a single square, such as a king, and few men are in line
/// with it, so that a look at the empty board spares the fills.
#[derive(Clone, Copy)]
struct Aligned {
    /// The single square of the last set of a line; nothing is known of other sets.
    target: Option<Square>,
}

impl Aligned {
    #[inline]
    fn with(sets: &[Bitboard]) -> Aligned {
        match sets {
            [_, .., last] => Aligned {
                target: last.single_square(),
            },
            _ => Aligned { target: None },
        }
    }

    /// Whether a line may begin on some square of the first set. Of the directions only their kinds are looked at.
    #[inline]
    fn may_begin(self, board: &Board, directions: DirectionSet, first: Bitboard, sliders_only: bool) -> bool {
        let Some(target) = self.target else { return true };
        let within = |kind: DirectionSet, lines| {
            if directions.intersects(kind) {
                lines
            } else {
                Bitboard::EMPTY
            }
        };
        let straight = within(DirectionSet::ORTHOGONAL, rook_lines(target));
        let diagonal = within(DirectionSet::DIAGONAL, bishop_lines(target));
        let aligned = if sliders_only {
            (board.orthogonal_sliders() & straight) | (board.diagonal_sliders() & diagonal)
        } else {
            straight | diagonal
        };
        (first & aligned).any()
    }

    /// The squares from which a line in a direction may come.
    #[inline]
    fn behind(self, direction: Direction) -> Bitboard {
        self.target
            .map_or(Bitboard::FULL, |target| ray(direction.opposite(), target))
    }
}

/// The squares where a line in a direction may begin.
#[inline]
fn starts(board: &Board, first: Bitboard, direction: Direction, sliders_only: bool) -> Bitboard {
    if sliders_only {
        first & board.sliders(direction)
    } else {
        first
    }
}

/// The squares of the last set that are reached from the start through the sets one after the other.
#[inline]
fn carry<'a>(
    start: Bitboard,
    sets: impl Iterator<Item = &'a Bitboard>,
    empty: Bitboard,
    direction: Direction,
) -> Bitboard {
    let mut front = start;
    for set in sets {
        if front.is_empty() {
            break;
        }
        front = *set & reach(front, empty, direction);
    }
    front
}
