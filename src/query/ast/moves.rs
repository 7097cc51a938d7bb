//! Moves as queries name them: dashes, `move`, `legal`.

pub(crate) use crate::moves::SpecialMove;

use crate::board::Bitboard;
use crate::moves::{CheckOrMate, MoveFilter};
use crate::query::ast::node::{Cond, Set, Str};
use crate::query::ast::{CondExpr, Effect, TextItem};
use crate::syntax::token::{Designator, Span};

/// `L--R=P`, `L[x]R=P`: which moves fit.
#[derive(Clone, Debug)]
pub(crate) struct Dash {
    /// `[x]`: captures only, and R is the square of the captured piece.
    pub capture: bool,
    /// L; all squares when not written.
    pub left: Option<Set>,
    /// R; all squares when not written.
    pub right: Option<Set>,
    /// P; any move when not written.
    pub promotion: Option<Promotion>,
}

/// What a pawn may become.
#[derive(Clone, Debug)]
pub(crate) enum Promotion {
    /// Any promotion.
    Any,
    /// One of these pieces, of either colour: a transform that exchanges colours makes another filter of it, which asks the same.
    To(Designator),
    /// A string that holds the letters of the pieces; evaluated before the move.
    Letters(Str),
}

/// `legal L--R(castle)`, `pseudolegal L--R`
#[derive(Clone, Debug)]
pub(crate) struct LegalDash {
    /// The safety of the own king is ignored.
    pub pseudo: bool,
    /// L; all squares when not written.
    pub left: Option<Set>,
    /// R; all squares when not written.
    pub right: Option<Set>,
    /// The target.
    pub special: Option<SpecialMove>,
}

impl LegalDash {
    /// Returns which moves fit, with the values of L and R.
    pub(crate) fn filter(&self, from: Bitboard, to: Bitboard) -> MoveFilter {
        MoveFilter {
            pseudo: self.pseudo,
            special: self.special,
            from,
            to,
            ..MoveFilter::LEGAL
        }
    }

    /// Whether every legal move fits.
    pub(crate) fn is_every_legal_move(&self) -> bool {
        matches!(
            self,
            LegalDash {
                pseudo: false,
                left: None,
                right: None,
                special: None
            }
        )
    }
}

/// `legal L--R=P(T)`, `pseudolegal L[x]R`, `move legal from L to R : T`: each move is played, and T is asked of the position after it.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    /// The safety of the own king is ignored.
    pub pseudo: bool,
    /// Where they begin; all squares when not written.
    pub from: Option<Set>,
    /// Where they arrive; all squares when not written.
    pub to: Option<Set>,
    /// What they take; any move when not written.
    pub captured: Option<Set>,
    /// What a pawn becomes; any move when not written.
    pub promotion: Option<Promotion>,
    /// The kind of move.
    pub special: Option<SpecialMove>,
    /// T, after the move; any move when not written.
    pub target: Option<Cond>,
    /// Which squares of the moves are the value.
    pub value: MoveSquares,
    /// What evaluating T does.
    pub effect: Effect,
    /// The search stops after this many moves. Without a number all are counted.
    pub enough: Option<u32>,
    /// T is context-free. This and the next are recorded when T has its final form.
    pub is_context_free: bool,
    /// Check or mate, if T is context-free and requires it: then only moves that give check are generated. `None` for pseudolegal moves and
    /// for moves of one kind.
    pub required: Option<CheckOrMate>,
}

impl Lookahead {
    /// Returns check or mate if the target asks for nothing else.
    pub(crate) fn gives_only(&self) -> Option<CheckOrMate> {
        self.required.filter(|_| self.more().is_none())
    }

    /// Returns the target if it asks for more than check or mate.
    pub(crate) fn more(&self) -> Option<&Cond> {
        let target = self.target.as_ref();
        target.filter(|target| !matches!(target.kind, CondExpr::Check | CondExpr::Mate))
    }
}

/// How a position is imagined that is not a position of the game.
#[derive(Clone, Debug)]
pub(crate) enum Imagined {
    /// `pass (F)`: after a null move.
    Pass,
    /// `without (S F)`: without the pieces on these squares.
    Without(Set),
}

/// `move` and its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// Which moves are looked at.
    pub source: MoveSource,
    /// `from S`
    pub from: Option<Set>,
    /// `to S`
    pub to: Option<Set>,
    /// `capture S`
    pub capture: Option<Set>,
    /// `enpassantsquare S`
    pub en_passant_square: Option<Set>,
    /// `promote D`, as [`Promotion::To`]
    pub promote: Option<Designator>,
    /// `castle`, `enpassant`, `enpassantsquare` …: a move must be all of them, so no move fits two.
    pub special: Vec<SpecialMove>,
    /// `null`
    pub null: bool,
    /// `primary` (`true`), `secondary` (`false`)
    pub primary: Option<bool>,
    /// The squares that are the value, if the first parameter names some.
    pub value: Option<MoveSquares>,
    /// It stands in an item of a `line` and looks only at the move to the next position of that line.
    pub tied: bool,
    /// `comment (…)` for the position after each fitting move.
    pub comment: Option<MoveComment>,
}

/// `comment (…)` after a `move`.
#[derive(Clone, Debug)]
pub(crate) struct MoveComment {
    /// What is written.
    pub items: Vec<TextItem>,
    /// Its text.
    pub span: Span,
}

/// Which moves a `move` filter looks at.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveSource {
    /// The moves played from the current position.
    Continuations,
    /// The move that led here.
    Previous,
    Legal,
    Pseudolegal,
}

/// The squares of fitting moves that are the value of a `move` filter.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveSquares {
    From,
    To,
    Capture,
}
