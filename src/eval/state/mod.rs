//! The state that an evaluation keeps while it visits a game. This room knows nothing of the evaluation.
//!
//! Each part uses only those before it: `similar_positions`, `dictionaries`, `steps`, `index`, `visited`, `last_match`, `comments`,
//! `consecutive`, `sides`, `variables`, `memo`, `focus`, `paths`, `line_stack`, `path_stack`.

pub(crate) mod comments;
pub(crate) mod consecutive;
pub(crate) mod dictionaries;
pub(crate) mod focus;
pub(crate) mod index;
pub(crate) mod last_match;
pub(crate) mod line_stack;
pub(crate) mod memo;
pub(crate) mod path_stack;
pub(crate) mod paths;
pub(crate) mod sides;
pub(crate) mod similar_positions;
pub(crate) mod steps;
pub(crate) mod variables;
pub(crate) mod visited;
