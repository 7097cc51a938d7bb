//! The results of a `path`.

use crate::chess::Position;
use crate::eval::report::MatchValue;
use crate::eval::state::comments::Comment;

/// A sequence of moves that matches.
#[derive(Debug)]
pub(crate) struct Sequence<'a> {
    pub(crate) last: &'a Position,
    /// The number of moves that count.
    pub(crate) count: i32,
    /// The value by which sequences are compared.
    pub(crate) value: i32,
    /// The comments made on the way.
    pub(crate) comments: Vec<Comment>,
    /// The values of the atomic variables.
    pub(crate) atomic: Vec<MatchValue>,
}
