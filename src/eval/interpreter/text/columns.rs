//! Values that options request at each match.

use crate::chess::Position;
use crate::query::ast::facts::Effects;
use crate::query::{ColumnId, Filter};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::report::MatchValue;

/// Keeps the value of a filter for the match. Undoes the filter's assignments and comments, so the query continues
/// as without it.
pub(crate) fn keep<'a>(column: ColumnId, filter: &'a Filter, span: Span, context: &mut Context<'a>, at: &'a Position) {
    let variables = filter
        .facts()
        .effects
        .intersects(Effects::ASSIGN)
        .then(|| context.variables.clone());
    let mark = context.comments.mark();
    let value = context.elsewhere(|context| value(filter, context, at));
    drop(context.comments.split_off(mark));
    if let Some(variables) = variables {
        context.variables = variables;
    }
    if context.has_room(value.bytes(), span, at)
        && let Some(kept) = context.columns.get_mut(column.0 as usize)
    {
        context.kept += value.bytes();
        *kept = value;
    }
}

/// Returns the value of a filter of any type.
pub(crate) fn value<'a>(filter: &'a Filter, context: &mut Context<'a>, at: &'a Position) -> MatchValue {
    fn noted<'a, E: Eval>(filter: &'a E, context: &mut Context<'a>, at: &'a Position) -> MatchValue {
        E::noted(filter.eval(context, at))
    }
    match filter {
        Filter::Set(set) => noted(set.as_ref(), context, at),
        Filter::Number(number) => noted(number.as_ref(), context, at),
        Filter::String(string) => noted(string.as_ref(), context, at),
        Filter::Condition(condition) => noted(condition.as_ref(), context, at),
        Filter::Position(position) => noted(position.as_ref(), context, at),
    }
}
