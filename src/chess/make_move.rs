//! A move that can be played, and what it makes of a board.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square};

use super::castling::Castlers;
use super::position::{Arrival, MoveKind};
use super::start::{Start, castlers};
use crate::board::Board;

/// A move that can be played: the piece that moves, and the record for queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayableMove {
    /// The piece that moves, before a promotion; the king in castling.
    pub role: Role,
    /// What the position after the move says about it.
    pub arrival: Arrival,
}

/// Makes a move on a board. The side that moves is `turn`, the game began with `start`.
#[inline]
pub(crate) fn make_move(board: &mut Board, turn: Color, start: Option<&Start>, played: &PlayableMove) {
    match played.arrival.kind {
        MoveKind::None | MoveKind::Null | MoveKind::Drop => {}
        MoveKind::Normal | MoveKind::EnPassant => *board = after_step(board, turn, played),
        MoveKind::Castle(side) => play_castling(board, turn, castlers(start, turn, side), side),
    }
}

/// The board after the move of a single piece.
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
// Two moves of a game at most come here.
#[inline(never)]
fn play_castling(board: &mut Board, turn: Color, from: Castlers, side: CastlingSide) {
    let rank = from.king.rank();
    // In Chess960 either may stay where it is, or arrive where the other one was.
    let king = Bitboard::from(from.king) ^ Bitboard::from(Square::from_coords(side.king_to_file(), rank));
    let rook = Bitboard::from(from.rook) ^ Bitboard::from(Square::from_coords(side.rook_to_file(), rank));
    board.roles.king ^= king;
    board.roles.rook ^= rook;
    *board.colors.get_mut(turn) ^= king ^ rook;
}

/// Takes whatever stands on `squares` off the board; without a look at what it is, so without a branch.
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

/// Whether no piece of `us` may go to `to`: one of its own or a king stands there.
#[inline]
pub(crate) fn is_closed(board: &Board, us: Color, to: Square) -> bool {
    (board.roles.king | *board.colors.get(us)).contains(to)
}

/// Whether a pawn that arrives on `to` becomes what it must: a piece on the last rank, nothing elsewhere.
#[inline]
pub(crate) fn promotes_rightly(us: Color, to: Square, promotion: Option<Role>) -> bool {
    let last = to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    match promotion {
        None => !last,
        Some(role) => last && !matches!(role, Role::Pawn | Role::King),
    }
}
