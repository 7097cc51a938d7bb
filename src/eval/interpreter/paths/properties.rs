//! `pathcount` and related filters: properties of the enclosing path, or else of the last one that matched.

use crate::eval::context::Context;
use crate::game::Position;

/// Returns `pathcount`.
pub(crate) fn count(context: &Context<'_>) -> Option<i32> {
    match context.paths.active {
        Some(active) => Some(active.count),
        None => context.paths.matched.map(|matched| matched.count),
    }
}

/// Returns `pathstart`.
pub(crate) fn start<'a>(context: &Context<'a>) -> Option<&'a Position> {
    let start = match context.paths.active {
        Some(active) => active.start,
        None => context.paths.matched?.start,
    };
    context.position(start)
}

/// Returns `pathlastposition`.
pub(crate) fn last<'a>(context: &Context<'a>) -> Option<&'a Position> {
    let last = match context.paths.active {
        Some(active) => active.last?,
        None => context.paths.matched?.last,
    };
    context.position(last)
}

/// Returns `pathcountunfocused`: the number of moves since the start that do not count.
pub(crate) fn count_unfocused(context: &Context<'_>, at: &Position) -> Option<i32> {
    Some(i32::from(at.ply) - i32::from(start(context)?.ply) - count(context)?)
}
