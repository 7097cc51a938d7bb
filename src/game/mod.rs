//! Games: PGN text in, a tree of positions out.

mod batch;
mod input;
mod plain;
mod position;
mod scan;
mod split;
mod tidy;
mod word;

pub use batch::{BACKSLASH, Batch, GameText, INNER_QUOTE, ODD_MOVE, Warning};
pub use input::{Batches, Input, InputError, Source};
pub use position::{Arrival, MoveKind, Position};
pub use split::Splitter;
