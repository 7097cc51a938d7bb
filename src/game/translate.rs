//! In which language the letters of a game are.
//!
//! The standard wants English letters, but people write those of their own language. Which one that is, is told game by game, in the order of the file, so
//! that no number of threads makes a difference: by the letters that occur, by those of the games before, and, where more than one language is left, by
//! reading the game in each of them. Where all that tells nothing, the letters in question are no moves, and a warning says so.

use super::{
    batch::{Batch, GameText},
    language::{Language, Languages, Letters},
    reader::{GameReader, Reading, Scope},
    rules::Rules,
    scan::{NeedMore, Text},
    spelling::Style,
    tidy::{Fault, Tidier},
    tree::Game,
    warning::WarningKind,
};
use crate::limits::Watch;

/// Tells languages and rewrites games in them.
#[derive(Debug, Default)]
pub(super) struct Translator {
    tidier: Tidier,
    /// The languages that the games before may have been in, if that has been told. English alone tells nothing.
    before: Option<Languages>,
    /// The language that the user has given.
    given: Option<Language>,
}

/// How well a game can be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Fit {
    /// Nothing is wrong with any move.
    is_clean: bool,
    positions: usize,
}

/// So much of a game is read in each language that it may be in.
const MOST_TRIED: usize = 1 << 20;

impl Translator {
    /// A translator of games that are read by these rules.
    pub(super) fn new(rules: Rules) -> Translator {
        Translator {
            tidier: Tidier::new(rules),
            ..Translator::default()
        }
    }

    /// The same, who gives a game up when nobody wants it.
    pub(super) fn until(self, watch: Watch) -> Translator {
        Translator {
            tidier: self.tidier.until(watch),
            ..self
        }
    }

    /// The same, with a language that is known.
    pub(super) fn in_language(self, given: Option<Language>) -> Translator {
        Translator { given, ..self }
    }

    /// What has rewritten the last game.
    pub(super) fn tidier(&self) -> &Tidier {
        &self.tidier
    }

    /// Whether a game with English letters only may mean something else.
    pub(super) fn doubts_english(&self) -> bool {
        self.hint().is_some_and(Languages::contradict_english)
    }

    fn hint(&self) -> Option<Languages> {
        match self.given {
            Some(language) => Some(Languages::from_iter([language])),
            None => self.before,
        }
    }

    /// Appends the canonical form of the game that the text begins with. Returns its length in the text.
    ///
    /// The text begins with a tag pair, or with a word of the movetext of a game without tags.
    pub(super) fn tidy(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        let start = out.len();
        let language = self.hint().and_then(|hint| hint.iter().next()).unwrap_or_default();
        let first = Style {
            language,
            ..Style::default()
        };
        let length = self.tidy_as(first, text, out)?;
        if self.tidier.rules() == Rules::Cql {
            return Ok(length);
        }
        let signs = self.tidier.signs();
        let mut style = self.style(signs.letters, text);
        style.small_letters = signs.bishops && signs.small && !signs.capital;
        if style != first {
            out.truncate(start);
            self.tidy_as(style, text, out)?;
        }
        if !style.refused.is_empty() {
            self.tidier.add_fault(Fault::UnknownLanguage);
        }
        Ok(length)
    }

    fn tidy_as(&mut self, style: Style, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        self.tidier.set_style(style);
        self.tidier.tidy(text, out)
    }

    /// How the letters of a game are to be taken.
    fn style(&mut self, letters: Letters, text: Text<'_>) -> Style {
        let in_language = |language| Style {
            language,
            ..Style::default()
        };
        let possible = Languages::with(letters);
        let hint = self.hint();
        let expected = hint
            .map(|hint| hint.and(possible))
            .filter(|expected| !expected.is_empty());
        if let (Some(given), Some(_)) = (self.given, expected) {
            return in_language(given);
        }
        if hint.is_none() && possible.contains(Language::ENGLISH) && !letters.contains(b'P') {
            return in_language(Language::ENGLISH);
        }
        let choice = possible.distinct(letters);
        let style = match choice.as_slice() {
            [] => return in_language(self.given.unwrap_or_default()),
            [only] => in_language(*only),
            several => match self.best(several, letters, expected, text) {
                Some(language) => in_language(language),
                None => Style {
                    refused: possible.disputed(letters),
                    ..Style::default()
                },
            },
        };
        if style.refused.is_empty() && !Languages::with(letters).contains(Language::ENGLISH) {
            let same = Languages::with(letters).agreeing(style.language, letters);
            self.before = Some(expected.map_or(same, |expected| expected.and(same))).filter(|now| !now.is_empty());
        }
        style
    }

    /// The language in which a game can be read best; of several that are as good, the one that the games before are in.
    fn best(
        &mut self,
        languages: &[Language],
        letters: Letters,
        expected: Option<Languages>,
        text: Text<'_>,
    ) -> Option<Language> {
        let fits: Vec<Fit> = languages.iter().map(|language| self.fit(*language, text)).collect();
        let best = fits.iter().max().copied()?;
        let good: Vec<Language> = languages
            .iter()
            .zip(&fits)
            .filter(|(_, fit)| **fit == best)
            .map(|(language, _)| *language)
            .collect();
        if let [only] = good.as_slice() {
            return Some(*only);
        }
        let expected = expected?;
        let agreed: Vec<Language> = expected.distinct(letters);
        match agreed.as_slice() {
            [only] => good.into_iter().find(|language| only.agrees(*language, letters)),
            _ => None,
        }
    }

    /// How well a game can be read in a language, or the beginning of one that is very long.
    fn fit(&self, language: Language, text: Text<'_>) -> Fit {
        let text = match text.bytes.get(..MOST_TRIED) {
            Some(bytes) => Text { bytes, complete: true },
            None => text,
        };
        let mut batch = Batch {
            rules: self.tidier.rules(),
            watch: self.tidier.watch().clone(),
            ..Batch::default()
        };
        let style = Style {
            language,
            ..Style::default()
        };
        let mut tidier = Tidier::new(self.tidier.rules()).until(self.tidier.watch().clone());
        tidier.set_style(style);
        let is_read = tidier.tidy(text, &mut batch.text).is_ok();
        batch.longest_tag_line = tidier.longest_tag_line();
        batch.games.push(GameText {
            range: 0..batch.text.len(),
            bare: 0..0,
            number: 1,
            line: 1,
        });
        batch.text.extend_from_slice(b"\n\n");
        let mut game = Game::default();
        let is_read = is_read && GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true) == Reading::Read;
        let is_wrong = |kind| matches!(kind, WarningKind::WrongMove | WarningKind::WrongVariation);
        Fit {
            is_clean: is_read && !game.warnings.iter().any(|warning| is_wrong(warning.kind)),
            positions: game.positions.len(),
        }
    }
}
