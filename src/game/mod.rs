//! Games: PGN text in, a tree of positions out.

mod batch;
mod moves;
mod names;
mod notes;
mod position;
mod reader;
mod start;
mod tags;
mod tree;
mod warning;
mod word;

pub use batch::{Batch, GameText};
pub use moves::in_check;
pub use notes::Notes;
pub use position::{Arrival, MoveKind, Position};
pub use reader::{GameReader, Reading, Scope};
pub use start::{Castling, Start};
pub use tags::{Date, Eco, Rating, Tags};
pub use tree::Game;
pub use warning::Warning;
