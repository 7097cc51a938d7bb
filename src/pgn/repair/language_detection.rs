//! Detects the language of the piece letters of a game.
//!
//! The standard requires English letters, but people write those of their own language. The language is detected game by game in the order of the
//! file, so that the number of threads makes no difference: by the letters of the main line and the moves that can be played with them, then by the
//! languages of earlier games. A slip must not turn a game into one of another language. So if no language can read the whole main line, the one
//! that explains most of it is taken, and a game with a defect says nothing about the next one. If the language remains unknown, the letters in
//! question are not moves, and there is a warning.

use super::Rewriter;
use super::defect::Defect;
use super::letter_evidence::LetterEvidence;
use crate::game::{Game, Rules, WarningKind};
use crate::limits::InterruptHandle;
use crate::pgn::canonical::Batch;
use crate::pgn::lexer::{NeedMore, Text};
use crate::pgn::notation::{Language, Languages, Letters, Style};
use crate::pgn::read::{GameReader, Reading, Scope};

/// Detects languages and rewrites games in them.
#[derive(Debug)]
pub(crate) struct LanguageDetector {
    rewriter: Rewriter,
    /// The languages that the earlier games may be in, if they are known. A game that may be English says nothing.
    before: Option<Languages>,
    /// The language that the user has set.
    given: Option<Language>,
}

/// The result of reading a game in a language.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    language: Language,
    /// Whether no move has a fault.
    is_clean: bool,
    /// Whether no move of the main line has a fault.
    is_main_clean: bool,
    /// In a trial, the number of main-line moves that the letters explain, minus the number of those that they contradict.
    explained: i64,
    positions: usize,
}

/// The part of a game that is read in each language that it may be in, in bytes.
const MOST_TRIED: usize = 1 << 20;

impl LanguageDetector {
    /// Creates a detector for games that are read by these rules, in this language if it is known. It gives up a game that is no longer wanted.
    pub(crate) fn new(rules: Rules, given: Option<Language>, watch: InterruptHandle) -> LanguageDetector {
        LanguageDetector {
            rewriter: Rewriter::new(rules, watch),
            before: None,
            given,
        }
    }

    /// Returns the rewriter of the last game.
    pub(crate) fn rewriter(&self) -> &Rewriter {
        &self.rewriter
    }

    /// Returns whether a game with only English letters may mean something else.
    pub(crate) fn doubts_english(&self) -> bool {
        match self.given {
            Some(language) => language != Language::ENGLISH,
            None => self.before.is_some_and(Languages::contradict_english),
        }
    }

    /// Appends the canonical form of the game at the start of the text. Returns its length in the text.
    ///
    /// The text begins with a tag pair, or with a word of the movetext of a game without tags.
    pub(crate) fn rewrite(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        let start = out.len();
        let likeliest = self.before.and_then(|before| before.iter().next());
        let first = Style::of(self.given.or(likeliest).unwrap_or_default());
        let length = self.rewrite_as(first, text, out)?;
        if self.rewriter.rules == Rules::Cql {
            return Ok(length);
        }
        let evidence = self.rewriter.evidence;
        let mut style = match self.given {
            Some(given) => Style::of(given),
            None => self.style(evidence, text),
        };
        style.small_letters = evidence.bishops && evidence.small && !evidence.capital;
        style.numeric = evidence.numeric > evidence.moves;
        if style != first {
            out.truncate(start);
            self.rewrite_as(style, text, out)?;
        }
        if !style.refused.is_empty() {
            self.rewriter.defect(0, Defect::UNKNOWN_LANGUAGE);
        }
        Ok(length)
    }

    fn rewrite_as(&mut self, style: Style, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        self.rewriter.style = style;
        self.rewriter.rewrite(text, out)
    }

    /// Decides how the letters of a game are interpreted.
    fn style(&mut self, evidence: LetterEvidence, text: Text<'_>) -> Style {
        if self.before.is_none() && are_english(evidence.letters) {
            return Style::default();
        }
        let of_main_line = self.of_main_line(evidence.main, text);
        let languages = self.of_variations(of_main_line, evidence.letters, text);
        match languages.distinct(evidence.letters).as_slice() {
            [only] => Style::of(*only),
            _ => Style {
                refused: languages.disputed(evidence.letters),
                ..Style::default()
            },
        }
    }

