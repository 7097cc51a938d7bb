//! The text of expectations: comments that begin with `//?`, and the strings in them.

use std::ops::Range;

use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, UNDECODABLE, annotations};

/// The first words of expectations.
pub const BEGINNINGS: [&str; 3] = ["match", "no", "count"];

/// A comment that begins with `//?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Marked {
    /// The text after the mark, without white space at both ends.
    pub(super) text: Span,
    /// The line of the query, from 1.
    line: usize,
}

impl Marked {
    /// Returns whether an expectation begins here, judging by the first word.
    pub(super) fn is_beginning(&self, source: &Source) -> bool {
        let text = source.slice(self.text);
        BEGINNINGS.contains(&&text[..word_length(text)])
    }

    /// Returns whether this can only be the beginning of an expectation, and not, for instance, the rest of a string.
    fn is_plain_beginning(&self, source: &Source) -> bool {
        let text = source.slice(self.text);
        let (counts, text) = match text.strip_prefix("count") {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix("no").unwrap_or(text).trim_start()),
        };
        match text.strip_prefix("match") {
            Some(rest) => ["\"", "pgn", "game"]
                .iter()
                .any(|next| rest.trim_start().starts_with(next)),
            None => counts && text.trim_start().starts_with('"'),
        }
    }
}

/// Returns the marked comments of a query, in order, except for those about warnings: `//? allow NAME`.
pub(super) fn marked(source: &Source) -> Vec<Marked> {
    let is_allowance = |text: &str| &text[..word_length(text)] == "allow";
    let annotations = annotations(source).into_iter();
    let marked = annotations.filter(|text| !is_allowance(source.slice(*text)));
    let marked = marked.map(|text| Marked {
        text,
        line: source.place(text.start).line,
    });
    marked.collect()
}

/// A string of an expectation, with the places of its characters in the query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text between the quotes. A line break is a space, `\"` a quote and `\\` a backslash.
    pub value: String,
    /// The whole string, including quotes.
    pub span: Span,
    /// Runs of characters that are also adjacent in the query, as their offsets in the value and in the query.
    runs: Vec<(usize, usize)>,
}

impl Text {
    /// Returns the place of a part of the value in the query.
    pub fn place(&self, part: Range<usize>) -> Span {
        let place = |at: usize| {
            let run = self.runs.partition_point(|(start, _)| *start <= at).checked_sub(1);
            let (value, query) = run.and_then(|run| self.runs.get(run)).copied().unwrap_or_default();
            query + (at - value)
        };
        let start = place(part.start);
        let end = part.end.checked_sub(1).map_or(start, |last| place(last) + 1);
        Span::new(start, end.max(start))
    }
}

/// Returns the length of the word at the beginning of a text: letters, digits and `_`.
fn word_length(text: &str) -> usize {
    text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(text.len())
}

/// Reads the marked comments of a query, from the beginning of an expectation to its end. It ends with a comment, unless there is one on the
/// next line that does not begin an expectation.
#[derive(Clone)]
pub(super) struct Cursor<'s> {
    source: &'s Source,
    /// The current comment, and those after it.
    lines: &'s [Marked],
    at: usize,
}

