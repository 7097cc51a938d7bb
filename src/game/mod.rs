//! Games: PGN text in, a tree of positions out.
//!
//! ```text
//!  files ──► input ──► split, tidy ──► batch ──► reader (moves, tags, notes) ──► Game ──► write
//! ```
//!
//! [`Game::of_pgn`] reads one; a search reads its games itself.

mod additions;
mod bare;
mod batch;
mod between;
mod castling;
mod clocks;
#[doc(hidden)]
pub mod coded;
mod commands;
mod date;
mod encoding;
mod escapes;
mod fen;
mod gather;
mod identity;
mod imagined;
mod input;
mod key;
mod language;
mod legal;
mod mobility;
mod move_word;
mod moves;
mod names;
mod notes;
mod numbering;
mod on_demand;
mod overview;
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
mod side_by_side;
mod signs;
mod spelling;
mod split;
mod staged;
mod start;
mod stream;
mod table;
mod tags;
mod tidy;
mod time_control;
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

pub use castling::{Castlers, Rights};
#[cfg(feature = "database")]
pub(crate) use commands::PositionValues;
pub use commands::{Commands, Judgement};
pub use date::Date;
pub use mobility::has_legal_move;
pub use moves::en_passant_square;
pub use notes::Notes;
pub use position::{Arrival, MoveKind, Position};
pub use rules::Rules;
pub(crate) use safety::exposing;
pub use safety::{in_check, leaves_king_safe};
pub use start::{FenError, FenFault, Start};
pub use table::{GameTable, SharedBytes, Values};
pub(crate) use tags::is_rating_tag;
#[cfg(feature = "database")]
pub(crate) use tags::result_of_tag;
pub use tags::{Eco, Rating, Tags};
pub use time_control::TimeControl;
pub use tree::Game;
pub use variant::Variant;
pub use warning::{Loss, Warning, WarningKind};

// How games come from text and go back to it, for the command, tests and benchmarks.
#[doc(hidden)]
pub use additions::Additions;
#[doc(hidden)]
pub use bare::BareText;
#[doc(hidden)]
pub use batch::{BACKSLASH, Batch, GameText, INNER_QUOTE, LineMark, ODD_MOVE, ODD_NAG};
#[cfg(feature = "database")]
pub(crate) use batch::{movetext, push_rewritten};
#[doc(hidden)]
pub use encoding::{composed, decoded};
#[cfg(feature = "database")]
pub(crate) use escapes::{escaped, resolved};
#[cfg(feature = "files")]
pub(crate) use fen::write_board;
#[doc(hidden)]
pub use gather::Gatherer;
#[doc(hidden)]
pub use identity::Identities;
pub(crate) use imagined::{Sought, each_check};
#[doc(hidden)]
pub use input::{Batches, DATABASE, Input, InputError, Shared, Source, holds_games};
#[doc(hidden)]
pub use language::{Language, UnknownLanguage};
pub(crate) use legal::LegalMoves;
#[doc(hidden)]
pub use legal::SpecialMove;
pub(crate) use mobility::{Arrivals, Moves, Tally, count_legal};
pub(crate) use names::{has_any_case, in_any_case};
#[cfg(feature = "database")]
pub(crate) use overview::least_and_most;
#[cfg(feature = "database")]
pub(crate) use reader::is_of_moves_alone;
#[doc(hidden)]
pub use reader::{GameReader, Reading, Scope};
#[doc(hidden)]
pub use san::moves_to;
#[doc(hidden)]
pub use split::Splitter;
pub(crate) use staged::{Asked, each_move};
#[doc(hidden)]
pub use uci::write_uci;
#[doc(hidden)]
pub use write::{write_game, write_last_move, write_move};
