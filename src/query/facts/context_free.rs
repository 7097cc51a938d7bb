//! Conditions that need no context in an imagined position: the position, the way to it and the rules decide them alone. They have no effect
//! and cannot end the run.
//!
//! `eval::interpreter::imagine::context_free` has their answers: a condition that is named here gets one there.

use crate::query::ast::moves::Tried;
use crate::query::ast::node::{Flow, Node};
use crate::query::ast::{CondExpr, NumExpr, SetExpr};

/// Whether a condition needs no context.
pub(crate) fn is_bare(asked: &Node<CondExpr>) -> bool {
    match &asked.kind {
        CondExpr::Constant(_)
        | CondExpr::Check
        | CondExpr::Mate
        | CondExpr::Stalemate
        | CondExpr::LegalPosition
        | CondExpr::ToMove(_)
        | CondExpr::Castled(_)
        | CondExpr::EnPassant
        | CondExpr::NullMove => true,
        CondExpr::Not(filter) => is_bare(filter),
        CondExpr::And(left, right) | CondExpr::Or(left, right) => is_bare(left) && is_bare(right),
        CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => is_bare(value),
        CondExpr::Flow(Flow::Block { tests, value }) => tests.iter().all(|test| is_bare(test)) && is_bare(value),
        CondExpr::Flow(Flow::If { test, yes, no }) => is_bare(test) && is_bare(yes) && is_bare(no),
        CondExpr::NonEmpty(set) => match &set.kind {
            SetExpr::Legal(legal) => [&legal.left, &legal.right]
                .into_iter()
                .flatten()
                .all(|set| is_bare_set(set)),
            SetExpr::Tried(moves) => is_bare_try(moves),
            _ => is_bare_set(set),
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

/// Moves of which only is asked whether they are there, check or mate.
fn is_bare_try(moves: &Tried) -> bool {
    let sides = [&moves.from, &moves.to, &moves.captured];
    moves.promotion.is_none()
        && (moves.target.is_none() || moves.sought().is_some())
        && sides.into_iter().flatten().all(|set| is_bare_set(set))
}

fn is_bare_set(set: &Node<SetExpr>) -> bool {
    match &set.kind {
        SetExpr::Designator(_) | SetExpr::Constant(_) | SetExpr::From | SetExpr::To => true,
        SetExpr::Complement(set) | SetExpr::Flow(Flow::Group(set)) => is_bare_set(set),
        SetExpr::Intersection(left, right) | SetExpr::Union(left, right) => is_bare_set(left) && is_bare_set(right),
        SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => {
            is_bare_set(attackers) && is_bare_set(targets)
        }
        _ => false,
    }
}
