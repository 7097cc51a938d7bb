//! Rewrites the words of the movetext. By the rules of CQL, words without meaning are skipped; otherwise none is lost silently.

use std::ops::Range;

use shakmaty::Outcome;
use smallvec::SmallVec;

use super::defect::Defect;
use super::{Number, Rewrite, Rewriter};
use crate::game::Rules;
use crate::pgn::canonical::ODD_MOVE;
use crate::pgn::lexer::{NeedMore, Text, Word, glyph, is_control, is_space, read_word};
use crate::pgn::notation::{Language, Letters, MovetextPart, Spelled, numeric_move, read_part, simplify, written_part};

impl Rewrite<'_> {
    /// Reads a word. Returns the result if it ends the game.
    pub(crate) fn read_word(&mut self) -> Result<Option<Outcome>, NeedMore> {
        if let Some(terminator) = self.text.terminator(self.at)? {
            self.at += terminator.as_str().len();
            return Ok(self.rewriter.take_result(terminator));
        }
        match self.rewriter.rules {
            Rules::Full => self.read_any_word(),
            Rules::Cql => self.read_known_word().map(|()| None),
        }
    }

    /// Reads a word as CQL does, which skips what it does not know.
    fn read_known_word(&mut self) -> Result<(), NeedMore> {
        let (word, end) = read_word(self.text, self.at)?;
        self.at = end;
        match word {
            Word::Move { san, nag } => {
                self.rewriter.push(san);
                self.rewriter.push_move();
                self.rewriter.push_nag(nag);
            }
            Word::OddMove { text, nag } => {
                self.rewriter.push_odd(text, &[]);
                self.rewriter.push_nag(nag);
            }
            Word::Check { san, mark } => {
                self.rewriter.moves.extend_from_slice(san);
                self.rewriter.push(&[mark]);
                self.rewriter.push_move();
            }
            Word::Glyphs(glyphs) => {
                for part in glyphs.chunks(2) {
                    // Three signs in a row are two and one.
                    self.rewriter.push_nag(glyph(part).unwrap_or(0));
                }
            }
            Word::Nag(number) => self.rewriter.push_nag(number),
            Word::Unknown => {}
        }
        Ok(())
    }

    /// Reads a word in any spelling. A word without meaning becomes a move that cannot be read.
    pub(crate) fn read_any_word(&mut self) -> Result<Option<Outcome>, NeedMore> {
        let start = self.at;
        let is_unread = self.rewriter.is_cut() || self.text.byte(start)? == Some(b'[');
        let mut end = self.text.skip(start, if is_unread { is_kept_word } else { is_word })?;
        if end == start {
            self.rewriter.defect(start, Defect::STRAY_BRACKET);
            self.at += 1;
            return Ok(None);
        }
        if !is_unread {
            if self.promotes_in_parentheses(end)? {
                end = self.text.skip(end + 3, is_word)?;
            }
            end = self.before_markup(start, end)?;
        }
        self.join();
        let word = self.text.slice(start..end);
        self.at = end;
        if !is_unread && self.rewriter.push_standard(word) {
            return Ok(None);
        }
        if word.is_ascii() {
            return Ok(self.rewriter.read_parts(word, word));
        }
        let mut simple = std::mem::take(&mut self.rewriter.simple);
        simplify(word, &mut simple);
        let result = self.rewriter.read_parts(&simple, word);
        self.rewriter.simple = simple;
        Ok(result)
    }

    /// Returns the end of a word, before any HTML tag in it.
    fn before_markup(&self, start: usize, end: usize) -> Result<usize, NeedMore> {
        for offset in memchr::memchr2_iter(b'<', b'&', self.text.slice(start + 1..end)) {
            if self.text.markup(start + 1 + offset)?.is_some() {
                return Ok(start + 1 + offset);
            }
        }
        Ok(end)
    }

    /// Returns whether `(Q)` follows a word that ends on the last rank.
    fn promotes_in_parentheses(&self, end: usize) -> Result<bool, NeedMore> {
        if self.text.byte(end)? != Some(b'(') || !matches!(self.text.before(end), Some(b'1' | b'8' | b'=')) {
            return Ok(false);
        }
        let letter = self.text.byte(end + 1)?.is_some_and(|byte| byte.is_ascii_alphabetic());
        Ok(letter && self.text.byte(end + 2)? == Some(b')'))
    }
}

/// Returns whether the byte may be in a word.
fn is_word(byte: u8) -> bool {
    !is_space(byte) && !is_control(&byte) && !matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$')
}

/// Returns whether the byte may be in a word that is kept unchanged.
fn is_kept_word(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'[' | b']')
}

