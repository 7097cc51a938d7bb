//! The keys of positions in Polyglot opening books.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, Rank, Role};

use super::derived::KeyParts;
use super::tree::{Game, touched_on};
use crate::board::Board;
use crate::chess::Position;

impl Game {
    /// Returns the key of a position in opening books of Polyglot: of its pieces, the side to move, the castling rights, and the file of a
    /// pawn that could be captured en passant, ignoring the safety of a king.
    pub fn polyglot_key(&self, position: &Position) -> u64 {
        let KeyParts { pieces, rights } = self.key_parts(position);
        let mut key = pieces;
        if position.turn.is_white() {
            key ^= Zobrist64::zobrist_for_white_turn();
        }
        for rook in rights.0 {
            let color = Color::from_white(rook.rank() == Rank::First);
            let king = position.board.pieces(color, Role::King).first();
            let side = CastlingSide::from_king_side(king.is_none_or(|king| king < rook));
            key ^= Zobrist64::zobrist_for_castling_right(color, side);
        }
        if let Some(passed) = self.takeable_en_passant(position) {
            key ^= Zobrist64::zobrist_for_en_passant_file(passed.file());
        }
        key.0
    }

    /// Returns the parts of the key of one position. One question is usually followed by others, so the parts for the whole game are computed at
    /// once.
    fn key_parts(&self, position: &Position) -> KeyParts {
        let parts = self.derived.key_parts.get_or_make(|parts| {
            parts.clear();
            parts.reserve(self.positions.len());
            for position in &self.positions {
                let before = self.parent(position);
                let before = before.and_then(|before| Some((before, parts.get(before.id as usize)?)));
                parts.push(match before {
                    Some((before, parts)) => self.key_parts_after(before, *parts, position),
                    None => self.key_parts_alone(position),
                });
            }
        });
        match parts.get(position.id as usize) {
            Some(parts) => *parts,
            None => self.key_parts_alone(position),
        }
    }

    /// Returns the parts for a position that follows another.
    fn key_parts_after(&self, before: &Position, parts: KeyParts, after: &Position) -> KeyParts {
        KeyParts {
            pieces: parts.pieces ^ change(&before.board, &after.board),
            rights: self.rights_left(parts.rights, || touched_on(std::iter::once(after))),
        }
    }

    /// Returns the parts for a position, computed without those of the previous position.
    fn key_parts_alone(&self, position: &Position) -> KeyParts {
        KeyParts {
            pieces: change(&Board::default(), &position.board),
            rights: self.rights(position),
        }
    }
}

/// Returns the keys of the pieces that are on only one of the boards.
fn change(before: &Board, after: &Board) -> Zobrist64 {
    let mut key = Zobrist64::default();
    for square in before.differing(after) {
        for board in [before, after] {
            if let Some(piece) = board.piece_at(square) {
                key ^= Zobrist64::zobrist_for_piece(square, piece);
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::Rights;
    use crate::pgn::sample;

    /// Returns the key as the format describes it, for a position without a pawn that can be captured en passant.
    fn slowly(game: &Game, position: &Position) -> u64 {
        let mut key = Zobrist64::default();
        for square in Square::ALL {
            if let Some(piece) = position.board.piece_at(square) {
                key ^= Zobrist64::zobrist_for_piece(square, piece);
            }
        }
        if position.turn.is_white() {
            key ^= Zobrist64::zobrist_for_white_turn();
        }
        let Rights(rights) = game.rights(position);
        for (corner, color, side) in [
            (Square::A1, Color::White, CastlingSide::QueenSide),
            (Square::H1, Color::White, CastlingSide::KingSide),
            (Square::A8, Color::Black, CastlingSide::QueenSide),
            (Square::H8, Color::Black, CastlingSide::KingSide),
        ] {
            if rights.contains(corner) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side);
            }
        }
        key.0
    }

    #[test]
    fn a_key_is_the_one_of_all_pieces_square_by_square() {
        for pgn in [
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 *\n",
            "1. e4 e5 2. Nf3 (2. Bc4 Nf6 (2... Ke7 3. Kf1 Ke8) 3. Nf3 Rg8 4. O-O) 2... Nf6 3. Bc4 -- 4. O-O Rg8 5. Nxe5 Rh8 *\n",
            "[FEN \"r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1\"]\n\n1. bxa8=Q+ Ke7 2. O-O-O bxa1=N 3. gxh8=R *\n",
            "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1\"]\n\n1. O-O Ra7 2. Kh1 *\n",
        ] {
            let game = sample::game(pgn);
            for position in &game.positions {
                assert_eq!(
                    game.polyglot_key(position),
                    slowly(&game, position),
                    "{pgn}, position {}",
                    position.id
                );
            }
        }
    }

    #[test]
    fn keys_of_a_game_are_those_of_the_moves_that_it_has_now() {
        let keys = |game: &Game| -> Vec<u64> {
            let positions = game.positions.iter();
            positions.map(|position| game.polyglot_key(position)).collect()
        };
        let mut game = sample::game("1. e4 (1. d4 d5) 1... c5 (1... e5) *\n");
        let positions = game.positions.iter().zip(keys(&game));
        let of_main_line = positions.filter(|(position, _)| position.depth == 0);
        let main: Vec<u64> = of_main_line.map(|(_, key)| key).collect();
        game.keep_main_line();
        assert_eq!((keys(&game), main.len()), (main, 3));
        let other = sample::game("1. Nf3 *\n");
        let position = &other.positions[1];
        assert_eq!(
            game.polyglot_key(&Position { id: 9, ..*position }),
            other.polyglot_key(position)
        );
    }
}
