//! Start positions from the FEN tag.
//!
//! The rules are more lenient than those of chess: a position need not be reachable. Kings may be on adjacent squares, and pawns on
//! any rank.

use std::fmt;
use std::ops::Range;

use shakmaty::{Bitboard, CastlingSide, Color, Piece, Rank, Role, Square};

use super::castling::{Castlers, Rights, home_rank};
use super::plain_fen::{self, MOST_PIECES};
use crate::board::Board;

/// A start position set up by the FEN tag of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Start {
    /// The pieces on the board.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The castling rights: those of the field for which king and rook are on possible squares; without a field, all that the pieces at home
    /// allow.
    pub rights: Rights,
    /// The square on which a pawn may capture en passant.
    pub en_passant: Option<Square>,
    /// The number of half moves since a capture or a pawn's move.
    pub clock: u32,
    /// The number of the first move.
    pub move_number: u32,
    /// The FEN as the output shows it: given fields are unchanged, missing ones are filled in.
    pub fen: String,
}

/// An error in a FEN, and its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FenError {
    /// The wrong bytes. Empty at the end of the text if something is missing.
    pub range: Range<usize>,
    /// The error.
    pub fault: FenFault,
}

/// The errors that a FEN may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenFault {
    /// There is no text, or it is not UTF-8.
    NoText,
    /// The board has this many ranks.
    Ranks(usize),
    /// A rank has this many squares.
    Squares(Rank, u32),
    /// A letter that is not a piece.
    Letter(char),
    /// A side has this many kings.
    Kings(Color, usize),
    /// A side has this many pieces.
    Pieces(Color, usize),
    /// The side to move is missing.
    NoSide,
    /// The side to move is neither `w` nor `b`.
    Side,
    /// The castling field has letters that do not mean castling.
    Castling,
    /// The en passant field is not a square of the third or sixth rank.
    EnPassant,
    /// The clock or the move number is not a number.
    Counter,
    /// There is something after the sixth field.
    Rest,
}

impl FenFault {
    /// Returns advice on how to correct it.
    pub fn advice(self) -> &'static str {
        match self {
            FenFault::NoText | FenFault::NoSide | FenFault::Side => {
                "a FEN is a board and a side to move: `4k3/8/8/8/8/8/8/4K3 w`, `w` for White or `b` for Black"
            }
            FenFault::Ranks(_) => "eight ranks, from the eighth to the first, with `/` between them",
            FenFault::Squares(..) => "the pieces and the numbers of empty squares of a rank add up to eight",
            FenFault::Letter(_) => "pieces are `KQRBNP` of White and `kqrbnp` of Black, `1` to `8` are empty squares",
            FenFault::Kings(..) => "each side has one king; the rest of the position may be impossible",
            FenFault::Pieces(..) => "a side has at most 16 pieces",
            FenFault::Castling => "some of `KQkq`, in Chess960 also the files of rooks, or `-` for none",
            FenFault::EnPassant => "the square that a pawn has passed, such as `e3`, or `-` for none",
            FenFault::Counter => "half moves since a capture or a pawn's move, then the number of the move: `0 1`",
            FenFault::Rest => "board, side to move, castling, en passant, half moves, number of the move",
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
            FenFault::Letter(letter) => write!(f, "`{letter}` is not a piece"),
            FenFault::Kings(color, 0) => write!(f, "{color:?} has no king"),
            FenFault::Kings(color, count) => write!(f, "{color:?} has {count} kings"),
            FenFault::Pieces(color, count) => write!(f, "{color:?} has {count} pieces"),
            FenFault::NoSide => f.write_str("the side to move is missing"),
            FenFault::Side => f.write_str("the side to move is neither `w` nor `b`"),
            FenFault::Castling => f.write_str("these are not castling rights"),
            FenFault::EnPassant => f.write_str("this is not an en passant square"),
            FenFault::Counter => f.write_str("this is not a number"),
            FenFault::Rest => f.write_str("a FEN has six fields"),
        }
    }
}

impl Start {
    /// Reads the value of a FEN tag.
    ///
    /// Castling rights, en passant square, clock and move number may be missing. The castling field may have the letters of X-FEN
    /// and Shredder-FEN.
    ///
    /// # Errors
    /// Returns an error if the board is wrong, a side does not have exactly one king or has more than 16 pieces, the side to move is
    /// missing, the castling field has other letters, the en passant field is not a square of the third or sixth rank, the clock or the
    /// move number is not a number, or something follows.
    pub fn from_fen(fen: &[u8]) -> Result<Start, FenError> {
        Start::read_again(fen, None)
    }

