//! Positions as FENs and as keys of opening books.

use std::fmt::Write as _;

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, Piece, Rank, Role, Square, attacks};

use super::castling::Rights;
use super::moves;
use super::position::Position;
use super::tree::{Game, full_moves};
use super::variant_rules;
use crate::board::Board;

impl Game {
    /// The FEN of a position. Castling rights are those that are left of the start's, in X-FEN; the en passant square is given where
    /// a pawn could take but for the safety of its king; the counters go on from those of the FEN tag. A null move counts as a half
    /// move.
    pub fn fen(&self, position: &Position) -> String {
        if let Some(position) = self.by_variant(position) {
            return variant_rules::fen(position);
        }
        let passed = self.takeable_en_passant(position);
        let mut fen = fen_to(position, self.rights(position), passed);
        let first = self.start.as_ref().map_or(1, |start| start.move_number.max(1));
        let number = first.saturating_add(full_moves(self.first_to_move(), position.ply));
        // Writing to a string cannot fail.
        let _ = write!(fen, " {} {number}", self.halfmove_clock(position));
        fen
    }

    /// The FEN of a position as the filter `fen` gives it: castling by the history of the board, en passant after every double step,
    /// and `0 1`.
    pub fn fen_of_cql(&self, position: &Position) -> String {
        if let Some(position) = self.by_variant(position) {
            return variant_rules::fen(position);
        }
        let passed = moves::en_passant_square(position, None);
        fen_to(position, self.rights_by_history(position), passed) + " 0 1"
    }

    /// How many half moves ago something was captured or a pawn moved. A null move counts as a half move, and the counter of the FEN
    /// tag goes on.
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

    /// The square where a pawn could take another en passant but for the safety of its king.
    fn takeable_en_passant(&self, position: &Position) -> Option<Square> {
        moves::en_passant_square(position, self.en_passant_at_start()).filter(|passed| {
            let takers =
                attacks::pawn_attacks(!position.turn, *passed) & position.board.pieces(position.turn, Role::Pawn);
            takers.any() && moves::passing_victim(position, self.en_passant_at_start(), *passed).is_some()
        })
    }

    /// The key of a position in opening books of Polyglot: of its pieces, the side to move, the castling rights, and the file of a
    /// pawn that could be taken en passant but for the safety of a king.
    pub fn polyglot_key(&self, position: &Position) -> u64 {
        let board = &position.board;
        let mut key = Zobrist64::default();
        for piece in pieces() {
            for square in board.pieces(piece.color, piece.role) {
                key ^= Zobrist64::zobrist_for_piece(square, piece);
            }
        }
        if position.turn.is_white() {
            key ^= Zobrist64::zobrist_for_white_turn();
        }
        for rook in self.rights(position).0 {
            let color = Color::from_white(rook.rank() == Rank::First);
            let king = board.pieces(color, Role::King).first();
            let side = CastlingSide::from_king_side(king.is_none_or(|king| king < rook));
            key ^= Zobrist64::zobrist_for_castling_right(color, side);
        }
        if let Some(passed) = self.takeable_en_passant(position) {
            key ^= Zobrist64::zobrist_for_en_passant_file(passed.file());
        }
        key.0
    }
}

/// The first four fields of a FEN.
fn fen_to(position: &Position, rights: Rights, passed: Option<Square>) -> String {
    let mut fen = String::with_capacity(72);
    write_board(&mut fen, &position.board);
    fen.push(' ');
    fen.push(position.turn.char());
    fen.push(' ');
    rights.write(&position.board, &mut fen);
    fen.push(' ');
    match passed {
        Some(square) => fen.push_str(&square.to_string()),
        None => fen.push('-'),
    }
    fen
}

/// How long the first field of a FEN can be: all squares, and the slashes between ranks.
const LONGEST_BOARD: usize = 64 + 7;

/// Writes the first field of a FEN, without what some variants have in it beside the pieces.
pub(crate) fn write_board(fen: &mut String, board: &Board) {
    let mut letters = [0; 64];
    for piece in pieces() {
        let letter = piece.char() as u8;
        for square in board.pieces(piece.color, piece.role) {
            letters[usize::from(square) & 63] = letter;
        }
    }
    // Bytes are put together faster than characters, and an array has room for all.
    let mut text = [0; LONGEST_BOARD];
    let mut length = 0;
    let mut put = |byte: u8| {
        if let Some(place) = text.get_mut(length) {
            *place = byte;
            length += 1;
        }
    };
    for (rank, squares) in letters.chunks_exact(8).enumerate().rev() {
        let mut gap = 0;
        for letter in squares {
            if *letter == 0 {
                gap += 1;
                continue;
            }
            if gap > 0 {
                put(b'0' + gap);
                gap = 0;
            }
            put(*letter);
        }
        if gap > 0 {
            put(b'0' + gap);
        }
        if rank > 0 {
            put(b'/');
        }
    }
    fen.push_str(str::from_utf8(&text[..length]).unwrap_or_default());
}

/// Each role of each colour.
fn pieces() -> impl Iterator<Item = Piece> {
    let of = |color: Color| Role::ALL.into_iter().map(move |role| Piece { color, role });
    Color::ALL.into_iter().flat_map(of)
}

#[cfg(test)]
mod tests {
    use shakmaty::Bitboard;

    use super::*;
    use crate::game::sample;

    #[test]
    fn a_key_is_the_one_of_all_pieces_square_by_square() {
        let game = sample::game("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 *\n");
        for position in &game.positions {
            let mut key = Zobrist64::default();
            for square in Square::ALL {
                if let Some(piece) = position.board.piece_at(square) {
                    key ^= Zobrist64::zobrist_for_piece(square, piece);
                }
            }
            if position.turn.is_white() {
                key ^= Zobrist64::zobrist_for_white_turn();
            }
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    key ^= Zobrist64::zobrist_for_castling_right(color, side);
                }
            }
            assert_eq!(game.polyglot_key(position), key.0);
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
