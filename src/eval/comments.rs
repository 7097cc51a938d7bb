//! Comments in the making: one list for each game, cut back when what wrote them fails (chapter 2, 6.2).

/// A comment and the position that it belongs to.
pub(super) type Comment = (u32, Vec<u8>);

/// What a comment takes beside its text.
pub(super) const COMMENT_BYTES: usize = size_of::<Comment>();

/// The comments made so far on a game.
#[derive(Debug, Default)]
pub(super) struct Comments {
    list: Vec<Comment>,
    /// Somebody asks for comments; otherwise none is kept.
    wanted: bool,
    /// What a failing filter has written is dropped.
    undone: bool,
}

impl Comments {
    pub(super) fn new(wanted: bool, undone: bool) -> Comments {
        Comments {
            list: Vec::new(),
            wanted,
            undone,
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
            self.list.truncate(mark);
        }
    }

    pub(super) fn add(&mut self, position: u32, text: Vec<u8>) {
        if self.wanted && !text.is_empty() {
            self.list.push((position, text));
        }
    }

    /// The comments made since a mark.
    pub(super) fn since(&self, mark: usize) -> &[Comment] {
        self.list.get(mark..).unwrap_or_default()
    }

    /// Takes the comments made since a mark out of the list.
    pub(super) fn split_off(&mut self, mark: usize) -> Vec<Comment> {
        self.list.split_off(mark)
    }

    /// Puts comments at the end of the list.
    pub(super) fn extend(&mut self, comments: impl IntoIterator<Item = Comment>) {
        self.list.extend(comments);
    }

    /// How much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.list.iter().map(|(_, text)| text.len() + COMMENT_BYTES).sum()
    }

    /// Hands the list over and begins a new one.
    pub(super) fn take(&mut self) -> Vec<Comment> {
        std::mem::take(&mut self.list)
    }
}
