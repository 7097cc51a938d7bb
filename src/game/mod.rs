//! Games: PGN text in, a tree of positions out.
//!
//! ```text
//!  files ──► input ──► split, tidy ──► batch ──► reader (moves, tags, notes) ──► Game ──► write
//! ```

mod batch;
mod between;
mod castling;
pub mod coded;
mod encoding;
mod gather;
mod identity;
mod input;
mod language;
mod legal;
mod move_word;
mod moves;
mod names;
mod notes;
mod numbering;
mod packed;
mod plain;
mod position;
mod reader;
#[cfg(test)]
mod replay;
mod rules;
mod safety;
#[cfg(test)]
pub(crate) mod sample;
mod san;
mod scan;
mod servers;
mod signs;
mod spelling;
mod split;
mod start;
mod stream;
mod table;
mod tags;
mod tidy;
mod translate;
mod tree;
mod uci;
mod utf16;
mod variant;
mod variant_rules;
mod warning;
mod word;
mod write;
#[cfg(test)]
mod written;

pub use batch::{BACKSLASH, Batch, GameText, INNER_QUOTE, LineMark, ODD_MOVE, ODD_NAG};
pub use castling::{Castlers, Rights};
pub use encoding::decoded;
pub use gather::Gatherer;
pub use identity::Identities;
pub use input::{Batches, DATABASE, Input, InputError, Shared, Source, holds_games};
pub use language::{Language, UnknownLanguage};
pub(crate) use legal::{LegalMoves, moves_freely};
pub use legal::{SpecialMove, has_legal_move};
pub use moves::en_passant_square;
pub use notes::Notes;
pub use position::{Arrival, MoveKind, Position};
pub use reader::{GameReader, Reading, Scope};
pub use rules::Rules;
pub use safety::{in_check, leaves_king_safe};
pub use san::moves_to;
pub use split::Splitter;
pub use start::{FenError, FenFault, Start};
pub use table::{GameTable, SharedBytes, Values};
pub use tags::{Date, Eco, Rating, Tags};
pub use tree::Game;
#[cfg(feature = "files")]
pub(crate) use tree::write_board;
pub use uci::write_uci;
pub use variant::Variant;
pub use warning::{Loss, Warning, WarningKind};
pub use write::{Additions, write_game, write_last_move, write_move};
