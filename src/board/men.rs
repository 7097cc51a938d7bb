//! The men on a board as eight bitboards.

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square};

/// Where the men of a position stand: one bitboard a role and one a colour.
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

impl Board {
    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// The squares of the men of one role and colour.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        *self.roles.get(role) & *self.colors.get(color)
    }

    /// The man on a square.
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
