//! A text in which an error is, and what the tables of slips say of it.

use std::sync::LazyLock;

use super::super::source::Source;
use super::super::table::Table;
use super::super::token::Span;
use super::candidate::Candidate;
use super::pattern::{self, Found, LooseToken};

pub(super) static SLIPS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("slips.txt")));
pub(super) static BRACKETS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("brackets.txt")));

/// How CQL says something, as `slips.txt` has it under a name.
pub(super) fn advice(name: &str) -> &'static str {
    SLIPS.named(name)
}

/// A text in which an error is.
pub(super) struct Text<'s> {
    pub(super) source: &'s Source,
    pub(super) tokens: Vec<LooseToken<'s>>,
    /// Where the error is.
    pub(super) error: Span,
}

/// So many tokens before an error a slip may begin.
pub(super) const REACH: usize = 30;

impl Text<'_> {
    /// What a table says.
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

    /// The first place near the error where a pattern stands.
    pub(super) fn first(&self, pattern: &str) -> Option<Found> {
        let mut found = self
            .starts()
            .filter_map(|start| pattern::found(pattern, &self.tokens[start..]));
        found.find(|found| self.concerns(found.span))
    }

    /// The places of the tokens with which a slip may begin.
    pub(super) fn starts(&self) -> std::ops::Range<usize> {
        let at = self.at_error();
        at.saturating_sub(REACH)..(at + 1).min(self.tokens.len())
    }

    /// The place of the token at the error, or after it.
    pub(super) fn at_error(&self) -> usize {
        self.tokens.partition_point(|token| token.span.end <= self.error.start)
    }

    /// Whether a part of the text has the error in it, or is followed by one about what is missing there.
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

    /// The text without its last line end that the line of the error has, from a place on.
    pub(super) fn rest_of_line(&self, start: u32) -> Span {
        let rest = &self.source.text()[start as usize..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        Span::new(start as usize, start as usize + length)
    }
}
