//! Generates legal and pseudolegal moves, piece by piece.
//!
//! Callers usually need only the first few moves, or those of one piece, or captures. So the moves of a piece are found only
//! if those before it were not enough. The squares where it may arrive are one bitboard, which `each_move` splits into
//! single moves.
//!
//! Method: the classical one with bitboards. A piece that is pinned to its king may only move along that line. In check, a move has to
//! capture the checker or step between. The king may not step onto an attacked square.
//!
//! Source: chessprogramming wiki, "Move Generation", staged move generation.

use std::cell::OnceCell;

use shakmaty::{ByRole, CastlingSide};

use super::checks::{CheckOrMate, Checks};
use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{EnPassantCapture, castle, en_passant, is_castling_denied, last_rank, pushers, reached_by};
use crate::board::attacked::attacks_to;
use crate::board::{Bitboard, Role, Square};
use crate::chess::{Arrival, MoveKind, Position};
use crate::game::Game;

/// If pieces may arrive on at most this many squares, the pieces that can reach these are found first.
const FEW: usize = 3;

/// Moves with a rule of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialMove {
    /// Castling, to one side or to either.
    Castle(Option<CastlingSide>),
    /// Capturing en passant.
    EnPassant,
}

impl SpecialMove {
    /// Returns whether a move of this kind is such a special move.
    pub(crate) fn includes(self, kind: MoveKind) -> bool {
        match (self, kind) {
            (SpecialMove::EnPassant, MoveKind::EnPassant) => true,
            (SpecialMove::Castle(asked), MoveKind::Castle(side)) => asked.is_none_or(|asked| asked == side),
            _ => false,
        }
    }
}

/// Which moves are generated.
pub(crate) struct MoveFilter {
    /// Whether the safety of one's own king is ignored.
    pub(crate) pseudo: bool,
    /// Whether the FEN with which the game begins decides who may castle, and whether a pawn may be captured en passant at once.
    pub(crate) respects_fen: bool,
    /// Only moves of this kind.
    pub(crate) special: Option<SpecialMove>,
    /// Where they may begin.
    pub(crate) from: Bitboard,
    /// Where they may arrive.
    pub(crate) to: Bitboard,
    /// The squares on which they may capture; `None` for any move.
    pub(crate) captured: Option<Bitboard>,
    /// What pawns may become; `None` for any move. Only single moves are tested for this and the next condition.
    pub(crate) promotion: Option<ByRole<bool>>,
    /// Whether they have to give check or mate; `None` for any move.
    pub(crate) gives: Option<CheckOrMate>,
}

impl MoveFilter {
    /// All legal moves, ignoring the FEN.
    pub(crate) const LEGAL: MoveFilter = MoveFilter {
        pseudo: false,
        respects_fen: false,
        special: None,
        from: Bitboard::FULL,
        to: Bitboard::FULL,
        captured: None,
        promotion: None,
        gives: None,
    };

    /// Returns whether the squares and the kind of a move match the filter.
    fn admits(&self, arrival: &Arrival) -> bool {
        let takes = |squares: Bitboard| arrival.captured.is_some_and(|captured| squares.contains(captured));
        self.from.contains(arrival.from)
            && self.to.contains(arrival.to)
            && self.captured.is_none_or(takes)
            && self.special.is_none_or(|special| special.includes(arrival.kind))
    }
}

/// Passes each piece that has moves, in the order of the squares, to `found`, with the squares where it may arrive. Stops when `found` returns
/// `true`. On the way to the position, moves arrived on the squares of `arrivals`.
pub(crate) fn each_piece(
    game: &Game,
    at: &Position,
    filter: &MoveFilter,
    arrivals: &dyn Fn() -> Bitboard,
    found: &mut dyn FnMut(Square, Bitboard) -> bool,
) {
    if let Some(moves) = game.moves_by_variant(at) {
        return each_piece_of(moves, filter, found);
    }
    let generator = MoveGenerator::new(game, at, filter, arrivals);
    generator.each_piece(|moves| found(moves.from, moves.targets()));
}

