//! Where a move stands in the text. The PGN reader tells no places, so moves are counted as it counts them.

use std::ops::Range;

use crate::pgn::canonical::{Batch, GameText, Token, Tokens, movetext, push_written, tag_lines};
use crate::pgn::lexer::Terminator;

/// Walks through the canonical movetext of a game, forward only, so that all places of a game are found in one pass.
#[derive(Default)]
pub(crate) struct MovetextCursor {
    /// Where it is in the text of the batch.
    at: usize,
    /// Where the terminator begins.
    end: usize,
    /// Moves after it.
    moves: usize,
    /// Variations that have begun after it.
    variations: usize,
    /// Lines of the game that have ended after it.
    lines: usize,
    /// Where the number begins that precedes it.
    number: Option<usize>,
    /// Where the text of each open variation begins.
    open: Vec<usize>,
}

/// Where a move stands.
pub(crate) struct MovePlace {
    /// Where its number begins, or the move if there is none.
    pub(crate) numbered: usize,
    pub(crate) start: usize,
}

impl MovetextCursor {
    /// Goes to the beginning of the movetext of a game.
    pub(crate) fn begin(&mut self, batch: &Batch, text: &GameText) {
        let bytes = batch.text.get(text.range.clone()).unwrap_or_default();
        let movetext = movetext(bytes);
        let start = text.range.end - movetext.len();
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        *self = MovetextCursor {
            at: start,
            end: start + Terminator::strip(movetext).len(),
            lines: tag_lines(bytes).count(),
            open,
            ..MovetextCursor::default()
        };
    }

    /// Moves past the move with this number, from 1; its place.
    pub(crate) fn go_to_move(&mut self, text: &[u8], number: usize) -> MovePlace {
        while self.moves < number {
            let numbered = self.number;
            match self.step(text) {
                Some(place) if self.moves == number => {
                    return MovePlace {
                        numbered: numbered.unwrap_or(place.start),
                        start: place.start,
                    };
                }
                Some(_) => {}
                None => break,
            }
        }
        MovePlace {
            numbered: self.at,
            start: self.at,
        }
    }

    /// Moves past the parenthesis that opens the variation with this number, from 1.
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

    /// The end of the line of moves that continues here: before the parenthesis that closes its variation, or before the result.
    pub(crate) fn line_end(&self, text: &[u8]) -> usize {
        let mut depth = 0usize;
        for (token, place) in self.tokens(text) {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return place.start,
                Token::Close => depth -= 1,
                _ => {}
            }
        }
        self.end
    }

    fn tokens<'t>(&self, text: &'t [u8]) -> Tokens<'t> {
        Tokens::from(text.get(..self.end).unwrap_or_default(), self.at)
    }

    /// Moves past the next token; its place.
    fn step(&mut self, text: &[u8]) -> Option<Range<usize>> {
        let (token, place) = self.tokens(text).next()?;
        let skipped = text.get(self.at..place.end).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', skipped).count();
        self.number = match token {
            // `1.2.` are one word.
            Token::Number { .. } => self.number.filter(|_| place.start == self.at).or(Some(place.start)),
            Token::Dot => self.number,
            _ => None,
        };
        self.at = place.end;
        self.moves += usize::from(token.is_move());
        match token {
            Token::Open => {
                self.variations += 1;
                self.open.push(place.end);
            }
            Token::Close => drop(self.open.pop()),
            _ => {}
        }
        Some(place)
    }
}

/// Canonical movetext as it may stand in a file, without white space around it.
pub(crate) fn written(text: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len());
    push_written(text.trim_ascii(), &mut written);
    without_tags(written)
}

/// The text with a second bracket at each that would begin a tag. In the file it began none: something that is left out followed it.
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

/// Whether a quote, also one that no key of a keyboard has, precedes the next bracket.
fn holds_quote(text: &[u8]) -> bool {
    let end = memchr::memchr2(b'[', b']', text).unwrap_or(text.len());
    text.iter().take(end).any(|&byte| byte == b'"' || !byte.is_ascii())
}
