//! Generating legal and pseudolegal moves, piece by piece.
//!
//! Whoever asks for moves mostly needs only the first few, or those of one piece, or captures. So the moves of each piece are found only
//! when those of the one before it were not enough. Where it may arrive is one bitboard, of which [`each_move`](super::each_move) makes
//! single moves.
//!
//! Method: the classical one with bitboards. A piece that is pinned to its king may move along that line only; in check a move has to
//! take the checker or to step between; the king may not step onto an attacked square.
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

/// If pieces may arrive on at most this many squares, the pieces that can go there are found first.
const FEW: usize = 3;

/// Moves with a rule of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialMove {
    /// Castling, to one side or to either.
    Castle(Option<CastlingSide>),
    /// Taking en passant.
    EnPassant,
}

impl SpecialMove {
    /// Whether a move of some kind is one of these.
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
    /// The safety of the own king is ignored.
    pub(crate) pseudo: bool,
    /// The FEN with which the game begins says who may castle, and whether a pawn may be taken en passant at once.
    pub(crate) respects_fen: bool,
    /// Only moves of this kind.
    pub(crate) special: Option<SpecialMove>,
    /// Where they begin.
    pub(crate) from: Bitboard,
    /// Where they arrive.
    pub(crate) to: Bitboard,
    /// What they take; any move when it is not said.
    pub(crate) captured: Option<Bitboard>,
    /// What pawns become; any move when it is not said. Only single moves are looked at for this and the next.
    pub(crate) promotion: Option<ByRole<bool>>,
    /// What they give; any move when it is not said.
    pub(crate) gives: Option<CheckOrMate>,
}

impl MoveFilter {
    /// All legal moves, whatever the FEN says.
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

    /// Whether a move fits, as far as its squares and its kind say.
    fn admits(&self, arrival: &Arrival) -> bool {
        let takes = |squares: Bitboard| arrival.captured.is_some_and(|captured| squares.contains(captured));
        self.from.contains(arrival.from)
            && self.to.contains(arrival.to)
            && self.captured.is_none_or(takes)
            && self.special.is_none_or(|special| special.includes(arrival.kind))
    }
}

/// Shows each piece that has moves, in the order of the squares, with the squares where it may arrive. Ends when `found` says that it has
/// enough. Moves to the squares of `arrivals` have led to the position.
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

/// The same for the moves of a variant with rules of its own, where nothing is pseudolegal that is not legal.
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
    /// Where it arrives by a move of no special kind.
    pub(super) steps: Bitboard,
    /// Where the king arrives by castling to its own side and to that of the queen.
    pub(super) castles: [Bitboard; 2],
    /// Where a pawn takes en passant.
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

    /// Where it may arrive.
    #[inline(always)]
    pub(super) fn targets(&self) -> Bitboard {
        let [king_side, queen_side] = self.castles;
        self.steps | king_side | queen_side | self.en_passant
    }
}

/// What is known of a position before the first move.
pub(super) struct MoveGenerator<'g> {
    pub(super) game: &'g Game,
    pub(super) at: &'g Position,
    pub(super) filter: &'g MoveFilter,
    arrivals: &'g dyn Fn() -> Bitboard,
    /// The king that has to be safe.
    king: Option<Square>,
    legality: OnceCell<Legality>,
    /// The pawn that may be taken en passant.
    pub(super) en_passant: Option<EnPassantCapture>,
    /// Where it is taken, if such moves are wanted.
    en_passant_target: Bitboard,
    /// Where moves of no special kind may arrive.
    targets: Bitboard,
    /// Moves that may give check, if others are left out.
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

    /// Leaves out moves that cannot give check; whether there may be others. Where it is check already, any move may.
    pub(super) fn expect_checks(&mut self) -> bool {
        let (board, us) = (&self.at.board, self.at.turn);
        let Some(king) = board.pieces(!us, Role::King).first() else {
            return false;
        };
        self.checks = Checks::on(board, us, king);
        true
    }

    /// What decides whether moves are legal.
    #[inline]
    fn legality(&self) -> &Legality {
        self.legality.get_or_init(|| Legality::of(&self.at.board, self.at.turn))
    }

    /// The pieces that have moves, and perhaps more.
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

    /// Shows the moves of each piece that has some, in the order of the squares, until there is enough.
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

    /// Where a piece may arrive by moves of no special kind, whatever becomes of its king.
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

    /// The moves of the king.
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

    /// The moves of another piece.
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
            // Someone may stand on the square that was passed over, as only a FEN can have it.
            moves.steps &= !Bitboard::from(capture.to);
            moves.en_passant = self.en_passant_target;
        }
        moves
    }

    /// Whether castling to a side is wanted, and king and rook have their way free.
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

    /// Where the king arrives by castling to a side.
    fn castling(&self, side: CastlingSide) -> Bitboard {
        let is_denied = || self.filter.respects_fen && is_castling_denied(self.game, self.at.turn, side);
        if !self.may_castle(side) || is_denied() || self.legality().checkers.any() {
            return Bitboard::EMPTY;
        }
        castle(self.game, self.at, side, self.arrivals)
    }
}
