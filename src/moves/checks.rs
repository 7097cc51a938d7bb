//! Moves that give check or mate: which moves need not be tried for that.

use shakmaty::{ByRole, attacks};

use super::legality::checkers_and_blockers;
use super::pseudolegal::{last_rank, pushers};
use crate::board::sliders::{bishop_attacks, rook_attacks};
use crate::board::{Bitboard, Board, Color, File, Rank, Role, Square};
use crate::chess::home_rank;

/// The effect of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckOrMate {
    /// Check.
    Check,
    /// Mate.
    Mate,
}

/// Moves that may give check: those to a square from which the piece attacks the king, and those of a piece that leaves the line of
/// another one behind it. Castling and capturing en passant may give check, too.
pub(super) struct Checks {
    /// By role: the squares from which a piece attacks the king, or on which a pawn promotes.
    direct: ByRole<Bitboard>,
    /// The pieces that are the only ones between the king and a slider of their side.
    discovering: Bitboard,
    /// Whether castling may give check: the rook arrives on the d- or f-file, and everything else stays on the first rank of its side.
    pub(super) by_castling: bool,
}

impl Checks {
    /// Returns the moves of one side that may give check to the other side's king; `None` if that king is in check already.
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

    /// Returns the squares where a piece may arrive to give check.
    #[inline]
    pub(super) fn targets(&self, role: Role, from: Square) -> Bitboard {
        if self.discovering.contains(from) {
            Bitboard::FULL
        } else {
            *self.direct.get(role)
        }
    }

    /// Returns the pieces that may give check. Most pawns are too far away.
    pub(super) fn origins(&self, board: &Board, us: Color) -> Bitboard {
        let near = Bitboard::from(us.fold_wb(Rank::Seventh, Rank::Second));
        let targets = self.direct.pawn & !Bitboard::from(last_rank(us));
        let takers = targets.into_iter().map(|to| attacks::pawn_attacks(!us, to));
        let pawns = takers.fold(near | pushers(board, us, targets), |pawns, takers| pawns | takers);
        (!board.roles.pawn & !board.roles.king) | pawns | self.discovering
    }
}
