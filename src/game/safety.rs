//! Whether kings are attacked, now and after a move that is tried.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::board::Board;
use crate::board::sliders::{bishop_lines, rook_lines};

/// The men of `sliders` that `occupied` does not cut off from `square`. They stand in line with it.
#[inline]
pub(super) fn unblocked(sliders: Bitboard, square: Square, occupied: Bitboard) -> Bitboard {
    let mut left = sliders;
    let mut seen = Bitboard::EMPTY;
    while let Some(slider) = left.pop_front() {
        if (attacks::between(square, slider) & occupied).is_empty() {
            seen.add(slider);
        }
    }
    seen
}

/// Whether a man of `by` on a square of `them` attacks `square` when the squares of `occupied` are blocked.
///
/// `them` is given apart from the board so that a captured man can be left out. Sliders are few on the lines of one
/// square, so they are looked at one by one; mostly there is none.
#[inline]
pub(super) fn attacked_by(board: &Board, them: Bitboard, by: Color, occupied: Bitboard, square: Square) -> bool {
    let roles = &board.roles;
    let steppers = (attacks::knight_attacks(square) & roles.knight)
        | (attacks::king_attacks(square) & roles.king)
        | (attacks::pawn_attacks(!by, square) & roles.pawn);
    let sliders =
        (rook_lines(square) & (roles.rook | roles.queen)) | (bishop_lines(square) & (roles.bishop | roles.queen));
    (steppers & them).any() || unblocked(sliders & them, square, occupied).any()
}

/// Whether the king of `color` is attacked. Not if there is none.
pub fn in_check(board: &Board, color: Color) -> bool {
    board
        .men(color, Role::King)
        .first()
        .is_some_and(|king| attacked_by(board, *board.colors.get(!color), !color, board.occupied(), king))
}

/// Whether the mover's own king is safe after a move from `from` to `to` that takes what is on `captured`.
#[inline]
pub fn leaves_king_safe(board: &Board, us: Color, from: Square, to: Square, captured: Option<Square>) -> bool {
    let Some(king) = board.men(us, Role::King).first() else {
        return true;
    };
    let king = if king == from { to } else { king };
    let captured = captured.map_or(Bitboard::EMPTY, Bitboard::from);
    let occupied = (board.occupied() & !captured & !Bitboard::from(from)) | Bitboard::from(to);
    !attacked_by(board, *board.colors.get(!us) & !captured, !us, occupied, king)
}
