//! What stands between two games: to which of them a comment belongs.

use super::{
    scan::{NeedMore, Text, is_space},
    word::{Word, read_word},
};

/// So many comments may stand before a game without tags.
const MOST_COMMENTS: usize = 16;

/// Whether the moves of a game without tags stand there, perhaps behind comments.
pub(super) fn introduces_moves(text: Text<'_>, mut at: usize) -> Result<bool, NeedMore> {
    for _ in 0..=MOST_COMMENTS {
        at = text.skip(at, is_space)?;
        match text.byte(at)? {
            Some(b'{') => at = text.comment(at, false)?.end,
            Some(b';') => at = text.line_end(at)?,
            Some(b'0'..=b'9') => {
                let end = text.skip(at, |byte| byte.is_ascii_digit())?;
                return Ok(text.byte(end)? == Some(b'.') && text.numbers_move(end)?);
            }
            Some(_) => {
                return Ok(matches!(
                    read_word(text, at)?,
                    (Word::Move { .. } | Word::Check { .. }, _)
                ));
            }
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// The comment that follows the result of a game, which ends there, and belongs to that game: on the same line, or on the next one
/// unless it introduces the moves of another game.
pub(super) fn comment_behind_result(text: Text<'_>, end: usize) -> Result<Option<usize>, NeedMore> {
    let is_blank = |byte| is_space(byte) && byte != b'\n';
    let mut at = text.skip(end, is_blank)?;
    let is_below = text.byte(at)? == Some(b'\n');
    if is_below {
        at = text.skip(at + 1, is_blank)?;
    }
    let is_comment = match text.byte(at)? {
        Some(b'{') => text.comment(at, false)?.closed,
        byte => byte == Some(b';'),
    };
    Ok((is_comment && !(is_below && introduces_moves(text, at)?)).then_some(at))
}
