//! A row as a game in PGN.

use std::io::Write as _;

use aix_chess_compression::{Decode, Decoder, EncodedGame};
use parquet::schema::types::SchemaDescriptor;
use shakmaty::{Chess, Position as _, san::San};

use super::values::Values;
use crate::database::layout::TAGS;

/// The columns with the moves.
pub(super) const MOVETEXT: &str = "movetext";
pub(super) const MOVEDATA: &str = "movedata";
/// Tags that are known beside those with columns in our own files.
const MORE_TAGS: [&str; 3] = ["Annotator", "SetUp", "PlyCount"];

/// A column that says something of games.
pub(super) struct Column {
    /// Its place among the columns of the file that have values.
    pub(super) leaf: usize,
    role: Role,
}

/// What a column holds.
enum Role {
    Movetext,
    Movedata,
    /// The values of the tag of this name.
    Tag(String),
}

impl Column {
    /// Whether it holds moves.
    pub(super) fn has_moves(&self) -> bool {
        !matches!(self.role, Role::Tag(_))
    }
}

/// The columns of a file that say something of games, in order. Lists and other columns with columns inside do not.
pub(super) fn columns(schema: &SchemaDescriptor) -> Vec<Column> {
    let role = |name: &str| match name {
        MOVETEXT => Some(Role::Movetext),
        MOVEDATA => Some(Role::Movedata),
        name => tag_name(name).map(Role::Tag),
    };
    let leaves = schema.columns().iter().enumerate();
    let plain = leaves.filter(|(_, leaf)| leaf.path().parts().len() == 1 && leaf.max_rep_level() == 0);
    let column = |(leaf, role)| Column { leaf, role };
    plain
        .filter_map(|(leaf, descriptor)| Some((leaf, role(descriptor.name())?)))
        .map(column)
        .collect()
}

/// Writes a row, given by the values of its columns, as a game in PGN, with its result at the end.
pub(super) fn write(columns: &[Column], values: &[Box<dyn Values>], index: usize, out: &mut Vec<u8>) {
    let mut result = "*".to_owned();
    let (mut movetext, mut movedata) = (None, None);
    for (column, values) in columns.iter().zip(values) {
        match &column.role {
            Role::Movetext => movetext = values.bytes(index),
            Role::Movedata => movedata = values.bytes(index),
            Role::Tag(name) => {
                let Some(value) = values.shown(index) else { continue };
                write_tag(name, &value, out);
                if name == "Result" {
                    result = value.into_owned();
                }
            }
        }
    }
    // Without any tag, the moves would not have to be those of a game.
    if out.is_empty() {
        write_tag("Result", &result, out);
    }
    out.push(b'\n');
    match (movetext, movedata) {
        (Some(text), _) => out.extend(
            text.trim_ascii()
                .iter()
                .map(|byte| if byte.is_ascii_control() { b' ' } else { *byte }),
        ),
        (None, Some(bytes)) => write_moves(bytes, out),
        (None, None) => {}
    }
    if !["1-0", "0-1", "1/2-1/2", "*"]
        .iter()
        .any(|end| out.ends_with(end.as_bytes()))
    {
        out.push(b' ');
        out.extend_from_slice(result.as_bytes());
    }
    out.extend_from_slice(b"\n\n");
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    // Quotes and backslashes stand for themselves, as everywhere in PGN that skewer reads.
    let value = value.replace(['\r', '\n'], " ");
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "[{name} \"{value}\"]");
}

/// The name of the tag that a column holds: `white_elo` is `WhiteElo`. None if it cannot be the name of a tag.
fn tag_name(column: &str) -> Option<String> {
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let known = TAGS
        .into_iter()
        .chain(MORE_TAGS)
        .find(|tag| plain(tag) == plain(column));
    let is_name = column.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && column.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    known.or(is_name.then_some(column)).map(str::to_owned)
}

/// Writes encoded moves as far as they can be decoded.
fn write_moves(bytes: &[u8], out: &mut Vec<u8>) {
    let mut chess = Chess::default();
    let encoded = EncodedGame::from_bytes(bytes);
    let mut decoder = encoded.as_ref().ok().map(Decoder::new);
    while let Some(decoded) = decoder.as_mut().and_then(|decoder| decoder.next_move()) {
        let Ok(played) = decoded else {
            out.extend_from_slice(b"{the rest of the moves cannot be decoded} ");
            return;
        };
        if chess.turn().is_white() {
            let _ = write!(out, "{}. ", chess.fullmoves());
        }
        let _ = write!(out, "{} ", San::from_move(&chess, played));
        chess.play_unchecked(played);
    }
}
