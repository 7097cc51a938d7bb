//! Start positions from the FEN tag.
//!
//! The rules are more lenient than chess: a position need not be reachable. Kings may stand side by side and pawns on
//! any rank.

use std::fmt;
use std::ops::Range;

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

/// What is wrong with a FEN, and where in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The bytes that are wrong; empty at the end of the text when something is missing.
    pub range: Range<usize>,
    /// What is wrong with them.
    pub fault: FenFault,
}

/// What can be wrong with a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenFault {
    /// There is no text, or it is not UTF-8.
    NoText,
    /// The board has so many ranks.
    Ranks(usize),
    /// A rank has so many squares.
    Squares(Rank, u32),
    /// A letter that is no man.
    Letter(char),
    /// A side has so many kings.
    Kings(Color, usize),
    /// A side has so many men.
    Men(Color, usize),
    /// The side to move is missing.
    NoSide,
    /// The side to move is neither `w` nor `b`.
    Side,
    /// The castling field has other letters than `KQkq`.
    Castling,
    /// The en passant field is no square of the third or sixth rank.
    EnPassant,
}

impl FenFault {
    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            FenFault::NoText | FenFault::NoSide | FenFault::Side => {
                "a FEN is a board and a side to move: `4k3/8/8/8/8/8/8/4K3 w`, `w` for White or `b` for Black"
            }
            FenFault::Ranks(_) => "eight ranks, from the eighth to the first, with `/` between them",
            FenFault::Squares(..) => "the men and the numbers of empty squares of a rank add up to eight",
            FenFault::Letter(_) => "men are `KQRBNP` of White and `kqrbnp` of Black, `1` to `8` are empty squares",
            FenFault::Kings(..) => "each side has one king; the rest of the position may be impossible",
            FenFault::Men(..) => "a side has at most 16 men",
            FenFault::Castling => "some of `KQkq`, or `-` for none",
            FenFault::EnPassant => "the square that a pawn has passed, such as `e3`, or `-` for none",
        }
    }
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenFault::NoText => f.write_str("there is no position"),
            FenFault::Ranks(1) => f.write_str("the board has 1 rank"),
            FenFault::Ranks(count) => write!(f, "the board has {count} ranks"),
            FenFault::Squares(rank, 1) => write!(f, "rank {} has 1 square", rank.char()),
            FenFault::Squares(rank, count) => write!(f, "rank {} has {count} squares", rank.char()),
            FenFault::Letter(letter) => write!(f, "`{letter}` is no man"),
            FenFault::Kings(color, 0) => write!(f, "{color:?} has no king"),
            FenFault::Kings(color, count) => write!(f, "{color:?} has {count} kings"),
            FenFault::Men(color, count) => write!(f, "{color:?} has {count} men"),
            FenFault::NoSide => f.write_str("the side to move is missing"),
            FenFault::Side => f.write_str("the side to move is neither `w` nor `b`"),
            FenFault::Castling => f.write_str("these are no castling rights"),
            FenFault::EnPassant => f.write_str("this is no en passant square"),
        }
    }
}

impl Start {
    /// Reads the value of a FEN tag.
    ///
    /// Castling rights, en passant square, clock and move number may be missing.
    ///
    /// # Errors
    /// If the board is wrong, a side has not exactly one king or more than 16 men, the side to move is missing,
    /// the castling field has other letters than `KQkq`, or the en passant field is no square of the third or sixth
    /// rank.
    pub fn from_fen(fen: &[u8]) -> Result<Start, FenError> {
        let whole = 0..fen.len();
        let fen = std::str::from_utf8(fen).map_err(|_| FenFault::NoText.at(whole.clone()))?;
        let mut fields = fields(fen);
        let placement = fields.next().ok_or(FenFault::NoText.at(whole))?;
        let board = read_board(fen, placement.clone())?;
        let side = fields.next().ok_or(FenFault::NoSide.at(placement.end..placement.end))?;
        let turn = match &fen[side.clone()] {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenFault::Side.at(side)),
        };
        let castling = match fields.next() {
            Some(field) => read_castling(fen, field)?,
            None => home_rights(&board).to_string(),
        };
        let passed = fields.next();
        let en_passant = passed.clone().map_or(Ok(None), |field| passed_square(fen, field))?;
        let passed = passed.map_or("-", |field| &fen[field]);
        let clock = fields.next().map_or("0", |field| &fen[field]);
        let number = fields.next().map_or("1", |field| &fen[field]);
        let (placement, side) = (&fen[placement], &fen[side]);
        Ok(Start {
            board,
            turn,
            en_passant,
            move_number: number.parse().unwrap_or(1),
            fen: format!("{placement} {side} {castling} {passed} {clock} {number}"),
        })
    }
}