/// Returns the part of a word for a place in its simple form.
fn part_of<'w>(word: &'w [u8], written: &'w [u8], place: Range<usize>) -> &'w [u8] {
    if word == written {
        word.get(place).unwrap_or_default()
    } else {
        written_part(written, place)
    }
}

impl Rewriter {
    /// Returns whether a word of the line could not be read, so that what follows is kept unchanged.
    pub(crate) fn is_cut(&self) -> bool {
        self.lines.last().is_some_and(|line| line.is_cut)
    }

    /// Takes a result. Returns it if it ends the game.
    fn take_result(&mut self, result: Outcome) -> Option<Outcome> {
        if self.is_in_main_line() {
            return Some(result);
        }
        self.inner_terminator = Some(result);
        None
    }

    /// Takes a word that is just a move in SAN. Returns whether it is.
    fn push_standard(&mut self, word: &[u8]) -> bool {
        if self.style.language != Language::ENGLISH || !self.style.refused.is_empty() || self.style.is_trial {
            return false;
        }
        let text = Text {
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
            self.evidence.capital = true;
        }
        self.note_letters(letters);
        self.push_number(false);
        self.push(san);
        self.push_move();
        true
    }

    /// Takes the parts of a word, whose text is `written`. Returns the result that ends the game.
    fn read_parts(&mut self, word: &[u8], written: &[u8]) -> Option<Outcome> {
        let mut at = 0;
        // The start of the number that belongs to the next part.
        let mut number_at = None;
        if self.is_cut() || word.starts_with(b"[") {
            return self.keep_unread(word, written, at, number_at);
        }
        while let Some(rest) = word.get(at..).filter(|rest| !rest.is_empty()) {
            let style = self.style;
            let (part, length) = read_part(rest, &style);
            let (text, behind) = rest.split_at(length.clamp(1, rest.len()));
            let shown = part_of(word, written, at..at + text.len());
            match part {
                MovetextPart::Move(spelled) if spelled.is_refused && !style.is_trial => {
                    return self.keep_unread(word, written, at, number_at);
                }
                MovetextPart::Unknown => return self.keep_unread(word, written, at, number_at),
                MovetextPart::Move(spelled) => self.push_spelled(&spelled, shown, number_at.is_some()),
                MovetextPart::Nag(number) => self.push_nag(number),
                MovetextPart::Number(number) => {
                    let numeric = numeric_move(text).filter(|_| !matches!(behind.first(), Some(b'.' | b',')));
                    // Where a move is due, the digits are a move, even in a game of moves with letters.
                    let is_due = self.number.as_ref().is_some_and(|number| number.dots > 0);
                    if numeric.is_some() && is_due && !style.numeric {
                        return self.keep_unread(word, written, at, number_at);
                    }
                    self.evidence.numeric += usize::from(numeric.is_some() && self.is_in_main_line());
                    match numeric.filter(|_| style.numeric) {
                        Some(spelled) => self.push_spelled(&spelled, shown, number_at.is_some()),
                        None if number_at.is_some() && is_due => self.join_number(shown),
                        None => self.begin_number(number, shown),
                    }
                }
                MovetextPart::Dots(dots) => self.push_dots(dots, shown, at == 0),
                MovetextPart::Result(result) if self.is_in_main_line() => return Some(result),
                MovetextPart::Result(result) => self.inner_terminator = Some(result),
                MovetextPart::Remark => {}
                MovetextPart::Clock => self.push_comment(shown),
            }
            number_at = match part {
                MovetextPart::Number(_) if self.number.is_some() => Some(at),
                MovetextPart::Dots(_) => number_at,
                _ => None,
            };
            at += text.len();
        }
        None
    }

    /// Keeps a word unchanged from an unreadable part on, which ends its line of moves. Its letters count as evidence, and a result that ends the
    /// game is not part of it.
    fn keep_unread(&mut self, word: &[u8], written: &[u8], from: usize, number_at: Option<usize>) -> Option<Outcome> {
        let mut result = None;
        let mut end = from;
        while let Some(rest) = word.get(end..).filter(|rest| !rest.is_empty()) {
            let (part, length) = read_part(rest, &self.style);
            match part {
                MovetextPart::Result(found) => {
                    result = self.take_result(found);
                    if result.is_some() {
                        break;
                    }
                }
                MovetextPart::Move(spelled) => self.note_letters(spelled.letters),
                MovetextPart::Unknown => self.note_letters(Letters::default()),
                MovetextPart::Number(_) if self.is_in_main_line() => {
                    let digits = rest.get(..length).unwrap_or_default();
                    self.evidence.numeric += usize::from(numeric_move(digits).is_some());
                }
                _ => {}
            }
            end += length.clamp(1, rest.len());
        }
        if end == from {
            return result;
        }
        // The number before the word belongs to it, whatever it counts.
        let number = self.number.take().filter(|_| number_at.is_none());
        let mut unread = number.map_or_else(Vec::new, |number| [&number.written[..], b" "].concat());
        unread.extend_from_slice(part_of(word, written, number_at.unwrap_or(from)..end));
        // In another language, the meaning of an English letter is unknown too.
        let meaning: &[u8] = if self.style.language == Language::ENGLISH {
            b""
        } else {
            b"?"
        };
        self.push_odd(&unread, &[meaning]);
        if let Some(line) = self.lines.last_mut() {
            line.is_cut = true;
        }
        result
    }

