//! The table of the words of the language: where each may stand, and which section of the guide explains it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::{Row, Table};
use super::words::{reserved_word, reserved_words};

/// Where a word may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordPosition {
    /// In front of the header.
    Start,
    /// In the header alone.
    Header,
    /// In the header, and among the filters.
    Anywhere,
    /// Among the filters: a filter begins with it, or it is a part of one.
    Body,
    /// Between filters or their operands: no filter begins with it.
    Between,
    /// Among the filters of old queries.
    Rare,
    /// Nowhere: it is reserved and means nothing.
    Nowhere,
}

impl WordPosition {
    /// The position with the name that the table gives it.
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

/// The words, and what else the guide explains, below the page and the heading of each section.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("keywords.txt")));

/// The words of the language.
static PLACES: LazyLock<HashMap<&'static str, WordPosition>> = LazyLock::new(|| {
    let rows = TABLE
        .rows
        .iter()
        .filter_map(|row| Some((row, WordPosition::named(row.key)?)));
    rows.flat_map(|(row, place)| words(row).map(move |word| (word, place)))
        .collect()
});

/// The words of a row.
fn words(row: &Row) -> impl Iterator<Item = &'static str> {
    row.values.iter().flat_map(|words| words.split(' '))
}

/// Where a word of the language may stand; `None` for other words.
pub(crate) fn place(word: &str) -> Option<WordPosition> {
    PLACES.get(word).copied()
}

/// All words beyond CQL 6.2, in the order of the guide.
pub fn beyond_words() -> impl Iterator<Item = &'static str> {
    TABLE.rows.iter().flat_map(words).filter_map(beyond_word)
}

/// The word beyond CQL 6.2 that is written so.
pub(crate) fn beyond_word(text: &str) -> Option<&'static str> {
    let (word, _) = PLACES.get_key_value(text)?;
    reserved_word(word).is_none().then_some(*word)
}

/// The words that may stand in the header, in alphabetical order.
pub(crate) fn in_header() -> impl Iterator<Item = &'static str> {
    let is_there = |word: &&str| matches!(place(word), Some(WordPosition::Header | WordPosition::Anywhere));
    reserved_words().filter(is_there)
}

/// The words that a section of a page of the guide explains, signs and names among them.
#[cfg(feature = "lsp")]
pub(crate) fn explained_in(page: &str, section: &str) -> Vec<&'static str> {
    TABLE.under(&format!("{page}: {section}")).flat_map(words).collect()
}

/// The word that a section explains and that is a name to the grammar: one of the prelude, or beyond CQL 6.2.
#[cfg(feature = "lsp")]
pub(crate) fn explained_name(name: &str) -> Option<&'static str> {
    let mut words = TABLE.rows.iter().flat_map(words);
    words.find(|word| *word == name && reserved_word(word).is_none())
}

/// The pages and sections that the table names.
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
