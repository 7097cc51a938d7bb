//! Errors and warnings about the text of a query.

use serde::Serialize;

use crate::lsp::{Document, Problem, allowance, kind, place};
use crate::syntax::token::Span;
use crate::syntax::{self, Source};

/// The number of bytes shown at the beginning and at the end of a message. The part between them is quoted from the question.
const SHOWN: (usize, usize) = (100, 400);

/// The largest number of bytes that a change may insert. Larger ones repeat something that is not a word.
const LONGEST_INSERTED: usize = 4 << 10;

/// An error in a text, or a likely mistake.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// `error`, `example` for an example that fails, or the name of a warning, such as `always-true`.
    pub code: String,
    /// What is wrong, in one line.
    pub message: String,
    /// The text at the place, usually what was expected there. May be empty.
    pub label: String,
    /// The offset where the place begins.
    pub from: usize,
    /// The offset where it ends.
    pub to: usize,
    /// The line where it begins.
    pub line: usize,
    /// The column where it begins.
    pub column: usize,
    /// Advice, one line each.
    pub help: Vec<String>,
    /// Other places that explain the error.
    pub related: Vec<Related>,
    /// Changes that follow the advice, the best first.
    pub fixes: Vec<Fix>,
    /// The error in a query that this one names, if that is the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Elsewhere>,
}

/// The severity of a diagnostic.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text is not a query.
    Error,
    /// The text is a query, but probably not the intended one.
    Warning,
}

/// A place that explains another one.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Related {
    /// The text at this place.
    pub message: String,
    /// The offset where it begins.
    pub from: usize,
    /// The offset where it ends.
    pub to: usize,
}

/// A change to the text.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Fix {
    /// What it does, in the imperative.
    pub title: String,
    /// The parts to replace. None of them overlap.
    pub edits: Vec<Edit>,
}

/// The replacement of a part of a text.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Edit {
    /// The offset where the part begins.
    pub from: usize,
    /// The offset where it ends.
    pub to: usize,
    /// The new text.
    pub insert: String,
}

/// An error in the text of another query.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Elsewhere {
    /// The name of the query.
    pub name: String,
    /// What is wrong there.
    pub message: String,
    /// The line of the error in that text.
    pub line: usize,
    /// The column of the error in that text.
    pub column: usize,
}

impl Diagnostic {
    /// Creates the diagnostic of a problem in a document.
    pub(super) fn of_problem(document: &Document, problem: &Problem) -> Diagnostic {
        let (severity, code) = kind(problem);
        let severity = match severity {
            gen_lsp_types::DiagnosticSeverity::Error => Severity::Error,
            _ => Severity::Warning,
        };
        let mut diagnostic = Diagnostic::of(document, problem.diagnostic(), severity, code);
        if let Problem::Warning(warning) = problem {
            let allowance = allowance(document, warning.lint, warning.diagnostic.span);
            diagnostic.fixes.push(Fix::of(document, &allowance));
        }
        diagnostic
    }

    /// Creates the diagnostic of an error that keeps a text from being a query.
    pub(super) fn of_error(document: &Document, error: &syntax::Diagnostic) -> Diagnostic {
        Diagnostic::of(document, error, Severity::Error, "error")
    }

    fn of(document: &Document, diagnostic: &syntax::Diagnostic, severity: Severity, code: &str) -> Diagnostic {
        let (from, to) = offsets(document, place(document.text(), diagnostic));
        let begin = document.source().place(diagnostic.span.start);
        let related = diagnostic.related.iter().map(|(span, label)| {
            let (from, to) = offsets(document, *span);
            Related {
                message: shortened(label.clone()),
                from,
                to,
            }
        });
        let fixes = diagnostic.fixes.iter().filter(|fix| {
            let mut inserted = fix.edits.iter().map(|(_, insert)| insert.len());
            inserted.all(|length| length <= LONGEST_INSERTED)
        });
        Diagnostic {
            severity,
            code: code.to_owned(),
            message: shortened(diagnostic.message.clone()),
            label: shortened(diagnostic.label.clone()),
            from,
            to,
            line: begin.line,
            column: begin.column,
            help: diagnostic.hints.iter().cloned().map(shortened).collect(),
            related: related.collect(),
            fixes: fixes.map(|fix| Fix::of(document, fix)).collect(),
            elsewhere: diagnostic.elsewhere.as_deref().map(Elsewhere::of),
        }
    }
}

impl Fix {
    fn of(document: &Document, fix: &syntax::Fix) -> Fix {
        let edits = fix.edits.iter().map(|(span, insert)| {
            let (from, to) = offsets(document, *span);
            Edit {
                from,
                to,
                insert: insert.clone(),
            }
        });
        Fix {
            title: shortened(fix.title.clone()),
            edits: edits.collect(),
        }
    }
}

impl Elsewhere {
    fn of(elsewhere: &syntax::Elsewhere) -> Elsewhere {
        let source = Source::new(&*elsewhere.name, elsewhere.text.clone());
        let place = source.place(elsewhere.error.span.start);
        Elsewhere {
            name: elsewhere.name.clone(),
            message: elsewhere.error.message.clone(),
            line: place.line,
            column: place.column,
        }
    }
}

/// Returns where a span begins and ends, in UTF-16 code units.
fn offsets(document: &Document, span: Span) -> (usize, usize) {
    let text = document.text();
    let offset = |place: u32| document.units_before(text.floor_char_boundary(place as usize));
    (offset(span.start), offset(span.end.max(span.start)))
}

/// Cuts the middle out of a long message.
pub(super) fn shortened(mut message: String) -> String {
    let (begin, end) = SHOWN;
    if message.len() > begin + end {
        let left_out = message.floor_char_boundary(begin)..message.ceil_char_boundary(message.len() - end);
        message.replace_range(left_out, "…");
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_message_repeats_is_bounded_and_the_rest_is_shown() {
        let word = "ü".repeat(1000);
        let message = shortened(format!("unknown field `{word}`, expected `query`"));
        assert!(message.starts_with("unknown field `ü"), "{message}");
        assert!(message.ends_with("ü`, expected `query`"), "{message}");
        assert_eq!(message.matches('…').count(), 1);
        assert!(message.len() <= 503, "{}", message.len());
        let whole = "ü".repeat(250);
        assert_eq!(shortened(whole.clone()), whole);
    }
}
