//! A move that can be played, and its effect on a board.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square};

use super::castling::Castlers;
use super::position::{Arrival, MoveKind};
use super::start::{Start, castlers};
use crate::board::Board;

/// A move that can be played: the moving piece, and the record for queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayableMove {
    /// The moving piece, before a promotion. The king for castling.
    pub role: Role,
    /// The record of the move in the position after it.
    pub arrival: Arrival,
}

/// Makes a move on a board. `turn` is the side that moves, and the game began with `start`.
#[inline]
pub(crate) fn make_move(board: &mut Board, turn: Color, start: Option<&Start>, played: &PlayableMove) {
    match played.arrival.kind {
        MoveKind::None | MoveKind::Null | MoveKind::Drop => {}
        MoveKind::Normal | MoveKind::EnPassant => *board = after_step(board, turn, played),
        MoveKind::Castle(side) => play_castling(board, turn, castlers(start, turn, side), side),
    }
}

/// Returns the board after the move of a single piece.
// Always inlined, so that the move stays in registers between its resolution and its execution (a measured gain).
#[inline(always)]
pub(crate) fn after_step(board: &Board, turn: Color, played: &PlayableMove) -> Board {
    let arrival = &played.arrival;
    let (from, to) = (Bitboard::from(arrival.from), arrival.to);
    let beside = match arrival.kind {
        MoveKind::EnPassant => arrival.captured.map_or(Bitboard::EMPTY, Bitboard::from),
        _ => Bitboard::EMPTY,
    };
    board.with_piece(from | to | beside, turn, arrival.promotion.unwrap_or(played.role), to)
}

/// Makes a castling move on a board.
// At most two moves of a game come here.
#[inline(never)]
fn play_castling(board: &mut Board, turn: Color, from: Castlers, side: CastlingSide) {
    let rank = from.king.rank();
    // In Chess960, either may stay on its square, or arrive on the other's.
    let king = Bitboard::from(from.king) ^ Bitboard::from(Square::from_coords(side.king_to_file(), rank));
    let rook = Bitboard::from(from.rook) ^ Bitboard::from(Square::from_coords(side.rook_to_file(), rank));
    board.roles.king ^= king;
    board.roles.rook ^= rook;
    *board.colors.get_mut(turn) ^= king ^ rook;
}

/// Removes all pieces on `squares` from the board. Does not look at the pieces, so it needs no branch.
#[inline]
pub(crate) fn remove_pieces(board: &mut Board, squares: Bitboard) {
    let stay = !squares;
    let roles = &mut board.roles;
    for pieces in [
        &mut roles.pawn,
        &mut roles.knight,
        &mut roles.bishop,
        &mut roles.rook,
        &mut roles.queen,
        &mut roles.king,
        &mut board.colors.white,
        &mut board.colors.black,
    ] {
        *pieces &= stay;
    }
}

/// Returns whether no piece of `us` can move to `to`, because one of its own or a king is there.
#[inline]
pub(crate) fn is_closed(board: &Board, us: Color, to: Square) -> bool {
    (board.roles.king | *board.colors.get(us)).contains(to)
}

/// Returns whether a pawn that arrives on `to` promotes as it must: to a piece on the last rank, to nothing elsewhere.
#[inline]
pub(crate) fn promotes_rightly(us: Color, to: Square, promotion: Option<Role>) -> bool {
    let last = to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    match promotion {
        None => !last,
        Some(role) => last && !matches!(role, Role::Pawn | Role::King),
    }
}
