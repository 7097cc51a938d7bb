//! What of the target of `legal --(T)` can be decided while moves are generated.

use crate::game::Sought;
use crate::query::ast::{Cond, CondExpr, Flow, Tried};
use crate::query::facts::context_free::is_bare;

/// Notes what the target asks for, which has its final form.
pub(crate) fn note_target(moves: &mut Tried) {
    let target = moves.target.as_ref();
    moves.is_bare = target.is_some_and(|target| is_bare(target));
    let is_of_any_kind = !moves.pseudo && moves.special.is_none();
    let required = target.filter(|_| moves.is_bare && is_of_any_kind);
    moves.required = required.and_then(required_by);
}

/// Check or mate, if a condition cannot hold without.
fn required_by(condition: &Cond) -> Option<Sought> {
    match &condition.kind {
        CondExpr::Mate => Some(Sought::Mate),
        CondExpr::Check => Some(Sought::Check),
        CondExpr::And(left, right) => required_by(left).or_else(|| required_by(right)),
        CondExpr::Flow(Flow::Group(value)) => required_by(value),
        CondExpr::Flow(Flow::Block { tests, value }) => tests.iter().chain([value]).find_map(required_by),
        _ => None,
    }
}
