//! Where a move stands in the text. The PGN reader tells no places, so moves are counted as it counts them.

use std::ops::Range;

use crate::pgn::canonical::{Batch, GameText, ODD_MOVE, ODD_NAG};
use crate::pgn::lexer::Terminator;

/// Walks through the canonical movetext of a game, forward only, so that all places of a game are found in one pass.
#[derive(Default)]
pub(crate) struct MovetextCursor {
    /// Where it is in the text of the batch.
    at: usize,
    /// Where the terminator begins.
    end: usize,
    /// Moves behind it.
    moves: usize,
    /// Variations that have begun behind it.
    variations: usize,
    /// Lines of the game that have ended behind it.
    lines: usize,
    /// Where the text of each open variation begins.
    open: Vec<usize>,
}

/// A word of movetext.
enum Token {
    Move,
    Open,
    Close,
    Other,
}

impl MovetextCursor {
    /// Goes to the beginning of the movetext of a game.
    pub(crate) fn begin(&mut self, batch: &Batch, text: &GameText) {
        let bytes = batch.text.get(text.range.clone()).unwrap_or_default();
        let mut start = 0;
        let mut lines = 0;
        while bytes.get(start) == Some(&b'[') {
            start = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |length| start + length + 1);
            lines += 1;
        }
        let trimmed = bytes.trim_ascii_end();
        let terminator = Terminator::at_end(trimmed).map_or(0, |terminator| terminator.text().len());
        self.at = text.range.start + start;
        self.end = text.range.start + (trimmed.len() - terminator).max(start);
        self.moves = 0;
        self.variations = 0;
        self.lines = lines;
        self.open.clear();
    }

    /// Goes behind the move with this number, from 1; its place.
    pub(crate) fn go_to_move(&mut self, text: &[u8], number: usize) -> Range<usize> {
        while self.moves < number {
            match self.step(text) {
                Some((Token::Move, place)) if self.moves == number => return place,
                Some(_) => {}
                None => break,
            }
        }
        self.at..self.at
    }

    /// Goes behind the parenthesis that opens the variation with this number, from 1.
    pub(crate) fn go_to_variation(&mut self, text: &[u8], number: usize) {
        while self.variations < number && self.step(text).is_some() {}
    }

    /// Where the innermost open variation begins.
    pub(crate) fn variation_start(&self) -> usize {
        self.open.last().copied().unwrap_or(self.at)
    }

    /// How many lines of the game have ended before.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The end of the line of moves that goes on here: before the parenthesis that closes its variation, or before the result.
    pub(crate) fn line_end(&self, text: &[u8]) -> usize {
        let mut at = self.at;
        let mut depth = 0usize;
        while let Some((word, place)) = word(text, at, self.end) {
            match word {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return place.start,
                Token::Close => depth -= 1,
                Token::Move | Token::Other => {}
            }
            at = place.end;
        }
        self.end
    }

    fn step(&mut self, text: &[u8]) -> Option<(Token, Range<usize>)> {
        let (word, place) = word(text, self.at, self.end)?;
        let skipped = text.get(self.at..place.end).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', skipped).count();
        self.at = place.end;
        match word {
            Token::Move => self.moves += 1,
            Token::Open => {
                self.variations += 1;
                self.open.push(place.end);
            }
            Token::Close => drop(self.open.pop()),
            Token::Other => {}
        }
        Some((word, place))
    }
}

