//! Dictionaries: tables from keys to values, each with one type of keys and one type of values in the whole query.

use crate::query::ast::node::{Cond, Filter};
use crate::query::ast::variables::Variable;

/// A dictionary as it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dictionary {
    pub name: String,
    /// Whether it is emptied when a game begins. Other dictionaries live through the run.
    pub local: bool,
}

/// A change of a dictionary, or a loop over it. Keys, values and variables have the types of the dictionary, which are not conditions.
#[derive(Clone, Debug)]
pub(crate) enum DictionaryAction {
    /// `D[k] = f`
    Store {
        /// k
        key: Filter,
        /// f
        value: Filter,
    },
    /// `unbind D[k]`
    Remove(Filter),
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
