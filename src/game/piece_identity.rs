//! The identity of each piece throughout a game.

use shakmaty::Square;

use super::tree::Game;
use crate::chess::{MoveKind, Position};

/// The square of each piece of the initial position in every position of a game.
///
/// The pieces are numbered 0, 1, 2... in the order a1, b1, ..., h8 of their squares in the initial position. A promoting pawn
/// and a castling rook keep their numbers. A captured piece has no square from then on. A dropped piece has no
/// number.
#[derive(Clone, Default, Debug)]
pub struct Identities {
    /// The number of pieces in the initial position.
    pieces: usize,
    /// The squares of the pieces, position by position.
    squares: Vec<Option<Square>>,
}

impl Identities {
    /// Follows the pieces through the positions of a game. Buffers are reused.
    pub fn follow(&mut self, game: &Game) {
        self.squares.clear();
        let Some(initial) = game.positions.first() else {
            self.pieces = 0;
            return;
        };
        self.squares.extend(initial.board.occupied().into_iter().map(Some));
        self.pieces = self.squares.len();
        for position in game.positions.iter().skip(1) {
            if game.watch.is_over_at(position.id as usize) {
                return;
            }
            let before = position.parent as usize * self.pieces;
            let after = self.squares.len();
            self.squares.extend_from_within(before..before + self.pieces);
            after_move(&mut self.squares[after..], game, position);
        }
    }

    /// Returns the squares of the pieces in a position.
    fn pieces(&self, position: u32) -> Option<&[Option<Square>]> {
        let start = position as usize * self.pieces;
        self.squares.get(start..start + self.pieces)
    }

    /// Returns the square of a piece in a position; `None` if it has been captured or never existed.
    pub fn square(&self, position: u32, piece: u8) -> Option<Square> {
        *self.pieces(position)?.get(usize::from(piece))?
    }

    /// Returns the number of the piece on a square in a position.
    pub fn piece(&self, position: u32, square: Square) -> Option<u8> {
        let pieces = self.pieces(position)?;
        let index = pieces.iter().position(|place| *place == Some(square))?;
        u8::try_from(index).ok()
    }
}

/// Moves the pieces according to the move that led to a position. Pieces that exploded are no longer on the board.
fn after_move(pieces: &mut [Option<Square>], game: &Game, position: &Position) {
    let arrival = &position.arrival;
    if matches!(arrival.kind, MoveKind::None | MoveKind::Null | MoveKind::Drop) {
        return;
    }
    let rook = game.rook_step(position);
    for place in pieces.iter_mut() {
        let Some(square) = *place else { continue };
        if arrival.captured == Some(square) {
            *place = None;
        } else if square == arrival.from {
            *place = Some(arrival.to);
        } else if let Some((from, to)) = rook
            && square == from
        {
            *place = Some(to);
        }
    }
    if game.has_own_rules() {
        let stands = |square: Square| position.board.occupied().contains(square);
        pieces
            .iter_mut()
            .for_each(|place| *place = place.filter(|square| stands(*square)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tree::Game;
    use crate::pgn::{GameReader, Scope, sample};

    fn read(pgn: &str) -> (Game, Identities) {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let mut pieces = Identities::default();
        pieces.follow(&game);
        (game, pieces)
    }

    #[test]
    fn every_piece_is_somewhere_and_keeps_its_colour() {
        for name in sample::GOLDEN {
            let batch = sample::golden(name);
            let mut reader = GameReader::new(&batch);
            let (mut game, mut pieces) = (Game::default(), Identities::default());
            while reader.read(Scope::ALL, &mut game, |_| true) != crate::pgn::Reading::End {
                pieces.follow(&game);
                for position in &game.positions {
                    let board = &position.board;
                    for square in board.occupied() {
                        let piece = pieces.piece(position.id, square).expect("a piece");
                        let origin = pieces.square(0, piece).expect("an origin");
                        let start = game.positions[0].board;
                        let colour =
                            |board: &crate::board::Board, square| board.piece_at(square).map(|piece| piece.color);
                        assert_eq!(colour(board, square), colour(&start, origin), "{name} {}", game.number);
                    }
                    let there = (0..32)
                        .filter(|piece| pieces.square(position.id, *piece).is_some())
                        .count();
                    assert_eq!(
                        there,
                        board.occupied().count(),
                        "{name} {} {}",
                        game.number,
                        position.id
                    );
                }
            }
        }
    }

    #[test]
    fn captures_promotions_and_castling_keep_identities() {
        let (game, pieces) = read(
            "[FEN \"rn2k2r/P7/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1\"]\n\n1. dxc6 O-O 2. axb8=Q (2. O-O-O Kg7) Raxb8 *\n",
        );
        assert!(game.warnings.is_empty(), "{:?}", game.warnings);
        let pawn = pieces.piece(0, Square::D5).expect("the pawn on d5");
        assert_eq!(pieces.square(1, pawn), Some(Square::C6));
        let victim = pieces.piece(0, Square::C5).expect("the pawn on c5");
        assert_eq!(pieces.square(1, victim), None);
        let rook = pieces.piece(0, Square::H8).expect("the rook on h8");
        assert_eq!(pieces.square(2, rook), Some(Square::F8));
        let runner = pieces.piece(0, Square::A7).expect("the pawn on a7");
        assert_eq!(
            (pieces.square(3, runner), pieces.square(4, runner)),
            (Some(Square::B8), None)
        );
        let variation = game
            .positions
            .iter()
            .find(|position| position.choice == 1)
            .expect("a variation")
            .id;
        assert_eq!(
            pieces.square(variation + 1, runner),
            Some(Square::A7),
            "alive in the sibling variation"
        );
        let castled = pieces.piece(0, Square::A1).expect("the rook on a1");
        assert_eq!(
            (pieces.square(4, castled), pieces.square(variation, castled)),
            (Some(Square::A1), Some(Square::D1))
        );
    }
}
