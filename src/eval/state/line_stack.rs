//! The stack of a search for a line: what is left to try, and the item that is being evaluated.

use super::visited::Thread;
use crate::game::Position;
use crate::query::ast::paths::Item;

/// The item of a line that is being evaluated, as the `move` filters in it see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineItem {
    /// Where it is evaluated.
    pub(crate) at: u32,
    /// The next position of the line, if there is one.
    pub(crate) next: Option<u32>,
}

/// The current point of a search.
#[derive(Clone, Copy)]
pub(crate) struct LinePoint<'a> {
    pub(crate) at: &'a Position,
    /// How many positions were matched.
    pub(crate) length: i32,
}

/// An entry of the stack, and how many comments there were when it was pushed.
pub(crate) struct Pending<'a> {
    pub(crate) way: PendingStep<'a>,
    pub(crate) comments: usize,
}

pub(crate) enum PendingStep<'a> {
    /// Go on with a thread.
    Branch(Thread, LinePoint<'a>),
    /// Go on at this child and then at its siblings.
    Children {
        thread: Thread,
        child: &'a Position,
        length: i32,
    },
    /// Evaluate an item for the move to this child and then for those to its siblings.
    Item {
        thread: Thread,
        item: &'a Item,
        state: LinePoint<'a>,
        child: &'a Position,
    },
}
