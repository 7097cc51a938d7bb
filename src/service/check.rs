//! `check`: finds what is wrong with a query, and how to fix it.

use serde::{Deserialize, Serialize};

use super::diagnostic::{Diagnostic, Severity};
use super::error::Error;
use super::text::document;

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Answer {
    /// Whether the text is a query. It may still have warnings.
    pub ok: bool,
    /// Its errors, or otherwise its likely mistakes, and the examples that fail, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Answers a question.
///
/// # Errors
/// Returns no error.
pub fn check(question: Question) -> Result<Answer, Error> {
    let mut document = document(question.query);
    document.examine();
    let problems = document.problems().iter();
    let mut diagnostics: Vec<_> = problems
        .map(|problem| Diagnostic::of_problem(&document, problem))
        .collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.from, diagnostic.to));
    Ok(Answer {
        ok: !diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.code != "example"),
        diagnostics,
    })
}
