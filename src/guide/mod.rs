//! The guide to the language, `docs/guide`, as the program shows it: one text for the reader of the pages, for `skewer help`
//! and for what an editor shows.
//!
//! A page is cut at its headings into [`Section`]s. A table of the language says in which section a word of the language is explained;
//! the rows of the tables that name it are its short description.
//!
//! ```
//! let topic = skewer::guide::topic("→").unwrap();
//! assert_eq!(topic.section.title, "Rays, attacks and pins");
//! assert_eq!(topic.rows[0].syntax.to_string(), "S -> T, S attacks T");
//! ```

mod everyday;
mod index;
pub mod markdown;
mod rows;

use std::iter;
use std::sync::LazyLock;

use crate::syntax::token::TokenKind;
use crate::syntax::{Source, ascii_spelling, nearest, scan};

use index::PAGES;
use markdown::{Block, Piece, Text};
use rows::IndexedRow;

pub use everyday::{Everyday, everyday, everyday_words};
pub use rows::Row;

/// What stands between two headings of a page.
#[derive(Debug)]
pub struct Section {
    /// The file of the page in `docs/guide`.
    pub file: &'static str,
    /// The heading of the page.
    pub page: String,
    /// The heading of the section; that of the page for what comes before the first other heading.
    pub title: String,
    /// The text below the heading.
    pub blocks: Vec<Block>,
    /// The words and signs that are explained here.
    pub words: Vec<&'static str>,
    rows: Vec<IndexedRow>,
}

/// A word of the language and where it is explained.
#[derive(Debug)]
pub struct Topic {
    /// Its ASCII spelling.
    pub word: String,
    /// Where it is explained.
    pub section: &'static Section,
    /// The rows of tables that name it, those of its own section first.
    pub rows: Vec<Row>,
}

impl Topic {
    /// What the word means, in a line. How it is written comes first where its row explains several words.
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
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| PAGES.iter().flat_map(index::Page::sections).collect());

/// All sections, in the order of the guide.
pub fn sections() -> &'static [Section] {
    &SECTIONS
}

/// What the guide says about a word, a sign, or something of which there are many, such as a piece designator or a number.
pub fn topic(text: &str) -> Option<Topic> {
    let text = text.trim();
    let word = ascii_spelling(text).unwrap_or(text);
    named(word).or_else(|| named(kind_of_text(text)?))
}

/// What the guide says about a word that is written in capitals or has an ending: `Checks`, `pins`.
pub fn topic_of_form(text: &str) -> Option<Topic> {
    let text = text.trim().to_lowercase();
    everyday::stems(&text).find_map(|stem| topic(&stem))
}

/// What the guide says about a token, whose text this is.
pub fn topic_of(token: &TokenKind, text: &str) -> Option<Topic> {
    match token {
        TokenKind::Name(_) => None,
        TokenKind::Word(word) => named(word),
        kind => topic(text).or_else(|| named(index::kind_of_token(kind)?)),
    }
}

fn named(word: &str) -> Option<Topic> {
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

/// The word of the index for a text that is one token of its kind.
fn kind_of_text(text: &str) -> Option<&'static str> {
    let (tokens, _) = scan(&Source::new("", text));
    match tokens.as_slice() {
        [token, end] if end.kind == TokenKind::End => index::kind_of_token(&token.kind),
        _ => None,
    }
}

/// The sections of the page, or the section, that has this title or file name; capitals and dashes do not matter.
pub fn titled(title: &str) -> Vec<&'static Section> {
    let wanted = plain(title);
    let page: Vec<&Section> = SECTIONS
        .iter()
        .filter(|section| plain(&section.page) == wanted || plain(section.file) == wanted)
        .collect();
    if !page.is_empty() {
        return page;
    }
    let mut section = SECTIONS.iter().filter(|section| plain(&section.title) == wanted);
    section.next().into_iter().collect()
}

/// A title or a file name as it is compared.
fn plain(title: &str) -> String {
    let stem = title.strip_suffix(".md").unwrap_or(title);
    let words: Vec<String> = stem
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// All words that have a topic, in alphabetical order, without signs and kinds of tokens.
pub fn words() -> Vec<&'static str> {
    let all = SECTIONS.iter().flat_map(|section| section.words.iter().copied());
    let mut words: Vec<_> = all
        .filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    words.sort_unstable();
    words
}

