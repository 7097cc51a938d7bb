//! Reads FENs in the form in which programs write them.
//!
//! Nearly all FENs have four or six fields separated by one space, and castling rights only of kings and rooks at home. They are read byte
//! by byte, without branches that cannot be predicted, since a list of positions consists almost entirely of FENs. All others are left to
//! [`Start`](super::Start), which is slower but knows every form and every error.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::castling::Rights;
use crate::board::Board;

/// The meaning of a byte of the board: its kind in the lowest four bits, above them the number of squares it takes, and whether it ends a rank. 0 for
/// bytes that belong to no board.
static MEANINGS: [u32; 256] = {
    let mut meanings = [0; 256];
    let letters = b"PNBRQK";
    let mut role = 0;
    while role < letters.len() {
        let (letter, white) = (letters[role], role as u32 + Role::Pawn as u32 + (1 << SQUARES));
        meanings[letter as usize] = white;
        meanings[letter.to_ascii_lowercase() as usize] = white + BLACK as u32;
        role += 1;
    }
    let mut count = 1;
    while count <= 8 {
        meanings[b'0' as usize + count] = (count as u32) << SQUARES;
        count += 1;
    }
    meanings[b'/' as usize] = RANK_END as u32 | 1 << RANKS;
    meanings
};

/// Kinds: the number of the role, plus 8 for Black; 0 for no piece, and 7 for the end of a rank.
const BLACK: usize = 8;
const RANK_END: usize = 7;
/// The lowest bits of the count of squares in a meaning, and of the count of rank ends.
const SQUARES: u32 = 4;
const RANKS: u32 = 20;

/// The most pieces a side may have.
pub(super) const MOST_PIECES: usize = 16;

/// The content of a FEN.
pub(super) struct PlainFen {
    pub(super) board: Board,
    pub(super) turn: Color,
    pub(super) rights: Rights,
    pub(super) en_passant: Option<Square>,
    pub(super) clock: u32,
    pub(super) move_number: u32,
    /// The fields that are missing at the end.
    pub(super) missing: &'static str,
}

/// Reads a FEN; `None` if it is not plain.
pub(super) fn read(fen: &[u8]) -> Option<PlainFen> {
    let (board, rest) = read_board(fen)?;
    let [b' ', side @ (b'w' | b'b'), b' ', rest @ ..] = rest else {
        return None;
    };
    let (rights, rest) = read_rights(&board, rest)?;
    let (en_passant, rest) = match rest {
        [b' ', b'-', rest @ ..] => (None, rest),
        [b' ', file @ b'a'..=b'h', rank @ (b'3' | b'6'), rest @ ..] => {
            let file = File::new(u32::from(file - b'a'));
            let rank = if *rank == b'3' { Rank::Third } else { Rank::Sixth };
            (Some(Square::from_coords(file, rank)), rest)
        }
        _ => return None,
    };
    let (clock, move_number, missing) = if rest.is_empty() {
        (0, 1, " 0 1")
    } else {
        let (clock, rest) = read_counter(rest)?;
        let (number, rest) = read_counter(rest)?;
        if !rest.is_empty() {
            return None;
        }
        (clock, number, "")
    };
    Some(PlainFen {
        board,
        turn: Color::from_white(*side == b'w'),
        rights,
        en_passant,
        clock,
        move_number,
        missing,
    })
}

/// Reads the board. Returns it with the rest of the text.
fn read_board(fen: &[u8]) -> Option<(Board, &[u8])> {
    // Seven ranks end before the last one, each after eight more squares.
    const COUNT: u32 = 64 | 7 << (RANKS - SQUARES);
    const RANK_ENDS: u64 = 0x0101_0101_0101_0100;
    // By kind. Squares are counted from a8, rank by rank.
    let mut kinds = [0u64; 16];
    let (mut count, mut length) = (0u32, 0);
    for byte in fen {
        let meaning = MEANINGS[usize::from(*byte)];
        if meaning == 0 {
            break;
        }
        kinds[meaning as usize % 16] |= 1u64.wrapping_shl(count);
        count = count.wrapping_add(meaning >> SQUARES);
        length += 1;
    }
    if count != COUNT || kinds[RANK_END] != RANK_ENDS {
        return None;
    }
    let mut board = Board::default();
    for role in Role::ALL {
        let [white, black] = [0, BLACK].map(|color| Bitboard(kinds[role as usize + color].swap_bytes()));
        *board.roles.get_mut(role) = white | black;
        board.colors.white |= white;
        board.colors.black |= black;
    }
    let is_side = |color: Color| {
        let pieces = *board.colors.get(color);
        (board.roles.king & pieces).count() == 1 && pieces.count() <= MOST_PIECES
    };
    let are_sides = Color::ALL.into_iter().all(is_side);
    are_sides.then(|| (board, fen.get(length..).unwrap_or_default()))
}

/// Reads the castling rights, for which kings and rooks have to be at home. Returns them with the rest of the text.
fn read_rights<'f>(board: &Board, field: &'f [u8]) -> Option<(Rights, &'f [u8])> {
    if let [b'-', rest @ ..] = field {
        return Some((Rights::default(), rest));
    }
    let mut rights = Bitboard::EMPTY;
    let mut rest = field;
    while let [letter, behind @ ..] = rest
        && *letter != b' '
    {
        let (color, king, rook) = match letter {
            b'K' => (Color::White, Square::E1, Square::H1),
            b'Q' => (Color::White, Square::E1, Square::A1),
            b'k' => (Color::Black, Square::E8, Square::H8),
            b'q' => (Color::Black, Square::E8, Square::A8),
            _ => return None,
        };
        let is_at_home =
            board.pieces(color, Role::King).contains(king) && board.pieces(color, Role::Rook).contains(rook);
        if !is_at_home {
            return None;
        }
        rights.add(rook);
        rest = behind;
    }
    rights.any().then_some((Rights(rights), rest))
}

/// Reads a space and a number. Returns the number with the rest of the text.
fn read_counter(text: &[u8]) -> Option<(u32, &[u8])> {
    const MOST_DIGITS: usize = 9;
    let [b' ', digits @ ..] = text else {
        return None;
    };
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = digits.split_at(length);
    let number = digits.iter().fold(0u32, |number, digit| {
        number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
    });
    (1..=MOST_DIGITS).contains(&length).then_some((number, rest))
}