    /// Does the same, reusing the memory of a start that is no longer needed.
    ///
    /// # Errors
    /// Returns the same errors as [`from_fen`](Start::from_fen).
    pub(crate) fn read_again(fen: &[u8], mut spare: Option<Start>) -> Result<Start, FenError> {
        if let Some(start) = Start::read_plain(fen, &mut spare) {
            return Ok(start);
        }
        let (start, mut rest) = Start::read(fen)?;
        let counters = rest.by_ref().take(2);
        for field in counters {
            if field.text != "-" && !field.text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(FenFault::Counter.at(field.range));
            }
        }
        match rest.next() {
            Some(field) => Err(FenFault::Rest.at(field.range)),
            None => Ok(start),
        }
    }

    /// Reads a FEN as nearly all programs write it, reusing the memory of a start that is no longer needed; `None` for any other text.
    pub(crate) fn read_plain(fen: &[u8], spare: &mut Option<Start>) -> Option<Start> {
        let plain = plain_fen::read(fen)?;
        let text = std::str::from_utf8(fen).ok()?;
        let mut shown = spare.take().map_or_else(String::new, |spare| spare.fen);
        shown.clear();
        shown.extend([text, plain.missing]);
        Some(Start {
            board: plain.board,
            turn: plain.turn,
            rights: plain.rights,
            en_passant: plain.en_passant,
            clock: plain.clock,
            move_number: plain.move_number,
            fen: shown,
        })
    }

    /// Reads the value of a FEN tag as CQL does: Chess960 is unknown, and anything may follow the en passant field.
    ///
    /// # Errors
    /// Returns an error like [`from_fen`](Start::from_fen), or if the castling field has letters other than `KQkq`.
    pub fn from_fen_of_cql(fen: &[u8]) -> Result<Start, FenError> {
        let (mut start, _) = Start::read(fen)?;
        let castling = fields(&start.fen).nth(2).filter(|field| field.text != "-");
        if let Some(field) = castling.filter(|field| !field.text.bytes().all(|letter| b"KQkq".contains(&letter))) {
            return Err(FenFault::Castling.at(field.range));
        }
        start.rights.0 &= Rights::at_home(&start.board).0;
        Ok(start)
    }

    /// Reads a FEN, ignoring errors in the counters and after them. Also returns the fields from the clock on.
    fn read(fen: &[u8]) -> Result<(Start, impl Iterator<Item = Field<'_>>), FenError> {
        let whole = 0..fen.len();
        let fen = std::str::from_utf8(fen).map_err(|_| FenFault::NoText.at(whole.clone()))?;
        let mut fields = fields(fen);
        let placement = fields.next().ok_or(FenFault::NoText.at(whole))?;
        let board = read_board(&placement)?;
        let end = placement.range.end;
        let side = fields.next().ok_or(FenFault::NoSide.at(end..end))?;
        let turn = match side.text {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenFault::Side.at(side.range)),
        };
        let castling = fields.next();
        let rights = match &castling {
            Some(field) => Rights::given(&board, field.text).ok_or(FenFault::Castling.at(field.range.clone()))?,
            None => Rights::at_home(&board),
        };
        let passed = fields.next();
        let en_passant = passed.as_ref().map_or(Ok(None), passed_square)?;
        let counters = fields.clone();
        let clock = fields.next().map_or("0", |field| field.text);
        let number = fields.next().map_or("1", |field| field.text);
        let mut shown = String::with_capacity(fen.len());
        shown.extend([placement.text, " ", side.text, " "]);
        match castling {
            Some(field) => shown.push_str(field.text),
            None => rights.write(&board, &mut shown),
        }
        let passed = passed.map_or("-", |field| field.text);
        shown.extend([" ", passed, " ", clock, " ", number]);
        let start = Start {
            board,
            turn,
            rights,
            en_passant,
            clock: clock.parse().unwrap_or(0),
            move_number: number.parse().unwrap_or(1),
            fen: shown,
        };
        Ok((start, counters))
    }

    /// Returns the castling squares of king and rook, if that side may ever castle to `side`.
    pub(crate) fn castlers(&self, color: Color, side: CastlingSide) -> Option<Castlers> {
        let king = self.board.pieces(color, Role::King).first()?;
        let rook = self.rights.rook(king, side)?;
        (king.rank() == home_rank(color)).then_some(Castlers { king, rook })
    }

    /// Returns whether a king or rook that may castle is not on its square of the usual start.
    pub fn is_chess960(&self) -> bool {
        self.rights.any() && self.rights != Rights(self.rights.0 & Rights::at_home(&self.board).0)
    }
}

