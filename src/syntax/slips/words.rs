//! Words that are not part of the language, with corrections: words of chess, of older versions of CQL, and of other programs.

use std::sync::LazyLock;

use super::super::designator::{is_designator_word, is_piece_letter, looks_like_square};
use super::super::table::Table;

/// What was probably meant by a word.
pub(crate) struct Word {
    /// The advice.
    pub(crate) says: String,
    /// Replacements for the word, the best first. May be empty.
    pub(crate) instead: Vec<String>,
}

/// The words, separated by spaces, and their replacements.
static WORDS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("words.txt")));

/// Returns what was probably meant by an undeclared name: one that looks like a piece designator, or a word of chess, of older versions of
/// the language or of other languages. Returns `None` if it looks like none of these.
pub(crate) fn meant_by(name: &str) -> Option<Word> {
    if name.chars().count() > 1 && name.chars().all(is_piece_letter) {
        let list = format!("[{name}]");
        return Some(Word {
            says: format!("several kinds of pieces are listed in brackets: `{list}`"),
            instead: vec![list],
        });
    }
    if looks_like_square(name) {
        return Some(square(name));
    }
    if let Some(english) = english(name).filter(|english| is_designator_word(english)) {
        return Some(Word {
            says: format!("pieces are written with English letters: `{english}`"),
            instead: vec![english],
        });
    }
    let lower = name.to_ascii_lowercase();
    let row = WORDS.rows.iter().find(|row| row.keys().any(|word| word == lower))?;
    let says = match (row.heading, row.values.as_slice()) {
        ("", [first, ..]) => format!("write `{first}`"),
        (heading, _) => heading.replace("WORD", &lower),
    };
    let instead = row.values.iter().map(|text| (*text).to_owned()).collect();
    Some(Word { says, instead })
}

/// Returns a piece or a move with the English letter instead of the German, French, Spanish, Italian or Dutch one: `Nf3` for `Sf3`. Letters
/// that mean a piece in English, too, stay as they are.
pub(super) fn english(word: &str) -> Option<String> {
    let letter = word.chars().next()?;
    let english = match letter.to_ascii_uppercase() {
        'D' => 'Q',
        'T' => 'R',
        'L' | 'F' => 'B',
        'S' | 'C' => 'N',
        _ => return None,
    };
    let english = if letter.is_ascii_uppercase() {
        english
    } else {
        english.to_ascii_lowercase()
    };
    (word.len() > 2).then(|| format!("{english}{}", &word[1..]))
}

/// Returns the words that [`meant_by`] knows and that are long enough to be recognised when misspelt.
pub(crate) fn known_words() -> impl Iterator<Item = &'static str> {
    let names = WORDS.rows.iter().flat_map(|row| row.keys());
    names.filter(|name| name.len() > 4)
}

/// Returns the advice for a square in capitals, or one that does not exist.
fn square(name: &str) -> Word {
    let (piece, square) = name.split_at(name.len().saturating_sub(2));
    let small = format!("{piece}{}", square.to_ascii_lowercase());
    Word {
        says: "squares are a letter from a to h, in lower case, and a digit from 1 to 8: `e4`, `Re4`".to_owned(),
        instead: if is_designator_word(&small) {
            vec![small]
        } else {
            Vec::new()
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::syntax::reserved_words;

    #[test]
    fn names_that_look_like_designators_get_advice() {
        for name in ["QR", "kk", "RNB", "E4", "Na9", "a9", "i1", "b12", "Rh9", "lightsquares"] {
            assert!(meant_by(name).is_some(), "{name}");
        }
        for name in ["x", "x1", "kin", "t0", "counter", "é4"] {
            assert!(meant_by(name).is_none(), "{name}");
        }
        for (name, instead) in [
            ("E4", Some("e4")),
            ("RE4", Some("Re4")),
            ("a9", None),
            ("Na12", None),
            ("Sf3", Some("Nf3")),
            ("lg7", Some("bg7")),
        ] {
            let meant = meant_by(name).expect("it looks like a square").instead;
            assert_eq!(meant.first().map(String::as_str), instead, "{name}");
        }
    }

    #[test]
    fn each_word_is_in_one_row_with_advice_and_none_is_a_word_of_the_language() {
        let mut seen: HashSet<&str> = HashSet::new();
        for row in &WORDS.rows {
            let has_advice = !row.heading.is_empty() || row.values.first().is_some_and(|first| !first.is_empty());
            assert!(has_advice, "words.txt:{}: no advice", row.line);
            for name in row.keys() {
                assert!(seen.insert(name), "words.txt:{}: {name} is there twice", row.line);
                assert!(
                    !reserved_words().any(|word| word == name),
                    "words.txt:{}: {name}",
                    row.line
                );
                assert_eq!(name, name.to_ascii_lowercase(), "words.txt:{}", row.line);
            }
        }
    }
}
