//! Comments in the making: one list for each game, cut back when what wrote them fails (chapter 2, 6.2).

/// A comment and the position that it belongs to.
pub(super) type Comment = (u32, Vec<u8>);

/// How many bytes the comments of a game may take together.
pub(super) const MOST_COMMENTS: usize = 256 << 20;

/// The comments made so far on a game.
#[derive(Debug, Default)]
pub(super) struct Comments {
    list: Vec<Comment>,
    /// How many bytes the list takes.
    size: usize,
    /// A comment was left out because there was no room for it.
    overflown: bool,
    /// Somebody asks for comments; otherwise none is kept.
    wanted: bool,
    /// What a failing filter has written is dropped.
    undone: bool,
}

impl Comments {
    pub(super) fn new(wanted: bool, undone: bool) -> Comments {
        Comments {
            wanted,
            undone,
            ..Comments::default()
        }
    }

    /// Whether anybody asks for comments.
    #[inline]
    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// How many there are, to cut back to later.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Drops all comments made since a mark, unless comments are to stay whatever fails.
    #[inline]
    pub(super) fn cut(&mut self, mark: usize) {
        if self.undone {
            self.size -= size_of_all(self.since(mark));
            self.list.truncate(mark);
        }
    }

    pub(super) fn add(&mut self, position: u32, text: Vec<u8>) {
        if self.wanted && !text.is_empty() {
            let comment = (position, text);
            let size = self.size.saturating_add(size_of(&comment));
            if size > MOST_COMMENTS {
                self.overflown = true;
                return;
            }
            self.size = size;
            self.list.push(comment);
        }
    }

    /// Whether a comment was left out because those of the game take more than [`MOST_COMMENTS`].
    #[inline]
    pub(super) fn have_overflown(&self) -> bool {
        self.overflown
    }

    /// The comments made since a mark.
    pub(super) fn since(&self, mark: usize) -> &[Comment] {
        self.list.get(mark..).unwrap_or_default()
    }

    /// Takes the comments made since a mark out of the list.
    pub(super) fn split_off(&mut self, mark: usize) -> Vec<Comment> {
        let comments = self.list.split_off(mark);
        self.size -= size_of_all(&comments);
        comments
    }

    /// Puts comments at the end of the list.
    pub(super) fn extend(&mut self, comments: impl IntoIterator<Item = Comment>) {
        let mark = self.mark();
        self.list.extend(comments);
        self.size += size_of_all(self.since(mark));
    }

    /// Hands the list over and begins a new one.
    pub(super) fn take(&mut self) -> Vec<Comment> {
        self.size = 0;
        std::mem::take(&mut self.list)
    }
}

/// How many bytes a comment takes in a list.
fn size_of(comment: &Comment) -> usize {
    std::mem::size_of::<Comment>() + comment.1.capacity()
}

fn size_of_all(comments: &[Comment]) -> usize {
    comments.iter().map(size_of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_were_dropped_leave_room_for_others() {
        let mut comments = Comments::new(true, true);
        let long = || vec![b'a'; MOST_COMMENTS / 2];
        for _ in 0..3 {
            let mark = comments.mark();
            comments.add(0, long());
            comments.cut(mark);
        }
        let mark = comments.mark();
        comments.add(0, long());
        let moved = comments.split_off(mark);
        comments.extend(moved);
        assert!(!comments.have_overflown());
        comments.add(0, long());
        assert!(comments.have_overflown());
        assert_eq!(comments.since(0).len(), 1);
    }
}