/// The next word of canonical movetext that says something, and its place.
fn word(text: &[u8], from: usize, end: usize) -> Option<(Token, Range<usize>)> {
    let text = text.get(..end)?;
    let blank = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_digit() || matches!(byte, b'.' | b'!' | b'?');
    let at = from + text.get(from..)?.iter().position(|byte| !blank(byte))?;
    let rest = &text[at..];
    let (word, length) = match rest[0] {
        b'(' => (Token::Open, 1),
        b')' => (Token::Close, 1),
        b'{' => {
            let length = memchr::memchr(b'}', rest).map_or(rest.len(), |length| length + 1);
            let word = if rest.get(1) == Some(&ODD_MOVE) {
                Token::Move
            } else {
                Token::Other
            };
            (word, length)
        }
        b'$' => {
            let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            (Token::Other, 1 + digits)
        }
        _ => {
            let ends = |byte: &u8| {
                byte.is_ascii_whitespace()
                    || matches!(byte, b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b'.' | b'*')
            };
            let length = rest
                .iter()
                .skip(1)
                .position(ends)
                .map_or(rest.len(), |length| length + 1);
            (Token::Move, length)
        }
    };
    Some((word, at..at + length))
}

/// Where the number in front of a move begins, or the move if there is none.
pub(crate) fn with_number(text: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let before = text.get(..end).unwrap_or_default().trim_ascii_end();
        let length = before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
            .count();
        let begin = before.len() - length;
        let word = before.get(begin..).unwrap_or_default();
        let stands_alone = before
            .get(..begin)
            .and_then(<[u8]>::last)
            .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'}'));
        match word.first() {
            Some(first) if stands_alone && first.is_ascii_digit() => return begin,
            // Dots of Black's move with a blank in front.
            Some(_) if stands_alone => end = begin,
            _ => return start,
        }
    }
}

/// Canonical movetext as it is written in a file: moves and symbols that canonical text marks stand without their marks, white
/// space is collapsed.
pub(crate) fn written(text: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len());
    let mut rest = text.trim_ascii();
    while let Some((&byte, tail)) = rest.split_first() {
        match (byte, tail.first()) {
            (b'{', Some(&mark)) if matches!(mark, ODD_MOVE | ODD_NAG) => {
                let length = memchr::memchr(b'}', rest).unwrap_or(rest.len());
                if mark == ODD_NAG {
                    written.push(b'$');
                }
                let word = rest.get(2..length).unwrap_or_default();
                // What a move means is said behind it.
                let word = word.split(|byte| *byte == ODD_MOVE).next().unwrap_or_default();
                written.extend_from_slice(word);
                rest = rest.get(length + 1..).unwrap_or_default();
            }
            (b'{', _) => {
                let length = memchr::memchr(b'}', rest).map_or(rest.len(), |length| length + 1);
                let (comment, behind) = rest.split_at(length);
                let inside = comment.strip_prefix(b"{").unwrap_or(comment);
                let inside = inside.strip_suffix(b"}").unwrap_or(inside);
                // As other comments are written.
                written.push(b'{');
                written.extend_from_slice(inside.trim_ascii());
                written.push(b'}');
                rest = behind;
            }
            _ => {
                written.push(byte);
                rest = tail;
            }
        }
    }
    without_tags(written)
}

/// The text with a second bracket at each that would begin a tag. In the file it began none: something that is left out stood behind it.
fn without_tags(written: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b'[', &written).is_none() {
        return written;
    }
    let mut safe: Vec<u8> = Vec::with_capacity(written.len());
    let mut rest = &*written;
    while let Some(&byte) = rest.first() {
        let length = match byte {
            b'{' => memchr::memchr(b'}', rest).map_or(rest.len(), |length| length + 1),
            _ => 1,
        };
        let (kept, behind) = rest.split_at(length);
        let is_in_word = safe
            .last()
            .is_some_and(|last| last.is_ascii_alphabetic() || *last == b'[');
        if byte == b'[' && !is_in_word && behind.first() != Some(&b'[') && holds_quote(behind) {
            safe.push(b'[');
        }
        safe.extend_from_slice(kept);
        rest = behind;
    }
    safe
}

/// Whether a quote, also one that no key of a keyboard has, stands in front of the next bracket.
fn holds_quote(text: &[u8]) -> bool {
    let end = memchr::memchr2(b'[', b']', text).unwrap_or(text.len());
    text.iter().take(end).any(|&byte| byte == b'"' || !byte.is_ascii())
}
