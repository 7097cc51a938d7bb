//! A form of [`xray`](crate::board::lines::xray).

use shakmaty::Bitboard;

use crate::board::xray::xray_attacks;
use crate::board::{Board, Direction};

/// The value of `xray` direction by direction, each from the sliders that move in it.
///
/// ```
/// use skewer::board::{Board, Square, reference::lines::xray_by_directions};
///
/// // The rook on e1 looks at the king through the pawn.
/// let board: Board = "4k3/4p3/8/8/R1nB4/8/8/4R3".parse()?;
/// let sets = [board.colors.white, board.colors.black, board.roles.king];
/// assert_eq!(xray_by_directions(&board, &sets), Square::E8.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn xray_by_directions(board: &Board, sets: &[Bitboard]) -> Bitboard {
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