/// Does the same for the moves of a variant with its own rules, where only legal moves are pseudolegal.
fn each_piece_of(
    moves: impl Iterator<Item = Arrival>,
    filter: &MoveFilter,
    found: &mut dyn FnMut(Square, Bitboard) -> bool,
) {
    let mut targets = [Bitboard::EMPTY; 64];
    for arrival in moves.filter(|arrival| filter.admits(arrival)) {
        targets[arrival.from.to_usize()].add(arrival.to);
    }
    let mut moves = Square::ALL.into_iter().zip(targets);
    moves.any(|(from, targets)| targets.any() && found(from, targets));
}

/// The moves of one piece.
pub(super) struct PieceMoves {
    pub(super) role: Role,
    pub(super) from: Square,
    /// Where it arrives by ordinary moves.
    pub(super) steps: Bitboard,
    /// Where the king arrives by castling kingside and queenside.
    pub(super) castles: [Bitboard; 2],
    /// Where a pawn captures en passant.
    pub(super) en_passant: Bitboard,
}

impl PieceMoves {
    #[inline(always)]
    fn none(role: Role, from: Square) -> PieceMoves {
        PieceMoves {
            role,
            from,
            steps: Bitboard::EMPTY,
            castles: [Bitboard::EMPTY; 2],
            en_passant: Bitboard::EMPTY,
        }
    }

    /// Returns all squares where it may arrive.
    #[inline(always)]
    pub(super) fn targets(&self) -> Bitboard {
        let [king_side, queen_side] = self.castles;
        self.steps | king_side | queen_side | self.en_passant
    }
}

/// The facts about a position that are computed before its first move.
pub(super) struct MoveGenerator<'g> {
    pub(super) game: &'g Game,
    pub(super) at: &'g Position,
    pub(super) filter: &'g MoveFilter,
    arrivals: &'g dyn Fn() -> Bitboard,
    /// The king that must be safe.
    king: Option<Square>,
    legality: OnceCell<Legality>,
    /// The pawn that may be captured en passant.
    pub(super) en_passant: Option<EnPassantCapture>,
    /// Where the capturing pawn arrives, if such moves are wanted.
    en_passant_target: Bitboard,
    /// Where ordinary moves may arrive.
    targets: Bitboard,
    /// The moves that may give check, if others are left out.
    checks: Option<Checks>,
}

