//! Games: PGN text in, a tree of positions out.

mod batch;
mod identity;
mod move_word;
mod moves;
mod names;
mod notes;
mod position;
mod reader;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod sample;
mod san;
mod start;
mod tags;
mod tree;
mod warning;
mod write;
#[cfg(test)]
mod written;

pub use batch::{BACKSLASH, Batch, GameText, INNER_QUOTE, ODD_MOVE};
pub use identity::Identities;
pub use moves::in_check;
pub use notes::Notes;
pub use position::{Arrival, MoveKind, Position};
pub use reader::{GameReader, Reading, Scope};
pub use start::{Castling, Start};
pub use tags::{Date, Eco, Rating, Tags};
pub use tree::Game;
pub use warning::Warning;
pub use write::{Additions, write_game};
