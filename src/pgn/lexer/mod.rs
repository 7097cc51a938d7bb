//! The words of PGN in the sense of the standard and of CQL: tags, comments, moves, results.
//!
//! Each part uses only those before it: `terminator`, `text`, `word`.

mod terminator;
mod text;
mod word;

pub(crate) use terminator::{BLACK_WINS, DRAW, WHITE_WINS, terminator, without_terminator};
pub(crate) use text::{NeedMore, Text, is_control, is_space, is_tag_name};
pub(crate) use word::{Word, evaluation_of, glyph, leading_number, read_word};
