//! The pieces on a board as eight bitboards.

use std::ops::BitOr;
use std::str::FromStr;

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, fen::ParseFenError};

use super::Direction;

/// Where the pieces of a position stand: one bitboard a role and one a colour.
///
/// Holds no rights, no clock and no side to move. Unlike a position of a game it may be anything: no kings, five kings,
/// pawns on the first rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    /// The squares of each role, of both colours.
    pub roles: ByRole<Bitboard>,
    /// The squares of each colour.
    pub colors: ByColor<Bitboard>,
}

/// The pieces that count as material, each with its value: pawn 1, knight and bishop 3, rook 5, queen 9.
pub fn material<S: Copy + BitOr<Output = S>>(roles: &ByRole<S>) -> [(i32, S); 4] {
    [
        (1, roles.pawn),
        (3, roles.knight | roles.bishop),
        (5, roles.rook),
        (9, roles.queen),
    ]
}

impl Board {
    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// The squares of the pieces of one role and colour.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        *self.roles.get(role) & *self.colors.get(color)
    }

    /// The rooks and queens of both colours.
    #[inline]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.roles.rook | self.roles.queen
    }

    /// The bishops and queens of both colours.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.roles.bishop | self.roles.queen
    }

    /// The sliders of both colours that move in a direction.
    #[inline]
    pub fn sliders(&self, direction: Direction) -> Bitboard {
        if direction.is_orthogonal() {
            self.orthogonal_sliders()
        } else {
            self.diagonal_sliders()
        }
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.colors.white.contains(square) {
            Color::White
        } else if self.colors.black.contains(square) {
            Color::Black
        } else {
            return None;
        };
        Role::ALL
            .into_iter()
            .find(|role| self.roles.get(*role).contains(square))
            .map(|role| Piece { color, role })
    }
}

impl From<&shakmaty::Board> for Board {
    fn from(board: &shakmaty::Board) -> Board {
        let (roles, colors) = board.clone().into_bitboards();
        Board { roles, colors }
    }
}

impl FromStr for Board {
    type Err = ParseFenError;

    /// Reads the first field of a FEN.
    ///
    /// ```
    /// use skewer::board::{Board, Color, Role, Square};
    ///
    /// let board: Board = "8/8/2k5/8/8/8/5Q2/8".parse()?;
    /// assert_eq!(board.pieces(Color::White, Role::Queen), Square::F2.into());
    /// assert_eq!(board.occupied().count(), 2);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    fn from_str(placement: &str) -> Result<Board, ParseFenError> {
        placement.parse::<shakmaty::Board>().map(|board| Board::from(&board))
    }
}
