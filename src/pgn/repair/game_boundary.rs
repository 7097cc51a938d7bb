//! Finds where one game ends and the next begins, and to which of them a comment between them belongs.

use crate::pgn::lexer::{NeedMore, Text, Word, is_space, leading_number, read_word};
use crate::pgn::notation::{MovetextPart, Style, numeric_move, read_part, simplify};

/// What is at a place where moves without tags may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beginning {
    /// The first move of a game.
    Game,
    /// A later move, so the beginning of the game is missing.
    Fragment,
    Nothing,
}

/// Finds out whether comments introduce the moves of a game without tags. Successive comments all do or none does, so each is looked at only once.
#[derive(Debug, Default)]
pub(crate) struct Introduction {
    /// The place before which comments introduce no moves.
    none_before: usize,
}

impl Introduction {
    /// Returns whether moves follow the comment that begins here, perhaps after other comments.
    pub(crate) fn precedes_moves(&mut self, text: Text<'_>, comment: usize) -> Result<bool, NeedMore> {
        if comment < self.none_before {
            return Ok(false);
        }
        let end = end_of_comments(text, comment)?;
        let precedes = text.beginning(end)? == Beginning::Game;
        if !precedes {
            self.none_before = end;
        }
        Ok(precedes)
    }

    /// Adjusts to a text whose beginning has moved on by this many bytes.
    pub(crate) fn consume(&mut self, length: usize) {
        self.none_before = self.none_before.saturating_sub(length);
    }

    /// Returns the start of the comment that follows the result at `end` and belongs to its game. It is on the same line, or on the next one unless
    /// it introduces the moves of another game.
    pub(crate) fn comment_behind_result(&mut self, text: Text<'_>, end: usize) -> Result<Option<usize>, NeedMore> {
        let is_blank = |byte| is_space(byte) && byte != b'\n';
        let mut at = text.skip(end, is_blank)?;
        let is_below = text.byte(at)? == Some(b'\n');
        if is_below {
            at = text.skip(at + 1, is_blank)?;
        }
        let is_comment = text.any_comment(at, false)?.is_some_and(|(_, closed)| closed);
        Ok((is_comment && !(is_below && self.precedes_moves(text, at)?)).then_some(at))
    }
}

/// Returns the first place after comments and white space.
fn end_of_comments(text: Text<'_>, mut at: usize) -> Result<usize, NeedMore> {
    loop {
        at = text.skip(at, is_space)?;
        match text.any_comment(at, false)? {
            Some((end, _)) => at = end,
            None => return Ok(at),
        }
    }
}

impl Text<'_> {
    /// Returns what begins at this place, which is at the start of a line or after comments.
    pub(crate) fn beginning(self, at: usize) -> Result<Beginning, NeedMore> {
        let begins = match self.byte(at)? {
            Some(b'0'..=b'9') => {
                let end = self.skip(at, |byte| byte.is_ascii_digit())?;
                let is_number = self.byte(end)? == Some(b'.') && self.numbers_move(end)?;
                // Some people count from 0.
                if is_number && leading_number(self.slice(at..end)).0 > 1 {
                    return Ok(Beginning::Fragment);
                }
                is_number
            }
            Some(_) => self.begins_san(at)?,
            None => false,
        };
        Ok(if begins { Beginning::Game } else { Beginning::Nothing })
    }

    /// Returns whether the dots of a number and spaces are followed by something that could be a move.
    pub(super) fn numbers_move(self, dots: usize) -> Result<bool, NeedMore> {
        let at = self.skip(dots, |byte| byte == b'.' || is_space(byte))?;
        Ok(self.promises_move(at)? || self.begins_move(at)?)
    }

    /// Returns whether the word here could be a move in some spelling, or there is a comment.
    fn promises_move(self, at: usize) -> Result<bool, NeedMore> {
        if matches!(self.byte(at)?, None | Some(b'{' | b'(' | b'$' | b';')) {
            return Ok(true);
        }
        let word = self.bare_word(at)?;
        if numeric_move(word).is_some() {
            return Ok(true);
        }
        let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9']);
        let castling = |part: &[u8]| matches!(part, [b'O' | b'o' | b'0', b'-', b'O' | b'o' | b'0']);
        Ok(!word.is_ascii() || word.windows(2).any(square) || word.windows(3).any(castling))
    }

    /// Returns whether the first move of a game with its number is here: `1. e4`, but not `1... e5`.
    pub(crate) fn first_move(self, at: usize) -> Result<bool, NeedMore> {
        if self.byte(at)? != Some(b'1') || self.byte(at + 1)? != Some(b'.') {
            return Ok(false);
        }
        let next = self.skip(at + 2, is_space)?;
        Ok(match self.byte(next)? {
            Some(b'1'..=b'8') => numeric_move(self.bare_word(next)?).is_some(),
            byte => byte.is_some_and(|byte| byte.is_ascii_alphabetic() || byte >= 0x80),
        })
    }

    /// Returns the word here, without any comment, symbol or parenthesis after it.
    fn bare_word(&self, at: usize) -> Result<&[u8], NeedMore> {
        let is_word = |byte| !is_space(byte) && !matches!(byte, b'{' | b'(' | b')' | b'[' | b';' | b'$');
        let end = self.skip(at, is_word)?;
        Ok(self.slice(at..end))
    }

    /// Returns whether the word here is certainly a move.
    pub(super) fn begins_move(self, at: usize) -> Result<bool, NeedMore> {
        if self.begins_san(at)? {
            return Ok(true);
        }
        let mut simple = Vec::new();
        simplify(self.bare_word(at)?, &mut simple);
        Ok(matches!(read_part(&simple, &Style::default()).0, MovetextPart::Move(_)))
    }

    /// Returns whether a move in SAN is here.
    fn begins_san(self, at: usize) -> Result<bool, NeedMore> {
        Ok(matches!(read_word(self, at)?.0, Word::Move { .. } | Word::Check { .. }))
    }
}
