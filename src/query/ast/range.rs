//! Ranges of numbers as they are written in queries.

use crate::syntax::token::Span;

use super::variables::NumVar;

/// A bound of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// A number literal.
    Number(i32),
    /// A variable, which is read at each evaluation.
    Variable(NumVar, Span),
}

/// A range of numbers, written as one or two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// `count`: any number.
    Any,
    /// From the first to the second, both included.
    Within(Bound, Bound),
}
