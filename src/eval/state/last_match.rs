//! The last match of a regular expression.

use std::sync::Arc;

use crate::pattern::Groups;

/// The groups of the last match in the text that was searched; a group that took no part is nowhere.
#[derive(Clone, Debug)]
pub(crate) struct LastMatch {
    pub(crate) text: Arc<[u8]>,
    pub(crate) groups: Groups,
}

impl LastMatch {
    /// How many bytes its text has.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }
}
