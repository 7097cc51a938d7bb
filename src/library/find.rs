//! Finds queries by words: by their names first, then by the sentences that say what they find, then by the rest of their comments.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use strsim::jaro_winkler;

use crate::syntax::edits;

/// What is known of a query before it is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme<'a> {
    /// Its name, with that of its folder.
    pub name: &'a str,
    /// What it finds, in a sentence.
    pub sentence: &'a str,
    /// The whole comment at its top.
    pub comment: &'a str,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The places of the themes that have all words, the best first.
    All {
        /// The places.
        places: Vec<usize>,
        /// Words that no theme has, each with the nearest that was taken for it.
        taken_for: Vec<(String, String)>,
    },
    /// No theme has all words; these are nearest, the best first.
    Nearest(Vec<usize>),
}

/// So many themes are named where nothing is found.
const MOST_NEAREST: usize = 5;

/// Where a word stands: how well a theme fits it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    Name,
    InName,
    Sentence,
    InSentence,
    Comment,
    InComment,
}

/// Finds the themes that have all `words`. Case and plurals do not count; a word that no theme has is taken for the nearest that one
/// has.
pub fn find(words: &str, themes: &[Theme<'_>]) -> Found {
    let mut words = words_of(words);
    words.dedup();
    let themes: Vec<Indexed> = themes.iter().map(Indexed::new).collect();
    let mut taken_for = Vec::new();
    for word in &mut words {
        if !themes.iter().any(|theme| theme.fit(word).is_some())
            && let Some(near) = nearest(word, &themes)
        {
            taken_for.push((word.clone(), near.clone()));
            *word = near;
        }
    }
    let fits = |theme: &Indexed| words.iter().map(|word| theme.fit(word)).collect::<Option<Vec<Fit>>>();
    let mut ranked: Vec<(Rank, usize)> = themes
        .iter()
        .enumerate()
        .filter_map(|(place, theme)| Some((theme.rank(&words, &fits(theme)?), place)))
        .collect();
    if ranked.is_empty() {
        return Found::Nearest(nearest_themes(&words, &themes));
    }
    ranked.sort();
    Found::All {
        places: ranked.into_iter().map(|(_, place)| place).collect(),
        taken_for,
    }
}

/// How well a theme fits, the best first: the worst fit of a word, all fits, words of the name that nobody asked for.
type Rank = (Fit, Vec<Fit>, usize);

/// The words of a theme, in singular.
struct Indexed {
    name: Vec<String>,
    sentence: Vec<String>,
    comment: Vec<String>,
}

impl Indexed {
    fn new(theme: &Theme<'_>) -> Indexed {
        Indexed {
            name: words_of(theme.name),
            sentence: words_of(theme.sentence),
            comment: words_of(theme.comment),
        }
    }

    fn fit(&self, word: &str) -> Option<Fit> {
        let fields = [
            (&self.name, Fit::Name, Fit::InName),
            (&self.sentence, Fit::Sentence, Fit::InSentence),
            (&self.comment, Fit::Comment, Fit::InComment),
        ];
        fields.into_iter().find_map(|(field, whole, part)| {
            if field.iter().any(|found| found == word) {
                Some(whole)
            } else {
                field.iter().any(|found| found.contains(word)).then_some(part)
            }
        })
    }

    fn rank(&self, words: &[String], fits: &[Fit]) -> Rank {
        let worst = fits.iter().max().copied().unwrap_or(Fit::Name);
        let others = self.name.iter().filter(|found| !words.contains(found)).count();
        let mut fits = fits.to_vec();
        fits.sort_unstable_by_key(|fit| Reverse(*fit));
        (worst, fits, others)
    }

    fn words(&self) -> impl Iterator<Item = &String> {
        self.name.iter().chain(&self.sentence).chain(&self.comment)
    }
}

/// The words of a text in lower case, in singular, without signs.
fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|sign: char| !sign.is_alphanumeric() && sign != '\'');
    words
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .map(singular)
        .collect()
}

/// A word without the ending of the plural or the possessive.
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

/// The word of the themes that is spelled most like a word, if one is near: one letter in four may differ.
fn nearest(word: &str, themes: &[Indexed]) -> Option<String> {
    let limit = word.chars().count() / 4;
    let known: BTreeSet<&String> = themes.iter().flat_map(Indexed::words).collect();
    known
        .into_iter()
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|(edits, _)| (1..=limit).contains(edits))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate.clone())
}

/// The themes that have most of the words; if none has any, those with the names that are spelled most alike.
fn nearest_themes(words: &[String], themes: &[Indexed]) -> Vec<usize> {
    let mut some: Vec<_> = themes
        .iter()
        .enumerate()
        .filter_map(|(place, theme)| {
            let fits: Vec<Fit> = words.iter().filter_map(|word| theme.fit(word)).collect();
            (!fits.is_empty()).then(|| (Reverse(fits.len()), theme.rank(words, &fits), place))
        })
        .collect();
    some.sort();
    if !some.is_empty() {
        return some.into_iter().take(MOST_NEAREST).map(|(.., place)| place).collect();
    }
    let asked = words.join(" ");
    let mut alike: Vec<_> = themes
        .iter()
        .enumerate()
        .map(|(place, theme)| {
            let parts = theme.name.iter().map(|part| jaro_winkler(&asked, part));
            (parts.fold(0.0, f64::max), place)
        })
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    alike.into_iter().take(MOST_NEAREST).map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [Theme<'static>; 5] = [
        Theme {
            name: "motifs/pawn-fork",
            sentence: "A pawn attacks two pieces.",
            comment: "A pawn attacks two pieces. See knight-fork.",
        },
        Theme {
            name: "motifs/knight-fork",
            sentence: "A knight attacks two pieces.",
            comment: "A knight attacks two pieces.",
        },
        Theme {
            name: "mates/smothered-mate",
            sentence: "A knight mates.",
            comment: "A knight mates. Like a royal fork.",
        },
        Theme {
            name: "mates/boden-mate",
            sentence: "Two bishops mate.",
            comment: "Two bishops mate. Reference: the smothered mate.",
        },
        Theme {
            name: "endgames/zugzwang",
            sentence: "Whoever moves loses.",
            comment: "Whoever moves loses.",
        },
    ];

    fn found(words: &str) -> Vec<usize> {
        match find(words, &THEMES) {
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
        let Found::All { places, taken_for } = find("zugzwnag", &THEMES) else {
            panic!("zugzwang is near");
        };
        assert_eq!(places, [4]);
        assert_eq!(taken_for, [("zugzwnag".to_owned(), "zugzwang".to_owned())]);
    }

    #[test]
    fn where_nothing_has_all_words_the_nearest_are_named() {
        assert_eq!(find("knight zugzwang", &THEMES), Found::Nearest(vec![4, 1, 2, 0]));
        let Found::Nearest(places) = find("xyz", &THEMES) else {
            panic!("nothing has xyz");
        };
        assert_eq!(places.len(), MOST_NEAREST);
    }
}
