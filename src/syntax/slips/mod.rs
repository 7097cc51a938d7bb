//! Slips: what people write who know chess, other languages or other versions of CQL, and what they probably meant.
//!
//! `slips.txt` has a row for each mistake: what is written, what is meant, and a sentence. It is asked only about a text that does not
//! compile, and `query::parse::slips` proposes only what makes an error go away; so no row has to know what is correct. What cannot
//! be said in rows, the files beside it calculate.

mod algebraic;
mod beyond;
mod brackets;
pub(super) mod characters;
mod comments;
mod counting;
mod headers;
mod operators;
mod pattern;
mod pieces;
mod squares;
mod words;

use std::sync::LazyLock;

use super::source::Source;
use super::table::Table;
use super::token::Span;
use pattern::{Found, LooseToken};

pub(super) use operators::foreign_operator;
pub(crate) use words::{Word, known_words, meant_by};

/// What was probably meant by a part of a text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What is wrong, where the error of the compiler would mislead, with the place.
    pub(crate) message: Option<&'static str>,
    /// The row of a table that it is from, or the name of what has found it.
    row: &'static str,
    /// The text that is looked at.
    pub(crate) span: Span,
    /// What is replaced by what.
    pub(crate) edits: Vec<(Span, String)>,
    /// How CQL says it.
    pub(crate) says: &'static str,
    /// What the edits do, as an order; not for those that change one place.
    pub(crate) title: Option<&'static str>,
    /// It counts only where the compiler has nothing to propose.
    pub(crate) is_bold: bool,
}

impl Candidate {
    fn new(span: Span, text: impl Into<String>, says: &'static str) -> Candidate {
        Candidate {
            message: None,
            row: says,
            span,
            edits: vec![(span, text.into())],
            says,
            title: None,
            is_bold: false,
        }
    }

    /// Whether it is another way out of the same slip.
    pub(crate) fn is_alternative_to(&self, other: &Candidate) -> bool {
        self.span == other.span && self.row == other.row && self.edits != other.edits
    }

    /// What is written instead, as messages show it; nothing if it would not be short.
    pub(crate) fn shown(&self, source: &Source) -> Option<String> {
        let ([(span, text)], None) = (self.edits.as_slice(), self.title) else {
            return None;
        };
        let text = text.trim();
        let is_part = !self.span.contains(*span) || *span != self.span;
        match text {
            _ if is_part || text.len() > LONGEST_SHOWN || text.contains('\n') => None,
            "" => Some(format!("it without `{}`", source.slice(*span))),
            text => Some(format!("`{text}`")),
        }
    }

    fn with_message(mut self, message: &'static str) -> Candidate {
        self.message = Some(message);
        self
    }
}

static SLIPS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("slips.txt")));
static BRACKETS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("brackets.txt")));

/// How CQL says something, as `slips.txt` has it under a name.
fn advice(name: &str) -> &'static str {
    SLIPS.named(name)
}

/// A text in which an error is.
struct Text<'s> {
    source: &'s Source,
    tokens: Vec<LooseToken<'s>>,
    /// Where the error is.
    error: Span,
}

/// Messages show no longer texts.
const LONGEST_SHOWN: usize = 100;

/// A text of more tokens is not looked at.
const MOST_TOKENS: usize = 20_000;

/// So many tokens before an error a slip may begin.
const REACH: usize = 30;

/// What was probably meant where the compiler has found an error, the best first.
pub(crate) fn candidates(source: &Source, error: Span) -> Vec<Candidate> {
    let text = Text {
        source,
        tokens: pattern::tokens(source),
        error,
    };
    if text.tokens.len() > MOST_TOKENS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for specialist in [
        comments::candidates,
        headers::candidates,
        beyond::candidates,
        squares::candidates,
        counting::candidates,
        algebraic::candidates,
        pieces::candidates,
    ] {
        found.extend(specialist(&text));
    }
    found.extend(text.of_table(&SLIPS));
    let brackets = text.of_table(&BRACKETS);
    let brackets = brackets.filter(|candidate| !brackets::touch(&text, candidate.span));
    found.extend(brackets.map(|candidate| Candidate {
        is_bold: true,
        ..candidate
    }));
    found.extend(brackets::candidates(&text));
    found
}

impl Text<'_> {
    /// What a table says.
    fn of_table(&self, table: &'static Table) -> impl Iterator<Item = Candidate> {
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
    fn first(&self, pattern: &str) -> Option<Found> {
        let mut found = self
            .starts()
            .filter_map(|start| pattern::found(pattern, &self.tokens[start..]));
        found.find(|found| self.concerns(found.span))
    }

    /// The places of the tokens with which a slip may begin.
    fn starts(&self) -> std::ops::Range<usize> {
        let at = self.at_error();
        at.saturating_sub(REACH)..(at + 1).min(self.tokens.len())
    }

    /// The place of the token at the error, or behind it.
    fn at_error(&self) -> usize {
        self.tokens.partition_point(|token| token.span.end <= self.error.start)
    }

    /// Whether a part of the text has the error in it, or is followed by one about what is missing there.
    fn concerns(&self, span: Span) -> bool {
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
    fn rest_of_line(&self, start: u32) -> Span {
        let rest = &self.source.text()[start as usize..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        Span::new(start as usize, start as usize + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_an_advice_known_elements_and_something_to_write() {
        let kinds: Vec<&str> = include_str!("slips.txt")
            .lines()
            .filter_map(|line| line.strip_prefix("//   "))
            .collect();
        let is_known = |element: &str| {
            let is_kind = element.len() > 1 && element.chars().all(|letter| letter.is_ascii_uppercase());
            !is_kind || kinds.iter().any(|line| line.split(' ').any(|kind| kind == element))
        };
        for (file, table) in [("slips.txt", &SLIPS), ("brackets.txt", &BRACKETS)] {
            assert!(!table.rows.is_empty(), "{file}");
            for row in &table.rows {
                let place = format!("{file}:{}", row.line);
                assert!(
                    !row.heading.is_empty(),
                    "{place}: no advice above it, or none with its name"
                );
                assert!(!row.values.is_empty(), "{place}: nothing to write instead");
                let elements: Vec<&str> = row.key.split(' ').collect();
                for element in &elements {
                    assert!(is_known(element), "{place}: {element} is no kind of token");
                }
                let letters: Vec<char> = row.values.concat().chars().collect();
                for pair in letters.windows(2).filter(|pair| matches!(pair[0], '$' | '%')) {
                    let number = pair[1].to_digit(10).unwrap_or(1) as usize;
                    assert!((1..=elements.len()).contains(&number), "{place}: no element {number}");
                }
            }
        }
    }

    #[test]
    fn each_name_of_an_advice_is_in_the_table() {
        let files = [
            include_str!("beyond.rs"),
            include_str!("counting.rs"),
            include_str!("pieces.rs"),
        ];
        let uses = files.iter().flat_map(|file| file.split("advice(\"").skip(1));
        let names: Vec<&str> = uses.filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(names.len(), 4);
        for name in names {
            assert_ne!(advice(name), "", "{name}");
        }
    }
}
