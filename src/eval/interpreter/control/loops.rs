//! Loops over squares and pieces (chapter 3, 8 and 9), and loops that repeat until something fails.

use crate::board::{Bitboard, Square};
use crate::chess::Position;
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::Variable;
use crate::query::{Cond, Loop};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;

/// Binds the variable of a loop to a square or, if it is a piece variable, to the piece there. Returns whether there is one: other squares
/// are left out.
pub(crate) fn bind(variable: Variable, square: Square, context: &mut Context<'_>, at: &Position) -> bool {
    match variable {
        Variable::Set(variable) => context.variables.sets[variable.index()] = Some(square.into()),
        Variable::Piece(variable) => {
            let Some(piece) = context.identities.piece(at.id, square) else {
                return false;
            };
            context.variables.pieces[variable.index()] = Some(piece);
        }
        Variable::Number(_) | Variable::String(_) | Variable::Position(_) => return false,
    }
    true
}

/// Returns the squares of the domain where the body matches. With `first`, the loop ends at the first of them.
pub(crate) fn matching<'a>(
    each: &'a Loop,
    first: bool,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for square in each.domain.eval(context, at) {
        if context.is_over(span, at) {
            break;
        }
        let mark = context.comments.mark();
        match round(each, square, span, context, at) {
            None => {}
            Some(false) => context.comments.cut(mark),
            Some(true) => {
                found.add(square);
                if first {
                    break;
                }
            }
        }
    }
    found
}

/// Returns whether the body matches for all squares of the domain.
pub(crate) fn all<'a>(each: &'a Loop, span: Span, context: &mut Context<'a>, at: &'a Position) -> bool {
    let mark = context.comments.mark();
    let domain = each.domain.eval(context, at);
    let all = domain
        .into_iter()
        .all(|square| !context.is_over(span, at) && round(each, square, span, context, at) != Some(false));
    if !all {
        context.comments.cut(mark);
    }
    all
}

/// Returns the squares of the domain, and those of them that the body keeps.
pub(crate) fn fused<'a>(fused: &'a FusedLoop, context: &mut Context<'a>, at: &'a Position) -> (Bitboard, Bitboard) {
    let domain = fused.domain.eval(context, at);
    if domain.is_empty() {
        return (domain, domain);
    }
    context.variables.sets[fused.variable.index()] = Some(domain);
    let kept = fused.kept.eval(context, at);
    context.variables.sets[fused.variable.index()] = None;
    (domain, kept)
}

/// Returns whether the body matches for one square; `None` if the square is left out.
fn round<'a>(each: &'a Loop, square: Square, span: Span, context: &mut Context<'a>, at: &'a Position) -> Option<bool> {
    let was_bound = context.variables.is_bound(each.variable);
    if !bind(each.variable, square, context, at) {
        return None;
    }
    if was_bound {
        already_bound(context, span, at);
        return Some(false);
    }
    let matches = each.body.eval(context, at);
    context.variables.unbind(each.variable);
    Some(matches)
}

/// Ends the run because the variable of a loop already has a value when a round begins.
pub(crate) fn already_bound(context: &mut Context<'_>, span: Span, at: &Position) {
    let label = "it must be unbound when each round begins";
    context.stop(span, "the variable of a loop has a value already", label, at);
}

/// `loop f`: returns whether f matched at least once before it failed.
pub(crate) fn until_failure<'a>(body: &'a Cond, span: Span, context: &mut Context<'a>, at: &'a Position) -> bool {
    let mut matched = false;
    while body.eval(context, at) {
        matched = true;
        if context.is_endless(span, at) {
            return false;
        }
    }
    matched
}

/// `while (t) f`: evaluates f as long as t matches.
pub(crate) fn as_long_as<'a>(
    test: &'a Cond,
    body: &'a Cond,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    while test.eval(context, at) {
        body.eval(context, at);
        if context.is_endless(span, at) {
            return false;
        }
    }
    true
}
