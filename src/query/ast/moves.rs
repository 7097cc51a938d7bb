//! Moves as queries name them: dashes, `move`, `legal`.

pub(crate) use crate::moves::SpecialMove;

use crate::board::Bitboard;
use crate::moves::{CheckOrMate, MoveFilter};
use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Cond, Set, Str};
use crate::query::ast::{CondExpr, TextItem};
use crate::syntax::token::{Designator, Span};

/// `L--R=P`, `L[x]R=P`: a pattern for moves.
#[derive(Clone, Debug)]
pub(crate) struct Dash {
    /// `[x]`: only captures fit, and R is the square of the captured piece.
    pub capture: bool,
    /// L; all squares if not given.
    pub left: Option<Set>,
    /// R; all squares if not given.
    pub right: Option<Set>,
    /// P; any move if not given.
    pub promotion: Option<Promotion>,
}

/// The pieces that a pawn may become.
#[derive(Clone, Debug)]
pub(crate) enum Promotion {
    /// Any promotion.
    Any,
    /// One of these pieces, of either colour: exchanging colours makes a different filter with the same meaning.
    To(Designator),
    /// A string with the letters of the pieces, evaluated before the move.
    Letters(Str),
}

/// `legal L--R(castle)`, `pseudolegal L--R`
#[derive(Clone, Debug)]
pub(crate) struct LegalDash {
    /// Whether a move may leave its own king in check.
    pub pseudo: bool,
    /// L; all squares if not given.
    pub left: Option<Set>,
    /// R; all squares if not given.
    pub right: Option<Set>,
    /// The target.
    pub special: Option<SpecialMove>,
}

impl LegalDash {
    /// Returns the filter for moves, given the values of L and R.
    pub(crate) fn filter(&self, from: Bitboard, to: Bitboard) -> MoveFilter {
        MoveFilter {
            pseudo: self.pseudo,
            special: self.special,
            from,
            to,
            ..MoveFilter::LEGAL
        }
    }

    /// Returns whether every legal move fits.
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

/// `legal L--R=P(T)`, `pseudolegal L[x]R`, `move legal from L to R : T`: each move is played, and T is evaluated after it.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    /// Whether a move may leave its own king in check.
    pub pseudo: bool,
    /// Where the moves start; all squares if not given.
    pub from: Option<Set>,
    /// Where the moves arrive; all squares if not given.
    pub to: Option<Set>,
    /// What the moves capture; any move if not given.
    pub captured: Option<Set>,
    /// What a pawn becomes; any move if not given.
    pub promotion: Option<Promotion>,
    /// The kind of move.
    pub special: Option<SpecialMove>,
    /// T, evaluated after the move; any move if not given.
    pub target: Option<Cond>,
    /// Which squares of the moves form the value.
    pub value: MoveSquares,
    /// The effects of evaluating T.
    pub effects: Effects,
    /// The search stops after this many moves. `None` counts them all.
    pub enough: Option<u32>,
    /// Whether T is context-free. This and `required` are set when T has its final form.
    pub is_context_free: bool,
    /// Check or mate if T is context-free and requires it: then only moves that give check are generated. `None` for pseudolegal moves and
    /// for moves of one kind.
    pub required: Option<CheckOrMate>,
}

impl Lookahead {
    /// Returns check or mate if the target requires only that.
    pub(crate) fn gives_only(&self) -> Option<CheckOrMate> {
        self.required.filter(|_| self.more().is_none())
    }

    /// Returns the target if it requires more than check or mate.
    pub(crate) fn more(&self) -> Option<&Cond> {
        let target = self.target.as_ref();
        target.filter(|target| !matches!(target.kind, CondExpr::Check | CondExpr::Mate))
    }
}

/// A way to imagine a position that is not in the game.
#[derive(Clone, Debug)]
pub(crate) enum Imagined {
    /// `pass (F)`: the position after a null move.
    Pass,
    /// `without (S F)`: the position without the pieces on these squares.
    Without(Set),
}

/// `move` and its parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Move {
    /// The moves that it looks at.
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
    /// `castle`, `enpassant`, `enpassantsquare` …: a move must be of all these kinds, so no move fits two.
    pub special: Vec<SpecialMove>,
    /// `null`
    pub null: bool,
    /// `primary` (`true`), `secondary` (`false`)
    pub primary: Option<bool>,
    /// The squares that form the value, if the first parameter names some.
    pub value: Option<MoveSquares>,
    /// Whether it is in an item of a `line` and looks only at the move to the next position of that line.
    pub tied: bool,
    /// `comment (…)` for the position after each move that fits.
    pub comment: Option<MoveComment>,
}

/// `comment (…)` after a `move`.
#[derive(Clone, Debug)]
pub(crate) struct MoveComment {
    /// The written items.
    pub items: Vec<TextItem>,
    /// Its text.
    pub span: Span,
}

/// The moves that a `move` filter looks at.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum MoveSource {
    /// The moves played from the current position.
    #[default]
    Continuations,
    /// The move that led here.
    Previous,
    Legal,
    Pseudolegal,
}

/// The squares of moves that form the value of a `move` filter.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveSquares {
    From,
    To,
    Capture,
}
