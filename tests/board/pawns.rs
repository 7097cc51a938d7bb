//! Pawn structure, compared with the table of section 5.2 pawn by pawn.

use fastrand::Rng;
use shakmaty::{Bitboard, Color, Role, Square};
use skewer::board::{Board, pawns};

use crate::board::random;

/// Returns a board with pawns of both colours on any squares.
fn pawns_only(rng: &mut Rng) -> Board {
    let mut board = Board::default();
    board.roles.pawn = random::set(rng) & random::set(rng);
    board.colors.white = board.roles.pawn & random::set(rng);
    board.colors.black = board.roles.pawn & !board.colors.white;
    board
}

/// Returns the pawns that have a property, which depends on the pawn, its colour, and the squares of its own and of the enemy pawns.
fn pawns_with(board: &Board, property: impl Fn(Square, Color, Bitboard, Bitboard) -> bool) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for color in Color::ALL {
        let own = board.pieces(color, Role::Pawn);
        let enemy = board.pieces(color.other(), Role::Pawn);
        found.extend(own.into_iter().filter(|pawn| property(*pawn, color, own, enemy)));
    }
    found
}

fn is_in_front(square: Square, pawn: Square, color: Color) -> bool {
    if color.is_white() {
        square.rank() > pawn.rank()
    } else {
        square.rank() < pawn.rank()
    }
}

#[test]
fn pawn_sets_follow_their_definitions() {
    let mut rng = Rng::with_seed(50);
    for round in 0..5_000 {
        let board = if round % 2 == 0 {
            pawns_only(&mut rng)
        } else {
            random::board(&mut rng)
        };
        let files_apart = |a: Square, b: Square| a.file().distance(b.file());

        let passed = pawns_with(&board, |pawn, color, _, enemy| {
            !enemy
                .into_iter()
                .any(|other| files_apart(pawn, other) <= 1 && is_in_front(other, pawn, color))
        });
        let connected = pawns_with(&board, |pawn, _, own, _| {
            own.into_iter().any(|other| files_apart(pawn, other) == 1)
        });
        let doubled = pawns_with(&board, |pawn, _, own, _| {
            own.into_iter()
                .any(|other| other != pawn && other.file() == pawn.file())
        });

        assert_eq!(pawns::passed(&board), passed);
        assert_eq!(pawns::connected(&board), connected);
        assert_eq!(pawns::isolated(&board), board.roles.pawn & !connected);
        assert_eq!(pawns::doubled(&board), doubled);
    }
}
