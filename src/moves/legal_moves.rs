//! All legal and pseudolegal moves of a position (chapters 6 and 12), by origin: where each piece may go.
//!
//! Method: the classical one with bitboards. A piece that is pinned to its king may move along that line only; in check a move has to take the checker or to step between; the king may not step onto an attacked square.

use shakmaty::CastlingSide;

use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{EnPassantCapture, castle, just_passing, reached};
use crate::board::{Bitboard, Role, Square};
use crate::chess::{Arrival, MoveKind, Position};
use crate::game::Game;

/// Moves with a rule of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialMove {
    /// Castling, to one side or to either.
    Castle(Option<CastlingSide>),
    /// Taking in passing.
    EnPassant,
}

/// The moves of the side to move.
#[derive(Clone, Debug)]
pub(crate) struct LegalMoves {
    /// The pieces that move.
    pieces: Bitboard,
    legal: [Bitboard; 64],
    pseudolegal: [Bitboard; 64],
    king: Option<Square>,
    /// Where the king arrives by castling to the king's and to the queen's side.
    castles: [Bitboard; 2],
    passing: Option<EnPassantCapture>,
}

impl Default for LegalMoves {
    fn default() -> LegalMoves {
        LegalMoves {
            pieces: Bitboard::EMPTY,
            legal: [Bitboard::EMPTY; 64],
            pseudolegal: [Bitboard::EMPTY; 64],
            king: None,
            castles: [Bitboard::EMPTY; 2],
            passing: None,
        }
    }
}

impl LegalMoves {
    /// Finds all moves of a position of a game.
    pub(crate) fn fill(&mut self, game: &Game, at: &Position) {
        self.fill_after(game, at, || game.arrivals(at));
    }

    /// Finds all moves of a position, which moves to the squares of `arrivals` have led to.
    pub(crate) fn fill_after(&mut self, game: &Game, at: &Position, arrivals: impl Fn() -> Bitboard) {
        if let Some(moves) = game.moves_by_variant(at) {
            return self.fill_with(moves, at);
        }
        let board = &at.board;
        let us = at.turn;
        let own = *board.colors.get(us);
        let enemy_king = board.pieces(!us, Role::King);
        let legality = Legality::of(board, us);
        self.pieces = own;
        self.king = legality.king;
        for from in own {
            let reached = reached(board, us, from);
            let legal = if legality.king == Some(from) {
                safe_for_king(board, us, from, reached)
            } else {
                reached & legality.allow(from)
            };
            self.pseudolegal[from.to_usize()] = reached;
            self.legal[from.to_usize()] = legal & !enemy_king;
        }
        self.pass(just_passing(at));
        self.castles = [Bitboard::EMPTY; 2];
        if let Some(king) = legality.king
            && legality.checkers.is_empty()
        {
            self.castles = CastlingSide::ALL.map(|side| castle(game, at, side, &arrivals));
            for to in self.castles {
                self.legal[king.to_usize()] |= to;
                self.pseudolegal[king.to_usize()] |= to;
            }
        }
    }

    /// Adds the pawn that may be taken in passing, if there is one.
    fn pass(&mut self, passing: Option<EnPassantCapture>) {
        self.passing = passing;
        let Some(passing) = passing else { return };
        for from in passing.pseudolegal {
            self.pseudolegal[from.to_usize()].add(passing.to);
        }
        for from in passing.legal {
            self.legal[from.to_usize()].add(passing.to);
        }
    }

    /// Takes the moves of a variant with rules of its own, where nothing is pseudolegal that is not legal.
    fn fill_with(&mut self, moves: impl Iterator<Item = Arrival>, at: &Position) {
        *self = LegalMoves {
            king: at.board.pieces(at.turn, Role::King).first(),
            ..LegalMoves::default()
        };
        for step in moves {
            self.pieces.add(step.from);
            self.legal[step.from.to_usize()].add(step.to);
            match (step.kind, step.captured) {
                (MoveKind::Castle(side), _) => self.castles[usize::from(!side.is_king_side())].add(step.to),
                (MoveKind::EnPassant, Some(captured)) => {
                    let others = self.passing.map_or(Bitboard::EMPTY, |passing| passing.legal);
                    let takers = others | Bitboard::from(step.from);
                    self.passing = Some(EnPassantCapture {
                        to: step.to,
                        captured,
                        pseudolegal: takers,
                        legal: takers,
                    });
                }
                _ => {}
            }
        }
        self.pseudolegal = self.legal;
    }

    /// The origins among `origins` with the squares where their pieces may arrive, only by a special move if one is named.
    pub(crate) fn of(
        &self,
        pseudo: bool,
        origins: Bitboard,
        special: Option<SpecialMove>,
    ) -> impl Iterator<Item = (Square, Bitboard)> + '_ {
        (self.pieces & origins).into_iter().map(move |from| {
            let arrivals = match special {
                None if pseudo => self.pseudolegal[from.to_usize()],
                None => self.legal[from.to_usize()],
                Some(SpecialMove::Castle(side)) => self.castling(from, side),
                Some(SpecialMove::EnPassant) => self.taking_in_passing(pseudo, from),
            };
            (from, arrivals)
        })
    }

    fn castling(&self, from: Square, side: Option<CastlingSide>) -> Bitboard {
        if self.king != Some(from) {
            return Bitboard::EMPTY;
        }
        let [king_side, queen_side] = self.castles;
        match side {
            Some(CastlingSide::KingSide) => king_side,
            Some(CastlingSide::QueenSide) => queen_side,
            None => king_side | queen_side,
        }
    }

    fn taking_in_passing(&self, pseudo: bool, from: Square) -> Bitboard {
        match self.passing {
            Some(passing) if passing.takers(pseudo).contains(from) => passing.to.into(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The square of the pawn that may be taken in passing.
    pub(crate) fn captured_in_passing(&self) -> Option<Square> {
        self.passing.map(|passing| passing.captured)
    }
}