impl<'g> MoveGenerator<'g> {
    #[inline]
    pub(super) fn new(
        game: &'g Game,
        at: &'g Position,
        filter: &'g MoveFilter,
        arrivals: &'g dyn Fn() -> Bitboard,
    ) -> MoveGenerator<'g> {
        let (board, us) = (&at.board, at.turn);
        let mut targets = filter.to & !*board.colors.get(us);
        if filter.special.is_some() {
            targets = Bitboard::EMPTY;
        }
        if !filter.pseudo {
            targets &= !board.pieces(!us, Role::King);
        }
        if let Some(captured) = filter.captured {
            targets &= captured & *board.colors.get(!us);
        }
        if filter.promotion.is_some() {
            targets &= Bitboard::from(last_rank(us));
        }
        let en_passant = en_passant(at, game.en_passant_at_start().filter(|_| filter.respects_fen));
        let wanted = en_passant.filter(|capture| {
            filter.promotion.is_none()
                && filter.special.is_none_or(|special| special == SpecialMove::EnPassant)
                && filter.captured.is_none_or(|squares| squares.contains(capture.captured))
        });
        MoveGenerator {
            game,
            at,
            filter,
            arrivals,
            king: board.pieces(us, Role::King).first(),
            legality: OnceCell::new(),
            en_passant,
            en_passant_target: wanted.map_or(Bitboard::EMPTY, |capture| filter.to & Bitboard::from(capture.to)),
            targets,
            checks: None,
        }
    }

    /// Leaves out moves that cannot give check. Returns whether there may be others. If the other king is already in check, any move may give check.
    pub(super) fn expect_checks(&mut self) -> bool {
        let (board, us) = (&self.at.board, self.at.turn);
        let Some(king) = board.pieces(!us, Role::King).first() else {
            return false;
        };
        self.checks = Checks::on(board, us, king);
        true
    }

    /// Returns the facts that decide whether moves are legal.
    #[inline]
    fn legality(&self) -> &Legality {
        self.legality.get_or_init(|| Legality::of(&self.at.board, self.at.turn))
    }

    /// Returns the pieces that have moves, and perhaps others.
    fn origins(&self) -> Bitboard {
        let (board, us) = (&self.at.board, self.at.turn);
        let mut own = *board.colors.get(us) & self.filter.from;
        if self.filter.promotion.is_some() {
            own &= board.roles.pawn;
        }
        let is_narrow = self.targets.count() <= FEW;
        if own.is_empty() || (!is_narrow && self.checks.is_none()) {
            return own;
        }
        let mut moving = match self.en_passant {
            Some(capture) if self.en_passant_target.any() => capture.pseudolegal,
            _ => Bitboard::EMPTY,
        };
        if self.checks.as_ref().is_none_or(|checks| checks.by_castling)
            && CastlingSide::ALL.into_iter().any(|side| self.may_castle(side))
        {
            moving |= board.roles.king;
        }
        let mut steps = Bitboard::FULL;
        if let Some(checks) = &self.checks {
            steps = checks.origins(board, us);
        }
        if is_narrow {
            let occupied = board.occupied();
            steps &= self.targets.into_iter().fold(Bitboard::EMPTY, |reaching, to| {
                reaching | attacks_to(board, occupied, to) | pushers(board, us, to.into())
            });
        }
        own & (moving | steps)
    }

    /// Passes the moves of each piece that has any, in the order of the squares, to `found`, until it returns `true`.
    #[inline(always)]
    pub(super) fn each_piece(&self, mut found: impl FnMut(&PieceMoves) -> bool) {
        for from in self.origins() {
            let Some(role) = self.at.board.role_at(from) else {
                continue;
            };
            let moves = if self.king == Some(from) {
                self.of_king(from)
            } else {
                self.of_piece(role, from)
            };
            if moves.targets().any() && found(&moves) {
                return;
            }
        }
    }

    /// Returns the squares where a piece may arrive by ordinary moves, ignoring the safety of its king.
    #[inline(always)]
    fn steps(&self, role: Role, from: Square) -> Bitboard {
        let mut targets = self.targets;
        if let Some(checks) = &self.checks {
            targets &= checks.targets(role, from);
        }
        if targets.is_empty() {
            return targets;
        }
        reached_by(&self.at.board, self.at.turn, role, from) & targets
    }

    /// Returns the moves of the king.
    fn of_king(&self, from: Square) -> PieceMoves {
        let mut moves = PieceMoves {
            steps: self.steps(Role::King, from),
            castles: [
                self.castling(CastlingSide::KingSide),
                self.castling(CastlingSide::QueenSide),
            ],
            ..PieceMoves::none(Role::King, from)
        };
        if !self.filter.pseudo && moves.steps.any() {
            moves.steps = safe_for_king(&self.at.board, self.at.turn, from, moves.steps).collect();
        }
        moves
    }

    /// Returns the moves of another piece.
    #[inline(always)]
    fn of_piece(&self, role: Role, from: Square) -> PieceMoves {
        let mut moves = PieceMoves {
            steps: self.steps(role, from),
            ..PieceMoves::none(role, from)
        };
        if !self.filter.pseudo && moves.steps.any() {
            moves.steps &= self.legality().allow(from);
        }
        if let Some(capture) = &self.en_passant
            && capture.takers(self.filter.pseudo).contains(from)
        {
            // Only a FEN can have a piece on the square that was passed.
            moves.steps &= !Bitboard::from(capture.to);
            moves.en_passant = self.en_passant_target;
        }
        moves
    }

    /// Returns whether castling to a side is wanted, and the way of king and rook is free.
    fn may_castle(&self, side: CastlingSide) -> bool {
        let (filter, us) = (self.filter, self.at.turn);
        if filter.captured.is_some()
            || filter.promotion.is_some()
            || filter
                .special
                .is_some_and(|special| !special.includes(MoveKind::Castle(side)))
        {
            return false;
        }
        let castlers = self.game.castlers(us, side);
        castlers.is_way_free(&self.at.board, us, side) && filter.to.contains(castlers.arrival(side))
    }

    /// Returns the square where the king arrives by castling to a side, if it may.
    fn castling(&self, side: CastlingSide) -> Bitboard {
        let is_denied = || self.filter.respects_fen && is_castling_denied(self.game, self.at.turn, side);
        if !self.may_castle(side) || is_denied() || self.legality().checkers.any() {
            return Bitboard::EMPTY;
        }
        castle(self.game, self.at, side, self.arrivals)
    }
}
