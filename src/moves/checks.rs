//! Moves that give check or mate: which moves need not be tried for it.

use shakmaty::{ByRole, attacks};

use super::pseudolegal::{last_rank, pushers};
use crate::board::between::between;
use crate::board::sliders::{bishop_attacks, bishop_lines, rook_attacks, rook_lines};
use crate::board::xray::{xray_bishop_attacks, xray_rook_attacks};
use crate::board::{Bitboard, Board, Color, File, Rank, Role, Square};
use crate::chess::{home_rank, in_check};

/// What a move gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckOrMate {
    /// Check.
    Check,
    /// Mate.
    Mate,
}

/// Moves that may give check: those to a square from which the piece attacks the king, and those of a piece that leaves the line of
/// another one behind it. Castling and taking en passant may, too.
pub(super) struct Checks {
    /// By role, the squares from which a piece attacks the king, or becomes another one.
    direct: ByRole<Bitboard>,
    /// The pieces that stand alone between the king and a slider of their side.
    discovering: Bitboard,
    /// Castling may give check: the rook arrives on the d- or the f-file, and all else stays on the first rank of its side.
    pub(super) by_castling: bool,
}

impl Checks {
    /// Those of one side on the king of the other; none if that is in check already.
    pub(super) fn on(board: &Board, us: Color, king: Square) -> Option<Checks> {
        if in_check(board, !us) {
            return None;
        }
        let occupied = board.occupied();
        let straight = rook_attacks(occupied, king);
        let aslant = bishop_attacks(occupied, king);
        let direct = ByRole {
            pawn: attacks::pawn_attacks(!us, king) | Bitboard::from(last_rank(us)),
            knight: attacks::knight_attacks(king),
            bishop: aslant,
            rook: straight,
            queen: straight | aslant,
            king: Bitboard::EMPTY,
        };
        Some(Checks {
            direct: direct.map(|squares| squares & !*board.colors.get(us)),
            discovering: discovering(board, *board.colors.get(us), king),
            by_castling: king.rank() == home_rank(us) || matches!(king.file(), File::D | File::F),
        })
    }

    /// Where a move of a piece may arrive to give check.
    #[inline]
    pub(super) fn targets(&self, role: Role, from: Square) -> Bitboard {
        if self.discovering.contains(from) {
            Bitboard::FULL
        } else {
            *self.direct.get(role)
        }
    }

    /// The pieces that may give check. Most pawns are nowhere near.
    pub(super) fn origins(&self, board: &Board, us: Color) -> Bitboard {
        let near = Bitboard::from(us.fold_wb(Rank::Seventh, Rank::Second));
        let pawns = (self.direct.pawn & !Bitboard::from(last_rank(us)))
            .into_iter()
            .fold(near, |near, to| {
                near | attacks::pawn_attacks(!us, to) | pushers(board, us, to)
            });
        (!board.roles.pawn & !board.roles.king) | pawns | self.discovering
    }
}

/// The pieces of a side that stand between one of its sliders and the other king, alone on that line.
fn discovering(board: &Board, own: Bitboard, king: Square) -> Bitboard {
    let straight = own & board.orthogonal_sliders() & rook_lines(king);
    let aslant = own & board.diagonal_sliders() & bishop_lines(king);
    let mut behind = Bitboard::EMPTY;
    if straight.any() {
        behind |= straight & xray_rook_attacks(board.occupied(), own, king);
    }
    if aslant.any() {
        behind |= aslant & xray_bishop_attacks(board.occupied(), own, king);
    }
    behind
        .into_iter()
        .map(|slider| between(slider, king) & own)
        .fold(Bitboard::EMPTY, |discovering, between| discovering | between)
}
