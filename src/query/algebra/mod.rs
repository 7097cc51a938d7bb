//! The board algebra: conditions, numbers and sets that depend only on the pieces and the side to move.
//!
//! They are evaluated on sixteen boards by the same instructions: see [`Boards`](crate::board::columns::Boards). `expression` has the
//! operators, `lower` makes them from the typed query, and `weaken` makes necessary conditions for stretches of positions from them.
//!
//! Each part uses only those before it: `expression`, `arrivals`, `weaken`, `lower`.

mod arrivals;
mod expression;
mod lower;
mod weaken;

pub(crate) use expression::{BoardCond, BoardNum, BoardSet, Lines, MIRRORING, Pieces, are_sliders, movers};
pub(crate) use lower::{placed, same_board};