impl<'s> Cursor<'s> {
    /// Creates a cursor at the beginning of the first comment, or returns `None` if there is none.
    pub(super) fn new(source: &'s Source, lines: &'s [Marked]) -> Option<Cursor<'s>> {
        let at = lines.first()?.text.start as usize;
        Some(Cursor { source, lines, at })
    }

    /// Returns the comments after the current one.
    pub(super) fn later(&self) -> &'s [Marked] {
        self.lines.get(1..).unwrap_or_default()
    }

    /// Returns the current place as an empty span.
    pub(super) fn here(&self) -> Span {
        Span::new(self.at, self.at)
    }

    /// Returns the rest of the current comment.
    fn rest(&self) -> &'s str {
        let end = self.lines.first().map_or(self.at, |line| line.text.end as usize);
        self.source.slice(Span::new(self.at, end.max(self.at)))
    }

    /// Returns the cursor after white space and line ends.
    fn behind_blanks(&self) -> Cursor<'s> {
        let mut behind = self.clone();
        loop {
            let rest = behind.rest();
            behind.at += rest.len() - rest.trim_start().len();
            let ends = match behind.lines {
                [_, next, ..] => next.is_beginning(self.source),
                _ => true,
            };
            if !behind.rest().is_empty() || ends || !behind.next_line() {
                return behind;
            }
        }
    }

    /// Returns the next word: letters, digits and `_`.
    pub(super) fn peek(&self) -> Option<(&'s str, Span)> {
        let before = self.behind_blanks();
        let rest = before.rest();
        let length = word_length(rest);
        (length > 0).then(|| (&rest[..length], Span::new(before.at, before.at + length)))
    }

    /// Takes the next word if it is wanted.
    pub(super) fn take_if(&mut self, wanted: impl FnOnce(&str) -> bool) -> Option<(&'s str, Span)> {
        let (word, span) = self.peek().filter(|(word, _)| wanted(word))?;
        *self = self.behind_blanks();
        self.at = span.end as usize;
        Some((word, span))
    }

    /// Takes a sign if it comes next. Returns whether it did.
    pub(super) fn take_sign(&mut self, sign: char) -> bool {
        let before = self.behind_blanks();
        let is_there = before.rest().starts_with(sign);
        if is_there {
            *self = before;
            self.at += sign.len_utf8();
        }
        is_there
    }

    /// Returns whether a string comes next.
    pub(super) fn is_at_string(&self) -> bool {
        self.behind_blanks().rest().starts_with('"')
    }

    /// Returns whether the line has ended.
    pub(super) fn is_at_line_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// Returns whether the expectation has ended.
    pub(super) fn is_at_end(&self) -> bool {
        self.behind_blanks().rest().is_empty()
    }

    /// Takes a string, which may continue in comments on the next lines. Returns `None` if no string comes next.
    pub(super) fn take_string(&mut self) -> Option<Result<Text, Diagnostic>> {
        let start = self.behind_blanks().at;
        self.take_sign('"').then(|| self.string_from(start))
    }

    fn string_from(&mut self, start: usize) -> Result<Text, Diagnostic> {
        let mut value = String::new();
        let mut runs = vec![(0, self.at)];
        loop {
            let mut characters = self.rest().chars();
            let Some(character) = characters.next() else {
                value.truncate(value.trim_end().len());
                let is_over = matches!(self.lines, [_, next, ..] if next.is_plain_beginning(self.source));
                if is_over || !self.next_line() {
                    return Err(
                        Diagnostic::new(Span::new(start, start + 1), "the string has no closing quote")
                            .hint("a string may go on on the next line, which then begins with `//?`, too"),
                    );
                }
                value.push(' ');
                runs.push((value.len(), self.at));
                continue;
            };
            self.at += character.len_utf8();
            match character {
                '"' => break,
                '\\' => match characters.next() {
                    Some(escaped @ ('"' | '\\')) => {
                        runs.push((value.len(), self.at));
                        value.push(escaped);
                        self.at += 1;
                    }
                    _ => value.push('\\'),
                },
                UNDECODABLE => {
                    let byte = Span::new(self.at - 1, self.at);
                    return Err(Diagnostic::new(byte, "this is not valid UTF-8")
                        .hint("query files with examples are UTF-8; convert the file, e.g. with `iconv`"));
                }
                other => value.push(other),
            }
        }
        Ok(Text {
            value,
            span: Span::new(start, self.at),
            runs,
        })
    }

    /// Moves to the comment on the next line. Returns whether there is one.
    fn next_line(&mut self) -> bool {
        match self.lines {
            [this, next, ..] if next.line == this.line + 1 => {
                self.lines = self.later();
                self.at = next.text.start as usize;
                true
            }
            _ => false,
        }
    }

    /// Returns an error at the next word, at the next sign, or at the end.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let before = self.behind_blanks();
        let rest = before.rest();
        if rest.is_empty() {
            return Diagnostic::new(self.here(), "the expectation ends too early")
                .label(format!("expected {expected}"));
        }
        let length = match word_length(rest) {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            length => length,
        };
        let span = Span::new(before.at, before.at + length);
        Diagnostic::new(span, format!("unexpected `{}`", &rest[..length])).label(format!("expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first string of a query's expectations.
    fn string(query: &str) -> Result<(Source, Text), Diagnostic> {
        let source = Source::new("q", query);
        let lines = marked(&source);
        let mut cursor = Cursor::new(&source, &lines).expect("there is an expectation");
        let text = cursor.take_string().expect("there is a string")?;
        Ok((source, text))
    }

    #[test]
    fn a_string_knows_where_its_characters_stand() {
        let (source, text) = string("//? \"a \\\"b\\\" ♔ c  \r\n  //?   d\\e\\\\f\"\nmate").expect("a string");
        assert_eq!(text.value, "a \"b\" ♔ c d\\e\\f");
        let shown = |part: &str| {
            let start = text.value.find(part).expect("it is there");
            source.slice(text.place(start..start + part.len()))
        };
        for part in ["a", "b", "♔", "c", "d", "f", "♔ c"] {
            assert_eq!(shown(part), part);
        }
        assert_eq!(shown("d\\e"), "d\\e");
        assert_eq!(shown("c d"), "c  \r\n  //?   d");
    }

    #[test]
    fn what_is_said_about_warnings_is_no_expectation() {
        let source = Source::new("q", "//? allow always-true\n//? match\n//? allowed");
        let texts: Vec<&str> = marked(&source).iter().map(|line| source.slice(line.text)).collect();
        assert_eq!(texts, ["match", "allowed"]);
    }

    #[test]
    fn a_string_ends_with_the_comments_below_each_other() {
        for query in [
            "//? \"a\n//? no match pgn \"b\"",
            "//? \"a\n//? match \"b\"",
            "//? \"a\n//? count \"b\"",
            "//? \"a\nmate",
            "//? \"a\n\n//? b\"",
            "//? \"a\n// b\"",
            "//? \"a",
        ] {
            let error = string(query).expect_err("it is not closed");
            assert_eq!(error.message, "the string has no closing quote", "{query:?}");
            assert_eq!(error.span, Span::new(4, 5), "{query:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let source = Source::new("q", b"//? \"a\xff\"".to_vec());
        let lines = marked(&source);
        let mut cursor = Cursor::new(&source, &lines).expect("there is an expectation");
        let error = cursor.take_string().expect("a string").expect_err("it is refused");
        assert_eq!(error.span, Span::new(6, 7));
    }

    #[test]
    fn only_comments_are_marked() {
        let source = Source::new(
            "q",
            "//? a\n  //?b  \n\"//? no\"\n/* //? no\n//? no */ mate //? c\n// //? no\n; //? no\n///? no\n",
        );
        let lines: Vec<_> = marked(&source)
            .iter()
            .map(|line| (source.slice(line.text), line.line))
            .collect();
        assert_eq!(lines, [("a", 1), ("b", 2), ("c", 5)]);
    }
}
