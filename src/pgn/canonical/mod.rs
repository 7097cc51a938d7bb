//! Canonical PGN: the form in which games reach the reader, whatever their source looks like.
//!
//! Most games are canonical as they stand, which `recognise` finds out quickly. A `Batch` holds the text of many games.
//!
//! Each part uses only those before it: `markers`, `stripped`, `batch`, `recognise`.

mod batch;
mod markers;
mod recognise;
mod stripped;

pub(crate) use batch::LineMark;
pub(crate) use batch::movetext;
pub use batch::{Batch, GameText};
pub use markers::{ODD_MOVE, ODD_NAG};
#[cfg(test)]
pub(crate) use recognise::is_plain_movetext;
pub(crate) use recognise::recognise;
#[cfg(test)]
pub(crate) use stripped::StrippedMovetext;
