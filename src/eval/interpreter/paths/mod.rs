//! `path` and `line` (chapter 7): searches for sequences of moves and of positions.

pub(crate) mod line;
pub(crate) mod path;
pub(crate) mod path_comments;
pub(crate) mod program;
pub(crate) mod properties;
