//! Conditions that are asked of many positions at once.
//!
//! What depends on the pieces of one position and the side to move alone is found for all positions of a game by the same
//! instructions: see [`Boards`](crate::board::columns::Boards). `expression` says what such a condition consists of, and `read` makes it of
//! the typed query.

mod arrivals;
mod cover;
mod expression;
mod read;
mod reversed;

pub(crate) use cover::OfPawns;
pub(crate) use expression::{CondColumn, NumColumn, SetColumn};
pub(in crate::query) use expression::{are_sliders, movers, parts_of};
pub(in crate::query) use read::{Placed, placed};
pub(in crate::query) use reversed::REVERSAL;
