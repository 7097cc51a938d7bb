//! PGN: text to games, and games to text.
//!
//! ```text
//!  input ──► split ──► canonical::Batch ──► read ──► Game ──► write
//!              │  ▲
//!              ▼  │ games that are not written as the standard says
//!            repair
//! ```
//!
//! Lists and tables of positions become games in `positions`. `lexer` knows the words of PGN, `notation` all other ways in which people and programs
//! write moves.
//!
//! `repair` alone deals with text as people write it, and turns it into canonical text: `canonical::tokens` knows where its parts are, and the
//! games are read by pgn-reader or, if only moves are wanted, by `read::stripped_tokens`.
//!
//! Each part uses only those before it: `lexer`, `canonical`, `notation`, `read`, `repair`, `split`, `positions`, `foreign`, `single_game`,
//! `write`, `input`.

mod canonical;
#[cfg(any(feature = "scid", feature = "chessbase"))]
mod foreign;
mod input;
mod lexer;
mod notation;
mod positions;
mod read;
mod repair;
#[cfg(test)]
pub(crate) mod sample;
mod single_game;
mod split;
#[cfg(test)]
mod tests;
mod write;

pub use canonical::{Batch, GameText, ODD_MOVE, ODD_NAG};
pub(crate) use canonical::{Token, Tokens, movetext, push_written, tag_lines};
pub(crate) use input::Part;
pub use input::{Batches, DATABASE, Input, InputError, Source, holds_games};
pub use notation::Language;
pub(crate) use notation::result_of_tag;
pub(crate) use positions::{PositionColumn, PositionRow, is_epd_opcode, of_other_fen, position_columns};
pub(crate) use read::is_of_moves_alone;
pub use read::{GameReader, Reading, Scope};
pub use split::{BlockHead, ReadGame, RowBatcher, RowBlock, RowSource, Splitter};
pub use write::{
    Additions, write_continuation, write_game, write_last_move, write_move, write_tried_move, write_tried_san,
};
