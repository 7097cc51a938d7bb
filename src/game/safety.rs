//! Whether kings are attacked, now and after a move that is tried.

use crate::board::attacked::attacked;
use crate::board::{Bitboard, Board, Color, Role, Square};

/// Whether the king of `color` is attacked. Not if there is none.
pub fn in_check(board: &Board, color: Color) -> bool {
    board
        .pieces(color, Role::King)
        .first()
        .is_some_and(|king| attacked(board, *board.colors.get(!color), !color, board.occupied(), king))
}

/// Whether the mover's own king is safe after a move from `from` to `to` that takes what is on `captured`.
///
/// It is a function of its own: those that choose among moves get slower when it becomes a part of them.
#[inline(never)]
pub fn leaves_king_safe(board: &Board, us: Color, from: Square, to: Square, captured: Option<Square>) -> bool {
    let Some(king) = board.pieces(us, Role::King).first() else {
        return true;
    };
    let king = if king == from { to } else { king };
    let captured = captured.map_or(Bitboard::EMPTY, Bitboard::from);
    let occupied = (board.occupied() & !captured & !Bitboard::from(from)) | Bitboard::from(to);
    !attacked(board, *board.colors.get(!us) & !captured, !us, occupied, king)
}
