//! Evaluates context-free conditions in imagined positions: those decided by the position, the moves that led to it and the rules of chess.
//!
//! Most what-ifs only ask about check, mate, a move or an attack. A position imagined for them needs no context of its own, which
//! takes longer to make than such an answer. `query::facts::context_free` says which conditions qualify. For those, `holds` gives the same answer as
//! their evaluation.

use crate::board::Bitboard;
use crate::board::attacked::{attacked_among, attackers_among};
use crate::board::legality::could_stand;
use crate::chess::{MoveKind, Position, in_check};
use crate::game::Game;
use crate::moves::{MoveFilter, each_move, is_mate, is_stalemate};
use crate::query::{CondExpr, Flow, LegalDash, Lookahead, Node, NumExpr, Set, SetExpr};

use crate::eval::context::branch::{self, Branch};
use crate::eval::interpreter::moves;
use crate::eval::interpreter::values::conditions::placed;
use crate::eval::interpreter::values::sets::designated;
use crate::eval::state::sides::Narrowed;

/// Where an imagined position belongs.
pub(crate) struct PositionView<'s> {
    pub(crate) game: &'s Game,
    /// The branch of the position.
    pub(crate) branch: &'s Branch<'s>,
    /// The squares of `from` and `to`, if they are narrowed.
    pub(crate) narrowed: Option<Narrowed>,
}

impl PositionView<'_> {
    /// Returns whether a context-free condition holds in a position of chess.
    pub(crate) fn holds(&self, asked: &Node<CondExpr>, at: &Position) -> bool {
        let game = self.game;
        match &asked.kind {
            CondExpr::Constant(holds) => *holds,
            CondExpr::Check => in_check(&at.board, at.turn),
            CondExpr::Mate => is_mate(game, at),
            CondExpr::Stalemate => is_stalemate(game, at),
            CondExpr::LegalPosition => could_stand(&at.board, at.turn),
            CondExpr::ToMove(color) => at.turn == *color,
            CondExpr::Castled(asked) => {
                matches!(at.arrival.kind, MoveKind::Castle(side) if asked.is_none_or(|asked| asked == side))
            }
            CondExpr::EnPassant => at.arrival.kind == MoveKind::EnPassant,
            CondExpr::NullMove => at.arrival.kind == MoveKind::Null,
            CondExpr::Placement(designators) => placed(designators, &at.board),
            CondExpr::Not(filter) => !self.holds(filter, at),
            CondExpr::And(left, right) => self.holds(left, at) && self.holds(right, at),
            CondExpr::Or(left, right) => self.holds(left, at) || self.holds(right, at),
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.holds(value, at),
            CondExpr::Flow(Flow::Block { tests, value }) => {
                tests.iter().all(|test| self.holds(test, at)) && self.holds(value, at)
            }
            CondExpr::Flow(Flow::If { test, yes, no }) => {
                let branch = if self.holds(test, at) { yes } else { no };
                self.holds(branch, at)
            }
            CondExpr::NonEmpty(set) => match &set.kind {
                SetExpr::Legal(legal) => self.has_legal(legal, at),
                SetExpr::Lookahead(moves) => self.has_tried(moves, at),
                _ => self.squares(set, at).any(),
            },
            CondExpr::HasNumber(number) => match &number.kind {
                NumExpr::Compare(comparison, left, right) => {
                    let (Some(counted), NumExpr::Literal(limit)) = (left.kind.counted_of_all_legal(), &right.kind)
                    else {
                        return false;
                    };
                    moves::has_so_many(counted, (*comparison, *limit), game, Some(self.branch), at)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn squares(&self, set: &Node<SetExpr>, at: &Position) -> Bitboard {
        match &set.kind {
            SetExpr::Designator(designator) => designated(designator, &at.board),
            SetExpr::Constant(set) => *set,
            SetExpr::From => moves::origin(self.game, self.narrowed, at),
            SetExpr::To => moves::destination(self.game, self.narrowed, at),
            SetExpr::Complement(set) => !self.squares(set, at),
            SetExpr::Flow(Flow::Group(set)) => self.squares(set, at),
            SetExpr::Intersection(left, right) => self.squares(left, at) & self.squares(right, at),
            SetExpr::Union(left, right) => self.squares(left, at) | self.squares(right, at),
            SetExpr::Attackers { attackers, targets } => {
                attackers_among(&at.board, self.squares(attackers, at), self.squares(targets, at))
            }
            SetExpr::Attacked { attackers, targets } => {
                attacked_among(&at.board, self.squares(targets, at), self.squares(attackers, at))
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// Returns the squares of one side of a dash, or all squares if it is missing. They are evaluated without narrowed `from` and `to`.
    fn side(&self, set: &Option<Set>, at: &Position) -> Bitboard {
        let scene = PositionView {
            narrowed: None,
            ..*self
        };
        set.as_ref().map_or(Bitboard::FULL, |set| scene.squares(set, at))
    }

    fn has_legal(&self, legal: &LegalDash, at: &Position) -> bool {
        let sides = (self.side(&legal.left, at), self.side(&legal.right, at));
        moves::is_any_legal(legal, sides, self.game, Some(self.branch), at)
    }

    fn has_tried(&self, moves: &Lookahead, at: &Position) -> bool {
        let filter = MoveFilter {
            pseudo: moves.pseudo,
            respects_fen: true,
            special: moves.special,
            from: self.side(&moves.from, at),
            to: self.side(&moves.to, at),
            captured: moves.captured.as_ref().map(|_| self.side(&moves.captured, at)),
            promotion: None,
            gives: moves.gives_only(),
        };
        let arrivals = || branch::arrivals(Some(self.branch), self.game, at);
        let mut any = false;
        each_move(self.game, at, &filter, &arrivals, &mut |_, _| {
            any = true;
            true
        });
        any
    }
}