impl FenFault {
    fn at(self, range: Range<usize>) -> FenError {
        FenError { range, fault: self }
    }
}

/// Where the fields of a FEN are.
fn fields(fen: &str) -> impl Iterator<Item = Range<usize>> {
    let place = |field: &str| field.as_ptr().addr() - fen.as_ptr().addr();
    fen.split_ascii_whitespace()
        .map(move |field| place(field)..place(field) + field.len())
}

/// A castling field as it stands.
fn read_castling(fen: &str, field: Range<usize>) -> Result<String, FenError> {
    let letters = &fen[field.clone()];
    let is_known = letters == "-" || letters.bytes().all(|letter| b"KQkq".contains(&letter));
    if is_known {
        Ok(letters.to_owned())
    } else {
        Err(FenFault::Castling.at(field))
    }
}

/// An en passant square, or `-` for none.
fn passed_square(fen: &str, field: Range<usize>) -> Result<Option<Square>, FenError> {
    match &fen[field.clone()] {
        "-" => Ok(None),
        square => {
            let square = square.parse().ok();
            let is_passed = |square: &Square| matches!(square.rank(), Rank::Third | Rank::Sixth);
            square
                .filter(is_passed)
                .map(Some)
                .ok_or_else(|| FenFault::EnPassant.at(field))
        }
    }
}

/// Reads a piece placement with one king and at most 16 men a side.
fn read_board(fen: &str, placement: Range<usize>) -> Result<Board, FenError> {
    let mut board = Board::default();
    let text = &fen[placement.clone()];
    let count = text.split('/').count();
    if count != Rank::ALL.len() {
        return Err(FenFault::Ranks(count).at(placement));
    }
    let mut start = placement.start;
    for (rank, squares) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        read_rank(&mut board, rank, squares, start)?;
        start += squares.len() + 1;
    }
    for color in Color::ALL {
        let kings = board.men(color, Role::King).count();
        if kings != 1 {
            return Err(FenFault::Kings(color, kings).at(placement));
        }
        let men = board.colors.get(color).count();
        if men > MOST_MEN {
            return Err(FenFault::Men(color, men).at(placement));
        }
    }
    Ok(board)
}

/// Reads the eight squares of a rank, whose text begins at `start` of the FEN.
fn read_rank(board: &mut Board, rank: Rank, text: &str, start: usize) -> Result<(), FenError> {
    let mut file = 0;
    for (at, letter) in text.char_indices() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty;
            continue;
        }
        let at = start + at;
        let Some(Piece { color, role }) = Piece::from_char(letter) else {
            return Err(FenFault::Letter(letter).at(at..at + letter.len_utf8()));
        };
        if let Ok(file) = File::try_from(file) {
            let square = Square::from_coords(file, rank);
            board.roles.get_mut(role).add(square);
            board.colors.get_mut(color).add(square);
        }
        file += 1;
    }
    if file == 8 {
        Ok(())
    } else {
        Err(FenFault::Squares(rank, file).at(start..start + text.len()))
    }
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
        Start::from_fen(fen.as_bytes()).ok().map(|start| start.fen)
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

    #[test]
    fn errors_have_their_place() {
        for (fen, range, message) in [
            ("  ", 0..2, "there is no position"),
            ("4k3/8/8/8/8/8/8 w", 0..15, "the board has 7 ranks"),
            (" 4k3/8/9/8/8/8/8/4K3 w", 7..8, "`9` is no man"),
            ("4k3/8/7/8/8/8/8/4K3 w", 6..7, "rank 6 has 7 squares"),
            ("4k3/8/8/8/8/8/8/♔7 w", 16..19, "`♔` is no man"),
            ("4k3/8/8/8/8/8/8/8 w", 0..17, "White has no king"),
            ("4k3/8/8/8/8/8/8/4K3", 19..19, "the side to move is missing"),
            (
                "4k3/8/8/8/8/8/8/4K3 W",
                20..21,
                "the side to move is neither `w` nor `b`",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w KX", 22..24, "these are no castling rights"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4", 24..26, "this is no en passant square"),
        ] {
            let error = Start::from_fen(fen.as_bytes()).expect_err(fen);
            assert_eq!((error.range, &*error.fault.to_string()), (range, message), "{fen}");
        }
    }
}
