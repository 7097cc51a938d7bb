//! Positions of the game tree (chapter 5).

use crate::board::Color;
use crate::chess::{MoveKind, Position};
use crate::game::Game;
use crate::query::{Node, Pos, PosExpr, PositionComparison};

use crate::eval::Eval;
use crate::eval::context::Context;
use crate::eval::control::flow;
use crate::eval::paths::{line, path, state};
use crate::eval::tree::find;

/// The value of a position filter at a position.
pub(crate) fn eval<'a>(node: &'a Node<PosExpr>, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
    match &node.kind {
        PosExpr::Current => Some(at),
        PosExpr::Parent => context.parent(at),
        PosExpr::Child(None) => context.game.first_child(at),
        PosExpr::Child(Some(number)) => {
            let number = usize::try_from(number.eval(context, at)?).ok()?;
            context.game.children(at).nth(number)
        }
        PosExpr::Numbered(number) => {
            let id = u32::try_from(number.eval(context, at)?).ok()?;
            context.position(id)
        }
        PosExpr::Initial => context.position(0),
        PosExpr::CommonAncestor(left, right) => {
            let left = left.eval(context, at)?;
            let right = right.eval(context, at)?;
            common_ancestor(left, right, context.game)
        }
        PosExpr::Variable(variable) => match context.variables.positions[variable.index()] {
            Some(id) => context.position(id),
            None => {
                context.unbound(node.span, at);
                None
            }
        },
        PosExpr::Compare(comparison, left, right) => compare(*comparison, left, right, context, at),
        PosExpr::Find(search) => find::first(search, context, at),
        PosExpr::Path(path) => path::last_position(path, context, at),
        PosExpr::Line(line) => line::last_position(line, context, at),
        PosExpr::PathStart => state::start(context),
        PosExpr::PathLast => state::last(context),
        PosExpr::Flow(form) => flow::eval(form, context, at),
    }
}

fn compare<'a>(
    comparison: PositionComparison,
    left: &'a Pos,
    right: &'a Pos,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<&'a Position> {
    let mark = context.comments.mark();
    let holds = left.eval(context, at).filter(|left| match right.eval(context, at) {
        None => false,
        Some(right) => match comparison {
            PositionComparison::Order(order) => order.holds(left.id, right.id),
            PositionComparison::Ancestor => is_ancestor(left, right),
            PositionComparison::AncestorOrSame => left.id == right.id || is_ancestor(left, right),
            PositionComparison::Descendant => is_ancestor(right, left),
        },
    });
    if holds.is_none() {
        context.comments.cut(mark);
    }
    holds
}

/// Whether a position lies before another on its way from the initial position.
pub(crate) fn is_ancestor(ancestor: &Position, descendant: &Position) -> bool {
    ancestor.id < descendant.id && descendant.id <= ancestor.last
}

/// Whether a position is on the main line, or would be if Black's alternatives were: no null move and no alternative of
/// White leads there.
pub(crate) fn is_virtual_mainline(game: &Game, position: &Position) -> bool {
    game.path_back(position).all(|position| match position.arrival.kind {
        MoveKind::None => true,
        MoveKind::Null => false,
        _ => position.choice == 0 || position.turn == Color::White,
    })
}

/// The deepest position that is before or at both.
pub(crate) fn common_ancestor<'a>(left: &Position, right: &Position, game: &'a Game) -> Option<&'a Position> {
    game.path_back(left)
        .find(|position| position.id <= right.id && right.id <= position.last)
}
