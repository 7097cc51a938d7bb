//! Simple rules that tell whether a position could occur in a game of chess.

use super::attacked::attacks_to;
use super::pieces::Board;
use shakmaty::{Bitboard, Color, Role};

/// The number of pieces of a kind that a side has at the start. Further pieces are promoted pawns.
const AT_START: [(Role, u32); 3] = [(Role::Queen, 1), (Role::Rook, 2), (Role::Knight, 2)];

/// Returns whether a position could occur in a game, with `turn` to move, according to these rules:
/// - each side has one king;
/// - no pawn is on the first or the last rank;
/// - each side has at most eight pawns, and one less for each piece that exceeds the number at the start. A second bishop on squares of
///   one colour is one too many;
/// - the side that is not to move is not in check;
/// - at most two pieces give check.
///
/// ```text
/// . . . . . . . k
/// . . . . . . . .
/// . . . . . . K .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . R
/// White to move: no, for the king could be taken; Black to move: yes
/// ```
///
/// ```
/// use skewer::board::{Board, Color, legality::could_stand};
///
/// let board: Board = "7k/8/6K1/8/8/8/8/7R".parse()?;
/// assert!(!could_stand(&board, Color::White), "the king could be taken");
/// assert!(could_stand(&board, Color::Black));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
pub fn could_stand(board: &Board, turn: Color) -> bool {
    let kings = [Color::White, Color::Black].map(|color| board.pieces(color, Role::King));
    if kings.iter().any(|king| king.count() != 1) {
        return false;
    }
    let ends = Bitboard::from(shakmaty::Rank::First) | Bitboard::from(shakmaty::Rank::Eighth);
    if (board.roles.pawn & ends).any() {
        return false;
    }
    let is_attacked_by = |victim: Color| {
        let king = board.pieces(victim, Role::King).first();
        king.map_or(Bitboard::EMPTY, |king| {
            attacks_to(board, board.occupied(), king) & *board.colors.get(!victim)
        })
    };
    [Color::White, Color::Black]
        .into_iter()
        .all(|color| promoted_at_least(board, color) + board.pieces(color, Role::Pawn).count() as u32 <= 8)
        && is_attacked_by(!turn).is_empty()
        && is_attacked_by(turn).count() <= 2
}

/// Returns the least number of a side's pawns that must have promoted.
fn promoted_at_least(board: &Board, color: Color) -> u32 {
    let too_many = |pieces: Bitboard, at_start: u32| (pieces.count() as u32).saturating_sub(at_start);
    let bishops = board.pieces(color, Role::Bishop);
    let of_bishops = too_many(bishops & Bitboard::LIGHT_SQUARES, 1) + too_many(bishops & Bitboard::DARK_SQUARES, 1);
    let of_others = AT_START.map(|(role, at_start)| too_many(board.pieces(color, role), at_start));
    of_bishops + of_others.into_iter().sum::<u32>()
}
