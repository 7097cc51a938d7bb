//! Parquet files that others have made, as PGN: archives with a column `movetext`, as those of Lichess, and those of Aix with a
//! column `movedata`. The other columns are tags.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

use aix_chess_compression::{Decode, Decoder, EncodedGame};
use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use shakmaty::{Chess, Position as _, san::San};

use super::damaged;
use super::layout::TAGS;

/// The columns with the moves.
pub(super) const MOVETEXT: &str = "movetext";
pub(super) const MOVEDATA: &str = "movedata";
/// Tags that are known beside those with columns in our own files.
const MORE_TAGS: [&str; 3] = ["Annotator", "SetUp", "PlyCount"];

/// The rows of a file as PGN.
pub(super) struct ForeignText {
    rows: RowIter<'static>,
    text: Vec<u8>,
    /// How much of the text has been read.
    read: usize,
}

impl ForeignText {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, or has neither a column of movetext nor one of encoded moves.
    pub(super) fn open(path: &Path) -> io::Result<ForeignText> {
        let failed = |error: parquet::errors::ParquetError| damaged(&error.to_string());
        let file = SerializedFileReader::new(File::open(path)?).map_err(failed)?;
        let rows = RowIter::from_file_into(Box::new(file));
        Ok(ForeignText {
            rows,
            text: Vec::new(),
            read: 0,
        })
    }

    fn next_game(&mut self) -> io::Result<bool> {
        let Some(row) = self.rows.next() else {
            return Ok(false);
        };
        let row = row.map_err(|error| damaged(&error.to_string()))?;
        self.text.clear();
        self.read = 0;
        write_row(&row, &mut self.text);
        Ok(true)
    }
}

impl Read for ForeignText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() && !self.next_game()? {
            return Ok(0);
        }
        let rest = self.text.get(self.read..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}

/// Writes a row as a game in PGN, with its result at the end.
fn write_row(row: &Row, out: &mut Vec<u8>) {
    let mut result = "*".to_owned();
    let (mut movetext, mut movedata) = (None, None);
    for (column, field) in row.get_column_iter() {
        match (column.as_str(), field) {
            (MOVETEXT, Field::Str(text)) => movetext = Some(text),
            (MOVEDATA, Field::Bytes(bytes)) => movedata = Some(bytes),
            (MOVETEXT | MOVEDATA, _) => {}
            (column, field) => {
                if let (Some(name), Some(value)) = (tag_name(column), shown(field)) {
                    write_tag(&name, &value, out);
                    if name == "Result" {
                        result = value;
                    }
                }
            }
        }
    }
    // Without any tag, lines of moves would belong to the game before.
    if out.is_empty() {
        write_tag("Result", &result, out);
    }
    out.push(b'\n');
    match (movetext, movedata) {
        (Some(text), _) => out.extend(
            text.trim()
                .bytes()
                .map(|byte| if byte.is_ascii_control() { b' ' } else { byte }),
        ),
        (None, Some(bytes)) => write_moves(bytes.data(), out),
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

/// A value as it stands in a tag; none for what has no place there.
fn shown(field: &Field) -> Option<String> {
    match field {
        Field::Null | Field::Bytes(_) | Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => None,
        Field::Str(text) => Some(text.clone()),
        // Dates of PGN have dots.
        Field::Date(_) => Some(field.to_string().replace('-', ".")),
        // Times of PGN have seconds.
        Field::TimeMillis(_) | Field::TimeMicros(_) => field.to_string().split('.').next().map(str::to_owned),
        other => Some(other.to_string()),
    }
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
