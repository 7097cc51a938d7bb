//! Writes positions as FENs.

use shakmaty::{Bitboard, Rank, Square};

use super::tree::{Game, full_moves};
use crate::board::Board;
use crate::chess::{Position, Rights, en_passant_square, is_takeable_en_passant, variant_fen};

impl Game {
    /// Returns the FEN of a position. Castling rights are those left of the start's, in X-FEN. The en passant square is given if
    /// a pawn could capture there, ignoring the safety of its king. The counters continue those of the FEN tag. A null move counts as a half
    /// move.
    pub fn fen(&self, position: &Position) -> String {
        if let Some(position) = self.by_variant(position) {
            return variant_fen(position);
        }
        let passed = self.takeable_en_passant(position);
        let mut fen = fen_to(position, self.rights(position), passed);
        let first = self.start.as_ref().map_or(1, |start| start.move_number.max(1));
        let number = first.saturating_add(full_moves(self.first_to_move(), position.ply));
        for number in [self.halfmove_clock(position), number] {
            fen.push(' ');
            push_number(&mut fen, number);
        }
        fen
    }

    /// Returns the FEN of a position as the filter `fen` gives it: castling rights by the history of the board, an en passant square after
    /// every double step, and `0 1`.
    pub fn fen_of_cql(&self, position: &Position) -> String {
        if let Some(position) = self.by_variant(position) {
            return variant_fen(position);
        }
        let passed = en_passant_square(position, None);
        fen_to(position, self.rights_by_history(position), passed) + " 0 1"
    }

    /// Returns the number of half moves since a capture or a pawn's move. A null move counts as a half move, and the counter of the FEN
    /// tag continues.
    pub fn halfmove_clock(&self, position: &Position) -> u32 {
        let mut plies: u32 = 0;
        for after in self.path_back(position) {
            let Some(before) = self.parent(after) else {
                let at_start = self.start.as_ref().map_or(0, |start| start.clock);
                return plies.saturating_add(at_start);
            };
            if after.arrival.captured.is_some() || before.board.roles.pawn.contains(after.arrival.from) {
                break;
            }
            plies = plies.saturating_add(1);
        }
        plies
    }

    /// Returns the square where a pawn could capture en passant, ignoring the safety of its king.
    pub(crate) fn takeable_en_passant(&self, position: &Position) -> Option<Square> {
        en_passant_square(position, self.en_passant_at_start())
            .filter(|passed| is_takeable_en_passant(&position.board, position.turn, *passed))
    }
}

/// Returns the first four fields of a FEN.
fn fen_to(position: &Position, rights: Rights, passed: Option<Square>) -> String {
    let mut fen = String::with_capacity(72);
    write_board(&mut fen, &position.board);
    fen.push(' ');
    fen.push(position.turn.char());
    fen.push(' ');
    rights.write(&position.board, &mut fen);
    fen.push(' ');
    match passed {
        Some(square) => square.append_to_string(&mut fen),
        None => fen.push('-'),
    }
    fen
}

/// Appends a number without the cost of `write!`.
fn push_number(fen: &mut String, number: u32) {
    if number >= 10 {
        push_number(fen, number / 10);
    }
    fen.push(char::from(b'0' + (number % 10) as u8));
}

/// The greatest length of the first field of a FEN: all squares, and the slashes between ranks.
const LONGEST_BOARD: usize = 64 + 7;

/// Appends the first field of a FEN, without the additions of certain variants.
pub(crate) fn write_board(fen: &mut String, board: &Board) {
    // A rank is written in runs of pieces. Each run is written as eight bytes, and the next run overwrites the surplus.
    let mut text = [0; LONGEST_BOARD + 8];
    let mut length = 0;
    let mut put = |bytes: u64, count: u32| {
        if let Some(place) = text.get_mut(length..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes.to_le_bytes();
            length += count as usize;
        }
    };
    for rank in Rank::ALL.into_iter().rev() {
        let letters = letters(board, rank);
        let pieces = u32::from(of_rank(board.occupied(), rank));
        let mut file = 0;
        loop {
            let gap = (pieces | 1 << 8).wrapping_shr(file).trailing_zeros();
            if gap > 0 {
                put(u64::from(b'0') + u64::from(gap), 1);
                file += gap;
            }
            if file == 8 {
                break;
            }
            let run = pieces.wrapping_shr(file).trailing_ones();
            put(letters >> (8 * file), run);
            file += run;
        }
        if rank > Rank::First {
            put(u64::from(b'/'), 1);
        }
    }
    fen.push_str(str::from_utf8(&text[..length]).unwrap_or_default());
}

/// Returns the letters of the pieces on a rank, one byte for each square from the a-file on; 0 for an empty square.
#[inline(always)]
fn letters(board: &Board, rank: Rank) -> u64 {
    let bytes = |set: Bitboard| SPREAD[usize::from(of_rank(set, rank))];
    let of_role = |set: Bitboard, letter: u8| bytes(set) * u64::from(letter);
    let (roles, colors) = (&board.roles, &board.colors);
    let uppercase = of_role(roles.pawn, b'P')
        | of_role(roles.knight, b'N')
        | of_role(roles.bishop, b'B')
        | of_role(roles.rook, b'R')
        | of_role(roles.queen, b'Q')
        | of_role(roles.king, b'K');
    // One bit distinguishes small letters from capitals.
    uppercase | bytes(colors.black) << 5
}

/// Returns a bit for each square of a rank.
fn of_rank(set: Bitboard, rank: Rank) -> u8 {
    set.0.to_le_bytes()[usize::from(rank)]
}

/// For each value of eight bits: a byte of 1 for each bit that is set.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < spread.len() {
        let mut bit = 0;
        while bit < 8 {
            spread[bits] |= (bits as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        bits += 1;
    }
    spread
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::sample;

    #[test]
    fn boards_of_all_kinds_are_written_as_they_are_read() {
        for board in [
            "8/8/8/8/8/8/8/8",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/PNBRQKPN/BRQKPNBR/QKPNBRQK/pnbrqkpn/PPPPPPPP/RNBQKBNR",
            "1p1p1p1p/P1P1P1P1/3k4/4K3/7r/R7/2qQ2bB/N6n",
            "k7/7K/pp4PP/PPP2ppp/1nnnnnn1/2rrrr2/3BB3/6q1",
        ] {
            let mut text = String::from("FEN ");
            write_board(&mut text, &board.parse().expect("a board"));
            assert_eq!(text, format!("FEN {board}"));
        }
    }

    #[test]
    fn fen_takes_castling_from_the_history_of_the_board() {
        let game = sample::game(
            "[FEN \"r3k2r/pppp4/8/4pP2/8/8/PPPP4/R3K2R b - e6 12 37\"]\n\n1... d5 2. Rh2 Ke7 3. Rh1 Ke8 *\n",
        );
        let fens: Vec<String> = game
            .positions
            .iter()
            .map(|position| game.fen_of_cql(position))
            .collect();
        assert_eq!(fens[0], "r3k2r/pppp4/8/4pP2/8/8/PPPP4/R3K2R b KQkq - 0 1");
        assert_eq!(fens[1], "r3k2r/ppp5/8/3ppP2/8/8/PPPP4/R3K2R w KQkq d6 0 1");
        assert_eq!(fens[5], "r3k2r/ppp5/8/3ppP2/8/8/PPPP4/R3K2R w Q - 0 1");
        assert_eq!(
            game.arrivals(&game.positions[4]),
            Bitboard::from(Square::D5) | Square::H2 | Square::E7 | Square::H1
        );
    }
}
