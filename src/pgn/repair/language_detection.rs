//! Detecting the language of the piece letters of a game.
//!
//! The standard wants English letters, but people write those of their own language. Which one that is, is told game by game, in the order of the file, so
//! that no number of threads makes a difference: by the letters of the main line and the moves that can be played with them, then by those of the games before.
//! A slip in a game of one language must not make it one of another, so where no language can read the main line, the one that explains most of it is taken, and
//! a game with a defect says nothing of the next one. Where all that tells nothing, the letters in question are not moves, and a warning says so.

use super::Rewriter;
use super::defect::Defect;
use super::letter_evidence::LetterEvidence;
use crate::game::{Game, Rules, WarningKind};
use crate::limits::Watch;
use crate::pgn::canonical::Batch;
use crate::pgn::lexer::{NeedMore, Text};
use crate::pgn::notation::{Language, Languages, Letters, Style};
use crate::pgn::read::{GameReader, Reading, Scope};

/// Tells languages and rewrites games in them.
#[derive(Debug, Default)]
pub(crate) struct LanguageDetector {
    rewriter: Rewriter,
    /// The languages that the games before may have been in, if that has been told. English alone tells nothing.
    before: Option<Languages>,
    /// The language that the user has given.
    given: Option<Language>,
}

/// How a game can be read in a language.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    language: Language,
    /// Nothing is wrong with any move.
    is_clean: bool,
    /// Nothing is wrong with any move of the main line.
    is_main_clean: bool,
    /// How many moves of the main line the letters explain, less those that they do not; of a trial.
    explained: i64,
    positions: usize,
}

/// So much of a game is read in each language that it may be in.
const MOST_TRIED: usize = 1 << 20;

impl LanguageDetector {
    /// A detector of games that are read by these rules.
    pub(crate) fn new(rules: Rules) -> LanguageDetector {
        LanguageDetector {
            rewriter: Rewriter::new(rules),
            ..LanguageDetector::default()
        }
    }

    /// The same, who gives a game up when nobody wants it.
    pub(crate) fn until(self, watch: Watch) -> LanguageDetector {
        LanguageDetector {
            rewriter: self.rewriter.until(watch),
            ..self
        }
    }

    /// The same, with a language that is known.
    pub(crate) fn in_language(self, given: Option<Language>) -> LanguageDetector {
        LanguageDetector { given, ..self }
    }

    /// What has rewritten the last game.
    pub(crate) fn rewriter(&self) -> &Rewriter {
        &self.rewriter
    }

    /// Whether a game with English letters only may mean something else.
    pub(crate) fn doubts_english(&self) -> bool {
        match self.given {
            Some(language) => language != Language::ENGLISH,
            None => self.before.is_some_and(Languages::contradict_english),
        }
    }

    /// Appends the canonical form of the game that the text begins with. Returns its length in the text.
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
            self.rewriter.defect(0, Defect::UnknownLanguage);
        }
        Ok(length)
    }

    fn rewrite_as(&mut self, style: Style, text: Text<'_>, out: &mut Vec<u8>) -> Result<usize, NeedMore> {
        self.rewriter.style = style;
        self.rewriter.rewrite(text, out)
    }

    /// How the letters of a game are to be taken.
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

    /// The languages that the main line may be in, by the letters in it. They agree on these, unless that cannot be told.
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
            // What could not be played tells something, too, but nothing against English.
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

    /// Those of some languages, which agree on the main line, that the variations are in.
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

    /// The language that the games before are in, if it is one of these, and if it is clear what letters mean in it.
    fn expected(&self, languages: Languages, letters: Letters) -> Option<Language> {
        let agreed = self.before?.and(languages).distinct(letters);
        match agreed.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Notes the language of a game without a defect for the next ones.
    fn carry_on(&mut self, language: Language, letters: Letters) {
        let same = Languages::with(letters).agreeing(language, letters);
        let narrowed = self
            .before
            .map(|before| before.and(same))
            .filter(|both| !both.is_empty());
        self.before = narrowed.or((!same.contains(Language::ENGLISH)).then_some(same));
    }

    /// How a game can be read, or the beginning of one that is very long.
    fn attempt(&self, style: Style, text: Text<'_>) -> Attempt {
        let text = match text.bytes.get(..MOST_TRIED) {
            Some(bytes) => Text { bytes, complete: true },
            None => text,
        };
        let mut canonical = Vec::new();
        let mut rewriter = Rewriter::new(self.rewriter.rules).until(self.rewriter.watch.clone());
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
                // A letter that the language has, of a move that is not reached.
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

/// Whether letters are those of English games. `P` is seldom written for a pawn, so it is rather a Dutch knight.
fn are_english(letters: Letters) -> bool {
    Languages::with(letters).contains(Language::ENGLISH) && !letters.contains(b'P')
}

/// The one of some languages in which a game is, if all that is known of it is as good in each of them.
fn choose(languages: Languages, letters: Letters, expected: Option<Language>) -> Option<Language> {
    let expected = expected.filter(|expected| languages.iter().any(|language| language.agrees(*expected, letters)));
    let english = (languages.contains(Language::ENGLISH) && !letters.contains(b'P')).then_some(Language::ENGLISH);
    match languages.distinct(letters).as_slice() {
        [only] => Some(*only),
        _ => expected.or(english),
    }
}
