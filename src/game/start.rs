//! Start positions from the FEN tag.
//!
//! The rules are more lenient than chess: a position need not be reachable. Kings may stand side by side and pawns on
//! any rank.

use shakmaty::{ByColor, CastlingSide, Color, File, Piece, Rank, Role, Square};

use crate::board::Board;

/// A start position that the FEN tag of a game has set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The men on the board.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The square on which a pawn may take in passing.
    pub en_passant: Option<Square>,
    /// The number of the first move.
    pub move_number: u32,
    /// The FEN as the output shows it: the fields that were given as they stand, the missing ones filled in.
    pub fen: String,
}

/// The most men a side may have.
const MOST_MEN: usize = 16;

impl Start {
    /// Reads the value of a FEN tag.
    ///
    /// Castling rights, en passant square, clock and move number may be missing.
    ///
    /// Nothing if the board is wrong, a side has not exactly one king or more than 16 men, the side to move is missing,
    /// the castling field has other letters than `KQkq`, or the en passant field is no square of the third or sixth
    /// rank.
    pub fn from_fen(fen: &[u8]) -> Option<Start> {
        let fen = std::str::from_utf8(fen).ok()?;
        let mut fields = fen.split_ascii_whitespace();
        let placement = fields.next()?;
        let board = read_board(placement)?;
        let side = fields.next()?;
        let turn = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return None,
        };
        let castling = match fields.next() {
            Some(field) if field == "-" || field.bytes().all(|letter| b"KQkq".contains(&letter)) => field.to_owned(),
            Some(_) => return None,
            None => home_rights(&board).to_string(),
        };
        let passed = fields.next().unwrap_or("-");
        let en_passant = match passed {
            "-" => None,
            square => Some(passed_square(square)?),
        };
        let clock = fields.next().unwrap_or("0");
        let number = fields.next().unwrap_or("1");
        Some(Start {
            board,
            turn,
            en_passant,
            move_number: number.parse().unwrap_or(1),
            fen: format!("{placement} {side} {castling} {passed} {clock} {number}"),
        })
    }
}

/// An en passant square.
fn passed_square(field: &str) -> Option<Square> {
    let square: Square = field.parse().ok()?;
    matches!(square.rank(), Rank::Third | Rank::Sixth).then_some(square)
}

/// Reads a piece placement with one king and at most 16 men a side.
fn read_board(placement: &str) -> Option<Board> {
    let mut board = Board::default();
    let mut ranks = placement.split('/');
    for rank in Rank::ALL.into_iter().rev() {
        read_rank(&mut board, rank, ranks.next()?)?;
    }
    let lawful =
        |color: Color| board.men(color, Role::King).count() == 1 && board.colors.get(color).count() <= MOST_MEN;
    (ranks.next().is_none() && lawful(Color::White) && lawful(Color::Black)).then_some(board)
}

/// Reads the eight squares of a rank.
fn read_rank(board: &mut Board, rank: Rank, text: &str) -> Option<()> {
    let mut file = 0;
    for letter in text.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty;
        } else {
            let Piece { color, role } = Piece::from_char(letter)?;
            let square = Square::from_coords(File::try_from(file).ok()?, rank);
            board.roles.get_mut(role).add(square);
            board.colors.get_mut(color).add(square);
            file += 1;
        }
    }
    (file == 8).then_some(())
}

/// Castling that is or has been possible, by colour and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Castling(pub ByColor<[bool; 2]>);

impl Castling {
    /// Whether a side may castle to a side.
    pub fn has(&self, color: Color, side: CastlingSide) -> bool {
        let [king, queen] = *self.0.get(color);
        if side.is_king_side() { king } else { queen }
    }

    /// Whether any castling is left.
    pub fn any(&self) -> bool {
        [self.0.white, self.0.black].as_flattened().contains(&true)
    }

    /// What both have.
    pub(super) fn and(self, other: Castling) -> Castling {
        let both = |ours: [bool; 2], theirs: [bool; 2]| [ours[0] && theirs[0], ours[1] && theirs[1]];
        Castling(ByColor {
            white: both(self.0.white, other.0.white),
            black: both(self.0.black, other.0.black),
        })
    }
}

impl std::fmt::Display for Castling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.any() {
            return f.write_str("-");
        }
        let flags = [self.0.white, self.0.black];
        for (has, letter) in flags.as_flattened().iter().zip(["K", "Q", "k", "q"]) {
            if *has {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}

/// The castlings for which king and rook stand on their home squares.
pub(super) fn home_rights(board: &Board) -> Castling {
    let of = |color: Color, rank: Rank| {
        let king = board
            .men(color, Role::King)
            .contains(Square::from_coords(File::E, rank));
        let rook = |file| board.men(color, Role::Rook).contains(Square::from_coords(file, rank));
        [king && rook(File::H), king && rook(File::A)]
    };
    Castling(ByColor {
        white: of(Color::White, Rank::First),
        black: of(Color::Black, Rank::Eighth),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(fen: &str) -> Option<String> {
        Start::from_fen(fen.as_bytes()).map(|start| start.fen)
    }

    #[test]
    fn missing_fields_are_filled_in() {
        assert_eq!(
            shown("r3k2r/8/8/8/8/8/8/R3K2R w").as_deref(),
            Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        );
        assert_eq!(
            shown("4k3/8/8/8/8/8/8/4K3 b KQ").as_deref(),
            Some("4k3/8/8/8/8/8/8/4K3 b KQ - 0 1"),
            "impossible castling letters stay"
        );
        assert_eq!(
            shown("8/5pk1/8/8/8/8/P7/K7 b - - 4 37").as_deref(),
            Some("8/5pk1/8/8/8/8/P7/K7 b - - 4 37")
        );
    }

    #[test]
    fn positions_need_not_be_reachable() {
        assert!(
            shown("8/8/8/3kK3/8/8/8/P6p w").is_some(),
            "adjacent kings, pawns on the first rank"
        );
    }

    #[test]
    fn wrong_positions_are_refused() {
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 x",
            "4k3/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/8/4K3 w",
            "4k3/9/8/8/8/8/8/4K3 w",
            "4k4/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/4KK2 w",
            "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w",
            "4k3/8/8/8/8/8/8/4K2R w HAha",
            "4k3/8/8/8/8/8/8/4K3 w - e4",
            "4k3/8/8/8/8/8/8/4K3 w - x",
        ] {
            assert_eq!(shown(fen), None, "{fen}");
        }
    }
}
