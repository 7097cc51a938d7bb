//! Dictionaries: tables from keys to values, each with one type of keys and one of values for the whole query.

use super::node::{Cond, Filter, Num, Pos, Set, Str, Type};
use super::transform::{Child, Part};
use super::variables::Variable;

/// A dictionary: its place among the dictionaries of the query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DictionaryId(pub u32);

impl DictionaryId {
    /// The place as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A dictionary as it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dictionary {
    /// The name.
    pub name: String,
    /// It is emptied when a game begins; others live through the run.
    pub local: bool,
}

/// A filter that has a value: a key, or what is stored under it.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub enum Datum {
    Set(Set),
    Number(Num),
    String(Str),
    Position(Pos),
}

/// A change of a dictionary, or a loop over it. Types of keys, values and variables are those of the dictionary.
#[derive(Clone, Debug)]
pub enum DictionaryAction {
    /// `D[k] = f`
    Store {
        /// k
        key: Datum,
        /// f
        value: Datum,
    },
    /// `unbind D[k]`
    Remove(Datum),
    /// `unbind D`
    Clear,
    /// `x ∊ D f`
    Each {
        /// x
        variable: Variable,
        /// f
        body: Cond,
    },
}

impl Datum {
    /// The filter as a datum.
    ///
    /// # Errors
    /// The filter itself if it is a condition, which has no value.
    pub fn from_filter(filter: Filter) -> Result<Datum, Filter> {
        match filter {
            Filter::Set(set) => Ok(Datum::Set(set)),
            Filter::Number(number) => Ok(Datum::Number(number)),
            Filter::String(string) => Ok(Datum::String(string)),
            Filter::Position(position) => Ok(Datum::Position(position)),
            Filter::Condition(_) => Err(filter),
        }
    }

    /// The type of the value.
    pub fn kind(&self) -> Type {
        match self {
            Datum::Set(_) => Type::Set,
            Datum::Number(_) => Type::Number,
            Datum::String(_) => Type::String,
            Datum::Position(_) => Type::Position,
        }
    }

    /// Shows itself to `visit`.
    pub(super) fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        match self {
            Datum::Set(set) => set.child(visit),
            Datum::Number(number) => number.child(visit),
            Datum::String(string) => string.child(visit),
            Datum::Position(position) => position.child(visit),
        }
    }
}

impl DictionaryAction {
    /// Shows the parts to `visit`.
    pub(super) fn children(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        match self {
            DictionaryAction::Store { key, value } => {
                key.child(visit);
                value.child(visit);
            }
            DictionaryAction::Remove(key) => key.child(visit),
            DictionaryAction::Clear => {}
            DictionaryAction::Each { body, .. } => visit(Child::Condition(body)),
        }
    }
}
