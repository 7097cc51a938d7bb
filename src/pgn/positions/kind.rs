//! The format of a list or table of positions, judged by its name and its first line.

use std::io::{self, Cursor, Read};

use super::rows::Stream;
use super::{epd, json, table};

/// The endings of names, in any case, and the format that each means.
const ENDINGS: [(&str, PositionKind); 6] = [
    (".epd", PositionKind::List),
    (".fen", PositionKind::List),
    (".csv", PositionKind::Table(b',')),
    (".tsv", PositionKind::Table(b'\t')),
    (".jsonl", PositionKind::Json),
    (".ndjson", PositionKind::Json),
];

/// The number of bytes in which the first line is looked for.
const LONGEST_LINE: usize = 64 << 10;

/// The byte-order mark with which some programs start UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The format of a list or table of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionKind {
    /// FENs followed by EPD operations or any text.
    List,
    /// A table with a header and this delimiter between the columns. The delimiter is a guess by the name until the header is read.
    Table(u8),
    /// JSON objects, one per line.
    Json,
}

impl PositionKind {
    /// Returns whether a name, without the ending of a packed file, belongs to a list of positions or to a table, which may have something else.
    pub(crate) fn is_named(name: &str) -> bool {
        named(name).is_some()
    }

    /// Returns whether a name belongs to a list of positions.
    pub(crate) fn is_list(name: &str) -> bool {
        named(name) == Some(PositionKind::List)
    }

    /// Returns the format of a text with this name if it has positions and no games, and the whole text except for a byte-order mark. The name
    /// decides, or the first line if the name does not tell. A text that `must` have positions has some, whatever its name is.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub(crate) fn of(name: &str, must: bool, mut stream: Stream) -> io::Result<(Option<PositionKind>, Stream)> {
        let by_name = named(name);
        if by_name.is_none() && !must && name.to_ascii_lowercase().ends_with(".pgn") {
            return Ok((None, stream));
        }
        let mut beginning = Vec::new();
        read_first_line(&mut stream, &mut beginning, by_name.is_none() && !must)?;
        let line = first_line(&beginning);
        let by_line = || {
            if epd::is_position(line) {
                Some(PositionKind::List)
            } else if line.starts_with(b"{") {
                (must || json::is_position(line)).then_some(PositionKind::Json)
            } else {
                table::delimiter_of(line).map(PositionKind::Table)
            }
        };
        if is_json_array(without_mark(&beginning).trim_ascii_start()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a JSON array, and each line has to be an object: `jq -c '.[]' FILE.json >FILE.jsonl`",
            ));
        }
        let kind = match by_name {
            Some(PositionKind::Table(usual)) => Some(PositionKind::Table(table::delimiter_of(line).unwrap_or(usual))),
            Some(kind) => Some(kind),
            None => by_line().or(must.then_some(PositionKind::List)),
        };
        if kind.is_some() && beginning.starts_with(MARK) {
            beginning.drain(..MARK.len());
        }
        let has_old_line_ends = beginning.contains(&b'\r') && !beginning.contains(&b'\n');
        let whole = Cursor::new(beginning).chain(stream);
        Ok((
            kind,
            match kind {
                // Rows of tables may end like this.
                Some(PositionKind::List | PositionKind::Json) if has_old_line_ends => Box::new(OldLineEnds(whole)),
                _ => Box::new(whole),
            },
        ))
    }
}

/// A text whose lines end with a carriage return, as on early Macintosh computers, with the line ends of today.
struct OldLineEnds<R>(R);

impl<R: Read> Read for OldLineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        let read = buffer.iter_mut().take(length);
        read.filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(length)
    }
}

/// Returns whether a text begins like an array of JSON objects. No tag of PGN does.
fn is_json_array(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"[").unwrap_or_default();
    let object = inside.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
    object.trim_ascii_start().starts_with(b"\"")
}

fn named(name: &str) -> Option<PositionKind> {
    let name = name.to_ascii_lowercase();
    let mut endings = ENDINGS.iter();
    endings
        .find(|(ending, _)| name.ends_with(ending))
        .map(|(_, kind)| *kind)
}

/// Reads a text up to the end of its first line that is not empty. If it `may_be_pgn` and begins with a tag as PGN does, reading stops there.
fn read_first_line(stream: &mut Stream, beginning: &mut Vec<u8>, may_be_pgn: bool) -> io::Result<()> {
    let mut chunk = [0; 512];
    while beginning.len() < LONGEST_LINE {
        let length = match stream.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let read = chunk.get(..length).unwrap_or_default();
        beginning.extend_from_slice(read);
        let text = without_mark(beginning).trim_ascii_start();
        // What is in a bracket tells a tag from an array.
        let inside = text.strip_prefix(b"[");
        let is_clear = inside.is_none_or(|inside| inside.iter().any(u8::is_ascii_alphanumeric));
        let is_over = text.contains(&b'\n') || (may_be_pgn && inside.is_some());
        if length == 0 || (is_clear && is_over) {
            break;
        }
    }
    Ok(())
}

/// Returns the part of the first line that is not empty that has been read.
fn first_line(beginning: &[u8]) -> &[u8] {
    let mut lines = without_mark(beginning).trim_ascii_start().split(|byte| *byte == b'\n');
    lines.next().unwrap_or_default().trim_ascii()
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}
