//! What the guide says about a word or sign.

use std::iter;
use std::sync::LazyLock;

use super::index::{PAGES, Page};
use super::markdown::{Piece, Text};
use super::normalize::stems;
use super::rows::Row;
use super::section::Section;
use super::tokens::kind_of_token;
use crate::syntax::token::TokenKind;
use crate::syntax::{Source, ascii_spelling, scan};

/// A word of the language, and where it is explained.
#[derive(Debug)]
pub struct Topic {
    /// Its ASCII spelling.
    pub word: String,
    /// The section that explains it.
    pub section: &'static Section,
    /// The rows of tables that name it. Those of its own section come first.
    pub rows: Vec<Row>,
}

impl Topic {
    /// Returns the meaning of the word in one line. If its row explains several words, the syntax comes first.
    pub fn summary(&self) -> Option<Text> {
        let row = self.rows.first()?;
        let mut text = Text::default();
        if row.is_shared {
            text.0.extend(row.syntax.0.iter().cloned());
            text.0.push(Piece::Plain(": ".to_owned()));
        }
        text.0.extend(row.meaning.0.iter().cloned());
        Some(text)
    }

    /// Returns a short explanation of the word as Markdown: a list of syntax and meaning.
    pub fn markdown_rows(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let place = if row.section == self.section.title {
                String::new()
            } else {
                format!(" _({})_", row.section)
            };
            let meaning = match row.meaning.0.is_empty() {
                true => "as its name says".to_owned(),
                false => row.meaning.to_markdown(),
            };
            format!("- {}: {meaning}{place}\n", row.syntax.to_markdown())
        });
        rows.collect()
    }
}

pub(super) static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| PAGES.iter().flat_map(Page::sections).collect());

/// Returns all sections, in the order of the guide.
pub fn sections() -> &'static [Section] {
    &SECTIONS
}

/// Returns what the guide says about a word, a sign, or a kind of token such as a piece designator or a number.
pub fn topic(text: &str) -> Option<Topic> {
    let text = text.trim();
    let word = ascii_spelling(text).unwrap_or(text);
    named(word).or_else(|| named(kind_of_text(text)?))
}

/// Returns what the guide says about a word in capitals or with an ending: `Checks`, `pins`.
pub fn topic_of_form(text: &str) -> Option<Topic> {
    let text = text.trim().to_lowercase();
    stems(&text).find_map(|stem| topic(&stem))
}

/// Returns what the guide says about a token with this text.
pub fn topic_of(token: &TokenKind, text: &str) -> Option<Topic> {
    match token {
        TokenKind::Name(_) => None,
        TokenKind::Word(word) => named(word),
        kind => topic(text).or_else(|| named(kind_of_token(kind)?)),
    }
}

pub(super) fn named(word: &str) -> Option<Topic> {
    let home = SECTIONS.iter().position(|section| section.words.contains(&word))?;
    let (before, rest) = SECTIONS.split_at(home);
    let (section, after) = rest.split_first()?;
    let sections = iter::once(section).chain(before).chain(after);
    let rows = sections.flat_map(|section| section.rows.iter().filter_map(|row| row.naming(word)));
    Some(Topic {
        word: word.to_owned(),
        section,
        rows: rows.collect(),
    })
}

/// Returns the word of the index for a text that is a single token.
fn kind_of_text(text: &str) -> Option<&'static str> {
    let (tokens, _) = scan(&Source::new("", text));
    match tokens.as_slice() {
        [token, end] if end.kind == TokenKind::End => kind_of_token(&token.kind),
        _ => None,
    }
}