    /// Returns the languages that the main line may be in, by its letters. They agree on these letters, unless the language remains unknown.
    fn of_main_line(&mut self, letters: Letters, text: Text<'_>) -> Languages {
        let agreeing = |language| Languages::all().agreeing(language, letters);
        if letters.is_empty() {
            return Languages::all();
        }
        if self.before.is_none() && are_english(letters) {
            return agreeing(Language::ENGLISH);
        }
        let able = Languages::with(letters);
        let expected = self.expected(able, letters);
        if let Some(expected) = expected.filter(|expected| !expected.contradicts_english(letters))
            && (able.distinct(letters).len() < 2 || self.attempt(Style::trying(expected), text).is_main_clean)
        {
            return agreeing(expected);
        }
        let attempts = |languages: Languages| {
            let languages = languages.distinct(letters).into_iter();
            languages
                .map(|language| self.attempt(Style::trying(language), text))
                .collect()
        };
        let mut good: Vec<Attempt> = attempts(able);
        good.retain(|attempt| attempt.is_main_clean);
        if good.is_empty() {
            good = attempts(Languages::all());
            let most = good.iter().map(|attempt| attempt.explained).max();
            good.retain(|attempt| Some(attempt.explained) == most);
            // Moves that could not be played say something too, but nothing against English.
            if !good.iter().any(|attempt| attempt.language == Language::ENGLISH) {
                let most = good.iter().map(|attempt| attempt.language.count_known(letters)).max();
                good.retain(|attempt| Some(attempt.language.count_known(letters)) == most);
            }
        }
        let languages: Languages = good.iter().map(|attempt| attempt.language).collect();
        let Some(chosen) = choose(languages, letters, expected) else {
            return languages
                .iter()
                .flat_map(|language| agreeing(language).iter())
                .collect();
        };
        let mut attempts = good.iter().filter(|attempt| attempt.language == chosen);
        if attempts.any(|attempt| attempt.is_main_clean) && self.attempt(Style::of(chosen), text).is_clean {
            self.carry_on(chosen, letters);
        }
        agreeing(chosen)
    }

    /// Returns the languages that fit the variations, out of those that agree on the main line.
    fn of_variations(&self, languages: Languages, letters: Letters, text: Text<'_>) -> Languages {
        let rivals = languages.distinct(letters);
        if rivals.len() < 2 {
            return languages;
        }
        let attempts = rivals.iter().map(|language| self.attempt(Style::of(*language), text));
        let attempts: Vec<Attempt> = attempts.collect();
        let most = attempts.iter().map(|attempt| attempt.positions).max();
        let best = attempts.iter().filter(|attempt| Some(attempt.positions) == most);
        let best: Languages = best.map(|attempt| attempt.language).collect();
        let expected = self.expected(best, letters);
        choose(best, letters, expected).map_or(best, |chosen| Languages::from_iter([chosen]))
    }

    /// Returns the language of the earlier games, if it is one of these and the meaning of the letters is clear.
    fn expected(&self, languages: Languages, letters: Letters) -> Option<Language> {
        let agreed = self.before?.and(languages).distinct(letters);
        match agreed.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Remembers the language of a game without defects for the next games.
    fn carry_on(&mut self, language: Language, letters: Letters) {
        let same = Languages::with(letters).agreeing(language, letters);
        let narrowed = self
            .before
            .map(|before| before.and(same))
            .filter(|both| !both.is_empty());
        self.before = narrowed.or((!same.contains(Language::ENGLISH)).then_some(same));
    }

    /// Tries to read a game, or the beginning of a very long one.
    fn attempt(&self, style: Style, text: Text<'_>) -> Attempt {
        let text = match text.bytes.get(..MOST_TRIED) {
            Some(bytes) => Text { bytes, complete: true },
            None => text,
        };
        let mut canonical = Vec::new();
        let mut rewriter = Rewriter::new(self.rewriter.rules, self.rewriter.watch.clone());
        rewriter.style = style;
        let is_read = rewriter.rewrite(text, &mut canonical).is_ok();
        let batch = Batch::of_game(canonical, rewriter.rules, rewriter.watch.clone());
        let mut game = Game::default();
        let is_read = is_read && GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true) == Reading::Read;
        let is_free_of = |kind| !game.warnings.iter().any(|warning| warning.kind == kind);
        let main_line = game.positions.iter().skip(1).filter(|position| position.depth == 0);
        let mut moved = main_line.map(|position| {
            let role = position
                .arrival
                .promotion
                .or(position.board.role_at(position.arrival.to));
            role.map(|role| role.upper_char() as u8)
        });
        let explained = rewriter.tried.iter().map(|piece| (*piece, moved.next().flatten()));
        let explained: Vec<i64> = explained
            .map(|(piece, moved)| match (piece, moved) {
                (None, _) => 0,
                // A piece letter of a move that is not reached counts against a language that lacks it.
                (Some(letter), None) => -i64::from(letter == b'?'),
                (piece, moved) => 2 * i64::from(piece == moved) - 1,
            })
            .collect();
        let is_main_clean = is_read && is_free_of(WarningKind::WrongMove) && !explained.contains(&-1);
        Attempt {
            language: style.language,
            is_clean: is_main_clean && is_free_of(WarningKind::WrongVariation),
            is_main_clean,
            explained: explained.iter().sum(),
            positions: game.positions.len(),
        }
    }
}

/// Returns whether the letters are those of English games. `P` is rarely written for a pawn, so it is more likely a Dutch knight.
fn are_english(letters: Letters) -> bool {
    Languages::with(letters).contains(Language::ENGLISH) && !letters.contains(b'P')
}

/// Chooses the language of a game out of those that fit it equally well.
fn choose(languages: Languages, letters: Letters, expected: Option<Language>) -> Option<Language> {
    let expected = expected.filter(|expected| languages.iter().any(|language| language.agrees(*expected, letters)));
    let english = (languages.contains(Language::ENGLISH) && !letters.contains(b'P')).then_some(Language::ENGLISH);
    match languages.distinct(letters).as_slice() {
        [only] => Some(*only),
        _ => expected.or(english),
    }
}
