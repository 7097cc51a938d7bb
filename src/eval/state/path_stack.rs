//! The stack of a search for a path: the steps left to try.

use super::focus::{Moves, Pieces};
use super::sides::Sides;
use super::visited::Thread;
use crate::eval::report::MatchValue;
use crate::game::Position;
use crate::query::Cond;
use crate::query::ast::moves::Dash;

/// The current point of a search.
#[derive(Clone, Copy)]
pub(crate) struct PathPoint<'a> {
    pub(crate) at: &'a Position,
    pub(crate) pieces: Option<Pieces>,
    pub(crate) count: i32,
}

/// An entry of the stack.
pub(crate) enum Pending<'a> {
    /// Continue with a thread.
    Branch(Thread, PathPoint<'a>),
    /// Play the next move.
    Move(PendingMove<'a>),
}

/// The remaining moves of a constituent.
pub(crate) struct PendingMove<'a> {
    pub(crate) dash: &'a Dash,
    pub(crate) target: &'a Option<Cond>,
    /// The thread at the constituent.
    pub(crate) thread: Thread,
    /// The point before the move.
    pub(crate) from: PathPoint<'a>,
    pub(crate) moves: Moves<'a>,
    /// The sides of the dash. With a focus, they are evaluated for each move.
    pub(crate) sides: Option<Sides>,
    /// The mark of the comments before the sides. Comments made for the sides are dropped with the constituent.
    pub(crate) mark: usize,
    /// The state before the last move played.
    pub(crate) taken: Option<Checkpoint>,
}

/// State to restore on backtracking.
pub(crate) struct Checkpoint {
    pub(crate) comments: usize,
    pub(crate) atomic: Vec<MatchValue>,
}
