//! Filters that look at positions other than the current one (chapter 5): of the same game, or of another file.
//!
//! Each part uses only those before it: `consecutive`, `lookup`, `similar`, `echo`, `find`.

pub(crate) mod consecutive;
pub(crate) mod echo;
pub(crate) mod find;
pub(crate) mod lookup;
pub(crate) mod similar;
