//! What of the target of `legal --(T)` can be decided while moves are generated.

use crate::moves::Sought;
use crate::query::ast::{Cond, CondExpr, Flow, Tried};
use crate::query::facts::context_free::is_bare;
use crate::query::shortcuts::Shortcuts;

/// Notes what the target asks for, which has its final form.
pub(crate) fn note_target(moves: &mut Tried, shortcuts: Shortcuts) {
    let target = moves.target.as_ref();
    moves.is_bare = shortcuts.contains(Shortcuts::CONTEXT_FREE) && target.is_some_and(|target| is_bare(target));
    let is_of_any_kind = !moves.pseudo && moves.special.is_none();
    let may_be_sought = shortcuts.contains(Shortcuts::CHECKS) && moves.is_bare && is_of_any_kind;
    let required = target.filter(|_| may_be_sought);
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
