//! Applies the tables of slips to a text with an error.

use std::sync::LazyLock;

use super::super::source::Source;
use super::super::table::Table;
use super::super::token::Span;
use super::candidate::Candidate;
use super::pattern::{self, Found, LooseToken};

pub(super) static SLIPS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("slips.txt")));
pub(super) static BRACKETS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("brackets.txt")));

/// Returns the advice that `slips.txt` has under a name.
pub(super) fn advice(name: &str) -> &'static str {
    SLIPS.named(name)
}

/// A text with an error.
pub(super) struct Text<'s> {
    pub(super) source: &'s Source,
    pub(super) tokens: Vec<LooseToken<'s>>,
    /// The place of the error.
    pub(super) error: Span,
}

/// The number of tokens before an error at which a slip may begin.
pub(super) const REACH: usize = 30;

impl Text<'_> {
    /// Returns the corrections of a table.
    pub(super) fn of_table(&self, table: &'static Table) -> impl Iterator<Item = Candidate> {
        let found = table.rows.iter().filter_map(|row| Some((row, self.first(row.key)?)));
        found.flat_map(move |(row, found)| {
            row.values.iter().map(move |template| {
                let text = pattern::filled(template, self.source, &found.elements);
                Candidate {
                    row: row.key,
                    ..Candidate::new(found.span, text, row.heading)
                }
            })
        })
    }

    /// Returns the first match of a pattern near the error.
    pub(super) fn first(&self, pattern: &str) -> Option<Found> {
        let elements: Vec<&str> = pattern.split(' ').collect();
        let mut found = self
            .starts()
            .filter_map(|start| pattern::found(&elements, &self.tokens[start..]));
        found.find(|found| self.concerns(found.span))
    }

    /// Returns the indexes of the tokens with which a slip may begin.
    pub(super) fn starts(&self) -> std::ops::Range<usize> {
        let at = self.at_error();
        at.saturating_sub(REACH)..(at + 1).min(self.tokens.len())
    }

    /// Returns the index of the token at the error, or after it.
    pub(super) fn at_error(&self) -> usize {
        self.tokens.partition_point(|token| token.span.end <= self.error.start)
    }

    /// Returns whether a part of the text contains the error, or is directly before an error about something missing.
    pub(super) fn concerns(&self, span: Span) -> bool {
        let is_missing = || {
            let next = self.tokens.get(self.at_error()).map_or("", |token| token.text);
            let between = Span {
                start: span.end,
                end: self.error.start,
            };
            matches!(next, "" | ")" | "}" | "]") && self.source.slice(between).trim().is_empty()
        };
        span.start <= self.error.start && (self.error.start < span.end || is_missing())
    }

    /// Returns the text around the error up to white space, brackets or quotes.
    pub(super) fn word(&self) -> Option<(Span, &str)> {
        let source = self.source.text();
        let error = self.error.start as usize;
        let ends = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '{' | '}' | '"');
        let start = source.get(..error)?.rfind(ends).map_or(0, |at| at + 1);
        let end = source[error..].find(ends).map_or(source.len(), |at| error + at);
        let start = source.ceil_char_boundary(start);
        (start < end).then(|| (Span::new(start, end), &source[start..end]))
    }

    /// Returns the rest of the line from a place on, without the line end.
    pub(super) fn rest_of_line(&self, start: u32) -> Span {
        let rest = &self.source.text()[start as usize..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        Span::new(start as usize, start as usize + length)
    }
}
