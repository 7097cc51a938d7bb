//! A position of a game and the move that led to it.

use shakmaty::{CastlingSide, Color, Role, Square};

use crate::board::Board;

/// The kind of move that led to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveKind {
    /// No move: the initial position of the game.
    None,
    /// Any other move, including captures and promotions.
    Normal,
    /// Castling. `from` and `to` of the [`Arrival`] are the king's squares.
    Castle(CastlingSide),
    /// A pawn captures a pawn en passant.
    EnPassant,
    /// A piece was dropped on the board from the pocket (Crazyhouse). `from` and `to` are its square.
    Drop,
    /// The side to move passed (`--` in PGN). `from` and `to` are the square of its king.
    Null,
}

/// The move that led to a position, as queries see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Arrival {
    /// The kind of move.
    pub kind: MoveKind,
    /// The square that the piece left.
    pub from: Square,
    /// The square where the piece arrived.
    pub to: Square,
    /// The piece that a pawn became.
    pub promotion: Option<Role>,
    /// The square of the captured piece: `to`, or one behind it for en passant.
    pub captured: Option<Square>,
}

impl Arrival {
    /// Returns a null move of the piece on a square, usually the king.
    pub(crate) fn null(square: Square) -> Arrival {
        Arrival {
            kind: MoveKind::Null,
            from: square,
            to: square,
            promotion: None,
            captured: None,
        }
    }

    /// Returns the square that a piece left and the one where it arrived, unless no piece moved.
    pub(crate) fn squares(&self) -> Option<(Square, Square)> {
        (!matches!(self.kind, MoveKind::None | MoveKind::Null)).then_some((self.from, self.to))
    }
}

/// A node of the game tree.
///
/// Positions of a game are numbered in preorder with the continuing move first, so the whole main line comes first,
/// then the variations from the end of the line backwards. The number is the `positionid` of CQL. The first child of a
/// position, if there is one, is the next position. The sibling after a child comes after the child's
/// [`last`](Position::last).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Position {
    /// The pieces on the board.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The move that led here.
    pub arrival: Arrival,
    /// The index of the position in its game: the `positionid`.
    pub id: u32,
    /// The previous position. The initial position is its own parent.
    pub parent: u32,
    /// The last position of the subtree that begins here; the position itself if it has no child.
    pub last: u32,
    /// The number of moves from the initial position, including null moves.
    pub ply: u16,
    /// The number of moves on the way from the initial position that were not first choices.
    pub depth: u16,
    /// The number of this child among the children of its parent: 0 for the continuing move, from 1 for variations. 0 for the initial position.
    pub choice: u16,
}
