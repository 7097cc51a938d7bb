//! Pawn structure: passed, connected, isolated and doubled pawns of both colours.
//!
//! The definitions are those of the language. Ranks where pawns cannot be in a game are treated like the others.
//! Source of the fills: chessprogramming wiki, "Pawn Pattern and Properties", "Pawn Fills".

use shakmaty::{Bitboard, Color, Role};

use super::directions::Direction;
use super::fill::{beyond, files_through};
use super::pieces::Board;

/// Returns the squares one file to the east or west of a set.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    Direction::East.shift(set) | Direction::West.shift(set)
}
/// Returns the direction from which the pawns of a colour come.
#[inline]
fn backward(color: Color) -> Direction {
    color.fold_wb(Direction::South, Direction::North)
}

/// Returns the union of a property over the pawns of each colour.
#[inline]
fn of_both_colors(board: &Board, property: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    property(board.pieces(Color::White, Role::Pawn)) | property(board.pieces(Color::Black, Role::Pawn))
}

/// Returns the pawns with no enemy pawn in front of them, on their own or a neighbouring file.
///
/// ```
/// use skewer::board::{Board, pawns::passed};
///
/// let board: Board = "8/p7/8/3P4/6pP/8/5P2/8".parse()?;
/// let pawns = passed(&board);
/// assert_eq!(format!("{pawns:?}"), "\
/// . . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . . . . 1
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn passed(board: &Board) -> Bitboard {
    Color::ALL.into_iter().fold(Bitboard::EMPTY, |passed, color| {
        let enemies = board.pieces(color.other(), Role::Pawn);
        let stopped = beyond(enemies | beside(enemies), backward(color));
        passed | board.pieces(color, Role::Pawn) & !stopped
    })
}

/// Returns the pawns with another pawn of their colour on a neighbouring file, on any rank.
///
/// ```
/// use skewer::board::{Board, pawns::connected};
///
/// let board: Board = "8/p6p/8/3P4/8/5p2/2P2P2/8".parse()?;
/// let pawns = connected(&board);
/// assert_eq!(format!("{pawns:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . 1 . . . . .
/// . . . . . . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn connected(board: &Board) -> Bitboard {
    of_both_colors(board, |pawns| pawns & beside(files_through(pawns)))
}

/// Returns the pawns with no other pawn of their colour on a neighbouring file.
///
/// ```
/// use skewer::board::{Board, pawns::isolated};
///
/// let board: Board = "8/p6p/8/3P4/8/5p2/2P2P2/8".parse()?;
/// let pawns = isolated(&board);
/// assert_eq!(format!("{pawns:?}"), "\
/// . . . . . . . .
/// 1 . . . . . . 1
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . . . . 1 . .
/// . . . . . . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn isolated(board: &Board) -> Bitboard {
    board.roles.pawn & !connected(board)
}

/// Returns the pawns with another pawn of their colour on the same file, at any distance, both in front and behind.
///
/// ```
/// use skewer::board::{Board, pawns::doubled};
///
/// let board: Board = "8/p6p/p7/5P2/8/5p2/2P2P2/8".parse()?;
/// let pawns = doubled(&board);
/// assert_eq!(format!("{pawns:?}"), "\
/// . . . . . . . .
/// 1 . . . . . . .
/// 1 . . . . . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn doubled(board: &Board) -> Bitboard {
    of_both_colors(board, |pawns| {
        pawns & (beyond(pawns, Direction::North) | beyond(pawns, Direction::South))
    })
}
