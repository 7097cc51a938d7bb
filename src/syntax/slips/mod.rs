//! Slips: what people write who know chess, other languages or other versions of CQL, and what they probably meant.
//!
//! `slips.txt` has a row for each mistake: what is written, what is meant, and a sentence. It is used only for a text that does not compile,
//! and `query::parse::slips` proposes only corrections that make an error go away. So the rows need not know what is correct. Slips that
//! cannot be written as rows are computed by the other files here.
//!
//! Each part uses only those before it: `characters`, `operators`, `words`, `pattern`, `candidate`, `text`, `comments`, `headers`, `beyond`,
//! `squares`, `counting`, `algebraic`, `pieces`, `brackets`.

mod algebraic;
mod beyond;
mod brackets;
mod candidate;
pub(super) mod characters;
mod comments;
mod counting;
mod headers;
mod operators;
mod pattern;
mod pieces;
mod squares;
mod text;
mod words;

use super::source::Source;
use super::token::Span;
use text::{BRACKETS, SLIPS, Text};

pub(crate) use candidate::Candidate;
pub(super) use operators::foreign_operator;
pub(crate) use words::{Word, known_words, meant_by};

/// The largest number of tokens in a text that is looked at.
const MOST_TOKENS: usize = 20_000;

/// Returns corrections for an error of the compiler, the best first.
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

#[cfg(test)]
mod tests {
    use super::text::advice;
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
                    assert!(is_known(element), "{place}: {element} is not a kind of token");
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
        assert_eq!(names.len(), 5);
        for name in names {
            assert_ne!(advice(name), "", "{name}");
        }
    }
}
