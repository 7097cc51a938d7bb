//! The names that a query has declared so far.

use super::names::Names;
use super::prelude_names::PreludeNames;
use crate::query::ast::Type;
use crate::query::ast::dictionaries::Dictionary;
use crate::query::ast::variables::{PersistentVariable, Variable, VariableCounts};
use crate::syntax::Parsed;
use crate::syntax::token::Span;

/// What has been declared so far.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) names: Names,
    pub(super) counts: VariableCounts,
    pub(super) persistent: Vec<PersistentVariable>,
    pub(super) dictionaries: Vec<Declared>,
    pub(super) functions: Vec<Function>,
    pub(super) prelude: PreludeNames,
    /// The atomic variables.
    pub(super) atomic: Vec<Variable>,
    /// The functions whose bodies are being read, outermost first.
    pub(super) expanding: Vec<usize>,
    /// The hidden variables for arguments of the enclosing calls. They have values here.
    pub(super) passed: Vec<Variable>,
    /// The variables of the enclosing loops.
    pub(super) looping: Vec<Variable>,
}

/// A function as it is written.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    /// The tokens between the braces and an end.
    pub(super) body: Parsed,
}

/// A dictionary, and what is known about it so far.
pub(super) struct Declared {
    pub(super) dictionary: Dictionary,
    /// The type of the keys, and the place in the text that determined it.
    pub(super) keys: Option<(Type, Span)>,
    /// The type of the values, and the place in the text that determined it.
    pub(super) values: Option<(Type, Span)>,
}
