//! Errors in a query that point at its text.

use std::sync::Arc;

use super::token::Span;
use crate::terminal::without_codes;

/// An error in a query: what is wrong, where, and what to do about it.
///
/// ```
/// use skewer::syntax::{Source, tokens};
///
/// let source = Source::new("fork.cql", "cql(input a.pgn)\ns∈R check");
/// let error = tokens(&source).unwrap_err();
/// assert_eq!(error.render(&source, false), "\
/// error: `∈` (U+2208) is not a character of CQL
///  --> fork.cql:2:2
///   |
/// 2 | s∈R check
///   |  ^ not `∊` (U+220A)
///   |
///   = help: a loop over squares is written with the small sign: `s∊R` or `s[element]R`
///   = help: to ask whether a set is part of another write `in`");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What is wrong, in one line, lower case, without a full stop.
    pub message: String,
    /// The text that is wrong.
    pub span: Span,
    /// The text below the underlined part, usually what was expected. May be empty.
    pub label: String,
    /// Other places that explain the error, such as where a bracket was opened.
    pub related: Vec<(Span, String)>,
    /// Advice, one line each.
    pub hints: Box<[String]>,
    /// Changes to the text that follow the advice.
    pub fixes: Box<[Fix]>,
    /// The error in another text. `span` is then only the place that refers to that text.
    pub elsewhere: Option<Arc<Elsewhere>>,
}

/// An error with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// The name of the text.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// The error.
    pub error: Diagnostic,
}

/// A change to a text that follows a piece of advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in the imperative: ``Change to `attacks` ``.
    pub title: String,
    /// Parts of the text with their replacements. None of them overlap.
    pub edits: Vec<(Span, String)>,
}

/// Applies edits, none of which overlap, to a text.
pub fn apply(text: &str, edits: &[(Span, String)]) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|(span, _)| *span);
    let mut changed = text.to_owned();
    for (span, new) in edits.into_iter().rev() {
        changed.replace_range(span.range(), new);
    }
    changed
}

impl Fix {
    /// Returns the text with the change applied.
    pub fn apply(&self, text: &str) -> String {
        apply(text, &self.edits)
    }
}

impl Diagnostic {
    /// Creates an error with only a message and a place.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: without_codes(&message.into()).into_owned(),
            span,
            label: String::new(),
            related: Vec::new(),
            hints: Box::default(),
            fixes: Box::default(),
            elsewhere: None,
        }
    }

    /// Sets the text below the underlined part.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        let mut hints = std::mem::take(&mut self.hints).into_vec();
        hints.push(hint.into());
        self.hints = hints.into();
        self
    }

    /// Adds the error in another text that causes this one.
    #[must_use]
    pub fn in_another_text(mut self, name: &str, text: &[u8], error: Diagnostic) -> Diagnostic {
        self.elsewhere = Some(Arc::new(Elsewhere {
            name: name.to_owned(),
            text: text.to_vec(),
            error,
        }));
        self
    }

    /// Adds another place that explains the error.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// Adds a change that follows the advice.
    #[must_use]
    pub fn fix<T: Into<String>>(
        mut self,
        title: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, T)>,
    ) -> Diagnostic {
        let edits = edits.into_iter().map(|(span, text)| (span, text.into()));
        let mut fixes = std::mem::take(&mut self.fixes).into_vec();
        fixes.push(Fix {
            title: title.into(),
            edits: edits.collect(),
        });
        self.fixes = fixes.into();
        self
    }

    /// Adds a change that replaces a part of the text.
    #[must_use]
    pub fn change(self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        let title = match text.trim() {
            "" => "Leave it out".to_owned(),
            written => format!("Change to `{written}`"),
        };
        self.fix(title, [(span, text)])
    }

    /// Adds a change that encloses a part of the text between two others.
    #[must_use]
    pub fn surround(self, span: Span, before: &str, after: &str) -> Diagnostic {
        self.fix(
            format!("Write `{before}…{after}`"),
            [(span.before(), before), (span.after(), after)],
        )
    }
}
