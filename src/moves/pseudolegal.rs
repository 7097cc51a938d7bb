//! How pieces move, ignoring the safety of their king: steps, promotions, castling, captures en passant.

use shakmaty::{CastlingSide, attacks};

use crate::board::{Bitboard, Board, Color, Rank, Role, Square};
use crate::chess::{Position, Start, en_passant_square, en_passant_victim, leaves_king_safe};
use crate::game::Game;

/// The pieces that a pawn may become, the strongest first.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Returns the rank where pawns of a side promote.
pub(super) fn last_rank(us: Color) -> Rank {
    us.fold_wb(Rank::Eighth, Rank::First)
}

/// A pawn that may be captured en passant.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnPassantCapture {
    /// Where the capturing pawn arrives.
    pub(super) to: Square,
    /// The square of the captured pawn.
    pub(super) captured: Square,
    /// The pawns that may capture it.
    pub(super) pseudolegal: Bitboard,
    /// Those that leave their king safe.
    pub(super) legal: Bitboard,
}

impl EnPassantCapture {
    /// Returns the pawns that may capture. With `pseudo`, includes those that leave their king in check.
    pub(super) fn takers(&self, pseudo: bool) -> Bitboard {
        if pseudo { self.pseudolegal } else { self.legal }
    }
}

/// Returns the squares that a piece can reach, ignoring its king's safety, castling and captures en passant.
#[inline]
pub(super) fn reached_by(board: &Board, us: Color, role: Role, from: Square) -> Bitboard {
    if role == Role::Pawn {
        let takes = attacks::pawn_attacks(us, from) & *board.colors.get(!us);
        return takes | pushes(us, from, board.occupied());
    }
    attacks::attacks(from, role.of(us), board.occupied()) & !*board.colors.get(us)
}

/// Returns the squares one rank ahead. Shifts by a constant are faster than [`Bitboard::shift`].
#[inline(always)]
pub(super) fn ahead(us: Color, squares: Bitboard) -> Bitboard {
    us.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8))
}

/// Returns the squares straight ahead to which a pawn can move.
fn pushes(us: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let single = ahead(us, from.into()) & !occupied;
    let double = if from.rank() == us.fold_wb(Rank::Second, Rank::Seventh) {
        ahead(us, single) & !occupied
    } else {
        Bitboard::EMPTY
    };
    single | double
}

/// Returns the pawn that may be captured en passant, if there is a pawn next to it that could. A FEN may allow this in the initial
/// position: then `at_start` is the square behind the pawn.
pub(super) fn en_passant(at: &Position, at_start: Option<Square>) -> Option<EnPassantCapture> {
    let to = en_passant_square(at, at_start)?;
    let captured = en_passant_victim(at, at_start, to)?;
    let (board, us) = (&at.board, at.turn);
    let pseudolegal = attacks::pawn_attacks(!us, to) & board.pieces(us, Role::Pawn);
    let is_legal = |from: &Square| leaves_king_safe(board, us, *from, to, Some(captured));
    pseudolegal.any().then(|| EnPassantCapture {
        to,
        captured,
        pseudolegal,
        legal: pseudolegal.into_iter().filter(is_legal).collect(),
    })
}

/// Returns whether the FEN with which a game begins denies a side castling to a side.
pub(super) fn is_castling_denied(game: &Game, us: Color, side: CastlingSide) -> bool {
    let rook = game.castlers(us, side).rook;
    let start = game.start.as_ref();
    start.is_some_and(|start| !start.rights.0.contains(rook))
}

/// Returns the square where the king arrives by castling to a side, if it may: king and rook are on their castling squares, on which no
/// move arrived before, nothing is in their way, and the king's way is not attacked. The rights of a FEN do not count, except in Chess960.
pub(super) fn castle(game: &Game, at: &Position, side: CastlingSide, arrivals: &dyn Fn() -> Bitboard) -> Bitboard {
    let us = at.turn;
    let pieces = game.castlers(us, side);
    let Some(to) = pieces.can_castle(&at.board, us, side) else {
        return Bitboard::EMPTY;
    };
    let in_chess960 = game.start.as_ref().is_some_and(Start::is_chess960);
    let arrivals = arrivals();
    if (in_chess960 && is_castling_denied(game, us, side))
        || arrivals.contains(pieces.king)
        || arrivals.contains(pieces.rook)
    {
        return Bitboard::EMPTY;
    }
    to.into()
}

/// Returns the squares from which a pawn of `us` could step to a square of `to` with a free way.
#[inline(always)]
pub(super) fn pushers(board: &Board, us: Color, to: Bitboard) -> Bitboard {
    let empty = !board.occupied();
    let back = |squares| ahead(!us, squares);
    let targets = to & empty;
    // Without a branch on the rank, since it cannot be predicted.
    let passed = back(targets & Bitboard::from(us.fold_wb(Rank::Fourth, Rank::Fifth))) & empty;
    back(targets | passed)
}
