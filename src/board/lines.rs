//! Rays through several sets: the filters `ray`, `xray` and the arrows with three or more operands.
//!
//! Squares s1, s2, ..., sn of the sets S1, S2, ..., Sn form a line if they lie in this order on one ray from s1 and every square strictly between
//! neighbours is empty. So the sets in the middle are the blockers of [`xray_attacks`], and the first set sees the last through them.
//!
//! | routine | filters that use it |
//! |---|---|
//! | [`ray`] | `ray`; `battery`, `partialpin`, `xrayattack` and `discoveredattack` of the prelude |
//! | [`xray`] | `xray`, `<-` with three or more operands; `skewer`, `relativepin` and `discoveredcheck` of the prelude |
//! | [`xray_origins`] | `->` with three or more operands |
//! | [`ray_origins`], [`xray_origins`] | the lines of sight that `--format html` and `svg` show |
//!
//! [`Boards::seen_last`](super::columns::Boards::seen_last) and [`seen_first`](super::columns::Boards::seen_first) do the same for sixteen
//! boards at once. A slower form is in `tests/board/reference`.

use shakmaty::{Bitboard, Square};

use super::directions::{Direction, DirectionSet};
use super::pieces::Board;
use super::rays;
use super::sliders::{bishop_lines, rook_lines};
use super::xray::xray_attacks;

/// Returns the squares of the last set where a line through the sets in their order ends.
///
/// For one set, returns its squares; for none, no squares.
///
/// ```
/// use skewer::board::{Board, DirectionSet, Square, lines::ray};
///
/// // The rook on e1 looks at the king through the pawn.
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.roles.rook, board.colors.black, board.roles.king];
/// assert_eq!(ray(&board, DirectionSet::VERTICAL, &sets), Square::E8.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn ray(board: &Board, directions: DirectionSet, sets: &[Bitboard]) -> Bitboard {
    along_rays(board, directions, Bitboard::FULL, sets, ends)
}

/// Returns the squares of the first set where a line through the sets in their order begins. This is [`ray`] with the other end as its
/// value.
///
/// ```
/// use skewer::board::{Board, DirectionSet, Square, lines::ray_origins};
///
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.roles.rook, board.colors.black, board.roles.king];
/// assert_eq!(ray_origins(&board, DirectionSet::VERTICAL, &sets), Square::E1.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn ray_origins(board: &Board, directions: DirectionSet, sets: &[Bitboard]) -> Bitboard {
    along_rays(board, directions, Bitboard::FULL, sets, origins)
}

/// Returns the squares of the last set that a slider of the first set would see if not for one piece of each set in between: a [`ray`] from
/// rooks and queens along ranks and files, or one from bishops and queens along diagonals.
///
/// Source: the definition of `xray` in the reference of CQL.
///
/// ```
/// use skewer::board::{Board, lines::xray};
///
/// // The rook on e1 looks at the king through the pawn.
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.colors.white, board.colors.black, board.roles.king];
/// let seen = xray(&board, &sets);
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
pub fn xray(board: &Board, sets: &[Bitboard]) -> Bitboard {
    from_sliders(board, sets, ends)
}

/// Returns the sliders of the first set that would see a square of the last. This is [`xray`] with the other end as its value.
///
/// ```
/// use skewer::board::{Board, lines::xray_origins};
///
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.colors.white, board.colors.black, board.roles.king];
/// let seeing = xray_origins(&board, &sets);
/// assert_eq!(format!("{seeing:?}"), "\
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
pub fn xray_origins(board: &Board, sets: &[Bitboard]) -> Bitboard {
    from_sliders(board, sets, origins)
}

/// A function that returns the squares seen along one direction, given the squares where a line may begin, the sets in the middle and the last set.
trait Seen: Fn(&Board, Bitboard, &[Bitboard], Bitboard, Direction) -> Bitboard {}

impl<F: Fn(&Board, Bitboard, &[Bitboard], Bitboard, Direction) -> Bitboard> Seen for F {}

/// Returns the squares of the last set where lines end.
#[inline]
fn ends(board: &Board, start: Bitboard, blockers: &[Bitboard], last: Bitboard, direction: Direction) -> Bitboard {
    last & xray_attacks(start, !board.occupied(), blockers, direction)
}

/// Returns the squares of `start` where lines begin, by looking back from the last set.
#[inline]
fn origins(board: &Board, start: Bitboard, blockers: &[Bitboard], last: Bitboard, direction: Direction) -> Bitboard {
    start & xray_attacks(last, !board.occupied(), blockers.iter().rev(), direction.opposite())
}

/// Returns the squares seen on lines that begin with a slider. The directions are constants here, which halves the time.
#[inline]
fn from_sliders(board: &Board, sets: &[Bitboard], seen: impl Seen) -> Bitboard {
    along_rays(board, DirectionSet::ORTHOGONAL, board.orthogonal_sliders(), sets, &seen)
        | along_rays(board, DirectionSet::DIAGONAL, board.diagonal_sliders(), sets, &seen)
}

/// Returns the union of the squares seen in the given directions, from those of the first set that are among `movers`.
#[inline]
fn along_rays(
    board: &Board,
    directions: DirectionSet,
    movers: Bitboard,
    sets: &[Bitboard],
    seen: impl Seen,
) -> Bitboard {
    if sets.iter().any(|set| set.is_empty()) || directions.is_empty() {
        return Bitboard::EMPTY;
    }
    match sets {
        [] => Bitboard::EMPTY,
        [only] => *only & movers,
        [first, blockers @ .., last] => {
            let first = *first & movers;
            let target = last.single_square();
            if target.is_some_and(|target| first.is_disjoint(lines_through(target, directions))) {
                return Bitboard::EMPTY;
            }
            directions.iter().fold(Bitboard::EMPTY, |all, direction| {
                let behind = target.map_or(Bitboard::FULL, |target| rays::ray(direction.opposite(), target));
                let start = first & behind;
                if start.is_empty() {
                    all
                } else {
                    all | seen(board, start, blockers, *last, direction)
                }
            })
        }
    }
}

/// Returns the squares from which a line can reach a square at all. Usually the last set is a single square, such as a king, and few pieces are in
/// line with it, so a look at the empty board saves the fills. Only the kinds of the directions count.
#[inline]
fn lines_through(target: Square, directions: DirectionSet) -> Bitboard {
    let within = |kind: DirectionSet, lines| {
        if directions.intersects(kind) {
            lines
        } else {
            Bitboard::EMPTY
        }
    };
    within(DirectionSet::ORTHOGONAL, rook_lines(target)) | within(DirectionSet::DIAGONAL, bishop_lines(target))
}
