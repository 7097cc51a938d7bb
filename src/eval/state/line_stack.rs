//! The stack of a search for a line: the steps left to try, and the item that is being evaluated.

use super::visited::Thread;
use crate::game::Position;
use crate::query::ast::paths::Item;

/// The item of a line that is being evaluated, as the `move` filters in it see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineItem {
    /// The id of the position where it is evaluated.
    pub(crate) at: u32,
    /// The next position of the line, if there is one.
    pub(crate) next: Option<u32>,
}

/// The current point of a search.
#[derive(Clone, Copy)]
pub(crate) struct LinePoint<'a> {
    pub(crate) at: &'a Position,
    /// The number of positions matched.
    pub(crate) length: i32,
}

/// An entry of the stack, and the number of comments when it was pushed.
pub(crate) struct Pending<'a> {
    pub(crate) way: PendingStep<'a>,
    pub(crate) comments: usize,
}

pub(crate) enum PendingStep<'a> {
    /// Continue with a thread.
    Branch(Thread, LinePoint<'a>),
    /// Continue at this child, and later at its siblings.
    Children {
        thread: Thread,
        child: &'a Position,
        length: i32,
    },
    /// Evaluate an item for the move to this child, and later for those to its siblings.
    Item {
        thread: Thread,
        item: &'a Item,
        state: LinePoint<'a>,
        child: &'a Position,
    },
}
