//! Where one game ends and the next begins, and to which of them a comment between them belongs.

use crate::pgn::lexer::{NeedMore, Text, Word, is_space, leading_number, read_word};
use crate::pgn::notation::{MovetextPart, Style, numeric_move, read_part, simplify};

/// What stands where moves without tags may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beginning {
    /// The first move of a game.
    Game,
    /// A later one, so the beginning of the game is missing.
    Fragment,
    Nothing,
}

/// Whether comments introduce the moves of a game without tags. Of comments in a row, all do or none, so that they are looked through
/// once.
#[derive(Debug, Default)]
pub(crate) struct Introduction {
    /// The comments before this place introduce no moves.
    none_before: usize,
}

impl Introduction {
    /// Whether moves follow the comment that begins there, perhaps after other comments.
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

    /// The beginning of the text has moved on by this many bytes.
    pub(crate) fn consume(&mut self, length: usize) {
        self.none_before = self.none_before.saturating_sub(length);
    }

    /// The comment that follows the result of a game, which ends there, and belongs to that game: on the same line, or on the next one
    /// unless it introduces the moves of another game.
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

/// The first place after comments and white space.
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
    /// What begins there, at the start of a line or after comments.
    pub(crate) fn beginning(self, at: usize) -> Result<Beginning, NeedMore> {
        let begins = match self.byte(at)? {
            Some(b'0'..=b'9') => {
                let end = self.skip(at, |byte| byte.is_ascii_digit())?;
                let is_number = self.byte(end)? == Some(b'.') && self.numbers_move(end)?;
                // Some count from 0.
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

    /// Whether something that could be a move follows the dots of a number and spaces.
    pub(super) fn numbers_move(self, dots: usize) -> Result<bool, NeedMore> {
        let at = self.skip(dots, |byte| byte == b'.' || is_space(byte))?;
        Ok(self.promises_move(at)? || self.begins_move(at)?)
    }

    /// Whether the word there could be a move in some spelling, or a comment stands there.
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

    /// Whether a game's first move with its number stands there: `1. e4`, but not `1... e5`.
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

    /// The word there, without any comment, symbol or parenthesis after it.
    fn bare_word(&self, at: usize) -> Result<&[u8], NeedMore> {
        let is_word = |byte| !is_space(byte) && !matches!(byte, b'{' | b'(' | b')' | b'[' | b';' | b'$');
        let end = self.skip(at, is_word)?;
        Ok(self.slice(at..end))
    }

    /// Whether a word that is surely a move stands there.
    pub(super) fn begins_move(self, at: usize) -> Result<bool, NeedMore> {
        if self.begins_san(at)? {
            return Ok(true);
        }
        let mut simple = Vec::new();
        simplify(self.bare_word(at)?, &mut simple);
        Ok(matches!(read_part(&simple, &Style::default()).0, MovetextPart::Move(_)))
    }

    /// Whether a move in SAN stands there.
    fn begins_san(self, at: usize) -> Result<bool, NeedMore> {
        Ok(matches!(read_word(self, at)?.0, Word::Move { .. } | Word::Check { .. }))
    }
}
