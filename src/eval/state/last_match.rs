//! The last match of a regular expression.

use std::sync::Arc;

use crate::pattern::Groups;

/// The groups of the last match in the text that was searched. A group that took no part has no place.
#[derive(Clone, Debug)]
pub(crate) struct LastMatch {
    pub(crate) text: Arc<[u8]>,
    pub(crate) groups: Groups,
}
