//! Games in memory: a tree of positions, with tags, comments and annotation symbols.
//!
//! [`Game::of_pgn`] reads a game. `pgn` reads games from text and writes them back.
//!
//! Each part uses only those before it: `rules`, `warning`, `encoding`, `notes`, `tags`, `time_control`, `embedded_commands`,
//! `lazy_buffer`, `derived`, `tree`, `fen`, `polyglot_key`, `columns`, `judgement`, `shapes`, `hypothetical`, `ambiguous_clocks`,
//! `move_codes`, `piece_identity`, `game_table`.

mod ambiguous_clocks;
mod columns;
mod derived;
mod embedded_commands;
mod encoding;
mod fen;
mod game_table;
mod hypothetical;
mod judgement;
mod lazy_buffer;
mod move_codes;
mod notes;
mod piece_identity;
mod polyglot_key;
mod rules;
mod shapes;
mod tags;
mod time_control;
mod tree;
mod warning;

pub use crate::chess::{
    Arrival, Castlers, FenError, FenFault, MoveKind, Position, Rights, Start, Variant, en_passant_square, in_check,
    leaves_king_safe,
};
pub use embedded_commands::Commands;
pub(crate) use embedded_commands::PositionValues;
#[doc(hidden)]
pub use encoding::{composed, decoded};
pub(crate) use fen::write_board;
pub use game_table::{GameTable, SharedBytes, Values};
pub use judgement::Judgement;
#[doc(hidden)]
pub use move_codes::{Replayer, Unplayable, push_main_line, push_variations};
pub use notes::Notes;
pub(crate) use notes::{LeadIn, MOST_NAGS};
#[doc(hidden)]
pub use piece_identity::Identities;
pub use rules::Rules;
pub use shapes::{ShapeColor, Shapes};
pub(crate) use tags::tag_of_column;
#[doc(hidden)]
pub use tags::{BACKSLASH, INNER_QUOTE};
pub use tags::{Date, Eco, Rating, Tags};
pub(crate) use tags::{
    HIGHEST_RATING, escaped, has_any_case, has_high_rating, in_any_case, is_rating_tag, part_of_name,
};
pub(crate) use tags::{TAG_COLUMNS, push_rewritten, resolved};
pub use time_control::TimeControl;
pub use tree::Game;
pub(crate) use tree::PreorderNumbering;
pub(crate) use warning::shown;
pub use warning::{Loss, Warning, WarningKind};
