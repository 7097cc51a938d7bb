//! Renders errors for people, with the lines of the query that they are about.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::diagnostic::Diagnostic;
use super::source::Source;
use super::token::Span;
use crate::terminal::{in_a_line, visible};

impl Diagnostic {
    /// Returns the error as text for people: message, place, the lines of the query with the error underlined, and advice. It has several
    /// lines, without a final line end. With `color`, it has ANSI escape sequences.
    pub fn render(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::ERROR, source, color)
    }

    /// Renders it like [`Diagnostic::render`], but as a warning.
    pub fn render_warning(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::WARNING, source, color)
    }

    /// Renders it like [`Diagnostic::render`], but as a failure: something did not have the expected result.
    pub fn render_failure(&self, source: &Source, color: bool) -> String {
        self.render_as(Level::ERROR.with_name("failed"), source, color)
    }

    fn render_as(&self, level: Level<'_>, source: &Source, color: bool) -> String {
        let spans = self.related.iter().map(|(span, _)| *span);
        let excerpt = Excerpt::of(source, self.span, spans);
        // Names and messages may contain anything from a query. The renderer makes control characters visible only in the text.
        let (label, message, name) = (visible(&self.label), visible(&self.message), in_a_line(source.name()));
        let hints: Vec<_> = self.hints.iter().map(|hint| visible(hint)).collect();
        let primary = annotation(AnnotationKind::Primary, excerpt.range(self.span), &label);
        let related = self
            .related
            .iter()
            .map(|(span, label)| annotation(AnnotationKind::Context, excerpt.range(*span), label));
        let snippet = Snippet::source(excerpt.text())
            .path(&*name)
            .line_start(excerpt.line)
            .annotation(primary)
            .annotations(related);
        let hints = hints.iter().map(|hint| Level::HELP.message(&**hint));
        let group = Group::with_title(level.primary_title(&*message))
            .element(snippet)
            .elements(hints);
        let rendered = excerpt.corrected(renderer(color).render(&[group]));
        match &self.elsewhere {
            None => rendered,
            Some(elsewhere) => {
                let text = Source::new(&*elsewhere.name, &*elsewhere.text);
                let reason = elsewhere.error.render_as(Level::NOTE, &text, color);
                format!("{rendered}\n{reason}")
            }
        }
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

/// The number of bytes on both sides of the underlined part that the renderer is given. It shows fewer, as it has 140 columns.
const REACH: usize = 600;

/// The part of a query that the renderer is given. It looks at every character of it, each time.
struct Excerpt<'s> {
    source: &'s Source,
    /// The range from its first line to its last, each of which may be cut.
    place: Range<usize>,
    /// The number of its first line.
    line: usize,
    /// How many characters of the first line are left out.
    left_out: usize,
}

impl<'s> Excerpt<'s> {
    /// Returns the excerpt that shows these places.
    fn of(source: &'s Source, first: Span, others: impl Iterator<Item = Span>) -> Excerpt<'s> {
        let text = source.text();
        let ranges = others.map(|span| shown_range(source, span));
        let shown = ranges.fold(shown_range(source, first), |all, range| {
            all.start.min(range.start)..all.end.max(range.end)
        });
        // A place after the last line end is shown at the end of the line before.
        let last = text.strip_suffix('\n').unwrap_or(text).len();
        let line_start = source.line_start(shown.start.min(last));
        let line_end = source.line_end(shown.end);
        // Several lines are not cut: they are shown from the same column on, which depends on all of them.
        let reach = if text[shown.clone()].contains('\n') {
            text.len()
        } else {
            REACH
        };
        let start = text
            .floor_char_boundary(shown.start.saturating_sub(reach))
            .max(line_start);
        let end = text.ceil_char_boundary(shown.end.saturating_add(reach)).min(line_end);
        Excerpt {
            source,
            place: start..end,
            line: source.place(line_start as u32).line,
            left_out: source.characters(line_start..start),
        }
    }

    fn text(&self) -> &'s str {
        &self.source.text()[self.place.clone()]
    }

    /// Returns the range of a span in the excerpt.
    fn range(&self, span: Span) -> Range<usize> {
        let range = shown_range(self.source, span);
        range.start - self.place.start..range.end - self.place.start
    }

    /// Corrects the column in the second line of the rendered text, `--> NAME:LINE:COLUMN`, if the line was cut.
    fn corrected(&self, rendered: String) -> String {
        if self.left_out == 0 {
            return rendered;
        }
        let mut lines = rendered.splitn(3, '\n');
        let (title, place, rest) = (lines.next(), lines.next(), lines.next());
        let place = place.and_then(|place| place.rsplit_once(':'));
        let (Some(title), Some((place, column)), Some(rest)) = (title, place, rest) else {
            return rendered;
        };
        match column.parse::<usize>() {
            Ok(column) => format!("{title}\n{place}:{}\n{rest}", column + self.left_out),
            Err(_) => rendered,
        }
    }
}

/// Returns the range of a span in the text after its byte order marks, extended to whole characters, as the renderer requires.
fn shown_range(source: &Source, span: Span) -> Range<usize> {
    let marks = source.mark_len();
    let start = source.char_start(span.start as usize).max(marks);
    let end = source.text().ceil_char_boundary(span.end as usize).max(start);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders an error at a sign with this many words before and after it on its line.
    fn error_behind(words: usize, color: bool) -> String {
        let before = format!("cql()\n{}", "♘a1 ".repeat(words));
        let source = Source::new("q.cql", format!("{before}!{}\ncheck", " ♘h8".repeat(words)));
        let place = Span::new(before.len(), before.len() + 1);
        let error = Diagnostic::new(place, "wrong").label("here").hint("leave it out");
        error.render(&source, color)
    }

    #[test]
    fn a_very_long_line_is_shown_around_what_is_wrong_with_its_own_column() {
        let of_short = error_behind(200, false);
        let of_long = error_behind(50_000, false);
        assert!(of_short.contains("--> q.cql:2:801\n"), "{of_short}");
        assert_eq!(of_short.replace(":2:801", ":2:200001"), of_long);
        let colored = error_behind(50_000, true);
        assert!(colored.contains("q.cql:2:200001\n"), "{colored}");
    }

    #[test]
    fn every_place_can_be_shown() {
        for text in ["", "\n", "a\n", "\u{feff}♘ b\nc", "ab\r\n♘\r\n"] {
            let source = Source::new("q.cql", text);
            for start in 0..text.len() + 2 {
                for end in start..text.len() + 3 {
                    let related = Span::new(text.len().saturating_sub(end), text.len());
                    let error = Diagnostic::new(Span::new(start, end), "wrong").related(related, "there");
                    let place = source.place(start.min(text.trim_end_matches('\n').len()) as u32);
                    let shown = error.render(&source, false);
                    let line = format!("--> q.cql:{}:", place.line);
                    assert!(
                        shown.contains(&line) && shown.contains('^'),
                        "{start} to {end} of {text:?}:\n{shown}"
                    );
                }
            }
        }
    }
}
