//! All the ways in which people and programs write moves and results.
//!
//! Each part uses only those before it: `language`, `unicode`, `results`, `spelling`.

mod language;
mod results;
mod spelling;
mod unicode;

pub use language::Language;
pub(crate) use language::{Languages, Letters};
pub(crate) use results::result_of_tag;
pub(crate) use spelling::{MovetextPart, Spelled, Style, is_clock, numeric_move, read_part};
pub(crate) use unicode::{simplify, written_part};
