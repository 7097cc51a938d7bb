//! Comments in the making: one list for each game, cut back when what wrote them fails (chapter 2, 6.2).

/// A comment and the position that it belongs to.
pub(super) type Comment = (u32, Vec<u8>);

/// What a comment takes beside its text, in bytes.
const COMMENT_BYTES: usize = 32;

/// The comments made so far on a game.
#[derive(Debug, Default)]
pub(super) struct Comments {
    list: Vec<Comment>,
    /// About how many bytes they take.
    bytes: usize,
    /// Somebody asks for comments; otherwise none is kept.
    wanted: bool,
    /// What a failing filter has written is dropped.
    undone: bool,
}

impl Comments {
    pub(super) fn new(wanted: bool, undone: bool) -> Comments {
        Comments {
            list: Vec::new(),
            bytes: 0,
            wanted,
            undone,
        }
    }

    /// Whether anybody asks for comments.
    #[inline]
    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many there are, to cut back to later.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.list.len()
    }

    /// Drops all comments made since a mark, unless comments are to stay whatever fails.
    #[inline]
    pub(super) fn cut(&mut self, mark: usize) {
        if self.undone && mark < self.list.len() {
            self.bytes -= size(&self.list[mark..]);
            self.list.truncate(mark);
        }
    }

    pub(super) fn add(&mut self, position: u32, text: Vec<u8>) {
        if self.wanted && !text.is_empty() {
            self.extend([(position, text)]);
        }
    }

    /// The comments made since a mark.
    pub(super) fn since(&self, mark: usize) -> &[Comment] {
        self.list.get(mark..).unwrap_or_default()
    }

    /// Takes the comments made since a mark out of the list.
    pub(super) fn split_off(&mut self, mark: usize) -> Vec<Comment> {
        let taken = self.list.split_off(mark);
        self.bytes -= size(&taken);
        taken
    }

    /// Puts comments at the end of the list.
    pub(super) fn extend(&mut self, comments: impl IntoIterator<Item = Comment>) {
        let mark = self.mark();
        self.list.extend(comments);
        self.bytes += size(&self.list[mark..]);
    }

    /// Hands the list over and begins a new one.
    pub(super) fn take(&mut self) -> Vec<Comment> {
        self.bytes = 0;
        std::mem::take(&mut self.list)
    }
}

/// About how many bytes some comments take.
pub(super) fn size(comments: &[Comment]) -> usize {
    comments.iter().map(|(_, text)| text.len() + COMMENT_BYTES).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_what_is_added_and_taken_away() {
        let mut comments = Comments::new(true, true);
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
}
