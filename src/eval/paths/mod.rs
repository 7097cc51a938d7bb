//! `path` and `line` (chapter 7): searches for sequences of moves and of positions.

mod focus;
pub(super) mod line;
pub(super) mod path;
pub(super) mod path_comments;
pub(super) mod program;
pub(super) mod state;
