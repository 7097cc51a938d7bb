//! The words of the movetext: by the rules of CQL as CQL takes them, otherwise so that none is passed over in silence.

use super::{Fault, Game, Tidier};
use crate::game::{
    batch::ODD_MOVE,
    language::{Language, Letters},
    rules::Rules,
    scan::{NeedMore, Terminator, is_control, is_space},
    signs::{simplify, written_part},
    spelling::{Part, Spelled, read_part},
    word::{Word, glyph, read_word},
};

/// What the words of a game say about how its letters are to be taken.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::game) struct Signs {
    /// The letters for pieces.
    pub(in crate::game) letters: Letters,
    /// Those of the main line.
    pub(in crate::game) main: Letters,
    /// There are pieces with small letters, and with capitals.
    pub(in crate::game) small: bool,
    pub(in crate::game) capital: bool,
    /// There are pawn's moves that could be a bishop's.
    pub(in crate::game) bishops: bool,
}

impl Game<'_> {
    /// Reads a word. Returns the result, if it is one that ends the game.
    pub(super) fn read_word(&mut self) -> Result<Option<Terminator>, NeedMore> {
        match self.tidier.rules {
            Rules::Full => self.read_any_word(),
            Rules::Cql => self.read_known_word().map(|()| None),
        }
    }

    /// Reads a word as CQL does, which passes over what it does not know.
    fn read_known_word(&mut self) -> Result<(), NeedMore> {
        let (word, end) = read_word(self.text, self.at)?;
        self.at = end;
        match word {
            Word::Move { san, nag } => {
                self.tidier.push(san);
                self.tidier.push_move();
                self.tidier.push_nag(nag);
            }
            Word::OddMove { text, nag } => {
                self.tidier.push_odd(text, &[]);
                self.tidier.push_nag(nag);
            }
            Word::Check { san, mark } => {
                self.tidier.moves.extend_from_slice(san);
                self.tidier.push(&[mark]);
                self.tidier.push_move();
            }
            Word::Glyphs(glyphs) => {
                for part in glyphs.chunks(2) {
                    // Three signs in a row are two and one.
                    self.tidier.push_nag(glyph(part).unwrap_or(0));
                }
            }
            Word::Nag(number) => self.tidier.push_nag(number),
            Word::Unknown => {}
        }
        Ok(())
    }

    /// Reads a word in any spelling; one that says nothing becomes a move that cannot be read.
    fn read_any_word(&mut self) -> Result<Option<Terminator>, NeedMore> {
        let start = self.at;
        let mut end = self.text.skip(start, is_word)?;
        if end == start {
            self.tidier.fault(start, Fault::StrayBracket);
            self.at += 1;
            return Ok(None);
        }
        if self.promotes_in_parentheses(end)? {
            end = self.text.skip(end + 3, is_word)?;
        }
        let word = self.text.slice(start..end);
        self.at = end;
        if self.tidier.push_standard(word) {
            return Ok(None);
        }
        if word.is_ascii() {
            return Ok(self.tidier.read_parts(word, word));
        }
        let mut simple = std::mem::take(&mut self.tidier.simple);
        simplify(word, &mut simple);
        let result = self.tidier.read_parts(&simple, word);
        self.tidier.simple = simple;
        Ok(result)
    }

    /// Whether `(Q)` follows a word that ends on the last rank.
    fn promotes_in_parentheses(&self, end: usize) -> Result<bool, NeedMore> {
        if self.text.byte(end)? != Some(b'(') || !matches!(self.text.before(end), Some(b'1' | b'8' | b'=')) {
            return Ok(false);
        }
        let letter = self.text.byte(end + 1)?.is_some_and(|byte| byte.is_ascii_alphabetic());
        Ok(letter && self.text.byte(end + 2)? == Some(b')'))
    }
}

/// Whether the byte may be in a word.
fn is_word(byte: u8) -> bool {
    !is_space(byte) && !is_control(&byte) && !matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$')
}

impl Tidier {
    /// Takes a word that is a move in SAN and nothing else; whether it is.
    fn push_standard(&mut self, word: &[u8]) -> bool {
        if self.style.language != Language::ENGLISH || !self.style.refused.is_empty() {
            return false;
        }
        let text = crate::game::scan::Text {
            bytes: word,
            complete: true,
        };
        let Ok((Word::Move { san, nag: 0 }, end)) = read_word(text, 0) else {
            return false;
        };
        if end < word.len() || matches!(word, [b'b' | b'-', ..]) {
            return false;
        }
        let mut letters = Letters::default();
        if let Some(letter @ (b'K' | b'Q' | b'R' | b'B' | b'N')) = san.first() {
            letters.add(*letter);
            self.signs.capital = true;
        }
        self.note_letters(letters, false);
        self.push_number();
        self.push(san);
        self.push_move();
        true
    }

