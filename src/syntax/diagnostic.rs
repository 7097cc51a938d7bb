//! Errors in a query that point at the text.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::{source::Source, token::Span};

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
    /// What stands under the underlined text: mostly what was expected. May be empty.
    pub label: String,
    /// Other places that explain the error, such as where a bracket was opened.
    pub related: Vec<(Span, String)>,
    /// Advice, one line each.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error with a message and a place and nothing else.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Sets what stands under the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }

    /// Adds another place that explains the error.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    /// The error as text for people, several lines without a final line end: message, place, the lines of the query
    /// with the wrong text underlined, advice. With `color`, with ANSI escape sequences.
    pub fn render(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::ERROR, source, color)
    }

    /// Like [`Diagnostic::render`], but calls it a warning.
    pub fn render_warning(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::WARNING, source, color)
    }

    /// Like [`Diagnostic::render`], but calls it a failure: what was tried did not come out as expected.
    pub fn render_failure(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::ERROR.with_name("failed"), source, color)
    }

    fn render_as(&self, level: Level<'_>, source: &Source, color: bool) -> String {
        let marks = source.mark_len();
        let place = |span| shown_range(source, span, marks);
        let primary = annotation(AnnotationKind::Primary, place(self.span), &self.label);
        let related = self
            .related
            .iter()
            .map(|(span, label)| annotation(AnnotationKind::Context, place(*span), label));
        let snippet = Snippet::source(&source.text()[marks..])
            .path(source.name())
            .annotation(primary)
            .annotations(related);
        let hints = self.hints.iter().map(|hint| Level::HELP.message(hint));
        let group = Group::with_title(level.primary_title(&self.message))
            .element(snippet)
            .elements(hints);
        renderer(color).render(&[group])
    }
}

fn renderer(color: bool) -> Renderer {
    if color { Renderer::styled() } else { Renderer::plain() }
}

fn annotation<'a>(kind: AnnotationKind, range: Range<usize>, label: &'a str) -> Annotation<'a> {
    let annotation = kind.span(range);
    if label.is_empty() {
        annotation
    } else {
        annotation.label(label)
    }
}

/// The range of a span in the text without its byte order marks, cut to whole characters of the text: all that the
/// renderer bears.
fn shown_range(source: &Source, span: Span, marks: usize) -> Range<usize> {
    let start = source.char_start(span.start as usize);
    let end = source.text().ceil_char_boundary(span.end as usize).max(start);
    start.saturating_sub(marks)..end.saturating_sub(marks)
}
