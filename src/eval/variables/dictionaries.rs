//! Dictionaries: ordered tables that outlast positions, and games unless they are local (chapter 8, 10).

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::board::Bitboard;
use crate::chess::Position;
use crate::query::dictionaries::{Dictionary, DictionaryAction};
use crate::query::variables::{DictionaryId, Variable};
use crate::query::{Cond, Node, node};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::control::loops;
use crate::eval::{Eval, text};

/// What an entry takes beside the bytes of its strings.
const ENTRY_BYTES: usize = 64;

/// A key or a value. The order is that of keys in loops; all keys of a dictionary are of one kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Datum {
    /// Ordered as a number whose lowest bit is a1.
    Set(Bitboard),
    Number(i32),
    String(Vec<u8>),
    /// The id.
    Position(u32),
}

impl Datum {
    /// How many bytes it has beside those of the type.
    fn bytes(&self) -> usize {
        match self {
            Datum::String(string) => string.len(),
            Datum::Set(_) | Datum::Number(_) | Datum::Position(_) => 0,
        }
    }
}

/// The entries of all dictionaries of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionaries {
    entries: Vec<BTreeMap<Datum, Datum>>,
    /// About how many bytes they take.
    bytes: usize,
}

impl Dictionaries {
    /// As many dictionaries, all empty.
    pub(crate) fn new(count: usize) -> Dictionaries {
        Dictionaries {
            entries: vec![BTreeMap::new(); count],
            bytes: 0,
        }
    }

    /// About how many bytes all entries take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Empties the local dictionaries.
    pub(crate) fn begin_game(&mut self, declared: &[Dictionary]) {
        for (index, dictionary) in declared.iter().enumerate() {
            if dictionary.local {
                self.clear(DictionaryId(index as u32));
            }
        }
    }

    pub(crate) fn len(&self, dictionary: DictionaryId) -> usize {
        self.entries[dictionary.index()].len()
    }

    fn get(&self, dictionary: DictionaryId, key: &Datum) -> Option<&Datum> {
        self.entries[dictionary.index()].get(key)
    }

    /// Adds or replaces an entry.
    fn store(&mut self, dictionary: DictionaryId, key: Datum, value: Datum) {
        self.bytes += ENTRY_BYTES + key.bytes() + value.bytes();
        let key_bytes = key.bytes();
        if let Some(replaced) = self.entries[dictionary.index()].insert(key, value) {
            self.bytes -= ENTRY_BYTES + key_bytes + replaced.bytes();
        }
    }

    fn remove(&mut self, dictionary: DictionaryId, key: &Datum) {
        if let Some((key, value)) = self.entries[dictionary.index()].remove_entry(key) {
            self.bytes -= ENTRY_BYTES + key.bytes() + value.bytes();
        }
    }

    fn clear(&mut self, dictionary: DictionaryId) {
        for (key, value) in std::mem::take(&mut self.entries[dictionary.index()]) {
            self.bytes -= ENTRY_BYTES + key.bytes() + value.bytes();
        }
    }

    /// The first entry, or the first one after a key, which need not be there any more.
    fn next(&self, dictionary: DictionaryId, after: Option<&Datum>) -> Option<(&Datum, &Datum)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.entries[dictionary.index()].range((start, Bound::Unbounded)).next()
    }
}

/// The value of a key or of what is to be stored.
fn value<'a>(datum: &'a node::Datum, context: &mut Context<'a>, at: &'a Position) -> Option<Datum> {
    Some(match datum {
        node::Datum::Set(set) => Datum::Set(set.eval(context, at)),
        node::Datum::Number(number) => Datum::Number(number.eval(context, at)?),
        node::Datum::String(string) => Datum::String(string.eval(context, at)?.into_owned()),
        node::Datum::Position(position) => Datum::Position(position.eval(context, at)?.id),
    })
}

/// `D[k]` as a value of some type.
pub(crate) fn entry<'a, K>(
    dictionary: DictionaryId,
    key: &'a node::Datum,
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

/// `x ∊ D f`: f for each key in order, also for keys that f adds behind the current one.
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
    let mut visited: Option<Datum> = None;
    while let Some((key, _)) = context.dictionaries.next(dictionary, visited.as_ref()) {
        let key = key.clone();
        context.variables.bind(variable, &key);
        context.holding(key.bytes(), (span, at), |context| Some(body.eval(context, at)));
        context.variables.unbind(variable);
        if context.is_endless(span, at) {
            return false;
        }
        visited = Some(key);
    }
    true
}

/// `message(D)`: the entries, one a line, up to one that makes the text too long.
pub(crate) fn write(dictionary: DictionaryId, span: Span, context: &mut Context<'_>, at: &Position, out: &mut Vec<u8>) {
    let name = &context.query.dictionaries[dictionary.index()].name;
    text::display(
        format_args!(
            "Dictionary {name} with {} entries: \n",
            context.dictionaries.len(dictionary)
        ),
        out,
    );
    // Writing a position adds a comment, so the entries cannot stay borrowed.
    let entries = std::mem::take(&mut context.dictionaries.entries[dictionary.index()]);
    for (key, value) in &entries {
        write_datum(key, context, out);
        out.extend_from_slice(b": ");
        write_datum(value, context, out);
        out.push(b'\n');
        if !context.fits(out.len(), span, at) {
            break;
        }
    }
    context.dictionaries.entries[dictionary.index()] = entries;
}

fn write_datum(datum: &Datum, context: &mut Context<'_>, out: &mut Vec<u8>) {
    match datum {
        Datum::Set(set) => {
            out.extend_from_slice(b"<SquareMask>");
            text::write_set(*set, out);
        }
        Datum::Number(number) => text::display(format_args!("<NumValue>{number}"), out),
        Datum::String(string) => {
            out.extend_from_slice(b"<string>");
            out.extend_from_slice(string);
        }
        Datum::Position(id) => {
            out.extend_from_slice(b"<QPos*>");
            if let Some(position) = context.position(*id) {
                text::write_position(position, context, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const D: DictionaryId = DictionaryId(0);

    #[test]
    fn entries_are_counted_by_their_bytes() {
        let mut dictionaries = Dictionaries::new(1);
        let string = |text: &str| Datum::String(text.as_bytes().to_vec());
        dictionaries.store(D, string("key"), string("long value"));
        dictionaries.store(D, string("key"), string("short"));
        dictionaries.store(D, string("other"), string(""));
        assert_eq!(dictionaries.bytes, 2 * ENTRY_BYTES + "keyshortother".len());
        dictionaries.remove(D, &string("key"));
        dictionaries.remove(D, &string("none"));
        assert_eq!(dictionaries.bytes, ENTRY_BYTES + "other".len());
        dictionaries.clear(D);
        assert_eq!(dictionaries.bytes, 0);
    }

    #[test]
    fn the_next_entry_comes_after_a_key_that_may_be_gone() {
        let mut dictionaries = Dictionaries::new(1);
        for number in [5, -1, 3] {
            dictionaries.store(D, Datum::Number(number), Datum::Number(0));
        }
        let next = |dictionaries: &Dictionaries, after: Option<i32>| {
            let after = after.map(Datum::Number);
            dictionaries.next(D, after.as_ref()).map(|(key, _)| key.clone())
        };
        assert_eq!(next(&dictionaries, None), Some(Datum::Number(-1)));
        dictionaries.remove(D, &Datum::Number(3));
        assert_eq!(next(&dictionaries, Some(3)), Some(Datum::Number(5)));
        assert_eq!(next(&dictionaries, Some(5)), None);
    }
}
