//! Finds queries by words: first in their names, then in the sentences that say what they find, then in the rest of their comments.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{description, opening_comment};
use crate::syntax::edits;

/// The result of a search for words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Themes that have all words.
    All {
        /// The indexes of the themes, the best first.
        places: Vec<usize>,
        /// Words that no theme has, each with the similar word that was searched for instead.
        taken_for: Vec<(String, String)>,
    },
    /// No theme has all words. These themes have some of them, or similar ones, the best first. Often there are none.
    Nearest(Vec<usize>),
}

/// The number of similar themes to return.
const MOST_NEAREST: usize = 5;

/// The place where a word is found, which says how well a theme fits it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    Name,
    BeginsInName,
    Sentence,
    BeginsInSentence,
    Comment,
    BeginsInComment,
}

/// The number of letters from which a word also stands for words that begin with it: `sacrif` does, `up` does not.
const SHORTEST_BEGINNING: usize = 4;

/// Words with the same meaning, as far as queries are concerned.
const SAME: [&[&str]; 15] = [
    &["castle", "castling", "castled"],
    &["ending", "endgame"],
    &["guard", "defender"],
    &["march", "walk", "hunt"],
    &["mate", "checkmate"],
    &["overloaded", "overload", "overloading", "overworked"],
    &["pin", "pinned", "pinning"],
    &["promotion", "promote", "queening"],
    &["sacrifice", "sac"],
    &["seventh", "7th"],
    &["trap", "trapped"],
    &["triangulation", "triangulate"],
    &["troitsky", "troitzky"],
    &["windmill", "seesaw"],
    &["zwischenzug", "intermezzo"],
];

/// Abbreviations of players, and what they stand for.
const ABBREVIATIONS: [(&str, &str); 6] = [
    ("ep", "en passant"),
    ("iqp", "isolated queen pawn"),
    ("kid", "king's indian defence"),
    ("ocb", "opposite coloured bishop"),
    ("qga", "queen's gambit accepted"),
    ("xray", "x-ray"),
];

/// Words that say nothing about a theme.
const SMALL: [&str; 22] = [
    "a", "an", "and", "by", "do", "for", "how", "i", "in", "is", "my", "of", "on", "or", "that", "the", "to", "was",
    "were", "when", "where", "with",
];

/// Finds the themes that have all `words`. Each theme is given by its name, with that of its folder, and the text of its query. Case, accents,
/// plurals and American spelling are ignored. A word that no theme has is replaced by the most similar known word.
pub fn find<'t>(words: &str, themes: impl IntoIterator<Item = (&'t str, &'t str)>) -> Found {
    let themes: Vec<Indexed> = themes.into_iter().map(Indexed::new).collect();
    let known: BTreeSet<&str> = themes.iter().flat_map(Indexed::words).collect();
    let mut taken_for = Vec::new();
    let mut words: Vec<String> = asked(words)
        .into_iter()
        .flat_map(|word| {
            if themes.iter().any(|theme| theme.fit(&word).is_some()) {
                return vec![word];
            }
            if let Some(parts) = compound(&word, &known) {
                return parts;
            }
            match nearest(&word, &known, 4) {
                Some(near) => {
                    taken_for.push((word, near.to_owned()));
                    vec![near.to_owned()]
                }
                None => vec![word],
            }
        })
        .collect();
    words.dedup();
    let fits = |theme: &Indexed| words.iter().map(|word| theme.fit(word)).collect::<Option<Vec<Fit>>>();
    let mut ranked: Vec<(Rank, usize)> = themes
        .iter()
        .enumerate()
        .filter_map(|(place, theme)| Some((theme.rank(&words, &fits(theme)?), place)))
        .collect();
    if words.is_empty() || ranked.is_empty() {
        return Found::Nearest(nearest_themes(&words, &themes, &known));
    }
    ranked.sort();
    Found::All {
        places: ranked.into_iter().map(|(_, place)| place).collect(),
        taken_for,
    }
}

/// Returns the words to search for, each once. Small words are included only if there are no others.
fn asked(text: &str) -> Vec<String> {
    let written = words_of(text).into_iter().flat_map(|word| {
        let known = ABBREVIATIONS.iter().find(|(short, _)| *short == word);
        known.map_or_else(|| vec![word], |(_, long)| words_of(long))
    });
    let all: Vec<String> = written.collect();
    let telling: Vec<String> = all.iter().filter(|word| !SMALL.contains(&&***word)).cloned().collect();
    let mut words = if telling.is_empty() { all } else { telling };
    words.dedup();
    words
}

/// How well a theme fits; the smallest rank is best. It consists of the worst fit of a word, all fits, the number of words in the name that
/// were not asked for, whether the name ends in another word (a fork trick is not a fork), and the number of such words of the folder.
type Rank = (Fit, Vec<Fit>, usize, bool, usize);

/// The words of a theme, in singular.
struct Indexed {
    name: Vec<String>,
    /// The number of words in the name that belong to its folder.
    folder: usize,
    sentence: Vec<String>,
    comment: Vec<String>,
}

