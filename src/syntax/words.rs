//! The reserved words of CQL, and corrections for misspelt words.

use std::{collections::BTreeSet, sync::LazyLock};

use skewer_grammar::TEXT;

/// The reserved words. They are listed only in the grammar, as the words in double quotes of these rules.
static RESERVED: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let mut words = BTreeSet::new();
    words.extend(literals_of_rule("reserved_word"));
    words.extend(literals_of_rule("castling"));
    words
});

/// Returns the string literals between the braces of a grammar rule. The rule has only literals as alternatives, perhaps after a lookahead
/// at their first letter.
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

/// Returns the words that cannot be names, in alphabetical order, including the castling words `o-o` and `o-o-o`.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    RESERVED.iter().copied()
}

/// Returns the reserved word with this spelling.
pub(super) fn reserved_word(text: &str) -> Option<&'static str> {
    RESERVED.get(text).copied()
}

/// The number of letters up to which a word is short.
const SHORT: usize = 5;

/// Returns the candidate that a misspelt word most probably stands for. This is one that differs only in case, or else the first of those
/// with the fewest edits (insertion, deletion, change, swap of neighbours), at most one for every three letters. A short word keeps its
/// first letter, unless that is swapped with the next: someone who writes `rook` does not mean `cook`. The word itself is never returned.
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
        // At least as many edits are needed as the lengths differ. Words may have any length, and counting edits takes time that grows with
        // both lengths.
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

/// Returns how many edits turn one word into the other: insertions, deletions, changes and swaps of neighbours, at most one at each place.
pub(crate) fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // Rows of the table of distances: the number of edits from the part of `from` read so far to each beginning of `to`, and the two rows
    // before.
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
            // Nothing is inserted between swapped letters.
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
