//! Seeded random sets and boards.

use fastrand::Rng;
use shakmaty::{Bitboard, Color, Role, Square};
use skewer::board::{Board, Direction, DirectionSet};

/// Returns a random set of squares, from a few to nearly all.
pub(crate) fn set(rng: &mut Rng) -> Bitboard {
    let sparse = rng.u64(..) & rng.u64(..);
    Bitboard(match rng.u8(..5) {
        0 => sparse & rng.u64(..) & rng.u64(..),
        1 => sparse & rng.u64(..),
        2 => sparse,
        3 => rng.u64(..),
        _ => rng.u64(..) | rng.u64(..),
    })
}

/// Returns a set that is sometimes everything and sometimes a single square, as in queries.
pub(crate) fn operand(rng: &mut Rng) -> Bitboard {
    match rng.u8(..4) {
        0 => Bitboard::FULL,
        1 => square(rng).into(),
        _ => set(rng),
    }
}

/// Returns a random square.
pub(crate) fn square(rng: &mut Rng) -> Square {
    Square::ALL[rng.usize(..64)]
}

/// Returns a random set of directions.
pub(crate) fn directions(rng: &mut Rng) -> DirectionSet {
    let bits = rng.u8(..);
    Direction::ALL
        .into_iter()
        .filter(|direction| bits & 1 << direction.index() != 0)
        .collect()
}

/// Returns a board with random men, from none to more than half of the squares, including pawns on the outer ranks and several kings.
pub(crate) fn board(rng: &mut Rng) -> Board {
    let mut board = Board::default();
    let pieces = [4, 12, 24, 40][rng.usize(..4)];
    for square in (0..rng.usize(..pieces)).map(|_| square(rng)).collect::<Bitboard>() {
        let role = Role::ALL[rng.usize(..6)];
        let color = Color::ALL[rng.usize(..2)];
        board.roles.get_mut(role).add(square);
        board.colors.get_mut(color).add(square);
    }
    board
}