impl Indexed {
    fn new((name, query): (&str, &str)) -> Indexed {
        let comment: Vec<_> = opening_comment(query).collect();
        Indexed {
            name: words_of(name),
            folder: name.rsplit_once('/').map_or(0, |(folder, _)| words_of(folder).len()),
            sentence: words_of(&description(query)),
            comment: words_of(&comment.join(" ")),
        }
    }

    /// Returns how well the theme fits a word or one of its synonyms.
    fn fit(&self, word: &str) -> Option<Fit> {
        let same = SAME.iter().find(|words| words.contains(&word));
        let others = same.into_iter().flat_map(|words| words.iter().copied());
        others.chain([word]).filter_map(|word| self.fit_literally(word)).min()
    }

    fn fit_literally(&self, word: &str) -> Option<Fit> {
        let fields = [
            (&self.name, Fit::Name, Fit::BeginsInName),
            (&self.sentence, Fit::Sentence, Fit::BeginsInSentence),
            (&self.comment, Fit::Comment, Fit::BeginsInComment),
        ];
        fields.into_iter().find_map(|(field, whole, part)| {
            if field.iter().any(|found| found == word) {
                Some(whole)
            } else {
                let may_begin = word.chars().count() >= SHORTEST_BEGINNING;
                (may_begin && field.iter().any(|found| found.starts_with(word))).then_some(part)
            }
        })
    }

    fn rank(&self, words: &[String], fits: &[Fit]) -> Rank {
        let worst = fits.iter().max().copied().unwrap_or(Fit::Name);
        let is_other = |found: &&String| !words.contains(found) && !SMALL.contains(&&***found);
        let [in_folder, others] = {
            let (folder, name) = self.name.split_at(self.folder);
            [folder, name].map(|words| words.iter().filter(is_other).count())
        };
        let ends_in_another = self.name.last().is_some_and(|last| !words.contains(last));
        let mut fits = fits.to_vec();
        fits.sort_unstable_by_key(|fit| Reverse(*fit));
        (worst, fits, others, ends_in_another, in_folder)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let all = self.name.iter().chain(&self.sentence).chain(&self.comment);
        all.map(String::as_str)
    }
}

/// Returns the words of a text in lower case and singular, without punctuation and accents, in British spelling.
fn words_of(text: &str) -> Vec<String> {
    let lower: String = text.to_lowercase().chars().map(without_accent).collect();
    let lower = british(lower);
    let words = lower.split(|sign: char| !sign.is_alphanumeric() && sign != '\'');
    words
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .map(singular)
        .collect()
}

/// Returns a letter without its accent, because players often write foreign names without accents.
fn without_accent(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ą' => 'a',
        'ç' | 'č' | 'ć' => 'c',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' => 'n',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ő' => 'o',
        'ř' => 'r',
        'š' | 'ś' => 's',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' | 'ű' => 'u',
        'ý' => 'y',
        'ž' | 'ź' | 'ż' => 'z',
        other => other,
    }
}

/// Returns a text in the spelling of the library.
fn british(text: String) -> String {
    const ENDS: [(&str, &str); 4] = [
        ("color", "colour"),
        ("center", "centre"),
        ("defense", "defence"),
        ("maneuver", "manoeuvre"),
    ];
    ENDS.iter()
        .fold(text, |text, (american, british)| text.replace(american, british))
}

/// Returns a word without the ending of the plural or the possessive.
fn singular(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    for ending in ["ches", "shes", "sses", "xes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let is_plural = word.len() > 3 && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s').filter(|_| is_plural) {
        Some(stem) => stem.to_owned(),
        None => word.to_owned(),
    }
}

/// Returns the two known words that a word such as `backrank` is composed of.
fn compound(word: &str, known: &BTreeSet<&str>) -> Option<Vec<String>> {
    const SHORTEST: usize = 4;
    let places = word.char_indices().map(|(place, _)| place);
    places
        .filter(|place| *place >= SHORTEST && word.len() - place >= SHORTEST)
        .map(|place| word.split_at(place))
        .find(|(first, second)| known.contains(first) && known.contains(second))
        .map(|(first, second)| vec![first.to_owned(), second.to_owned()])
}

/// Returns the known word that is most similar to a word. One letter in `share` may differ. Words of up to four letters have too many
/// neighbours. In words of five letters, people seldom get the first letter wrong.
fn nearest<'k>(word: &str, known: &BTreeSet<&'k str>, share: usize) -> Option<&'k str> {
    const SHORT: usize = 5;
    let length = word.chars().count();
    let limit = if length < SHORT { 0 } else { length / share };
    let may_be = |candidate: &str| length > SHORT || word.chars().next() == candidate.chars().next();
    known
        .iter()
        .filter(|candidate| may_be(candidate))
        // Counting edits takes time that grows with both lengths, and words may have any length.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (edits(word, candidate), *candidate))
        .filter(|(edits, _)| (1..=limit).contains(edits))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Returns the themes that have most of the words, rare words first. If there are none, returns themes with similar words.
