//! The lints, and the warnings that they give.

use std::fmt;

use crate::syntax::Diagnostic;

/// The subject of a warning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Lint {
    /// A variable gets values that nothing reads.
    UnusedVariable,
    /// Nothing calls a function.
    UnusedFunction,
    /// The body of a function does not mention a parameter.
    UnusedParameter,
    /// A condition matches at every position.
    AlwaysTrue,
    /// A condition matches at no position.
    AlwaysFalse,
    /// Conditions that must all match exclude each other.
    NeverMatches,
    /// A text seems to mean something else.
    Misread,
    /// An old form.
    Deprecated,
    /// A repetition of a repetition.
    NestedRepetition,
    /// Loops inside loops.
    CostlyNesting,
}

impl Lint {
    /// All lints.
    pub const ALL: [Lint; 10] = [
        Lint::UnusedVariable,
        Lint::UnusedFunction,
        Lint::UnusedParameter,
        Lint::AlwaysTrue,
        Lint::AlwaysFalse,
        Lint::NeverMatches,
        Lint::Misread,
        Lint::Deprecated,
        Lint::NestedRepetition,
        Lint::CostlyNesting,
    ];

    /// Returns its name in `//? allow …`.
    pub fn name(self) -> &'static str {
        match self {
            Lint::UnusedVariable => "unused-variable",
            Lint::UnusedFunction => "unused-function",
            Lint::UnusedParameter => "unused-parameter",
            Lint::AlwaysTrue => "always-true",
            Lint::AlwaysFalse => "always-false",
            Lint::NeverMatches => "never-matches",
            Lint::Misread => "misread",
            Lint::Deprecated => "deprecated",
            Lint::NestedRepetition => "nested-repetition",
            Lint::CostlyNesting => "costly-nesting",
        }
    }

    /// Returns what it warns of, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Lint::UnusedVariable => "A variable gets values that nothing reads.",
            Lint::UnusedFunction => "Nothing calls a function.",
            Lint::UnusedParameter => "The body of a function does not mention a parameter.",
            Lint::AlwaysTrue => "A condition matches at every position.",
            Lint::AlwaysFalse => "A condition matches at no position.",
            Lint::NeverMatches => "Conditions of which all must match exclude each other.",
            Lint::Misread => "Something looks as if it meant something else, such as filters in a row.",
            Lint::Deprecated => "An old form, for which there is a modern one.",
            Lint::NestedRepetition => "A repetition of a repetition.",
            Lint::CostlyNesting => "Loops inside loops, which take long.",
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A warning about a query.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// The lint that it is from.
    pub lint: Lint,
    /// The message, and its place in the query.
    pub diagnostic: Diagnostic,
}

pub(super) fn warning(lint: Lint, diagnostic: Diagnostic) -> Warning {
    Warning { lint, diagnostic }
}
