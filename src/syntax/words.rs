//! The reserved words of CQL, and which word a misspelt one may stand for.

use std::{collections::BTreeSet, sync::LazyLock};

const GRAMMAR: &str = include_str!("../../grammar/cql.pest");

/// The list is written once, in the grammar: the quoted words of these rules.
static RESERVED: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let mut words = BTreeSet::new();
    words.extend(literals_of_rule("reserved_word"));
    words.extend(literals_of_rule("castling"));
    words
});

/// The string literals between the braces of a grammar rule that holds nothing but alternatives of such.
fn literals_of_rule(rule: &str) -> impl Iterator<Item = &'static str> {
    let body = GRAMMAR
        .lines()
        .skip_while(move |line| line.split_whitespace().next() != Some(rule))
        .scan(false, |ended, line| {
            let open = !*ended;
            *ended = line.trim_end().ends_with('}');
            open.then_some(line)
        });
    body.flat_map(|line| line.split('"').skip(1).step_by(2))
}

/// The words that cannot be names, in alphabetical order, the castling words `o-o` and `o-o-o` included.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    RESERVED.iter().copied()
}

/// The reserved word that is written so.
pub(super) fn reserved_word(text: &str) -> Option<&'static str> {
    RESERVED.get(text).copied()
}

/// The candidate that a misspelt word most probably stands for: one that differs in case only, or else the first of those
/// with the fewest edits (insertion, deletion, change, swap of neighbours), at most one for each three letters.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_ascii_lowercase();
    let limit = word.chars().count() / 3;
    candidates
        .filter_map(|candidate| {
            let edits = strsim::osa_distance(&lower, &candidate.to_ascii_lowercase());
            (edits <= limit).then_some((edits, candidate))
        })
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_from_the_grammar() {
        let words: Vec<_> = reserved_words().collect();
        assert_eq!(words.len(), 206);
        assert!(words.is_sorted());
        for word in ["abs", "attack", "attackedby", "o-o", "o-o-o", "rotate45", "year"] {
            assert_eq!(reserved_word(word), Some(word));
        }
        assert_eq!(reserved_word("lightsquares"), None);
    }

    #[test]
    fn nearest_finds_slips_and_nothing_far_fetched() {
        let near = |word| nearest(word, reserved_words());
        assert_eq!(near("attcks"), Some("attacks"));
        assert_eq!(near("chekc"), Some("check"));
        assert_eq!(near("If"), Some("if"));
        assert_eq!(near("passedpawn"), Some("passedpawns"));
        assert_eq!(near("lightsquares"), None);
        assert_eq!(near("zz"), None);
    }
}
