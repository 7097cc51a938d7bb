//! Assignments to variables.

use crate::game::Position;
use crate::query::Assignment;
use crate::syntax::token::Span;

use crate::eval::Eval;
use crate::eval::context::Run;
use crate::eval::values::strings;

/// Changes a variable; nothing if there is no value to change it to.
pub(crate) fn assign<'a>(assignment: &'a Assignment, span: Span, run: &mut Run<'a>, at: &'a Position) -> Option<()> {
    match assignment {
        Assignment::Set(variable, set) => {
            let set = set.eval(run, at);
            run.variables.sets[variable.index()] = Some(set);
        }
        Assignment::NonEmptySet(variable, set) => {
            let set = set.eval(run, at);
            if set.is_empty() {
                return None;
            }
            run.variables.sets[variable.index()] = Some(set);
        }
        Assignment::Unite(variable, set) | Assignment::Intersect(variable, set) => {
            let Some(old) = run.variables.sets[variable.index()] else {
                run.unbound(span, at);
                return None;
            };
            let set = set.eval(run, at);
            let new = if matches!(assignment, Assignment::Unite(..)) {
                old | set
            } else {
                old & set
            };
            run.variables.sets[variable.index()] = Some(new);
        }
        Assignment::Number(variable, number) => {
            let number = number.eval(run, at)?;
            run.variables.numbers[variable.index()] = Some(number);
        }
        Assignment::Calculate(operation, variable, number) => {
            let old = run.number_variable(*variable, span, at)?;
            let new = operation.apply(old, number.eval(run, at)?)?;
            run.variables.numbers[variable.index()] = Some(new);
        }
        Assignment::String(variable, string) => {
            let string = string.eval(run, at)?.into_owned();
            if !run.bears(string.len(), span, at) {
                return None;
            }
            run.variables.strings[variable.index()] = Some(string);
        }
        Assignment::Append(variable, string) => {
            let more = string.eval(run, at)?;
            let Some(length) = run.variables.strings[variable.index()].as_ref().map(Vec::len) else {
                run.unbound(span, at);
                return None;
            };
            if !run.bears(length.saturating_add(more.len()), span, at) {
                return None;
            }
            run.variables.strings[variable.index()]
                .get_or_insert_default()
                .extend_from_slice(&more);
        }
        Assignment::Splice { variable, part, value } => return strings::splice(*variable, part, value, span, run, at),
        Assignment::Position(variable, position) => {
            let position = position.eval(run, at)?;
            run.variables.positions[variable.index()] = Some(position.id);
        }
        Assignment::Piece(variable, set) => {
            let square = set.eval(run, at).single_square()?;
            let man = run.identities.man(at.id, square)?;
            run.variables.pieces[variable.index()] = Some(man);
        }
        Assignment::Unbind(variable) => run.variables.unbind(*variable),
    }
    Some(())
}
