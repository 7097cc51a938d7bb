//! Comments in the making: one list for each game, cut back when the filter that wrote them fails (chapter 2, 6.2).
//!
//! At the end, a comment that its position already has is written only once. If there are many comments, such repetitions are left out immediately,
//! since certain filters write the same again and again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A comment and the position that it belongs to.
pub(crate) type Comment = (u32, Vec<u8>);

/// The bytes that a comment takes in addition to its text.
const COMMENT_BYTES: usize = 64;

/// Up to this many comments are kept without looking for repetitions.
const FEW: usize = 1024;

/// The comments made so far on a game.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    list: Vec<Comment>,
    /// Roughly the bytes that they take.
    bytes: usize,
    /// Whether comments are wanted. Otherwise none is kept.
    wanted: bool,
    /// Whether the comments of a failing filter are dropped.
    undone: bool,
    /// The indices of comments by their hashes, as far as they were looked up. A comment may have been removed since.
    seen: HashMap<u64, usize>,
    hasher: RandomState,
    /// Whether repetitions are kept.
    repeats: bool,
    /// Comments from this index on may be taken out of the list without those before, so they are only compared with each other.
    apart: usize,
}

impl Comments {
    /// Creates an empty list. `wanted` says whether comments are kept, `undone` whether those of failing filters are dropped, and `repeats`
    /// whether repetitions are written.
    pub(crate) fn new(wanted: bool, undone: bool, repeats: bool) -> Comments {
        Comments {
            wanted,
            undone,
            repeats,
            ..Comments::default()
        }
    }

    /// Returns whether comments are wanted.
    #[inline]
    pub(crate) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Returns roughly how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of comments, to cut back to later.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Drops all comments made since a mark, unless comments of failing filters are kept.
    #[inline]
    pub(crate) fn cut(&mut self, mark: usize) {
        if self.undone && mark < self.list.len() {
            self.bytes -= size(&self.list[mark..]);
            self.list.truncate(mark);
        }
    }

    pub(crate) fn add(&mut self, position: u32, text: Vec<u8>) {
        if self.wanted && !text.is_empty() {
            self.extend([(position, text)]);
        }
    }

    /// Begins comments that may be taken out of the list by themselves. Returns the value to pass to [`end_apart`](Comments::end_apart).
    pub(crate) fn begin_apart(&mut self) -> usize {
        std::mem::replace(&mut self.apart, self.list.len())
    }

    /// Ends such comments.
    pub(crate) fn end_apart(&mut self, outer: usize) {
        self.apart = outer;
    }

    /// Returns the comments made since a mark.
    pub(crate) fn since(&self, mark: usize) -> &[Comment] {
        self.list.get(mark..).unwrap_or_default()
    }

    /// Removes the comments made since a mark from the list and returns them.
    pub(crate) fn split_off(&mut self, mark: usize) -> Vec<Comment> {
        let taken = self.list.split_off(mark);
        self.bytes -= size(&taken);
        taken
    }

    /// Appends comments to the list.
    pub(crate) fn extend(&mut self, comments: impl IntoIterator<Item = Comment>) {
        for comment in comments {
            if self.list.len() < FEW || self.repeats || self.is_new(&comment) {
                self.bytes += size(std::slice::from_ref(&comment));
                self.list.push(comment);
            }
        }
    }

    /// Returns whether a comment about to be appended differs from all that it may be compared with.
    fn is_new(&mut self, comment: &Comment) -> bool {
        // Comments that were cut away remain in `seen` for a while.
        if self.seen.is_empty() || self.seen.len() > 2 * self.list.len() {
            let places = self.list.iter().enumerate();
            self.seen = places
                .map(|(place, known)| (self.hasher.hash_one(known), place))
                .collect();
        }
        let place = self.seen.entry(self.hasher.hash_one(comment)).or_insert(usize::MAX);
        let is_known = (self.apart..self.list.len()).contains(place) && self.list[*place] == *comment;
        if !is_known {
            *place = self.list.len();
        }
        !is_known
    }

    /// Returns the list and begins a new one.
    pub(crate) fn take(&mut self) -> Vec<Comment> {
        self.bytes = 0;
        self.seen.clear();
        std::mem::take(&mut self.list)
    }
}

/// Returns roughly how many bytes the comments take.
pub(crate) fn size(comments: &[Comment]) -> usize {
    comments.iter().map(|(_, text)| text.len() + COMMENT_BYTES).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_what_is_added_and_taken_away() {
        let mut comments = Comments::new(true, true, false);
        comments.add(1, b"first".to_vec());
        let mark = comments.mark();
        comments.add(2, b"second".to_vec());
        comments.add(2, Vec::new());
        assert_eq!(comments.bytes(), "firstsecond".len() + 2 * COMMENT_BYTES);
        let taken = comments.split_off(mark);
        assert_eq!(comments.bytes(), "first".len() + COMMENT_BYTES);
        comments.extend(taken);
        comments.cut(mark);
        assert_eq!(comments.bytes(), "first".len() + COMMENT_BYTES);
        comments.take();
        assert_eq!(comments.bytes(), 0);
    }

    /// Adds different comments until the list looks for repetitions.
    fn many(repeats: bool) -> Comments {
        let mut comments = Comments::new(true, true, repeats);
        for position in 0..FEW as u32 {
            comments.add(position, b"one".to_vec());
        }
        comments
    }

    #[test]
    fn of_many_comments_those_that_repeat_others_are_left_out() {
        let mut comments = many(false);
        for text in ["one", "two", "two", "one"] {
            comments.add(7, text.as_bytes().to_vec());
        }
        assert_eq!(comments.since(FEW), [(7, b"two".to_vec())]);
        let mut all = many(true);
        all.add(7, b"one".to_vec());
        assert_eq!(all.since(FEW).len(), 1);
    }

    #[test]
    fn what_was_cut_away_may_come_again() {
        let mut comments = many(false);
        let mark = comments.mark();
        for _ in 0..3 {
            comments.add(7, b"two".to_vec());
            assert_eq!(comments.mark(), mark + 1);
            comments.cut(mark);
        }
        comments.add(8, b"three".to_vec());
        comments.add(7, b"two".to_vec());
        assert_eq!(comments.mark(), mark + 2);
    }

    #[test]
    fn comments_that_may_leave_alone_repeat_no_others() {
        let mut comments = many(false);
        let outer = comments.begin_apart();
        comments.add(7, b"one".to_vec());
        comments.add(7, b"one".to_vec());
        comments.end_apart(outer);
        assert_eq!(comments.split_off(FEW), [(7, b"one".to_vec())]);
    }
}
