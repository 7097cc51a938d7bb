//! Definitions that walk over the board square by square and share only their types with the library.

use shakmaty::{Bitboard, Color, Role, Square};
use skewer::board::{Board, Direction};

/// Returns the square this many files to the right and ranks above, if it is on the board.
pub(crate) fn offset(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    Some(Square::from_coords(
        square.file().offset(files)?,
        square.rank().offset(ranks)?,
    ))
}

/// Returns one step in files and ranks, as on the compass rose.
pub(crate) fn delta(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::North => (0, 1),
        Direction::NorthEast => (1, 1),
        Direction::East => (1, 0),
        Direction::SouthEast => (1, -1),
        Direction::South => (0, -1),
        Direction::SouthWest => (-1, -1),
        Direction::West => (-1, 0),
        Direction::NorthWest => (-1, 1),
    }
}

/// Returns the squares from the neighbour of a square to the edge.
pub(crate) fn walk(square: Square, direction: Direction) -> impl Iterator<Item = Square> {
    std::iter::successors(Some(square), move |at| offset(*at, delta(direction))).skip(1)
}

/// Returns the squares in view from a square, up to and including the first piece.
pub(crate) fn view(occupied: Bitboard, square: Square, direction: Direction) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    for at in walk(square, direction) {
        seen.add(at);
        if occupied.contains(at) {
            break;
        }
    }
    seen
}

/// Returns whether a role moves along the line of a direction.
pub(crate) fn slides(role: Role, direction: Direction) -> bool {
    let (files, ranks) = delta(direction);
    match role {
        Role::Queen => true,
        Role::Rook => files == 0 || ranks == 0,
        Role::Bishop => files != 0 && ranks != 0,
        _ => false,
    }
}

/// Returns the squares that the piece on a square attacks, by section 2.1 of the spec.
pub(crate) fn attacks(board: &Board, square: Square) -> Bitboard {
    let Some(piece) = board.piece_at(square) else {
        return Bitboard::EMPTY;
    };
    let leaps: &[(i32, i32)] = match (piece.role, piece.color) {
        (Role::Pawn, Color::White) => &[(-1, 1), (1, 1)],
        (Role::Pawn, Color::Black) => &[(-1, -1), (1, -1)],
        (Role::Knight, _) => &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
        (Role::King, _) => &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
        _ => &[],
    };
    let leapt = leaps
        .iter()
        .filter_map(|leap| offset(square, *leap))
        .collect::<Bitboard>();
    Direction::ALL
        .into_iter()
        .filter(|direction| slides(piece.role, *direction))
        .fold(leapt, |attacks, direction| {
            attacks | view(board.occupied(), square, direction)
        })
}

/// Returns the squares strictly between two squares of one line.
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    for direction in Direction::ALL {
        if walk(a, direction).any(|at| at == b) {
            return walk(a, direction).take_while(|at| *at != b).collect();
        }
    }
    Bitboard::EMPTY
}
