//! The start position of a game, if it is not the usual one, as a FEN.

use shakmaty::{Board, Color, Piece, Role, Square};

use super::pieces::square;
use crate::foreign::Damage;

/// The start of a game, as it is stored.
pub(super) struct Setup {
    board: Board,
    turn: Color,
    /// Who may castle, as bits: White on the queen's side, on the king's side, Black on the queen's side, on the king's side.
    rights: u8,
    en_passant: Option<u32>,
    move_number: u8,
    /// In Chess960, the squares of the kings and of the rooks that castle.
    castlers: Option<[u8; 8]>,
}

impl Setup {
    /// Decodes the bytes: a mark, the side to move and the file of an en passant capture, castling rights, the move number, and the board.
    pub(super) fn of(bytes: &[u8; 28], castlers: Option<&[u8; 8]>) -> Result<Setup, Damage> {
        let [_, side, rights, move_number, pieces @ ..] = bytes;
        let mut bits = pieces
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        let mut board = Board::empty();
        let mut bit = || {
            bits.next()
                .ok_or_else(|| Damage("its start position breaks off".to_owned()))
        };
        for number in 0..64 {
            if bit()? == 0 {
                continue;
            }
            let color = Color::from_white(bit()? == 0);
            let role = match bit()? << 2 | bit()? << 1 | bit()? {
                1 => Role::King,
                2 => Role::Queen,
                3 => Role::Knight,
                4 => Role::Bishop,
                5 => Role::Rook,
                6 => Role::Pawn,
                _ => return Err(Damage("its start position has a piece that is not known".to_owned())),
            };
            if let Some(square) = square(number) {
                board.set_piece_at(square, Piece { color, role });
            }
        }
        Ok(Setup {
            board,
            turn: Color::from_black(side & 0x10 != 0),
            rights: rights & 0xf,
            en_passant: u32::from(side & 0xf).checked_sub(1).filter(|file| *file < 8),
            move_number: *move_number,
            castlers: castlers.copied(),
        })
    }

    /// Returns the FEN, including the rights that the game uses.
    pub(super) fn fen(&self, used: u8) -> String {
        let mut rights = self.castling(self.rights | used);
        if rights.is_empty() {
            rights.push('-');
        }
        let passed = self
            .passed()
            .map_or_else(|| "-".to_owned(), |square| square.to_string());
        let (board, turn) = (self.board.board_fen(), self.turn.char());
        format!("{board} {turn} {rights} {passed} 0 {}", self.move_number.max(1))
    }

    /// Returns whether a piece stands on a square.
    fn has(&self, file: u32, rank: u32, color: Color, role: Role) -> bool {
        let square = Square::try_from(rank * 8 + file).ok();
        square.and_then(|square| self.board.piece_at(square)) == Some(Piece { color, role })
    }

    /// Returns the letters of the rights for which king and rook are in place.
    fn castling(&self, rights: u8) -> String {
        // In the order of FEN: the bit, the letter, the rook's home file, and the index of the rook among the squares of Chess960.
        const SIDES: [(Color, u8, char, u32, usize); 4] = [
            (Color::White, 2, 'K', 7, 2),
            (Color::White, 1, 'Q', 0, 3),
            (Color::Black, 8, 'k', 7, 4),
            (Color::Black, 4, 'q', 0, 5),
        ];
        let letter = |(color, bit, letter, home, place): (Color, u8, char, u32, usize)| {
            let rank = color.fold_wb(0, 7);
            let stands = |file: u32, role: Role| self.has(file, rank, color, role);
            if rights & bit == 0 {
                return None;
            }
            let Some(castlers) = self.castlers else {
                return (stands(4, Role::King) && stands(home, Role::Rook)).then_some(letter);
            };
            let rook = castlers
                .get(place)
                .copied()
                .filter(|number| u32::from(number % 8) == rank)?;
            let file = u32::from(rook / 8);
            let name = char::from(b'a' + (file % 8) as u8);
            stands(file, Role::Rook).then(|| color.fold_wb(name.to_ascii_uppercase(), name))
        };
        SIDES.into_iter().filter_map(letter).collect()
    }

    /// Returns the square that a pawn has just passed, if the pawn is there.
    fn passed(&self) -> Option<Square> {
        let file = self.en_passant?;
        let (rank, behind) = self.turn.fold_wb((5, 4), (2, 3));
        let stands = self.has(file, behind, !self.turn, Role::Pawn);
        stands.then(|| Square::new(rank * 8 + file))
    }
}
