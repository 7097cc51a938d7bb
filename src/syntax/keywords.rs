//! The table of the words of the language: where each word may be, and which section of the guide explains it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::{Row, Table};
use super::words::{reserved_word, reserved_words};

/// The place where a word may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordPosition {
    /// Before the header.
    Start,
    /// Only in the header.
    Header,
    /// In the header, and among the filters.
    Anywhere,
    /// Among the filters, as the beginning or a part of a filter.
    Body,
    /// Between filters or their operands. No filter begins with it.
    Between,
    /// Among the filters of old queries.
    Rare,
    /// Nowhere. The word is reserved and has no meaning.
    Nowhere,
}

impl WordPosition {
    /// Returns the position with this name in the table.
    fn named(name: &str) -> Option<WordPosition> {
        Some(match name {
            "start" => WordPosition::Start,
            "header" => WordPosition::Header,
            "anywhere" => WordPosition::Anywhere,
            "body" => WordPosition::Body,
            "between" => WordPosition::Between,
            "rare" => WordPosition::Rare,
            "nowhere" => WordPosition::Nowhere,
            _ => return None,
        })
    }
}

/// The words, and other things that the guide explains, below the page and heading of each section.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("keywords.txt")));

/// The words of the language, with their positions.
static PLACES: LazyLock<HashMap<&'static str, WordPosition>> = LazyLock::new(|| {
    let rows = TABLE
        .rows
        .iter()
        .filter_map(|row| Some((row, WordPosition::named(row.key)?)));
    rows.flat_map(|(row, place)| words(row).map(move |word| (word, place)))
        .collect()
});

/// Returns the words of a row.
fn words(row: &Row) -> impl Iterator<Item = &'static str> {
    row.values.iter().flat_map(|words| words.split(' '))
}

/// Returns where a word of the language may be, or `None` for other words.
pub(crate) fn place(word: &str) -> Option<WordPosition> {
    PLACES.get(word).copied()
}

/// Returns all words beyond CQL 6.2, in the order of the guide.
pub fn beyond_words() -> impl Iterator<Item = &'static str> {
    TABLE.rows.iter().flat_map(words).filter_map(beyond_word)
}

/// Returns the word beyond CQL 6.2 with this spelling.
pub(crate) fn beyond_word(text: &str) -> Option<&'static str> {
    let (word, _) = PLACES.get_key_value(text)?;
    reserved_word(word).is_none().then_some(*word)
}

/// Returns the words that may be in the header, in alphabetical order.
pub(crate) fn in_header() -> impl Iterator<Item = &'static str> {
    let is_there = |word: &&str| matches!(place(word), Some(WordPosition::Header | WordPosition::Anywhere));
    reserved_words().filter(is_there)
}

/// Returns the words, signs and names that a section of the guide explains.
pub(crate) fn explained_in(page: &str, section: &str) -> Vec<&'static str> {
    TABLE.under(&format!("{page}: {section}")).flat_map(words).collect()
}

/// Returns the word with this name if a section explains it and it is a name to the grammar: a function of the prelude, or a word beyond CQL
/// 6.2.
pub(crate) fn explained_name(name: &str) -> Option<&'static str> {
    let mut words = TABLE.rows.iter().flat_map(words);
    words.find(|word| *word == name && reserved_word(word).is_none())
}

/// Returns the pages and sections that the table names.
#[cfg(test)]
pub(crate) fn headings() -> impl Iterator<Item = &'static str> {
    TABLE.rows.iter().map(|row| row.heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_word_of_the_grammar_once() {
        for row in &TABLE.rows {
            let is_known = WordPosition::named(row.key).is_some() || matches!(row.key, "sign" | "name");
            assert!(is_known, "keywords.txt:{}: {} is not a position", row.line, row.key);
            assert!(row.heading.contains(".md: "), "keywords.txt:{}: no section", row.line);
        }
        let mut words: Vec<_> = TABLE.rows.iter().flat_map(words).filter_map(reserved_word).collect();
        words.sort_unstable();
        assert!(words.iter().copied().eq(reserved_words()), "{words:?}");
    }
}
