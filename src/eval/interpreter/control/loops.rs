//! Loops over squares and pieces (chapter 3, 8 and 9), and loops that repeat until something fails.

use crate::board::{Bitboard, Square};
use crate::chess::Position;
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::{PieceVar, SetVar};
use crate::query::{Cond, Loop};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;

/// A variable that takes each square of a domain in turn.
pub(crate) trait LoopVariable: Copy {
    /// The type of its values.
    type Element;

    /// Returns the value for a square; `None` if the square is left out.
    fn element(self, square: Square, context: &Context<'_>, at: &Position) -> Option<Self::Element>;

    /// Returns its place among the variables.
    fn value<'r>(self, context: &'r mut Context<'_>) -> &'r mut Option<Self::Element>;
}

impl LoopVariable for SetVar {
    type Element = Bitboard;

    fn element(self, square: Square, _: &Context<'_>, _: &Position) -> Option<Bitboard> {
        Some(square.into())
    }

    fn value<'r>(self, context: &'r mut Context<'_>) -> &'r mut Option<Bitboard> {
        &mut context.variables.sets[self.index()]
    }
}

/// A piece variable takes the piece on the square. Squares without a piece are left out.
impl LoopVariable for PieceVar {
    type Element = u8;

    fn element(self, square: Square, context: &Context<'_>, at: &Position) -> Option<u8> {
        context.identities.piece(at.id, square)
    }

    fn value<'r>(self, context: &'r mut Context<'_>) -> &'r mut Option<u8> {
        &mut context.variables.pieces[self.index()]
    }
}

/// Returns the squares of the domain where the body matches. With `first`, the loop ends at the first of them.
pub(crate) fn matching<'a, V: LoopVariable>(
    squares: &'a Loop<V>,
    first: bool,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for square in squares.domain.eval(context, at) {
        if context.is_over(span, at) {
            break;
        }
        let mark = context.comments.mark();
        match round(squares, square, span, context, at) {
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
pub(crate) fn all<'a, V: LoopVariable>(
    squares: &'a Loop<V>,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    let mark = context.comments.mark();
    let domain = squares.domain.eval(context, at);
    let all = domain
        .into_iter()
        .all(|square| !context.is_over(span, at) && round(squares, square, span, context, at) != Some(false));
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
fn round<'a, V: LoopVariable>(
    squares: &'a Loop<V>,
    square: Square,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<bool> {
    let variable = squares.variable;
    let element = variable.element(square, context, at)?;
    if variable.value(context).is_some() {
        already_bound(context, span, at);
        return Some(false);
    }
    *variable.value(context) = Some(element);
    let matches = squares.body.eval(context, at);
    *variable.value(context) = None;
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