/// Returns whether a FEN tag says that there is no position.
pub(crate) fn is_no_position(fen: &[u8]) -> bool {
    matches!(fen.trim_ascii(), b"" | b"-")
}

/// Returns the squares of king and rook before they castle, whether or not they may, in a game that began with `start`, or with the usual start.
pub(crate) fn castlers(start: Option<&Start>, color: Color, side: CastlingSide) -> Castlers {
    let of_start = start.and_then(|start| start.castlers(color, side));
    of_start.unwrap_or_else(|| Castlers::usual(color, side))
}

impl FenFault {
    fn at(self, range: Range<usize>) -> FenError {
        FenError { range, fault: self }
    }
}

/// A field of a FEN.
struct Field<'a> {
    text: &'a str,
    /// The place of the field in the FEN.
    range: Range<usize>,
}

/// Returns the fields of a FEN.
fn fields(fen: &str) -> impl Iterator<Item = Field<'_>> + Clone {
    fen.split_ascii_whitespace().map(move |text| {
        let start = text.as_ptr().addr() - fen.as_ptr().addr();
        Field {
            text,
            range: start..start + text.len(),
        }
    })
}

/// Reads an en passant square; `-` means none.
fn passed_square(field: &Field<'_>) -> Result<Option<Square>, FenError> {
    match field.text {
        "-" => Ok(None),
        square => {
            let square = square.parse().ok();
            let is_passed = |square: &Square| matches!(square.rank(), Rank::Third | Rank::Sixth);
            square
                .filter(is_passed)
                .map(Some)
                .ok_or_else(|| FenFault::EnPassant.at(field.range.clone()))
        }
    }
}

/// Reads a piece placement with one king and at most 16 pieces a side.
fn read_board(field: &Field<'_>) -> Result<Board, FenError> {
    let mut board = Board::default();
    let Field { text, range } = field;
    let count = 1 + text.bytes().filter(|byte| *byte == b'/').count();
    if count != Rank::ALL.len() {
        return Err(FenFault::Ranks(count).at(range.clone()));
    }
    let mut start = 0;
    // Splitting bytes is many times faster than splitting text.
    let ranks = text.as_bytes().split(|byte| *byte == b'/');
    for (rank, squares) in Rank::ALL.into_iter().rev().zip(ranks) {
        let end = start + squares.len();
        read_rank(
            &mut board,
            rank,
            text.get(start..end).unwrap_or_default(),
            range.start + start,
        )?;
        start = end + 1;
    }
    for color in Color::ALL {
        let kings = board.pieces(color, Role::King).count();
        if kings != 1 {
            return Err(FenFault::Kings(color, kings).at(range.clone()));
        }
        let pieces = board.colors.get(color).count();
        if pieces > MOST_PIECES {
            return Err(FenFault::Pieces(color, pieces).at(range.clone()));
        }
    }
    Ok(board)
}

