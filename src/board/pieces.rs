//! The pieces on a board as eight bitboards.

use std::ops::BitOr;
use std::str::FromStr;

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, fen::ParseFenError};

use super::Direction;

/// The number of values that [`occupant`] may have, including 0 for an empty square.
pub(super) const OCCUPANTS: usize = 16;

/// Returns the number of a piece. It is never 0, which stands for an empty square.
#[inline(always)]
pub(super) const fn occupant(color: Color, role: Role) -> u8 {
    match color {
        Color::White => role as u8,
        Color::Black => role as u8 + BLACK,
    }
}

/// The bit that marks a black piece in its number.
pub(super) const BLACK: u8 = 8;

/// By the number of a piece: all squares in the bitboards of its role and colour, and no squares in the others.
pub(super) static EVERYWHERE: [Board; OCCUPANTS] = {
    const fn full(if_so: bool) -> Bitboard {
        if if_so { Bitboard::FULL } else { Bitboard::EMPTY }
    }
    let mut boards = [EMPTY; OCCUPANTS];
    let mut number = 0;
    while number < OCCUPANTS as u8 {
        let role = number % BLACK;
        boards[number as usize] = Board {
            roles: ByRole {
                pawn: full(role == Role::Pawn as u8),
                knight: full(role == Role::Knight as u8),
                bishop: full(role == Role::Bishop as u8),
                rook: full(role == Role::Rook as u8),
                queen: full(role == Role::Queen as u8),
                king: full(role == Role::King as u8),
            },
            colors: ByColor {
                white: full(role != 0 && number < BLACK),
                black: full(role != 0 && number > BLACK),
            },
        };
        number += 1;
    }
    boards
};

const EMPTY: Board = Board {
    roles: ByRole {
        pawn: Bitboard::EMPTY,
        knight: Bitboard::EMPTY,
        bishop: Bitboard::EMPTY,
        rook: Bitboard::EMPTY,
        queen: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
    },
    colors: ByColor {
        white: Bitboard::EMPTY,
        black: Bitboard::EMPTY,
    },
};

/// The pieces of a position: one bitboard for each role and one for each colour.
///
/// Holds no rights, no clock and no side to move. Unlike a position of a game, it may have any pieces: no kings, five kings, or
/// pawns on the first rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    /// The squares of each role, of both colours.
    pub roles: ByRole<Bitboard>,
    /// The squares of each colour.
    pub colors: ByColor<Bitboard>,
}

/// Returns the pieces that count as material, each with its value: pawn 1, knight and bishop 3, rook 5, queen 9.
pub fn material<S: Copy + BitOr<Output = S>>(roles: &ByRole<S>) -> [(i32, S); 4] {
    [
        (1, roles.pawn),
        (3, roles.knight | roles.bishop),
        (5, roles.rook),
        (9, roles.queen),
    ]
}

impl Board {
    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// Returns the squares of the pieces of one role and colour.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        *self.roles.get(role) & *self.colors.get(color)
    }

    /// Returns the rooks and queens of both colours.
    #[inline]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.roles.rook | self.roles.queen
    }

    /// Returns the bishops and queens of both colours.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.roles.bishop | self.roles.queen
    }

    /// Returns the sliders of both colours that move in a direction.
    #[inline]
    pub fn sliders(&self, direction: Direction) -> Bitboard {
        if direction.is_orthogonal() {
            self.orthogonal_sliders()
        } else {
            self.diagonal_sliders()
        }
    }

    /// Returns the board with the squares of `emptied` cleared and then a piece placed on `to`.
    ///
    /// Uses few instructions and no branch on the previous contents, since all bitboards are treated alike.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Board, Color, Role, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/5n2/4K3".parse()?;
    /// let takes = board.with_piece(Bitboard::from(Square::E1) | Square::F2, Color::White, Role::King, Square::F2);
    /// assert_eq!(takes, "4k3/8/8/8/8/8/5K2/8".parse()?);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn with_piece(&self, emptied: Bitboard, color: Color, role: Role, to: Square) -> Board {
        let (stay, put) = (!emptied, Bitboard::from(to));
        let piece = &EVERYWHERE[usize::from(occupant(color, role)) % OCCUPANTS];
        let (roles, colors) = (&self.roles, &self.colors);
        Board {
            roles: ByRole {
                pawn: roles.pawn & stay | piece.roles.pawn & put,
                knight: roles.knight & stay | piece.roles.knight & put,
                bishop: roles.bishop & stay | piece.roles.bishop & put,
                rook: roles.rook & stay | piece.roles.rook & put,
                queen: roles.queen & stay | piece.roles.queen & put,
                king: roles.king & stay | piece.roles.king & put,
            },
            colors: ByColor {
                white: colors.white & stay | piece.colors.white & put,
                black: colors.black & stay | piece.colors.black & put,
            },
        }
    }

    /// Returns the squares whose contents differ on another board.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Board, Square};
    ///
    /// let before: Board = "4k3/8/8/8/8/8/5n2/4K3".parse()?;
    /// let after: Board = "4k3/8/8/8/8/8/5K2/8".parse()?;
    /// assert_eq!(before.differing(&after), Bitboard::from(Square::E1) | Square::F2);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    #[inline]
    pub fn differing(&self, other: &Board) -> Bitboard {
        let differing = |role: Role| *self.roles.get(role) ^ *other.roles.get(role);
        let colors = (self.colors.white ^ other.colors.white) | (self.colors.black ^ other.colors.black);
        Role::ALL.into_iter().fold(colors, |all, role| all | differing(role))
    }

    /// Returns the role of the piece on a square.
    ///
    /// Uses no branch on the role, since it cannot be predicted. The result has no meaning if there are several roles on the square, which
    /// happens on no board of a game.
    ///
    /// ```
    /// use skewer::board::{Board, Role, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/5n2/4K3".parse()?;
    /// assert_eq!(board.role_at(Square::F2), Some(Role::Knight));
    /// assert_eq!(board.role_at(Square::F3), None);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        let roles = &self.roles;
        // Each bit of the number of a role, from 1 for pawns to 6 for kings, is computed from all roles that have it.
        let bit = |set: Bitboard| (set.0 >> square.to_u32() & 1) as usize;
        let low = bit(roles.pawn | roles.bishop | roles.queen);
        let middle = bit(roles.knight | roles.bishop | roles.king);
        let high = bit(roles.rook | roles.queen | roles.king);
        let number = low | middle << 1 | high << 2;
        Role::ALL.get(number.wrapping_sub(1)).copied()
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::from_white(self.colors.white.contains(square));
        self.role_at(square).map(|role| Piece { color, role })
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
