//! Positions of the game tree (chapter 5).

use crate::chess::Position;
use crate::query::{Node, Pos, PosExpr, PositionComparison};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::flow;
use crate::eval::interpreter::paths::{line, path, properties};
use crate::eval::interpreter::tree::find;
use crate::eval::lineage;

/// Returns the value of a position filter at a position.
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
            lineage::common_ancestor(left, right, context.game)
        }
        PosExpr::Variable(variable) => {
            let id = context.bound(context.variables.positions[variable.index()], node.span, at)?;
            context.position(id)
        }
        PosExpr::Compare(comparison, left, right) => compare(*comparison, left, right, context, at),
        PosExpr::Find(search) => find::first(search, context, at),
        PosExpr::Path(path) => path::last_position(path, context, at),
        PosExpr::Line(line) => line::last_position(line, context, at),
        PosExpr::PathStart => properties::start(context),
        PosExpr::PathLast { .. } => properties::last(context),
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
    context.undone(|context| {
        let left = left.eval(context, at)?;
        let right = right.eval(context, at)?;
        let holds = match comparison {
            PositionComparison::Order(order) => order.holds(left.id, right.id),
            PositionComparison::Ancestor => lineage::is_ancestor(left, right),
            PositionComparison::AncestorOrSame => left.id == right.id || lineage::is_ancestor(left, right),
            PositionComparison::Descendant => lineage::is_ancestor(right, left),
        };
        holds.then_some(left)
    })
}