/// The word, title or everyday word that a text may have been meant for.
pub fn did_you_mean(text: &str) -> Option<&'static str> {
    let titles = SECTIONS.iter().flat_map(|section| [&*section.title, &*section.page]);
    let everyday = everyday_words()
        .iter()
        .flat_map(|word| word.names.iter().map(String::as_str));
    nearest(text, words().into_iter().chain(titles).chain(everyday))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{beyond_words, keywords, reserved_words, signs_with_spellings};

    #[test]
    fn every_word_has_a_section_and_a_row() {
        let words = || reserved_words().chain(beyond_words());
        let without_section: Vec<_> = words().filter(|word| topic(word).is_none()).collect();
        assert!(without_section.is_empty(), "the index misses {without_section:?}");
        let without_row: Vec<_> = words()
            .filter(|word| topic(word).is_some_and(|topic| topic.rows.is_empty()))
            .collect();
        assert!(without_row.is_empty(), "no table of the guide has {without_row:?}");
    }

    #[test]
    fn every_sign_has_a_section_in_both_spellings() {
        for (ascii, unicode) in signs_with_spellings() {
            let Some(topic) = topic(ascii) else {
                assert!(["[", "]", ","].contains(&ascii), "the index misses `{ascii}`");
                continue;
            };
            let same = unicode.map(|unicode| super::topic(unicode).map(|topic| topic.word));
            assert!(same.is_none_or(|other| other.as_ref() == Some(&topic.word)), "{ascii}");
        }
    }

    #[test]
    fn the_index_names_sections_that_exist_and_each_word_once() {
        for heading in keywords::headings() {
            let is_there = |section: &Section| heading == format!("{}: {}", section.file, section.title);
            assert!(sections().iter().any(is_there), "no section `{heading}`");
        }
        let mut all: Vec<_> = sections().iter().flat_map(|section| section.words.clone()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "some word stands twice in the index");
    }

    #[test]
    fn all_pages_are_there() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the guide is there")
            .map(|entry| entry.expect("the folder is readable").file_name().into_string())
            .collect::<Result<_, _>>()
            .expect("names are UTF-8");
        files.sort();
        let mut known: Vec<_> = PAGES.iter().map(|page| page.file).collect();
        known.sort_unstable();
        assert_eq!(known, files);
    }

    #[test]
    fn texts_of_a_kind_have_a_topic() {
        for (text, title) in [
            ("Ra1", "Designators"),
            ("[Aa]", "Designators"),
            ("♖", "Designators"),
            ("12", "Numbers"),
            ("\"text\"", "Strings"),
            ("\\1", "Patterns"),
            ("{2,}", "Repetitions"),
            ("⊢", "Constituents of a path"),
            ("――", "Played moves"),
            ("///", "Messages and comments"),
            ("1-0", "Tags"),
        ] {
            assert_eq!(topic(text).map(|topic| &*topic.section.title), Some(title), "{text}");
        }
        assert!(topic("attcks").is_none());
        assert!(topic("").is_none());
    }

    #[test]
    fn endings_and_capitals_do_not_hide_a_word() {
        for (form, word) in [
            ("Checks", "check"),
            ("pins", "pin"),
            ("dictionaries", "dictionary"),
            ("MATE", "mate"),
        ] {
            assert_eq!(
                topic_of_form(form).map(|topic| topic.word),
                Some(word.to_owned()),
                "{form}"
            );
        }
        assert!(topic_of_form("zzz").is_none());
    }

    #[test]
    fn slips_are_noticed() {
        assert_eq!(did_you_mean("attcks"), Some("attacks"));
        assert_eq!(did_you_mean("Transfroms"), Some("Transforms"));
        assert_eq!(did_you_mean("casteling"), Some("castling"));
        assert_eq!(did_you_mean("zzz"), None);
    }

    #[test]
    fn pages_and_sections_have_titles() {
        assert_eq!(titled("rays-attacks-pins").len(), 3);
        assert_eq!(titled("mates and pawn structure").len(), 1);
        assert_eq!(titled("the header")[0].page, "Games and tags");
        assert!(titled("").is_empty());
    }
}