    /// Takes the parts of a word, which stands in the text as `written`. Returns the result that ends the game.
    fn read_parts(&mut self, word: &[u8], written: &[u8]) -> Option<Terminator> {
        let is_simplified = word != written;
        let mut rest = word;
        while !rest.is_empty() {
            let style = self.style;
            let (part, length) = read_part(rest, &style);
            let (text, behind) = rest.split_at(length.clamp(1, rest.len()));
            let shown = if is_simplified {
                let at = word.len() - rest.len();
                written_part(written, at..at + text.len())
            } else {
                text
            };
            match part {
                Part::Move(spelled) => self.push_spelled(&spelled, shown),
                Part::Nag(number) => self.push_nag(number),
                Part::Number(number) => self.number = Some((number, 0)),
                Part::Dots(dots) => {
                    if let Some((_, before)) = &mut self.number {
                        *before += dots;
                    }
                }
                Part::Result(result) if self.is_in_main_line() => return Some(result),
                Part::Result(result) => self.inner_terminator = Some(result),
                Part::Remark => {}
                Part::Clock => self.push_comment(shown),
                Part::Unknown => {
                    self.note_letters(Letters::default(), false);
                    self.push_number();
                    self.push_odd(shown, &[b""]);
                }
            }
            rest = behind;
        }
        None
    }

    /// Notes the letters of a move, and whether they say nothing.
    fn note_letters(&mut self, letters: Letters, is_refused: bool) {
        let is_main = self.is_in_main_line();
        self.signs.letters.add_all(letters);
        if is_main {
            self.signs.main.add_all(letters);
        }
        if self.style.is_trial {
            self.has_guessed |= is_refused;
            if is_main {
                self.explained.push(match (letters.is_empty(), is_refused) {
                    (true, _) => 0,
                    (false, true) => -1,
                    (false, false) => 1,
                });
            }
        }
    }

    /// Whether the last game, which was read as a trial, has letters of which the language knows nothing.
    pub(in crate::game) fn has_guessed(&self) -> bool {
        self.has_guessed
    }

    /// How many moves of the main line the letters of the language explain, less those that they do not, if so many could be played.
    pub(in crate::game) fn explained(&self, played: usize) -> i64 {
        let (before, behind) = self.explained.split_at(played.min(self.explained.len()));
        let explained: i64 = before.iter().map(|sign| i64::from(*sign)).sum();
        explained - i64::from(!behind.is_empty())
    }

    fn push_spelled(&mut self, spelled: &Spelled, written: &[u8]) {
        self.note_letters(spelled.letters, spelled.is_refused);
        if !spelled.letters.is_empty() {
            self.signs.small |= spelled.is_small;
            self.signs.capital |= !spelled.is_small;
        }
        self.signs.bishops |= spelled.may_be_bishop;
        self.push_number();
        let san = spelled.san();
        if spelled.is_refused && self.style.is_trial {
            let guesses: Vec<_> = spelled.guesses().collect();
            let guesses: Vec<&[u8]> = guesses.iter().map(Vec::as_slice).collect();
            self.push_odd(written, &guesses);
        } else if spelled.is_refused {
            self.push_odd(written, &[b""]);
        } else if spelled.may_be_bishop && self.style.small_letters {
            let bishop = [b"B", san.get(1..).unwrap_or_default()].concat();
            self.push_odd(written, &[san, &bishop]);
        } else if spelled.is_standard {
            self.moves.extend_from_slice(san);
            self.push(spelled.mark.as_slice());
            self.push_move();
        } else {
            self.push_odd(written, &[san]);
        }
    }

    /// Writes the number that stands before a move.
    fn push_number(&mut self) {
        if let Some((number, dots)) = self.number.take() {
            let dots = if dots > 1 { "..." } else { "." };
            self.push(format!("{number}{dots}").as_bytes());
        }
    }

    /// Writes a move that is not in SAN, with the moves that it may mean.
    fn push_odd(&mut self, written: &[u8], meanings: &[&[u8]]) {
        self.moves.extend_from_slice(&[b'{', ODD_MOVE]);
        self.moves
            .extend(written.iter().map(|byte| if *byte <= 4 { b'?' } else { *byte }));
        for meaning in meanings {
            self.moves.push(ODD_MOVE);
            self.moves.extend_from_slice(meaning);
        }
        self.push(b"}");
        self.push_move();
    }
}