fn nearest_themes(words: &[String], themes: &[Indexed], known: &BTreeSet<&str>) -> Vec<usize> {
    let some = with_some(words, themes);
    if !some.is_empty() {
        return some;
    }
    let alike = |word: &String| nearest(word, known, 3).map(str::to_owned);
    with_some(&words.iter().filter_map(alike).collect::<Vec<_>>(), themes)
}

fn with_some(words: &[String], themes: &[Indexed]) -> Vec<usize> {
    let frequency = |word: &str| themes.iter().filter(|theme| theme.fit(word).is_some()).count();
    let words: Vec<(&String, usize)> = words.iter().map(|word| (word, frequency(word))).collect();
    let mut some: Vec<_> = themes
        .iter()
        .enumerate()
        .filter_map(|(place, theme)| {
            let fits: Vec<(Fit, usize, &String)> = words
                .iter()
                .filter_map(|(word, frequency)| Some((theme.fit(word)?, *frequency, *word)))
                .collect();
            let rarest = fits.iter().map(|(_, frequency, _)| *frequency).min()?;
            let found: Vec<String> = fits.iter().map(|(.., word)| (*word).clone()).collect();
            let of_words: Vec<Fit> = fits.iter().map(|(fit, ..)| *fit).collect();
            Some((
                Reverse(fits.len()),
                of_words.iter().max().copied(),
                rarest,
                theme.rank(&found, &of_words),
                place,
            ))
        })
        .collect();
    some.sort();
    some.into_iter().take(MOST_NEAREST).map(|(.., place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [(&str, &str); 5] = [
        ("motifs/pawn-fork", "// A pawn attacks two pieces. See knight-fork."),
        ("motifs/knight-fork", "// A knight attacks two pieces."),
        ("mates/smothered-mate", "// A knight mates. Like a royal fork."),
        (
            "mates/boden-mate",
            "// Two bishops mate. Reference: the smothered mate.",
        ),
        ("endgames/zugzwang", "// Whoever moves loses."),
    ];

    fn found(words: &str) -> Vec<usize> {
        match find(words, THEMES) {
            Found::All { places, .. } => places,
            Found::Nearest(_) => panic!("nothing has {words}"),
        }
    }

    #[test]
    fn names_come_before_sentences_and_sentences_before_comments() {
        assert_eq!(found("knight"), [1, 2, 0]);
        assert_eq!(found("fork"), [0, 1, 2]);
        assert_eq!(found("smothered mate"), [2, 3]);
        assert_eq!(found("bishop"), [3]);
    }

    #[test]
    fn a_name_that_says_no_more_comes_first() {
        let themes = ["mates/two-knights-mate", "what-if/mate-in-two"].map(|name| (name, ""));
        let found = find("a mate in two", themes);
        assert!(matches!(found, Found::All { places, .. } if places == [1, 0]));
    }

    #[test]
    fn case_plurals_and_parts_of_words_do_not_matter() {
        for words in ["Knights", "KNIGHT", "knight's", "knigh"] {
            assert_eq!(found(words), [1, 2, 0], "{words}");
        }
        assert_eq!(found("forks"), found("fork"));
        assert_eq!(singular("matches"), "match");
        assert_eq!(singular("batteries"), "battery");
        assert_eq!(singular("pass"), "pass");
        assert_eq!(singular("boxes"), "box");
        assert_eq!(singular("mates"), "mate");
    }

    #[test]
    fn a_word_that_nothing_has_is_taken_for_the_nearest() {
        let Found::All { places, taken_for } = find("zugzwnag", THEMES) else {
            panic!("zugzwang is near");
        };
        assert_eq!(places, [4]);
        assert_eq!(taken_for, [("zugzwnag".to_owned(), "zugzwang".to_owned())]);
    }

    #[test]
    fn where_nothing_has_all_words_the_nearest_are_named() {
        assert_eq!(find("knight zugzwang", THEMES), Found::Nearest(vec![4, 1, 2, 0]));
        assert_eq!(find("smotherings", THEMES), Found::Nearest(vec![2, 3]));
    }

    #[test]
    fn where_nothing_is_near_nothing_is_named() {
        for words in ["xyz", "xyzzyq", "hippopotamus", "lift", "", "?"] {
            assert_eq!(find(words, THEMES), Found::Nearest(Vec::new()), "{words}");
        }
    }

    #[test]
    fn other_words_for_the_same_are_found() {
        for (words, first) in [
            ("checkmate", 2),
            ("smothered checkmate", 2),
            ("the fork of a knight", 1),
            ("knightfork", 1),
            ("endgame zugzwang", 4),
            ("zügzwang", 4),
        ] {
            assert_eq!(found(words)[0], first, "{words}");
        }
        assert_eq!(
            words_of("Opposite-colored bishops, French Defense"),
            words_of("opposite-coloured bishops, French Defence")
        );
    }
}
