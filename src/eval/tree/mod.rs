//! Filters that look at other positions than the current one (chapter 5): of the same game, and of another file.

pub(super) mod consecutive;
pub(super) mod echo;
pub(super) mod find;
pub(super) mod lookup;
pub(super) mod similar;
