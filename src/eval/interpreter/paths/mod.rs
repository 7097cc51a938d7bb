//! `path` and `line` (chapter 7): searches for sequences of moves and of positions.
//!
//! Each part uses only those before it: `program`, `properties`, `sequence`, `path_comments`, `path`, `line`.

pub(crate) mod line;
pub(crate) mod path;
pub(crate) mod path_comments;
pub(crate) mod program;
pub(crate) mod properties;
pub(crate) mod sequence;
