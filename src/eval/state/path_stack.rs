//! What a search for a path has left to try.

use super::focus::{Moves, Pieces};
use super::sides::Sides;
use super::variables::Value;
use super::visited::Thread;
use crate::game::Position;
use crate::query::Cond;
use crate::query::ast::moves::Dash;

/// Where a search stands.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub(crate) at: &'a Position,
    pub(crate) pieces: Option<Pieces>,
    pub(crate) count: i32,
}

/// A way that is left to be tried.
pub(crate) enum Left<'a> {
    /// Go on with a thread.
    Branch(Thread, State<'a>),
    /// Take the next move.
    Move(MoveLeft<'a>),
}

/// Moves of a constituent that are left to be tried.
pub(crate) struct MoveLeft<'a> {
    pub(crate) dash: &'a Dash,
    pub(crate) target: &'a Option<Cond>,
    /// At the constituent.
    pub(crate) thread: Thread,
    /// Before the move.
    pub(crate) from: State<'a>,
    pub(crate) moves: Moves<'a>,
    /// The sides of the dash. With a focus they are evaluated for each move.
    pub(crate) sides: Option<Sides>,
    /// The comments before the sides: those made for them are dropped with the constituent.
    pub(crate) mark: usize,
    /// What was there before the move that was taken last.
    pub(crate) taken: Option<Taken>,
}

/// What is restored when a move is taken back.
pub(crate) struct Taken {
    pub(crate) comments: usize,
    pub(crate) atomic: Vec<Value>,
}
