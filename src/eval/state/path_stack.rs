//! The stack of a search for a path: what is left to try.

use super::focus::{Moves, Pieces};
use super::sides::Sides;
use super::variables::Value;
use super::visited::Thread;
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
    /// Go on with a thread.
    Branch(Thread, PathPoint<'a>),
    /// Take the next move.
    Move(PendingMove<'a>),
}

/// The remaining moves of a constituent.
pub(crate) struct PendingMove<'a> {
    pub(crate) dash: &'a Dash,
    pub(crate) target: &'a Option<Cond>,
    /// At the constituent.
    pub(crate) thread: Thread,
    /// Before the move.
    pub(crate) from: PathPoint<'a>,
    pub(crate) moves: Moves<'a>,
    /// The sides of the dash. With a focus they are evaluated for each move.
    pub(crate) sides: Option<Sides>,
    /// The comments before the sides: those made for them are dropped with the constituent.
    pub(crate) mark: usize,
    /// What was there before the move that was taken last.
    pub(crate) taken: Option<Taken>,
}

/// What is restored on backtracking.
pub(crate) struct Taken {
    pub(crate) comments: usize,
    pub(crate) atomic: Vec<Value>,
}
