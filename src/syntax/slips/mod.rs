//! Slips: what people write who know chess, other languages or other versions of CQL, and what they probably meant.
//!
//! The tables hold a pattern each, what is written instead, and a sentence. They are asked only about a text that does not compile,
//! and `query::parse::slips` proposes only what makes an error go away; so no table has to know what is correct.
//!
//! A pattern is a row of elements between blanks, each of which takes a token or more, whatever white space is between them. Words in
//! lower case and signs stand for themselves, in any case; words in capitals for kinds of tokens:
//!
//! | element | takes |
//! |---|---|
//! | `STRING` `NUMBER` `NAME` `RESULT` | a token of this kind |
//! | `REPEAT` `BOUNDS` | `{3}`; `{3,5}`, `{3,}` or `{,5}` |
//! | `PIECES` `PIECE` `SQUARE` `FILE` `RANK` | a designator; one of one letter; `e4`; `a` to `h`; `1` to `8` |
//! | `PROPER` | a name such as `Morphy` |
//! | `WORD` | a name or a word of the language |
//! | `QUANTITY` `STATE` `TAG` `COMPARE` `DASH` `DOTS` | words and signs of these families |
//! | `TERM` `GROUP` | one filter, as far as the tokens tell; what stands between parentheses or braces |
//! | `MANY` | as few tokens as possible, at least one, with balanced brackets |
//!
//! In what is written instead `$1` is the text of the first element, `%1` the same without its quotes or brackets.

mod algebraic;
mod attacks;
mod beyond;
mod brackets;
pub(super) mod characters;
mod comments;
mod counting;
mod games;
mod headers;
mod languages;
mod logic;
mod moves;
mod older;
mod operators;
mod pattern;
mod pieces;
mod squares;
mod words;

use super::source::Source;
use super::token::Span;
use pattern::{Found, Piece};

pub(super) use operators::foreign_operator;
pub(crate) use words::{Word, known_words, meant_by};

/// A row of a table.
pub(super) struct Slip {
    /// What is written.
    wrong: &'static str,
    /// What was probably meant, the best first.
    right: &'static [&'static str],
    /// How CQL says it.
    says: &'static str,
}

const fn slip(wrong: &'static str, right: &'static [&'static str], says: &'static str) -> Slip {
    Slip { wrong, right, says }
}

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

/// The tables, those first that know more of what they look at.
const TABLES: [&[Slip]; 9] = [
    beyond::SLIPS,
    games::SLIPS,
    counting::SLIPS,
    older::SLIPS,
    attacks::SLIPS,
    moves::SLIPS,
    pieces::SLIPS,
    logic::SLIPS,
    languages::SLIPS,
];

/// A text in which an error is.
struct Text<'s> {
    source: &'s Source,
    pieces: Vec<Piece<'s>>,
    /// Where the error is.
    error: Span,
}

/// Messages show no longer texts.
const LONGEST_SHOWN: usize = 100;

/// A text of more tokens is not looked at.
const MOST_PIECES: usize = 20_000;

/// So many tokens before an error a slip may begin.
const REACH: usize = 30;

/// What was probably meant where the compiler has found an error, the best first.
pub(crate) fn candidates(source: &Source, error: Span) -> Vec<Candidate> {
    let text = Text {
        source,
        pieces: pattern::pieces(source),
        error,
    };
    if text.pieces.len() > MOST_PIECES {
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
    for table in TABLES {
        found.extend(text.of_table(table));
    }
    let brackets = text.of_table(brackets::SLIPS).into_iter();
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
    fn of_table(&self, table: &'static [Slip]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for slip in table {
            let Some(found) = self.first(slip.wrong) else {
                continue;
            };
            candidates.extend(slip.right.iter().map(|template| {
                let text = pattern::filled(template, self.source, &found.elements);
                Candidate {
                    row: slip.wrong,
                    ..Candidate::new(found.span, text, slip.says)
                }
            }));
        }
        candidates
    }

    /// The first place near the error where a pattern stands.
    fn first(&self, pattern: &str) -> Option<Found> {
        let mut found = self
            .starts()
            .filter_map(|start| pattern::found(pattern, &self.pieces[start..]));
        found.find(|found| self.concerns(found.span))
    }

    /// The places of the tokens with which a slip may begin.
    fn starts(&self) -> std::ops::Range<usize> {
        let at = self.at_error();
        at.saturating_sub(REACH)..(at + 1).min(self.pieces.len())
    }

    /// The place of the token at the error, or behind it.
    fn at_error(&self) -> usize {
        self.pieces.partition_point(|piece| piece.span.end <= self.error.start)
    }

    /// Whether a part of the text has the error in it, or is followed by one about what is missing there.
    fn concerns(&self, span: Span) -> bool {
        let is_missing = || {
            let next = self.pieces.get(self.at_error()).map_or("", |piece| piece.text);
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
