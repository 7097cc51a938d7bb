//! The reserved words of CQL, and which word a misspelt one may stand for.

use std::{collections::BTreeSet, sync::LazyLock};

use skewer_grammar::TEXT;

/// The list is written once, in the grammar: the words in double quotes of these rules.
static RESERVED: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let mut words = BTreeSet::new();
    words.extend(literals_of_rule("reserved_word"));
    words.extend(literals_of_rule("castling"));
    words
});

/// The string literals between the braces of a grammar rule that holds nothing but alternatives of such, perhaps after a look at their first
/// letter.
fn literals_of_rule(rule: &str) -> impl Iterator<Item = &'static str> {
    let place = memchr::memmem::find(TEXT.as_bytes(), format!("\n{rule} ").as_bytes());
    let rest = place.and_then(|place| TEXT.get(place + 1..)).unwrap_or_default();
    let body = rest.lines().scan(false, |ended, line| {
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

/// Words of this many letters are short.
const SHORT: usize = 5;

/// The candidate that a misspelt word most probably stands for: one that differs in case only, or else the first of those
/// with the fewest edits (insertion, deletion, change, swap of neighbours), at most one for each three letters. A short word
/// keeps its first letter, unless it has changed places with the next: who writes `rook` does not mean `cook`. The word itself is no
/// advice.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_ascii_lowercase();
    let length = word.chars().count();
    let begins_so = |candidate: &str| {
        let (mut letters, mut others) = (lower.chars(), candidate.chars());
        let (first, second) = (letters.next(), letters.next());
        let (other_first, other_second) = (others.next(), others.next());
        first == other_first || (first, second) == (other_second, other_first)
    };
    candidates
        // It takes as many edits at least as one of them is longer. Texts of any length are asked for, and counting edits takes a time
        // that grows with both.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= length / 3)
        .filter_map(|candidate| {
            let other = candidate.to_ascii_lowercase();
            let edits = edits(&lower, &other);
            let is_near = edits <= length / 3 && (length > SHORT || begins_so(&other));
            is_near.then_some((edits, candidate))
        })
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
        .filter(|candidate| *candidate != word)
}

/// How many edits make one word of another: insertions, deletions, changes and swaps of neighbours, at most one at each place.
pub(crate) fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // How many edits make the beginnings of `to` of what has been read of `from`; the row before that, and the one before it.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut above = row.clone();
    let mut two_above = row.clone();
    let mut before = None;
    for (read, letter) in from.chars().enumerate() {
        (two_above, above, row) = (above, row, two_above);
        row[0] = read + 1;
        for (place, wanted) in to.iter().enumerate() {
            let changed = above[place] + usize::from(letter != *wanted);
            let least = changed.min(above[place + 1] + 1).min(row[place] + 1);
            let is_swap = place > 0 && before == Some(*wanted) && to[place - 1] == letter;
            row[place + 1] = if is_swap {
                least.min(two_above[place - 1] + 1)
            } else {
                least
            };
        }
        before = Some(letter);
    }
    row[to.len()]
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
    fn edits_are_insertions_deletions_changes_and_swaps() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("check", "check", 0),
            ("chekc", "check", 1),
            ("attcks", "attacks", 1),
            ("attaccks", "attacks", 1),
            ("kitten", "sitting", 3),
            ("κμόσε", "κόσμε", 2),
            // Nothing is put between what is swapped.
            ("ca", "abc", 3),
        ] {
            assert_eq!((edits(from, to), edits(to, from)), (expected, expected), "{from} {to}");
        }
    }

    #[test]
    fn nearest_finds_slips_and_nothing_far_fetched() {
        let near = |word| nearest(word, reserved_words());
        assert_eq!(near("attcks"), Some("attacks"));
        assert_eq!(near("chekc"), Some("check"));
        assert_eq!(near("hceck"), Some("check"));
        assert_eq!(near("If"), Some("if"));
        assert_eq!(near("passedpawn"), Some("passedpawns"));
        for far_fetched in ["lightsquares", "zz", "hate", "hand", "win", "tower"] {
            assert_eq!(near(far_fetched), None);
        }
        assert_eq!(nearest("rook", ["cook"].into_iter()), None);
        assert_eq!(near("check"), None);
    }
}
