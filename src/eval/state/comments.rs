//! Comments in the making: one list for each game, cut back when what wrote them fails (chapter 2, 6.2).
//!
//! A comment that its position has already is written once in the end. Where there are many, such comments are left out at once,
//! as some filters write the same again and again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A comment and the position that it belongs to.
pub(crate) type Comment = (u32, Vec<u8>);

/// What a comment takes beside its text, in bytes.
const COMMENT_BYTES: usize = 64;

/// This many comments are kept without a look whether they repeat others.
const FEW: usize = 1024;

/// The comments made so far on a game.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    list: Vec<Comment>,
    /// About how many bytes they take.
    bytes: usize,
    /// Someone asks for comments; otherwise none is kept.
    wanted: bool,
    /// What a failing filter has written is dropped.
    undone: bool,
    /// Where a comment was seen, by its hash, as far as it was looked for; it need not be there any more.
    seen: HashMap<u64, usize>,
    hasher: RandomState,
    /// What repeats others is kept.
    repeats: bool,
    /// Comments from here on may leave the list without those before: they repeat only each other.
    apart: usize,
}

impl Comments {
    /// No comments yet: whether they are `wanted`, whether those of what fails are `undone`, and whether what repeats others is
    /// written.
    pub(crate) fn new(wanted: bool, undone: bool, repeats: bool) -> Comments {
        Comments {
            wanted,
            undone,
            repeats,
            ..Comments::default()
        }
    }

    /// Whether anybody asks for comments.
    #[inline]
    pub(crate) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many there are, to cut back to later.
    #[inline]
    pub(crate) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Drops all comments made since a mark, unless comments are to stay whatever fails.
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

    /// Begins comments that may leave the list alone; what [`end_apart`](Comments::end_apart) needs.
    pub(crate) fn begin_apart(&mut self) -> usize {
        std::mem::replace(&mut self.apart, self.list.len())
    }

    /// Ends such comments.
    pub(crate) fn end_apart(&mut self, outer: usize) {
        self.apart = outer;
    }

    /// The comments made since a mark.
    pub(crate) fn since(&self, mark: usize) -> &[Comment] {
        self.list.get(mark..).unwrap_or_default()
    }

    /// Takes the comments made since a mark out of the list.
    pub(crate) fn split_off(&mut self, mark: usize) -> Vec<Comment> {
        let taken = self.list.split_off(mark);
        self.bytes -= size(&taken);
        taken
    }

    /// Puts comments at the end of the list.
    pub(crate) fn extend(&mut self, comments: impl IntoIterator<Item = Comment>) {
        for comment in comments {
            if self.list.len() < FEW || self.repeats || self.is_new(&comment) {
                self.bytes += size(std::slice::from_ref(&comment));
                self.list.push(comment);
            }
        }
    }

    /// Whether a comment that is to be the next in the list repeats none that stays as long.
    fn is_new(&mut self, comment: &Comment) -> bool {
        // What was cut away stays among the seen for some time.
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

    /// Hands the list over and begins a new one.
    pub(crate) fn take(&mut self) -> Vec<Comment> {
        self.bytes = 0;
        self.seen.clear();
        std::mem::take(&mut self.list)
    }
}

/// About how many bytes some comments take.
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

    /// Adds different comments up to where repeated ones are looked for.
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
