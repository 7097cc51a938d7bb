//! How pieces move, whatever becomes of their king: steps, promotions, castling, taking en passant.

use shakmaty::{CastlingSide, attacks};

use crate::board::{Bitboard, Board, Color, Rank, Role, Square};
use crate::chess::{Arrival, Position, Start, en_passant_square, leaves_king_safe, passing_victim};
use crate::game::Game;

/// What a pawn may become, the strongest first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A pawn that may be taken in passing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnPassantCapture {
    /// Where the taking pawn arrives.
    pub(crate) to: Square,
    /// Where the taken pawn stands.
    pub(crate) captured: Square,
    /// The pawns that may take.
    pub(crate) pseudolegal: Bitboard,
    /// Those of them that leave their king safe.
    pub(crate) legal: Bitboard,
}

impl EnPassantCapture {
    /// The pawns that may take, also those that leave their king in check if that does not matter.
    pub(crate) fn takers(&self, pseudo: bool) -> Bitboard {
        if pseudo { self.pseudolegal } else { self.legal }
    }
}

/// Where a piece may go without regard to his king, castling and taking in passing left out.
pub(crate) fn reached(board: &Board, us: Color, from: Square) -> Bitboard {
    board
        .piece_at(from)
        .map_or(Bitboard::EMPTY, |piece| reached_by(board, us, piece.role, from))
}

/// The same for a piece that is known.
#[inline]
pub(crate) fn reached_by(board: &Board, us: Color, role: Role, from: Square) -> Bitboard {
    if role == Role::Pawn {
        let takes = attacks::pawn_attacks(us, from) & *board.colors.get(!us);
        return takes | pushes(us, from, board.occupied());
    }
    attacks::attacks(from, role.of(us), board.occupied()) & !*board.colors.get(us)
}

/// Shows a pawn's move, once for each piece that it may become if it promotes.
pub(crate) fn each_promotion(us: Color, plain: Arrival, found: &mut dyn FnMut(Arrival)) {
    if plain.to.rank() != us.fold_wb(Rank::Eighth, Rank::First) {
        return found(plain);
    }
    for role in PROMOTIONS {
        found(Arrival {
            promotion: Some(role),
            ..plain
        });
    }
}

/// The squares straight ahead of a pawn that it may go to.
fn pushes(us: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let ahead = |squares: Bitboard| us.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8)) & !occupied;
    let single = ahead(from.into());
    let double = if from.rank() == us.fold_wb(Rank::Second, Rank::Seventh) {
        ahead(single)
    } else {
        Bitboard::EMPTY
    };
    single | double
}

/// The pawn that has just made a double step, if some pawn stands beside it.
pub(crate) fn just_passing(at: &Position) -> Option<EnPassantCapture> {
    passing_over(at, en_passant_square(at, None)?, at.arrival.to)
}

/// The same, also in the position with which the game begins if its FEN says so.
pub(crate) fn passing(game: &Game, at: &Position) -> Option<EnPassantCapture> {
    let at_start = game.en_passant_at_start();
    let to = en_passant_square(at, at_start)?;
    passing_over(at, to, passing_victim(at, at_start, to)?)
}

/// The pawn on the square `captured`, which has passed over another square, if some pawn may take it there.
fn passing_over(at: &Position, to: Square, captured: Square) -> Option<EnPassantCapture> {
    let board = &at.board;
    let us = at.turn;
    let pseudolegal = attacks::pawn_attacks(!us, to) & board.pieces(us, Role::Pawn);
    let legal = pseudolegal
        .into_iter()
        .filter(|from| leaves_king_safe(board, us, *from, to, Some(captured)))
        .collect();
    pseudolegal.any().then_some(EnPassantCapture {
        to,
        captured,
        pseudolegal,
        legal,
    })
}

/// Whether the FEN with which a game begins does not let a side castle to a side.
pub(crate) fn is_castling_denied(game: &Game, us: Color, side: CastlingSide) -> bool {
    let rook = game.castlers(us, side).rook;
    let start = game.start.as_ref();
    start.is_some_and(|start| !start.rights.0.contains(rook))
}

/// Where the king arrives by castling to a side, if it may: king and rook where they castle from and no earlier arrival there,
/// nothing in their way, no attack on the king's. What a FEN says of the right does not count, except in Chess960.
pub(crate) fn castle(game: &Game, at: &Position, side: CastlingSide, arrivals: &impl Fn() -> Bitboard) -> Bitboard {
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

/// Where a pawn of `us` may stand that can step to the square `to`, or none if the way is not free.
#[inline(always)]
pub(crate) fn pushers(board: &Board, us: Color, to: Square) -> Bitboard {
    let empty = !board.occupied();
    let target = Bitboard::from(to) & empty;
    // Without a branch on the rank, which nobody can foretell.
    let (back, landing) = us.fold_wb((-8, Rank::Fourth), (8, Rank::Fifth));
    let passed = (target & landing).shift(back) & empty;
    target.shift(back) | passed.shift(back)
}
