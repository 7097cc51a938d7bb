//! Context-free conditions: at an imagined position, they depend only on the position, the moves that led to it and the rules of chess.
//! They have no effects and cannot end the run.
//!
//! They are evaluated by `eval::interpreter::imagine::context_free`. A condition that is listed here needs an arm there.

use crate::query::ast::moves::Lookahead;
use crate::query::ast::node::{Flow, Node};
use crate::query::ast::{CondExpr, NumExpr, SetExpr};

/// Returns whether a condition is context-free.
pub(crate) fn is_context_free(asked: &Node<CondExpr>) -> bool {
    match &asked.kind {
        CondExpr::Constant(_)
        | CondExpr::Check
        | CondExpr::Mate
        | CondExpr::Stalemate
        | CondExpr::LegalPosition
        | CondExpr::ToMove(_)
        | CondExpr::Castled(_)
        | CondExpr::EnPassant
        | CondExpr::NullMove
        | CondExpr::Placement(_) => true,
        CondExpr::Not(filter) => is_context_free(filter),
        CondExpr::And(left, right) | CondExpr::Or(left, right) => is_context_free(left) && is_context_free(right),
        CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => is_context_free(value),
        CondExpr::Flow(Flow::Block { tests, value }) => {
            tests.iter().all(|test| is_context_free(test)) && is_context_free(value)
        }
        CondExpr::Flow(Flow::If { test, yes, no }) => {
            is_context_free(test) && is_context_free(yes) && is_context_free(no)
        }
        CondExpr::NonEmpty(set) => match &set.kind {
            SetExpr::Legal(legal) => [&legal.left, &legal.right]
                .into_iter()
                .flatten()
                .all(|set| is_context_free_set(set)),
            SetExpr::Lookahead(moves) => is_context_free_lookahead(moves),
            _ => is_context_free_set(set),
        },
        CondExpr::HasNumber(number) => match &number.kind {
            NumExpr::Compare(_, left, right) => {
                left.kind.counted_of_all_legal().is_some() && matches!(right.kind, NumExpr::Literal(_))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether a lookahead only tests that moves exist, or that one gives check or mate, and is context-free.
fn is_context_free_lookahead(moves: &Lookahead) -> bool {
    let sides = [&moves.from, &moves.to, &moves.captured];
    moves.promotion.is_none()
        && (moves.target.is_none() || moves.gives_only().is_some())
        && sides.into_iter().flatten().all(|set| is_context_free_set(set))
}

fn is_context_free_set(set: &Node<SetExpr>) -> bool {
    match &set.kind {
        SetExpr::Designator(_) | SetExpr::Constant(_) | SetExpr::From | SetExpr::To => true,
        SetExpr::Complement(set) | SetExpr::Flow(Flow::Group(set)) => is_context_free_set(set),
        SetExpr::Intersection(left, right) | SetExpr::Union(left, right) => {
            is_context_free_set(left) && is_context_free_set(right)
        }
        SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => {
            is_context_free_set(attackers) && is_context_free_set(targets)
        }
        _ => false,
    }
}
