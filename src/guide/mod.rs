//! The guide to the language, `docs/guide`, as the program shows it: the pages, `skewer help` and editors use the same text.
//! A page is split at its headings into [`Section`]s. The table of the language says which section explains a word. The rows of tables that
//! name the word are its short description.
//!
//! ```
//! let topic = skewer::guide::topic("→").unwrap();
//! assert_eq!(topic.section.title, "Rays, attacks and pins");
//! assert_eq!(topic.rows[0].syntax.to_string(), "S -> T, S attacks T");
//! ```
//!
//! Each part uses only those before it: `markdown`, `tokens`, `rows`, `section`, `index`, `normalize`, `topic`, `everyday`.

mod everyday;
mod index;
pub mod markdown;
mod normalize;
mod rows;
mod section;
mod tokens;
mod topic;

use crate::syntax::nearest;
use normalize::plain;
use topic::SECTIONS;

pub use everyday::{Everyday, everyday, everyday_words};
pub use rows::Row;
pub use section::Section;
pub use topic::{Topic, sections, topic, topic_of, topic_of_form};

/// Returns the sections of the page, or the section, with this title or file name. Case and dashes are ignored.
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

/// Returns all words that have a topic, in alphabetical order, without signs and kinds of tokens.
pub fn words() -> Vec<&'static str> {
    let all = SECTIONS.iter().flat_map(|section| section.words.iter().copied());
    let mut words: Vec<_> = all
        .filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    words.sort_unstable();
    words
}

/// Returns the word, title or everyday word that a text may have been meant for.
pub fn did_you_mean(text: &str) -> Option<&'static str> {
    let titles = SECTIONS.iter().flat_map(|section| [&*section.title, &*section.page]);
    let everyday = everyday_words()
        .iter()
        .flat_map(|word| word.names.iter().map(String::as_str));
    nearest(text, words().into_iter().chain(titles).chain(everyday))
}

#[cfg(test)]
mod tests {
    use super::index::PAGES;
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
        assert_eq!(all.len(), count, "some word occurs twice in the index");
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
