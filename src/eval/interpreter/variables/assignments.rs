//! Assignments to variables.

use crate::chess::Position;
use crate::query::Assignment;
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::values::strings;

/// Changes a variable. Returns `None` if there is no new value.
pub(crate) fn assign<'a>(
    assignment: &'a Assignment,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<()> {
    match assignment {
        Assignment::Set(variable, set) => {
            let set = set.eval(context, at);
            context.variables.sets[variable.index()] = Some(set);
        }
        Assignment::NonEmptySet(variable, set) => {
            let set = set.eval(context, at);
            if set.is_empty() {
                return None;
            }
            context.variables.sets[variable.index()] = Some(set);
        }
        Assignment::Number(variable, number) => {
            let number = number.eval(context, at)?;
            context.variables.numbers[variable.index()] = Some(number);
        }
        Assignment::String(variable, string) => {
            let string = string.eval(context, at)?.into_owned();
            if !context.bears(string.len(), span, at) {
                return None;
            }
            context.variables.strings[variable.index()] = Some(string);
        }
        Assignment::Append(variable, string) => {
            let more = string.eval(context, at)?;
            let length = context.string_length(*variable, span, at)?;
            if !context.bears(length.saturating_add(more.len()), span, at) {
                return None;
            }
            context.variables.strings[variable.index()]
                .get_or_insert_default()
                .extend_from_slice(&more);
        }
        Assignment::Splice { variable, part, value } => {
            return strings::splice(*variable, part, value, span, context, at);
        }
        Assignment::Position(variable, position) => {
            let position = position.eval(context, at)?;
            context.variables.positions[variable.index()] = Some(position.id);
        }
        Assignment::Piece(variable, set) => {
            let square = set.eval(context, at).single_square()?;
            let piece = context.identities.piece(at.id, square)?;
            context.variables.pieces[variable.index()] = Some(piece);
        }
        Assignment::Unbind(variable) => context.variables.unbind(*variable),
    }
    Some(())
}
