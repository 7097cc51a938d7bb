//! What if: filters in positions that are no positions of the game.
//!
//! `tried` plays moves, `bare` asks what needs no context; here are the null move and boards without some pieces. The positions and their contexts are those of
//! `context::branch`.

pub(super) mod bare;
pub(super) mod tried;

use crate::game::Position;
use crate::query::Imagined;
use crate::syntax::token::Span;

use crate::eval::Eval;
use crate::eval::context::Context;
use crate::eval::context::branch::Branch;
use crate::eval::imagine::bare::Scene;

/// The value of a filter in an imagined position.
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
    if asked.is_bare() {
        let scene = Scene {
            game: context.game,
            branch: &branch,
            narrowed: None,
        };
        return asked.bare(&scene, &position);
    }
    let mut inner = context.imagine(&branch);
    let value = E::kept(asked.eval(&mut inner, &position));
    context.wake(inner, at);
    value
}

/// The imagined position, the first of a branch that leaves `at`; none after a null move in check.
pub(super) fn position<'a>(
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

/// Whether the rules are those of chess. Ends the run where they are not.
fn knows_rules(span: Span, context: &mut Context<'_>, at: &Position) -> bool {
    if !context.game.has_own_rules() {
        return true;
    }
    let message = format!(
        "what would be if is known of chess alone, and this game is {}",
        context.game.variant
    );
    context.stop(
        span,
        message,
        "to leave such games out, put `variant \"standard\"` in front",
        at,
    );
    false
}
