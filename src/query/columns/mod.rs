//! Columns: conditions that are evaluated on many positions at once.
//!
//! What depends on the pieces and the side to move alone is computed for all positions of a game by the same instructions: see
//! [`Boards`](crate::board::columns::Boards). `expression` has the forms, `lower` makes them from the typed query, and `weaken` makes
//! necessary conditions of them for stretches.
//!
//! Each part uses only those before it: `expression`, `arrivals`, `weaken`, `lower`.

mod arrivals;
mod expression;
mod lower;
mod weaken;

pub(crate) use expression::{CondColumn, Lines, NumColumn, Pieces, SetColumn};
pub(crate) use expression::{are_sliders, movers};
pub(crate) use lower::placed;
