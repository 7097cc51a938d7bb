//! What a `path` finds.

use crate::chess::Position;
use crate::eval::state::comments::Comment;
use crate::eval::state::variables::Value;

/// A sequence of moves that fits.
#[derive(Debug)]
pub(crate) struct Sequence<'a> {
    pub(crate) last: &'a Position,
    /// How many moves count.
    pub(crate) count: i32,
    /// What sequences are compared by.
    pub(crate) value: i32,
    /// The comments made on the way.
    pub(crate) comments: Vec<Comment>,
    /// The values of the atomic variables.
    pub(crate) atomic: Vec<Value>,
}
