//! Errors in a query that point at the text.

use super::token::Span;

/// An error in a query: what is wrong, where, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What is wrong, in one line, lower case, without a full stop.
    pub message: String,
    /// The text that is wrong.
    pub span: Span,
    /// What stands under the underlined text: mostly what was expected. May be empty.
    pub label: String,
    /// Other places that explain the error, such as where a bracket was opened.
    pub related: Vec<(Span, String)>,
    /// Advice, one line each.
    pub hints: Vec<String>,
}