    /// Records the letters of a move.
    fn note_letters(&mut self, letters: Letters) {
        self.evidence.letters.add_all(letters);
        if self.is_in_main_line() {
            self.evidence.main.add_all(letters);
            self.evidence.moves += 1;
        }
    }

    /// Takes a move of a trial. If it cannot be played, it may be a slip for the move of any piece.
    fn push_tried(&mut self, spelled: &Spelled, written: &[u8]) {
        let piece = spelled.piece();
        if self.is_in_main_line() {
            self.tried.push(if spelled.is_refused { Some(b'?') } else { piece });
        }
        let guesses = spelled.guesses().filter(|_| piece.is_some());
        let own = (!spelled.is_refused).then(|| spelled.san().to_vec());
        let meanings: Vec<_> = own.into_iter().chain(guesses).collect();
        let meanings: Vec<&[u8]> = meanings.iter().map(Vec::as_slice).collect();
        self.push_odd(written, &meanings);
    }

    fn push_spelled(&mut self, spelled: &Spelled, written: &[u8], is_glued: bool) {
        self.note_letters(spelled.letters);
        if !spelled.letters.is_empty() {
            self.evidence.small |= spelled.is_small;
            self.evidence.capital |= !spelled.is_small;
        }
        self.evidence.bishops |= spelled.may_be_bishop;
        self.push_number(is_glued);
        let san = spelled.san();
        if self.style.is_trial {
            self.push_tried(spelled, written);
        } else if spelled.may_be_bishop && (self.style.small_letters || san.starts_with(b"bxb")) {
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

    /// Takes a number.
    fn begin_number(&mut self, value: u32, written: &[u8]) {
        self.end_numbers();
        self.number = Some(Number {
            value,
            dots: 0,
            written: SmallVec::from_slice(written),
        });
    }

    /// Takes digits directly after the dot of a number. Together they are a fraction, such as `0.25`, and not a move number.
    fn join_number(&mut self, written: &[u8]) {
        if let Some(mut number) = self.number.take() {
            number.written.extend_from_slice(written);
            self.push_comment(&number.written);
        }
    }

    /// Takes dots after a number.
    fn push_dots(&mut self, dots: usize, written: &[u8], begins_word: bool) {
        if let Some(number) = &mut self.number {
            if begins_word {
                number.written.push(b' ');
            }
            number.dots += dots;
            number.written.extend_from_slice(written);
        }
    }

    /// Returns the number of half-moves before the next move.
    fn half_move(&self) -> i64 {
        self.lines.last().map_or(0, |line| line.plies)
    }

    /// Returns whether this number is due before the next move.
    fn is_due(&self, number: &Number) -> bool {
        let first = self.first_half_move.unwrap_or(2 + i64::from(self.is_blacks_start));
        (first + self.half_move()) / 2 == i64::from(number.value)
    }

    /// Writes the number before a move, with the space after it. A number that is not a move number becomes a comment. One without a dot gets it,
    /// so that it is recognised later.
    fn push_number(&mut self, is_glued: bool) {
        let Some(number) = self.number.take() else {
            return;
        };
        if number.dots == 0 && self.has_dots && !self.is_due(&number) {
            return self.push_comment(&number.written);
        }
        self.has_dots |= number.dots > 0;
        let blacks = (self.half_move() + i64::from(self.is_blacks_start)).rem_euclid(2);
        let half_move = 2 * i64::from(number.value) + blacks - self.half_move();
        if number.dots > 0 || self.first_half_move.is_none() {
            self.first_half_move = Some(half_move);
        }
        let is_plain = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b' ');
        if number.dots > 0 && number.written.iter().all(is_plain) && !number.written.starts_with(b"0") {
            self.moves.extend_from_slice(&number.written);
        } else {
            let dots = if number.dots > 1 { "..." } else { "." };
            self.moves
                .extend_from_slice(format!("{}{dots}", number.value).as_bytes());
        }
        if !is_glued {
            self.moves.push(b' ');
        }
    }

    /// Forgets a number that no move follows, or keeps it as a comment if it is not a move number.
    pub(crate) fn end_numbers(&mut self) {
        if let Some(number) = self.number.take()
            && number.dots == 0
            && !self.is_due(&number)
        {
            self.push_comment(&number.written);
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
