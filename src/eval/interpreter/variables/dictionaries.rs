//! Operations on dictionaries (chapter 8, 10).

use crate::game::Position;
use crate::query::ast::dictionaries::DictionaryAction;
use crate::query::ast::variables::{DictionaryId, Variable};
use crate::query::{Cond, Filter, Node};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::format;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::loops;
use crate::eval::interpreter::text;
use crate::eval::interpreter::text::columns;
use crate::eval::report::MatchValue;
use crate::eval::state::dictionaries::ENTRY_BYTES;

/// Returns the value of a key, or the value to store.
fn value<'a>(filter: &'a Filter, context: &mut Context<'a>, at: &'a Position) -> Option<MatchValue> {
    Some(columns::value(filter, context, at)).filter(|value| *value != MatchValue::Unknown)
}

/// Returns `D[k]` as a value of the expected type.
pub(crate) fn entry<'a, K>(
    dictionary: DictionaryId,
    key: &'a Filter,
    context: &mut Context<'a>,
    at: &'a Position,
) -> <Node<K> as Eval>::Value<'a>
where
    Node<K>: Eval,
{
    value(key, context, at)
        .and_then(|key| context.dictionaries.get(dictionary, &key))
        .map_or_else(<Node<K>>::missing, |stored| <Node<K>>::stored(stored, context))
}

/// Changes a dictionary or loops over it. Returns whether that succeeds.
pub(crate) fn act<'a>(
    dictionary: DictionaryId,
    action: &'a DictionaryAction,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    match action {
        DictionaryAction::Store { key, value: stored } => {
            let Some(key) = value(key, context, at) else {
                return false;
            };
            let Some(stored) = context.holding(key.bytes(), (span, at), |context| value(stored, context, at)) else {
                return false;
            };
            let has_room = context.has_room(ENTRY_BYTES + key.bytes() + stored.bytes(), span, at);
            if has_room {
                context.dictionaries.store(dictionary, key, stored);
            }
            has_room
        }
        DictionaryAction::Remove(key) => match value(key, context, at) {
            Some(key) => {
                context.dictionaries.remove(dictionary, &key);
                true
            }
            None => false,
        },
        DictionaryAction::Clear => {
            context.dictionaries.clear(dictionary);
            true
        }
        DictionaryAction::Each { variable, body } => each(dictionary, *variable, body, span, context, at),
    }
}

/// `x ∊ D f`: evaluates f for each key in order, including keys that f adds after the current one.
fn each<'a>(
    dictionary: DictionaryId,
    variable: Variable,
    body: &'a Cond,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> bool {
    if context.variables.is_bound(variable) {
        loops::already_bound(context, span, at);
        return false;
    }
    let mut visited: Option<MatchValue> = None;
    while let Some((key, _)) = context.dictionaries.next(dictionary, visited.as_ref()) {
        let key = key.clone();
        context.variables.bind(variable, key.clone());
        context.holding(key.bytes(), (span, at), |context| Some(body.eval(context, at)));
        context.variables.unbind(variable);
        if context.is_endless(span, at) {
            return false;
        }
        visited = Some(key);
    }
    true
}

/// `message(D)`: appends the entries, one a line. Stops at an entry that makes the text too long.
pub(crate) fn write(dictionary: DictionaryId, span: Span, context: &mut Context<'_>, at: &Position, out: &mut Vec<u8>) {
    let name = &context.query.dictionaries[dictionary.index()].name;
    format::display(
        format_args!(
            "Dictionary {name} with {} entries: \n",
            context.dictionaries.len(dictionary)
        ),
        out,
    );
    // Writing a position adds a comment, so the entries cannot stay borrowed.
    let entries = context.dictionaries.take(dictionary);
    for (key, value) in &entries {
        write_value(key, context, out);
        out.extend_from_slice(b": ");
        write_value(value, context, out);
        out.push(b'\n');
        if !context.fits(out.len(), span, at) {
            break;
        }
    }
    context.dictionaries.put_back(dictionary, entries);
}

fn write_value(value: &MatchValue, context: &mut Context<'_>, out: &mut Vec<u8>) {
    let mark = match value {
        MatchValue::Squares(_) => "<SquareMask>",
        MatchValue::Number(_) => "<NumValue>",
        MatchValue::Text(_) => "<string>",
        MatchValue::Position(_) => "<QPos*>",
        MatchValue::Unknown | MatchValue::Truth(_) => return,
    };
    out.extend_from_slice(mark.as_bytes());
    text::write_value(value, context, out);
}
