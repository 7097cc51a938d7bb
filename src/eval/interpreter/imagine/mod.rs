//! Evaluates filters in imagined positions, which are not positions of the game.
//!
//! `lookahead` plays legal moves, and `context_free` evaluates conditions that need no context. Null moves and boards with pieces removed are
//! here. `context::branch` holds the positions, and `context::imagination` makes their contexts.
//!
//! Each part uses only those before it: `context_free`, `self`, `lookahead`.

pub(crate) mod context_free;
pub(crate) mod lookahead;

use crate::board::legality::could_stand;
use crate::board::{Bitboard, Color};
use crate::chess::{Position, exposing};
use crate::query::ast::sets::Absence;
use crate::query::{CondExpr, Imagined, Node, Shortcuts};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::context::branch::Branch;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::imagine::context_free::PositionView;

/// Returns the value of a filter in an imagined position.
pub(crate) fn value<'a, E: Eval>(
    imagined: &'a Imagined,
    asked: &'a E,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> E::Value<'a> {
    if !knows_rules(span, context, at) {
        return E::missing();
    }
    let branch = context.branch_at(at, matches!(imagined, Imagined::Pass));
    let Some(position) = position(imagined, &branch, context, at) else {
        return E::missing();
    };
    if context.has(Shortcuts::CONTEXT_FREE) && asked.is_context_free() {
        let scene = PositionView {
            game: context.game,
            branch: &branch,
            narrowed: None,
        };
        return asked.context_free(&scene, &position);
    }
    let mut inner = context.imagine(&branch);
    let value = E::kept(asked.eval(&mut inner, &position));
    context.wake(inner, at);
    value
}

/// Returns the imagined position, the first of a branch that leaves `at`; `None` after a null move in check.
pub(crate) fn position<'a>(
    imagined: &'a Imagined,
    branch: &Branch<'_>,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<Position> {
    let id = branch.first_id();
    match imagined {
        Imagined::Pass if context.game.is_check(at) => None,
        Imagined::Pass => at.passed(id),
        Imagined::Without(pieces) => {
            let squares = context.elsewhere(|context| pieces.eval(context, at));
            Some(at.without(squares, id))
        }
    }
}

/// Returns the squares for which the condition holds, or fails, once the piece there is removed. Each piece is removed by itself.
pub(crate) fn absence<'a>(absence: &'a Absence, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let squares = absence.squares.eval(context, at);
    if squares.is_empty() || context.game.has_own_rules() {
        return squares;
    }
    let also = context.elsewhere(|context| {
        let also = absence.also.as_ref();
        also.map_or(Bitboard::EMPTY, |also| also.eval(context, at))
    });
    let branch = context.branch_at(at, false);
    let scene = PositionView {
        game: context.game,
        branch: &branch,
        narrowed: None,
    };
    let keeps = |gone: Bitboard| {
        let left = at.without(also | gone, branch.first_id());
        scene.holds(&absence.asked, &left) == absence.holds
    };
    let decisive = squares & decisive(&absence.asked, &at.without(also, branch.first_id()));
    let kept: Bitboard = decisive.into_iter().filter(|square| keeps((*square).into())).collect();
    let others = squares & !decisive;
    if others.any() && keeps(Bitboard::EMPTY) {
        return kept | others;
    }
    kept
}

/// Returns the squares where removing a piece may change whether it is check, or whether a position could occur in a game.
fn decisive(asked: &Node<CondExpr>, at: &Position) -> Bitboard {
    match &asked.kind {
        CondExpr::Check => exposing(&at.board, at.turn),
        // With fewer pieces, there cannot be too many of them, or pawns on forbidden squares.
        CondExpr::LegalPosition if could_stand(&at.board, at.turn) => {
            exposing(&at.board, Color::White) | exposing(&at.board, Color::Black)
        }
        _ => Bitboard::FULL,
    }
}

/// Returns whether the game follows the rules of chess. Ends the run if not.
fn knows_rules(span: Span, context: &mut Context<'_>, at: &Position) -> bool {
    if !context.game.has_own_rules() {
        return true;
    }
    let message = format!(
        "moves can only be tried in standard chess, and this game is {}",
        context.game.variant
    );
    context.stop(
        span,
        message,
        "to leave such games out, put `variant \"standard\"` first",
        at,
    );
    false
}
