//! What is wrong with the text of a query.

use serde::Serialize;

use crate::lsp::{Document, Problem, allowance, kind, place};
use crate::syntax::token::Span;
use crate::syntax::{self, Source};

/// How many bytes of a message are shown from its beginning and from its end. What lies between is a part of the question.
const SHOWN: (usize, usize) = (100, 400);

/// Changes that write more than this are left out: they repeat a word that is not a word.
const LONGEST_INSERTED: usize = 4 << 10;

/// Something that is wrong with a text, or probably not meant.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// `error`, `example` for what an example says that is not so, or the name of a warning, such as `always-true`.
    pub code: String,
    /// What is wrong, in one line.
    pub message: String,
    /// What to say at the place, mostly what was expected there. May be empty.
    pub label: String,
    /// Where the place begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The line in which it begins.
    pub line: usize,
    /// The column in which it begins.
    pub column: usize,
    /// Advice, one line each.
    pub help: Vec<String>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Changes that take the advice, the best first.
    pub fixes: Vec<Fix>,
    /// The error in a query that this one names, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Elsewhere>,
}

/// How bad something is.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text is not a query.
    Error,
    /// It is one, but probably not the one that was meant.
    Warning,
}

/// A place that explains another one.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Related {
    /// What to say there.
    pub message: String,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A change to the text.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Fix {
    /// What is done, as an order.
    pub title: String,
    /// What is replaced; none of them overlap.
    pub edits: Vec<Edit>,
}

/// A part of a text that is replaced.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Edit {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What stands there then.
    pub insert: String,
}

/// An error in the text of another query.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Elsewhere {
    /// The name of the query.
    pub name: String,
    /// What is wrong there.
    pub message: String,
    /// The line in it.
    pub line: usize,
    /// The column in it.
    pub column: usize,
}

impl Diagnostic {
    /// A problem of a document.
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

    /// An error because of which a text is not a query.
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

/// Where a span begins and ends, in code units of UTF-16.
fn offsets(document: &Document, span: Span) -> (usize, usize) {
    let text = document.text();
    let offset = |place: u32| document.units_before(text.floor_char_boundary(place as usize));
    (offset(span.start), offset(span.end.max(span.start)))
}

/// A message without its middle, if it is long.
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
