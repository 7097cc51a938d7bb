//! Positions as games: each row of a list or a table is a game that starts at a FEN and plays the moves given with it.
//!
//! ```text
//!  stream ──► reader ──► blocks of rows ──► row (epd, table, json) ──┬──► game with one position
//!                                                                    └──► PGN ──► split::RowBatcher
//! ```
//!
//! Each part uses only those before it: `columns`, `coordinates`, `position_row`, `rows`, `epd`, `table`, `json`, `kind`, `block`,
//! `reader`.

#[cfg(feature = "files")]
mod block;
mod columns;
mod coordinates;
mod epd;
#[cfg(feature = "files")]
mod json;
#[cfg(feature = "files")]
mod kind;
mod position_row;
#[cfg(feature = "files")]
mod reader;
mod rows;
#[cfg(feature = "files")]
mod table;

pub(crate) use columns::{PositionColumn, of_other_fen, position_columns};
pub(crate) use epd::is_known as is_epd_opcode;
#[cfg(feature = "files")]
pub(crate) use kind::PositionKind;
pub(crate) use position_row::PositionRow;
#[cfg(feature = "files")]
pub(crate) use reader::PositionReader;
