//! Sets of what a square may contain: kinds of pieces, or nothing.

use std::ops::{BitAnd, BitOr};

use shakmaty::{Bitboard, Color, Role};

use super::pieces::Board;

/// A set of contents of a square: bit 0..=5 white king, queen, rook, bishop, knight, pawn; bit 6 empty; bit 7..=12 the same
/// pieces in black. The order is that in which CQL sorts the copies that a transform makes (6.6 of chapter 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Contents(pub u16);

/// The roles in the order of their bits.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

impl Contents {
    /// The number of kinds of contents. Each has a bit.
    pub const KINDS: usize = 13;
    /// Any content, including none.
    pub const ANY: Contents = Contents(0x1fff);
    /// Every white piece.
    pub const WHITE: Contents = Contents(0x003f);
    /// Every black piece.
    pub const BLACK: Contents = Contents(0x1f80);
    /// An empty square.
    pub const EMPTY: Contents = Contents(0x0040);
    /// Every piece.
    pub const PIECES: Contents = Contents::WHITE.or(Contents::BLACK);
    /// The kings of both colours. The next constants also include both colours.
    pub const KINGS: Contents = Contents::of_role(Role::King);
    /// Queens.
    pub const QUEENS: Contents = Contents::of_role(Role::Queen);
    /// Rooks.
    pub const ROOKS: Contents = Contents::of_role(Role::Rook);
    /// Bishops.
    pub const BISHOPS: Contents = Contents::of_role(Role::Bishop);
    /// Knights.
    pub const KNIGHTS: Contents = Contents::of_role(Role::Knight);
    /// Pawns.
    pub const PAWNS: Contents = Contents::of_role(Role::Pawn);
    /// Rooks and queens.
    pub const ORTHOGONAL_SLIDERS: Contents = Contents::ROOKS.or(Contents::QUEENS);
    /// Bishops and queens.
    pub const DIAGONAL_SLIDERS: Contents = Contents::BISHOPS.or(Contents::QUEENS);
    /// Kings, knights and pawns.
    pub const LEAPERS: Contents = Contents::KINGS.or(Contents::KNIGHTS).or(Contents::PAWNS);

    /// Returns all pieces of a colour.
    pub const fn of_color(color: Color) -> Contents {
        match color {
            Color::White => Contents::WHITE,
            Color::Black => Contents::BLACK,
        }
    }

    /// Returns the pieces of one colour and role.
    ///
    /// ```
    /// use skewer::board::{Color, Contents, Role};
    ///
    /// assert_eq!(Contents::of(Color::Black, Role::Rook).only_kind(), Some((Color::Black, Role::Rook)));
    /// ```
    pub const fn of(color: Color, role: Role) -> Contents {
        // Roles are numbered from the pawn, which is 1, to the king.
        let bit = 6 - role as u16;
        match color {
            Color::White => Contents(1 << bit),
            Color::Black => Contents(1 << (bit + 7)),
        }
    }

    /// Returns the pieces of a role, of both colours.
    const fn of_role(role: Role) -> Contents {
        Contents::of(Color::White, role).or(Contents::of(Color::Black, role))
    }

    /// Returns the union, like `|`, for constants.
    const fn or(self, other: Contents) -> Contents {
        Contents(self.0 | other.0)
    }

    /// Returns all other contents.
    pub fn complement(self) -> Contents {
        Contents(Contents::ANY.0 & !self.0)
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the sets have a content in common.
    #[inline]
    pub fn intersects(self, other: Contents) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set is a subset of another.
    #[inline]
    pub fn is_within(self, other: Contents) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the only kind of piece, if the set contains exactly one and no empty square.
    #[inline]
    pub fn only_kind(self) -> Option<(Color, Role)> {
        if !self.is_one_kind() {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        if self.0 <= Contents::WHITE.0 {
            Some((Color::White, *ROLES.get(bit)?))
        } else {
            Some((Color::Black, *ROLES.get(bit - 7)?))
        }
    }

    /// Returns whether the set contains exactly one kind of piece and no empty square.
    #[inline]
    pub fn is_one_kind(self) -> bool {
        self.0.is_power_of_two() && self != Contents::EMPTY
    }

    /// Returns whether the set contains a piece of this role, of either colour.
    pub fn have(self, role: Role) -> bool {
        self.intersects(Contents::of_role(role))
    }

    /// Returns the roles of a colour in the set, from the king to the pawn.
    pub fn roles(self, color: Color) -> impl Iterator<Item = Role> {
        ROLES
            .into_iter()
            .filter(move |role| self.intersects(Contents::of(color, *role)))
    }

    /// Returns the squares of a board with one of the contents.
    ///
    /// Used by designators, such as `R`, `[Qq]` or `_`.
    ///
    /// ```
    /// use skewer::board::{Board, Contents, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/R3K2r".parse()?;
    /// assert_eq!(Contents::ROOKS.on(&board), board.roles.rook);
    /// assert_eq!((Contents::ROOKS & Contents::WHITE).on(&board), Square::A1.into());
    /// assert_eq!(Contents::EMPTY.on(&board), !board.occupied());
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    #[inline(always)]
    pub fn on(self, board: &Board) -> Bitboard {
        // The most frequent sets: one kind of piece, or all pieces of a colour.
        if let Some((color, role)) = self.only_kind() {
            return board.pieces(color, role);
        }
        match self {
            Contents::WHITE => board.colors.white,
            Contents::BLACK => board.colors.black,
            _ => self.several_on(board),
        }
    }

    fn several_on(self, board: &Board) -> Bitboard {
        let (white, black) = (self & Contents::WHITE, (self & Contents::BLACK).color_swapped());
        // Usually they have one colour.
        let pieces = match (white.is_empty(), black.is_empty()) {
            (false, true) => board.colors.white & white.of_any_color(board),
            (true, false) => board.colors.black & black.of_any_color(board),
            _ => board.colors.white & white.of_any_color(board) | board.colors.black & black.of_any_color(board),
        };
        if self.intersects(Contents::EMPTY) {
            pieces | !board.occupied()
        } else {
            pieces
        }
    }

    /// Returns the squares, of both colours, of the white kinds in the set. Uses no branch.
    #[inline]
    pub(crate) fn of_any_color(self, board: &Board) -> Bitboard {
        let listed = |bit: u8, role: Bitboard| role & Bitboard(u64::from(self.0 >> bit & 1).wrapping_neg());
        let roles = &board.roles;
        listed(0, roles.king)
            | listed(1, roles.queen)
            | listed(2, roles.rook)
            | listed(3, roles.bishop)
            | listed(4, roles.knight)
            | listed(5, roles.pawn)
    }

    /// Returns the same pieces with colours swapped.
    ///
    /// ```
    /// use skewer::board::{Color, Contents, Role};
    ///
    /// let white_rook = Contents::of(Color::White, Role::Rook);
    /// let black_rook = Contents::of(Color::Black, Role::Rook);
    /// assert_eq!((white_rook | Contents::EMPTY).color_swapped(), black_rook | Contents::EMPTY);
    /// ```
    pub fn color_swapped(self) -> Contents {
        Contents((self.0 & Contents::WHITE.0) << 7 | self.0 & Contents::EMPTY.0 | (self.0 & Contents::BLACK.0) >> 7)
    }
}

impl BitOr for Contents {
    type Output = Contents;

    #[inline]
    fn bitor(self, other: Contents) -> Contents {
        self.or(other)
    }
}

impl BitAnd for Contents {
    type Output = Contents;

    #[inline]
    fn bitand(self, other: Contents) -> Contents {
        Contents(self.0 & other.0)
    }
}
