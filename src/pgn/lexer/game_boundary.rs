//! Where one game ends and the next begins, and to which of them a comment between them belongs.

use super::text::{NeedMore, Text, is_space};
use super::word::{Word, read_word};

/// Whether comments introduce the moves of a game without tags. Of comments in a row, all do or none, so that they are looked through
/// once.
#[derive(Debug, Default)]
pub(crate) struct Introduction {
    /// The comments before this place introduce no moves.
    none_before: usize,
}

impl Introduction {
    /// Whether moves follow the comment that begins there, perhaps behind other comments.
    pub(crate) fn precedes_moves(&mut self, text: Text<'_>, comment: usize) -> Result<bool, NeedMore> {
        if comment < self.none_before {
            return Ok(false);
        }
        let end = end_of_comments(text, comment)?;
        let precedes = begins_moves(text, end)?;
        if !precedes {
            self.none_before = end;
        }
        Ok(precedes)
    }

    /// The beginning of the text has moved on by so many bytes.
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

/// The first place behind comments and white space.
fn end_of_comments(text: Text<'_>, mut at: usize) -> Result<usize, NeedMore> {
    loop {
        at = text.skip(at, is_space)?;
        match text.any_comment(at, false)? {
            Some((end, _)) => at = end,
            None => return Ok(at),
        }
    }
}

/// Whether the moves of a game without tags stand there.
fn begins_moves(text: Text<'_>, at: usize) -> Result<bool, NeedMore> {
    match text.byte(at)? {
        Some(b'0'..=b'9') => {
            let end = text.skip(at, |byte| byte.is_ascii_digit())?;
            Ok(text.byte(end)? == Some(b'.') && begins_games(text.slice(at..end)) && text.numbers_move(end)?)
        }
        Some(_) => Ok(matches!(
            read_word(text, at)?,
            (Word::Move { .. } | Word::Check { .. }, _)
        )),
        None => Ok(false),
    }
}

/// Whether a move with this number may be the first one of a game without tags.
pub(crate) fn begins_games(number: &[u8]) -> bool {
    matches!(number, [.., b'0' | b'1']) && number.iter().rev().skip(1).all(|digit| *digit == b'0')
}
