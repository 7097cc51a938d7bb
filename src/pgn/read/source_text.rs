//! Finds where a move is in the text. The PGN reader reports no places, so moves are counted in the same way.

use std::ops::Range;

use crate::pgn::canonical::{Batch, GameText, Token, Tokens, movetext, push_written, tag_lines};
use crate::pgn::lexer::without_terminator;

/// Walks through the canonical movetext of a game, only forward, so that all places of a game are found in one pass.
#[derive(Default)]
pub(crate) struct MovetextCursor {
    /// The current place in the text of the batch.
    at: usize,
    /// The start of the terminator.
    end: usize,
    /// The number of moves passed.
    moves: usize,
    /// The number of variations passed or entered.
    variations: usize,
    /// The number of line ends of the game passed.
    lines: usize,
    /// The start of the number directly before the current place.
    number: Option<usize>,
    /// The starts of the open variations.
    open: Vec<usize>,
}

/// The place of a move.
pub(crate) struct MovePlace {
    /// The start of its number, or of the move if it has no number.
    pub(crate) numbered: usize,
    pub(crate) start: usize,
}

impl MovetextCursor {
    /// Begins at the start of the movetext of a game.
    pub(crate) fn of(batch: &Batch, text: &GameText) -> MovetextCursor {
        let bytes = batch.text.get(text.range.clone()).unwrap_or_default();
        let movetext = movetext(bytes);
        let start = text.range.end - movetext.len();
        MovetextCursor {
            at: start,
            end: start + without_terminator(movetext).len(),
            lines: tag_lines(bytes).count(),
            ..MovetextCursor::default()
        }
    }

    /// Moves past the move with this number, from 1, and returns its place.
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

    /// Returns the start of the innermost open variation.
    pub(crate) fn variation_start(&self) -> usize {
        self.open.last().copied().unwrap_or(self.at)
    }

    /// Returns the number of line ends of the game before the current place.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the end of the current line of moves: before the parenthesis that closes its variation, or before the result.
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

    /// Moves past the next token and returns its place.
    fn step(&mut self, text: &[u8]) -> Option<Range<usize>> {
        let (token, place) = self.tokens(text).next()?;
        let skipped = text.get(self.at..place.end).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', skipped).count();
        self.number = match token {
            // `1.2.` is one word.
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

/// Returns canonical movetext as it may be written in a file, without white space around it.
pub(crate) fn written(text: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(text.len());
    push_written(text.trim_ascii(), &mut written);
    without_tags(written)
}

/// Doubles each bracket that would begin a tag. It began none in the file, because something that was left out followed it.
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

/// Returns whether there is a quote, plain or typographic, before the next bracket.
fn holds_quote(text: &[u8]) -> bool {
    let end = memchr::memchr2(b'[', b']', text).unwrap_or(text.len());
    text.iter().take(end).any(|&byte| byte == b'"' || !byte.is_ascii())
}
