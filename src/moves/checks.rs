//! Moves that give check or mate: which moves need not be tried for it.

use shakmaty::{ByRole, attacks};

use super::legality::checkers_and_blockers;
use super::pseudolegal::{last_rank, pushers};
use crate::board::sliders::{bishop_attacks, rook_attacks};
use crate::board::{Bitboard, Board, Color, File, Rank, Role, Square};
use crate::chess::home_rank;

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
        let own = *board.colors.get(us);
        let (checkers, discovering) = checkers_and_blockers(board, king, own, own);
        if checkers.any() {
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
            direct: direct.map(|squares| squares & !own),
            discovering,
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
        let targets = self.direct.pawn & !Bitboard::from(last_rank(us));
        let takers = targets.into_iter().map(|to| attacks::pawn_attacks(!us, to));
        let pawns = takers.fold(near | pushers(board, us, targets), |pawns, takers| pawns | takers);
        (!board.roles.pawn & !board.roles.king) | pawns | self.discovering
    }
}
