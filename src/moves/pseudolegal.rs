//! How pieces move, whatever becomes of their king: steps, promotions, castling, taking en passant.

use shakmaty::{CastlingSide, attacks};

use crate::board::{Bitboard, Board, Color, Rank, Role, Square};
use crate::chess::{Position, Start, en_passant_square, en_passant_victim, leaves_king_safe};
use crate::game::Game;

/// What a pawn may become, the strongest first.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The rank where pawns of a side promote.
pub(super) fn last_rank(us: Color) -> Rank {
    us.fold_wb(Rank::Eighth, Rank::First)
}

/// A pawn that may be taken en passant.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnPassantCapture {
    /// Where the taking pawn arrives.
    pub(super) to: Square,
    /// Where the taken pawn stands.
    pub(super) captured: Square,
    /// The pawns that may take.
    pub(super) pseudolegal: Bitboard,
    /// Those of them that leave their king safe.
    pub(super) legal: Bitboard,
}

impl EnPassantCapture {
    /// The pawns that may take, also those that leave their king in check if that does not matter.
    pub(super) fn takers(&self, pseudo: bool) -> Bitboard {
        if pseudo { self.pseudolegal } else { self.legal }
    }
}

/// Where a piece may go without regard to its king, castling and taking en passant left out.
#[inline]
pub(super) fn reached_by(board: &Board, us: Color, role: Role, from: Square) -> Bitboard {
    if role == Role::Pawn {
        let takes = attacks::pawn_attacks(us, from) & *board.colors.get(!us);
        return takes | pushes(us, from, board.occupied());
    }
    attacks::attacks(from, role.of(us), board.occupied()) & !*board.colors.get(us)
}

/// The squares one rank ahead. Shifts by a constant are quicker than [`Bitboard::shift`].
#[inline(always)]
pub(super) fn ahead(us: Color, squares: Bitboard) -> Bitboard {
    us.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8))
}

/// The squares straight ahead of a pawn that it may go to.
fn pushes(us: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let single = ahead(us, from.into()) & !occupied;
    let double = if from.rank() == us.fold_wb(Rank::Second, Rank::Seventh) {
        ahead(us, single) & !occupied
    } else {
        Bitboard::EMPTY
    };
    single | double
}

/// The pawn that may be taken en passant, if some pawn stands beside it. A FEN may say so of the initial position: then `at_start` is the
/// square behind the pawn.
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

/// Whether the FEN with which a game begins does not let a side castle to a side.
pub(super) fn is_castling_denied(game: &Game, us: Color, side: CastlingSide) -> bool {
    let rook = game.castlers(us, side).rook;
    let start = game.start.as_ref();
    start.is_some_and(|start| !start.rights.0.contains(rook))
}

/// Where the king arrives by castling to a side, if it may: king and rook where they castle from and no earlier arrival there,
/// nothing in their way, no attack on the king's. What a FEN says of the right does not count, except in Chess960.
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

/// Where pawns of `us` may stand that can step to one of some squares, as far as the way is free.
#[inline(always)]
pub(super) fn pushers(board: &Board, us: Color, to: Bitboard) -> Bitboard {
    let empty = !board.occupied();
    let back = |squares| ahead(!us, squares);
    let targets = to & empty;
    // Without a branch on the rank, which nobody can foretell.
    let passed = back(targets & Bitboard::from(us.fold_wb(Rank::Fourth, Rank::Fifth))) & empty;
    back(targets | passed)
}
