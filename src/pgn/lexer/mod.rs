//! The words of PGN as the standard and CQL know them: tags, comments, moves, results, and where a game ends.
//!
//! Each part uses only those before it: `terminator`, `text`, `word`, `game_boundary`.

mod game_boundary;
mod terminator;
mod text;
mod word;

pub(crate) use game_boundary::{Introduction, begins_games};
pub(crate) use terminator::Terminator;
pub(crate) use text::{NeedMore, Text, is_control, is_space, is_tag_name};
pub(crate) use word::{Word, evaluation_of, glyph, leading_number, read_word};
