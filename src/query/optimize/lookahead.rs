//! `legal --(T)`: finds out which moves the move generator may skip because of T.

use crate::moves::CheckOrMate;
use crate::query::ast::{Cond, CondExpr, Lookahead, required};
use crate::query::facts::context_free::is_context_free;
use crate::query::shortcuts::Shortcuts;

/// Records whether the target is context-free and whether it requires check or mate. Must be called when the target has its final form.
pub(crate) fn record_requirements(moves: &mut Lookahead, shortcuts: Shortcuts) {
    let target = moves.target.as_ref();
    moves.is_context_free =
        shortcuts.contains(Shortcuts::CONTEXT_FREE) && target.is_some_and(|target| is_context_free(target));
    let is_of_any_kind = !moves.pseudo && moves.special.is_none();
    let may_be_required = shortcuts.contains(Shortcuts::CHECKS) && moves.is_context_free && is_of_any_kind;
    let required = target.filter(|_| may_be_required);
    moves.required = required.and_then(required_by);
}

/// Returns check or mate if a condition requires it.
fn required_by(condition: &Cond) -> Option<CheckOrMate> {
    required(condition).into_iter().find_map(|test| match test.kind {
        CondExpr::Mate => Some(CheckOrMate::Mate),
        CondExpr::Check => Some(CheckOrMate::Check),
        _ => None,
    })
}
