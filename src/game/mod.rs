//! Games: PGN text in, a tree of positions out.

mod position;

pub use position::{Arrival, MoveKind, Position};
