//! A form of `xray`.

use shakmaty::Bitboard;
use skewer::board::xray::xray_attacks;
use skewer::board::{Board, Direction};

/// Computes `xray` direction by direction, each from the sliders that move in it.
#[inline]
pub(crate) fn xray_by_directions(board: &Board, sets: &[Bitboard]) -> Bitboard {
    let sliders = |set: Bitboard| set & (board.orthogonal_sliders() | board.diagonal_sliders());
    match sets {
        [] => Bitboard::EMPTY,
        [only] => sliders(*only),
        [first, blockers @ .., last] => Direction::ALL.into_iter().fold(Bitboard::EMPTY, |all, direction| {
            let start = *first & board.sliders(direction);
            all | *last & xray_attacks(start, !board.occupied(), blockers, direction)
        }),
    }
}
