//! Whether a king is attacked, now and after a move.

use crate::board::attacked::{aimed_at, attacked, leapers_to, sliders_aiming_at};
use crate::board::between::between;
use crate::board::{Bitboard, Board, Color, Role, Square};

/// Returns whether the king of `color` is attacked; `false` if there is none.
pub fn in_check(board: &Board, color: Color) -> bool {
    board
        .pieces(color, Role::King)
        .first()
        .is_some_and(|king| attacked(board, *board.colors.get(!color), !color, board.occupied(), king))
}

/// Returns whether the mover's own king is safe after a move from `from` to `to` that captures the piece on `captured`.
///
/// Not inlined, since it slows down the functions that choose among moves.
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

/// Returns the same, faster for moves of games: in most cases nothing aims at the king, which is quick to see.
#[inline(always)]
pub(crate) fn keeps_king_safe(board: &Board, us: Color, from: Square, to: Square, captured: Option<Square>) -> bool {
    let Some(king) = board.pieces(us, Role::King).first() else {
        return true;
    };
    let king = if king == from { to } else { king };
    !aimed_at(board, !us, king) || leaves_king_safe(board, us, from, to, captured)
}

/// Returns the squares where removing a piece may change which pieces attack the king of `color`: those of the king and the pieces
/// that attack it, and the lines from it to sliders.
pub(crate) fn exposing(board: &Board, color: Color) -> Bitboard {
    let kings = board.pieces(color, Role::King);
    let Some(king) = kings.first() else {
        return Bitboard::EMPTY;
    };
    let them = *board.colors.get(!color);
    let lines = (sliders_aiming_at(board, king) & them)
        .into_iter()
        .fold(Bitboard::EMPTY, |lines, slider| {
            lines | between(king, slider) | Bitboard::from(slider)
        });
    lines | kings | (leapers_to(board, king) & them)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacked::attacks_to;
    use crate::chess::make_move::remove_pieces;

    #[test]
    fn other_pieces_than_those_that_expose_a_king_change_no_attack_on_it() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut exposed, mut count) = (0, 0);
        for _ in 0..2000 {
            let mut board = shakmaty::Board::empty();
            for piece in "KkRrQqBbNnPpRBQK".chars().cycle().take(random.usize(1..28)) {
                let piece = shakmaty::Piece::from_char(piece).expect("a letter");
                if random.u8(0..8) > 0 {
                    board.set_piece_at(Square::new(random.u32(0..64)), piece);
                }
            }
            let board = Board::from(&board);
            for color in Color::ALL {
                let attackers = |board: &Board| {
                    let king = board.pieces(color, Role::King).first();
                    king.map(|king| attacks_to(board, board.occupied(), king) & *board.colors.get(!color))
                };
                for square in board.occupied() {
                    let mut left = board;
                    remove_pieces(&mut left, square.into());
                    let changes = attackers(&left) != attackers(&board);
                    let may_change = exposing(&board, color).contains(square);
                    assert!(may_change || !changes, "{board:?} {color} {square}");
                    exposed += usize::from(changes);
                    count += usize::from(!may_change);
                }
            }
        }
        assert!(exposed > 1000 && count > 1000, "{exposed} {count}");
    }
}
