//! What a search for a line has left to try, and the item that it evaluates.

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

/// Where a search stands.
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub(crate) at: &'a Position,
    /// How many positions were matched.
    pub(crate) length: i32,
}

/// A way that is left to be tried, and how many comments there were when it was left.
pub(crate) struct Left<'a> {
    pub(crate) way: Way<'a>,
    pub(crate) comments: usize,
}

pub(crate) enum Way<'a> {
    /// Go on with a thread.
    Branch(Thread, State<'a>),
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
        state: State<'a>,
        child: &'a Position,
    },
}
