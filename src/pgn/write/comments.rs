//! The comments of a written game: those of the file, and what a query has added.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::additions::Additions;
use crate::game::{Game, Rules};

/// The comments of the written game.
pub(crate) struct Comments<'a> {
    game: &'a Game,
    /// The added texts by position.
    added: Vec<(u32, &'a [u8])>,
    /// The positions that lose their comment from the file, in order.
    removed: Vec<u32>,
}

impl<'a> Comments<'a> {
    pub(crate) fn new(game: &'a Game, additions: &'a Additions<'_>) -> Comments<'a> {
        Comments {
            game,
            added: additions.sorted(),
            removed: additions.removed(),
        }
    }

    /// Returns whether a position may have comments. Hardly any has, and this is faster than going through an empty list.
    pub(crate) fn may_be_at(&self, id: u32) -> bool {
        self.game.notes.has(id) || self.added.binary_search_by_key(&id, |(position, _)| *position).is_ok()
    }

    /// Returns the comments on a position after a variation, or after all variations.
    pub(crate) fn behind(&self, id: u32, variation: Option<u32>) -> SmallVec<[Cow<'a, [u8]>; 1]> {
        if self.removed.binary_search(&id).is_ok() {
            return SmallVec::new();
        }
        let game: &'a Game = self.game;
        let comments = game.notes.comments_behind(id);
        comments
            .filter(|(behind, _)| variation.is_none_or(|variation| variation == *behind))
            .map(|(_, comment)| self.braceless(comment))
            .collect()
    }

    /// Returns the comments of a position in order, without those after its variations. Added texts belong to the last one.
    pub(crate) fn at(&self, id: u32) -> SmallVec<[Cow<'_, [u8]>; 1]> {
        let begin = self.added.partition_point(|(position, _)| *position < id);
        let added = self.added.get(begin..).unwrap_or_default();
        let count = added.iter().take_while(|(position, _)| *position == id).count();
        let added = added.get(..count).unwrap_or_default();
        let is_removed = self.removed.binary_search(&id).is_ok();
        let mut originals: SmallVec<[&[u8]; 1]> = self.game.notes.comments_at(id).collect();
        let last = (!added.is_empty()).then(|| originals.pop().unwrap_or_default());
        if is_removed {
            originals.clear();
        }
        let mut comments: SmallVec<_> = originals.into_iter().map(|comment| self.braceless(comment)).collect();
        comments.extend(last.map(|last| match added {
            [(_, text)] if last.is_empty() => added_text(text),
            added => Cow::Owned(self.joined(last, is_removed, added)),
        }));
        comments
    }

    /// Returns the last comment of a position in the file, unless it is removed, together with what is added to it.
    fn joined(&self, last: &[u8], is_removed: bool, added: &[(u32, &[u8])]) -> Vec<u8> {
        let mut whole = match is_removed {
            true => Vec::new(),
            false => self.braceless(last).into_owned(),
        };
        // The reference keeps the space after a comment that has been removed.
        let mut blank = !last.is_empty();
        for (_, text) in added {
            if blank {
                whole.push(b' ');
            }
            whole.extend_from_slice(&added_text(text));
            blank = true;
        }
        whole
    }

    /// Returns a comment of the file without braces. They are replaced by parentheses, or by what CQL writes.
    fn braceless<'c>(&self, comment: &'c [u8]) -> Cow<'c, [u8]> {
        let signs = match self.game.rules {
            Rules::Full => [b'(', b')'],
            Rules::Cql => [b'_', b'_'],
        };
        without_braces(comment, signs)
    }
}

/// Returns an added text without braces.
fn added_text(text: &[u8]) -> Cow<'_, [u8]> {
    without_braces(text, [b'_', b'_'])
}

/// Returns a comment whose braces are replaced by two other signs, so that none can end it early.
fn without_braces(comment: &[u8], [open, close]: [u8; 2]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'{', b'}', comment).is_none() {
        return Cow::Borrowed(comment);
    }
    let written = |byte: &u8| match byte {
        b'{' => open,
        b'}' => close,
        byte => *byte,
    };
    Cow::Owned(comment.iter().map(written).collect())
}
