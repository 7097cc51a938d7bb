//! Capturing en passant: the square passed by a pawn's double step, and the captured pawn.

use shakmaty::{Color, Rank, Role, Square, attacks};

use super::position::{Arrival, MoveKind, Position};
use crate::board::Board;

/// Returns the square that a pawn's double step has just passed. In the initial position, returns `passed`, the field of the FEN.
#[inline]
pub fn en_passant_square(position: &Position, passed: Option<Square>) -> Option<Square> {
    let Arrival { kind, from, to, .. } = position.arrival;
    match kind {
        MoveKind::Normal if position.board.roles.pawn.contains(to) => {
            let double_step = from.file() == to.file() && from.rank().to_u32().abs_diff(to.rank().to_u32()) == 2;
            double_step.then(|| Square::from_coords(from.file(), middle(from.rank(), to.rank())))
        }
        MoveKind::None => passed,
        _ => None,
    }
}

/// Returns the pawn that a pawn moving to the empty square `to` captures en passant.
pub(crate) fn en_passant_victim(position: &Position, passed: Option<Square>, to: Square) -> Option<Square> {
    en_passant_square(position, passed).filter(|passed| *passed == to)?;
    victim(&position.board, position.turn, to)
}

/// Returns whether a pawn of a side could capture the pawn that has passed a square, ignoring the safety of its king.
pub(crate) fn is_takeable_en_passant(board: &Board, us: Color, passed: Square) -> bool {
    let takers = attacks::pawn_attacks(!us, passed) & board.pieces(us, Role::Pawn);
    takers.any() && victim(board, us, passed).is_some()
}

/// Returns the pawn behind a square to which a side captures en passant.
fn victim(board: &Board, us: Color, to: Square) -> Option<Square> {
    let (arrival, behind) = us.fold_wb((Rank::Sixth, Rank::Fifth), (Rank::Third, Rank::Fourth));
    let victim = Square::from_coords(to.file(), behind);
    (to.rank() == arrival && board.pieces(!us, Role::Pawn).contains(victim)).then_some(victim)
}

/// Returns the rank halfway between two others.
fn middle(a: Rank, b: Rank) -> Rank {
    Rank::new((a.to_u32() + b.to_u32()) / 2)
}
