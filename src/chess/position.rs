//! A position of a game and the move that led to it.

use shakmaty::{CastlingSide, Color, Role, Square};

use crate::board::Board;

/// What sort of move led to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveKind {
    /// No move: the initial position of the game.
    None,
    /// Any move that is none of the others, captures and promotions included.
    Normal,
    /// Castling. `from` and `to` of the [`Arrival`] are the king's squares.
    Castle(CastlingSide),
    /// A pawn takes a pawn in passing.
    EnPassant,
    /// A piece from the pocket was put on the board (Crazyhouse). `from` and `to` are its square.
    Drop,
    /// The side to move passed (`--` in PGN). `from` and `to` are the square of its king.
    Null,
}

/// The move that led to a position, as queries see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Arrival {
    /// What sort of move it is.
    pub kind: MoveKind,
    /// The square that the piece left.
    pub from: Square,
    /// The square where the piece arrived.
    pub to: Square,
    /// What a pawn became.
    pub promotion: Option<Role>,
    /// The square of the captured piece: `to`, or one behind it for en passant.
    pub captured: Option<Square>,
}

impl Arrival {
    /// A null move of the piece on a square, mostly the king.
    pub(crate) fn null(square: Square) -> Arrival {
        Arrival {
            kind: MoveKind::Null,
            from: square,
            to: square,
            promotion: None,
            captured: None,
        }
    }
}

/// A node of the game tree.
///
/// Positions of a game are numbered in preorder with the continuing move first, so the whole main line comes first,
/// then the variations from the end of the line backwards; the number is the `positionid` of CQL. The first child of a
/// position, if it has any, is the next position; the sibling after a child comes after the child's
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
    /// Index of the position in its game: the `positionid`.
    pub id: u32,
    /// The position before; the initial position is its own parent.
    pub parent: u32,
    /// The last position of the subtree that begins here; the position itself when it has no child.
    pub last: u32,
    /// Moves from the initial position, null moves included.
    pub ply: u16,
    /// How many moves on the way from the initial position were not first choices.
    pub depth: u16,
    /// Which child of its parent this is: 0 for the continuing move, variations from 1. 0 for the initial position.
    pub choice: u16,
}
