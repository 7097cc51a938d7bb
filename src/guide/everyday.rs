//! The words of chess players that are not words of the language, and the filters that express them.

use std::sync::LazyLock;

use super::index::EVERYDAY_WORDS;
use super::markdown::{self, Block, Piece, Text};
use super::normalize::{plain, stems};
use super::rows;
use super::topic::{Topic, named};

/// An everyday word, and how a query expresses it.
#[derive(Debug)]
pub struct Everyday {
    /// The word and its synonyms.
    pub names: Vec<String>,
    /// How a query expresses it.
    pub meaning: Text,
    /// A query that expresses it.
    pub example: String,
}

impl Everyday {
    /// Returns the filters that express it, in the order in which they are mentioned.
    pub fn filters(&self) -> Vec<Topic> {
        let mut summary = self.summary();
        let is_filter = |piece: &Piece| !matches!(piece, Piece::Code(code) if is_command(code));
        summary.0.retain(is_filter);
        let mut filters: Vec<&'static str> = Vec::new();
        for word in rows::words(&summary) {
            // Brackets and words that join filters say nothing about the word.
            let is_about_it =
                word.starts_with(|c: char| c.is_ascii_lowercase()) || ["--", "[x]", "~~", "#"].contains(&word);
            if is_about_it && !["and", "or", "not"].contains(&word) && !filters.contains(&word) {
                filters.push(word);
            }
        }
        filters.into_iter().filter_map(named).collect()
    }

    /// Returns how it is expressed, followed by the example.
    pub fn summary(&self) -> Text {
        let mut text = self.meaning.clone();
        text.0.push(Piece::Plain(" ".to_owned()));
        text.0.push(Piece::Code(self.example.clone()));
        text
    }
}

/// Returns whether this is a command, `skewer stats`, or an option, `--next`.
fn is_command(code: &str) -> bool {
    let option = code.trim_start_matches('-');
    code.starts_with("skewer ") || (option != code && option.starts_with(|first: char| first.is_ascii_lowercase()))
}

static WORDS: LazyLock<Vec<Everyday>> = LazyLock::new(|| {
    let blocks = markdown::blocks(EVERYDAY_WORDS);
    let tables = blocks.into_iter().filter_map(|block| match block {
        Block::Table { rows, .. } => Some(rows),
        _ => None,
    });
    tables.flatten().filter_map(|cells| of_row(&cells)).collect()
});

fn of_row(cells: &[Text]) -> Option<Everyday> {
    let [names, meaning, example] = cells else {
        return None;
    };
    Some(Everyday {
        names: names.to_string().split(", ").map(str::to_owned).collect(),
        meaning: meaning.clone(),
        example: example.to_string(),
    })
}

/// Returns all everyday words, in the order of their page.
pub fn everyday_words() -> &'static [Everyday] {
    &WORDS
}

/// Returns the everyday words in a text: the one that is the whole text, or else those in it. Case, dashes and endings are ignored.
pub fn everyday(text: &str) -> Vec<&'static Everyday> {
    let text = plain(text);
    if let Some(word) = find(&text) {
        return vec![word];
    }
    let mut found: Vec<&Everyday> = Vec::new();
    for word in text.split(' ').filter_map(find) {
        if !found.iter().any(|known| known.names == word.names) {
            found.push(word);
        }
    }
    found
}

fn find(text: &str) -> Option<&'static Everyday> {
    let known = |stem: String| {
        WORDS
            .iter()
            .find(|word| word.names.iter().any(|name| plain(name) == stem))
    };
    stems(text).find_map(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_players_use_are_found() {
        for (word, filter) in [
            ("pawn", "passedpawns"),
            ("Pawns", "passedpawns"),
            ("queen", ""),
            ("castling", "castle"),
            ("opening", "eco"),
            ("openings", "eco"),
            ("promotion", "--"),
            ("material", "power"),
            ("checkmate", "mate"),
            ("fork", "attacks"),
            ("sacrifice", "[x]"),
            ("sacrifices", "[x]"),
            ("endgame", ""),
            ("rating", "elo"),
            ("rook ending", ""),
            ("back-rank mate", "ray"),
            ("en passant", "enpassant"),
            ("draw", "result"),
            ("tournament", "event"),
            ("repetition", "echo"),
        ] {
            let found = everyday(word);
            assert_eq!(found.len(), 1, "{word}");
            let filters: Vec<String> = found[0].filters().into_iter().map(|topic| topic.word).collect();
            assert!(
                filter.is_empty() || filters.iter().any(|known| known == filter),
                "{word}: {filters:?}"
            );
        }
        assert!(everyday("qqqq").is_empty());
        assert!(everyday("").is_empty());
    }

    #[test]
    fn commands_and_options_are_not_filters() {
        let filters = |word: &str| -> Vec<String> {
            let found = everyday(word).into_iter().flat_map(Everyday::filters);
            found.map(|topic| topic.word).collect()
        };
        assert_eq!(filters("statistics"), ["ply"]);
        assert_eq!(filters("random"), ["mate"]);
        assert_eq!(filters("worksheet"), ["legal", "--", "mate"]);
    }

    #[test]
    fn everyday_words_have_an_explanation() {
        let words = "pawn queen castling opening promotion material checkmate fork endgame tempo zwischenzug intermezzo hanging \
                     trapped blunder clock rating rated draw resign resignation deflection decoy interference development engine \
                     evaluation time passed doubled isolated game novelty zugzwang attacker mating simul";
        let phrases = [
            "time trouble",
            "fifty moves",
            "mate in two",
            "rook endgame",
            "opposite-colored bishops",
        ];
        for word in words.split_whitespace().chain(phrases) {
            assert!(
                !everyday(word).is_empty() || crate::guide::topic(word).is_some(),
                "{word}"
            );
        }
    }

    #[test]
    fn a_text_of_several_words_finds_each() {
        let names: Vec<&str> = everyday("knight forks")
            .iter()
            .map(|word| word.names[0].as_str())
            .collect();
        assert_eq!(names, ["knight", "fork"]);
    }

    #[test]
    fn each_word_is_there_once() {
        let names = everyday_words().iter().flat_map(|word| &word.names);
        let mut names: Vec<String> = names.map(|name| plain(name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "some word occurs twice on the page");
    }
}
