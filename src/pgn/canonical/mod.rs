//! Canonical PGN: the form in which games reach the reader, whatever their source looks like.
//!
//! Most games are canonical already, which `recognise` finds out quickly. A `Batch` holds the text of many games. Only `tags` and `tokens` know where
//! the parts of a game are.
//!
//! Each part uses only those before it: `markers`, `tags`, `tokens`, `stripped`, `batch`,
//! `recognise`.

mod batch;
mod markers;
mod recognise;
mod stripped;
mod tags;
mod tokens;

pub(crate) use batch::LineMark;
pub use batch::{Batch, GameText};
pub use markers::{ODD_MOVE, ODD_NAG};
#[cfg(test)]
pub(crate) use recognise::is_plain_movetext;
pub(crate) use recognise::recognise;
pub(crate) use tags::{movetext, tag_lines, tags};
pub(crate) use tokens::{Token, Tokens, push_written};