/// Reads the eight squares of a rank. Its text begins at index `start` of the FEN.
fn read_rank(board: &mut Board, rank: Rank, text: &str, start: usize) -> Result<(), FenError> {
    let squares = |count: u32| FenFault::Squares(rank, count).at(start..start + text.len());
    let mut file = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let b'1'..=b'8' = byte {
            file += u32::from(byte - b'0');
            continue;
        }
        let Some(Piece { color, role }) = Piece::from_char(char::from(byte)) else {
            let letter = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
            let at = start + at;
            return Err(FenFault::Letter(letter).at(at..at + letter.len_utf8()));
        };
        if file < 8 {
            let square = Bitboard(1 << (8 * u32::from(rank) + file));
            *board.roles.get_mut(role) |= square;
            *board.colors.get_mut(color) |= square;
        }
        file += 1;
    }
    if file == 8 { Ok(()) } else { Err(squares(file)) }
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

    /// FENs as programs write them are read by a separate function.
    #[test]
    fn plain_fens_are_read_like_all_others() {
        let boards = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r3k2r/8/8/8/8/8/8/R3K2R",
            "4k3/1p3p2/8/2Pp4/8/8/8/R3K2R",
            "kK6/8/8/8/8/8/8/8",
            "8/8/8/3kK3/8/8/8/P6p",
            "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR",
            "4k3/9/8/8/8/8/8/4K3",
            "4k4/8/8/8/8/8/8/4K2",
            "4k3/8/8/8/8/8/8/8",
            "4k3/8/8/8/8/8/4K3",
            "4k38/8/8/8/8/8/8/4K3",
            "4k3//8/8/8/8/8/8/4K3",
            "rk6/8/8/8/8/8/8/RK6",
            "",
        ];
        let (mut plain, mut others, mut wrong) = (0, 0, 0);
        for board in boards {
            for side in ["w", "b", "x", ""] {
                for castling in ["-", "KQkq", "Kq", "HAha", "KX", "", "-K"] {
                    for passed in ["-", "d6", "e3", "e4", "i3", ""] {
                        for counters in ["", "0 1", "12 345", "0", "- -", "0  1", "0 1 ", "0 x", "99999999999 1"] {
                            let fen = format!("{board} {side} {castling} {passed} {counters}");
                            let fen =
                                fen.trim_end_matches(' ').to_owned() + if counters.ends_with(' ') { " " } else { "" };
                            let expected = Start::read(fen.as_bytes()).map(|(start, _)| start);
                            match (plain_fen::read(fen.as_bytes()), expected) {
                                (Some(_), Ok(expected)) => {
                                    assert_eq!(Start::from_fen(fen.as_bytes()), Ok(expected), "{fen}");
                                    plain += 1;
                                }
                                (Some(_), Err(error)) => panic!("{fen}: {error:?}"),
                                (None, Ok(_)) => others += 1,
                                (None, Err(_)) => wrong += 1,
                            }
                        }
                    }
                }
            }
        }
        assert!(
            plain > 100 && others > 100 && wrong > 100,
            "{plain}, {others} and {wrong}"
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
            "4k3/8/8/8/8/8/8/4K2R w KZ",
            "4k3/8/8/8/8/8/8/4K3 w - e4",
            "4k3/8/8/8/8/8/8/4K3 w - x",
            "4k3/8/8/8/8/8/8/4K3 w - - x",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2",
        ] {
            assert_eq!(shown(fen), None, "{fen}");
        }
    }

    #[test]
    fn chess960_is_unknown_to_cql() {
        let shredder = b"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
        assert!(Start::from_fen(shredder).is_ok_and(|start| start.is_chess960()));
        assert_eq!(
            Start::from_fen_of_cql(shredder).map_err(|error| error.fault),
            Err(FenFault::Castling)
        );
        let start = Start::from_fen_of_cql(b"5k2/8/8/8/8/8/8/R3K1R1 w KQ - x").expect("a position");
        assert_eq!(start.rights.0, Square::A1.into(), "a rook on g1 has no right");
    }

    #[test]
    fn errors_have_their_place() {
        for (fen, range, message) in [
            ("  ", 0..2, "there is no position"),
            ("4k3/8/8/8/8/8/8 w", 0..15, "the board has 7 ranks"),
            (" 4k3/8/9/8/8/8/8/4K3 w", 7..8, "`9` is not a piece"),
            ("4k3/8/7/8/8/8/8/4K3 w", 6..7, "rank 6 has 7 squares"),
            ("4k3/8/8/8/8/8/8/♔7 w", 16..19, "`♔` is not a piece"),
            ("4k3/8/8/8/8/8/8/8 w", 0..17, "White has no king"),
            ("4k3/8/8/8/8/8/8/4K3", 19..19, "the side to move is missing"),
            (
                "4k3/8/8/8/8/8/8/4K3 W",
                20..21,
                "the side to move is neither `w` nor `b`",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w KX", 22..24, "these are not castling rights"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4", 24..26, "this is not an en passant square"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 I", 28..29, "this is not a number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", 30..31, "a FEN has six fields"),
        ] {
            let error = Start::from_fen(fen.as_bytes()).expect_err(fen);
            assert_eq!((error.range, &*error.fault.to_string()), (range, message), "{fen}");
        }
    }
}
