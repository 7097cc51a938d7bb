//! The values by which `echo` and `find` look positions up instead of trying them one after another.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::chess::Position;
use crate::query::Filter;
use crate::query::ast::echo::{Equation, Operand};
use crate::query::ast::variables::PosVar;
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::state::index::Index;

/// Returns the hash of the values; `None` if one is missing, since nothing equals a missing value.
pub(crate) fn key<'a>(
    operands: impl Iterator<Item = &'a Operand>,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for operand in operands {
        match operand {
            Operand::Board(position) => position.eval(context, at)?.board.hash(&mut hasher),
            Operand::Value(Filter::Set(set)) => set.eval(context, at).hash(&mut hasher),
            Operand::Value(Filter::Number(number)) => number.eval(context, at)?.hash(&mut hasher),
            Operand::Value(Filter::String(string)) => string.eval(context, at)?.hash(&mut hasher),
            Operand::Value(Filter::Position(position)) => position.eval(context, at)?.id.hash(&mut hasher),
            Operand::Value(Filter::Condition(condition)) => condition.eval(context, at).hash(&mut hasher),
        }
    }
    Some(hasher.finish())
}

/// Returns an index of all positions by the values that equations ask of them. `name` is the variable of the position, if it has one.
pub(crate) fn indexed<'a>(
    equations: &'a [Equation],
    name: Option<PosVar>,
    span: Span,
    context: &mut Context<'a>,
) -> Index {
    let positions = &context.game.positions;
    let mut keys = Vec::with_capacity(positions.len());
    for position in positions {
        if context.is_over(span, position) {
            break;
        }
        if let Some(name) = name {
            context.variables.positions[name.index()] = Some(position.id);
        }
        let targets = equations.iter().map(|equation| &equation.target);
        keys.extend(key(targets, context, position).map(|key| (key, position.id)));
    }
    Index::new(keys)
}
