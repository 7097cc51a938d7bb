//! What a list or table of positions is written in, as its name and its first line say.

use std::io::{self, Cursor, Read};

use super::rows::Stream;
use super::{epd, json, table};

/// How names end, in any case of letters, and what that says.
const ENDINGS: [(&str, PositionKind); 6] = [
    (".epd", PositionKind::List),
    (".fen", PositionKind::List),
    (".csv", PositionKind::Table(b',')),
    (".tsv", PositionKind::Table(b'\t')),
    (".jsonl", PositionKind::Json),
    (".ndjson", PositionKind::Json),
];

/// So much of a text is looked at to find its first line.
const LONGEST_LINE: usize = 64 << 10;

/// With this some programs begin UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What a list or table of positions is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionKind {
    /// FENs with operations of EPD or any text after them.
    List,
    /// A table with a header and this between the columns; as far as a name says, if the header does not say something else.
    Table(u8),
    /// Objects of JSON, one a line.
    Json,
}

impl PositionKind {
    /// Whether a name, without the ending of what is packed, says that there are positions: in a list, or in a table, which may have
    /// something else.
    pub(crate) fn is_named(name: &str) -> bool {
        named(name).is_some()
    }

    /// Whether a name says that there is a list of positions.
    pub(crate) fn is_list(name: &str) -> bool {
        named(name) == Some(PositionKind::List)
    }

    /// What a text with this name is written in, if it has positions and no games: its name says it, or its first line where the
    /// name says nothing. A text that `must` have positions has some, whatever its name. The text is given back whole, but for a
    /// byte-order mark.
    ///
    /// # Errors
    /// When it cannot be read.
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
        let kind = match by_name {
            Some(PositionKind::Table(usual)) => Some(PositionKind::Table(table::delimiter_of(line).unwrap_or(usual))),
            Some(kind) => Some(kind),
            None => by_line().or(must.then_some(PositionKind::List)),
        };
        if kind.is_some() && beginning.starts_with(MARK) {
            beginning.drain(..MARK.len());
        }
        Ok((kind, Box::new(Cursor::new(beginning).chain(stream))))
    }
}

fn named(name: &str) -> Option<PositionKind> {
    let name = name.to_ascii_lowercase();
    let mut endings = ENDINGS.iter();
    endings
        .find(|(ending, _)| name.ends_with(ending))
        .map(|(_, kind)| *kind)
}

/// Reads a text up to the end of its first line that is not empty. Of one that begins as PGN does, with a tag, no more than that is
/// read if it `may_be_pgn`.
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
        if length == 0 || text.contains(&b'\n') || (may_be_pgn && text.starts_with(b"[")) {
            break;
        }
    }
    Ok(())
}

/// The first line that is not empty, as far as it has been read.
fn first_line(beginning: &[u8]) -> &[u8] {
    let mut lines = without_mark(beginning).trim_ascii_start().split(|byte| *byte == b'\n');
    lines.next().unwrap_or_default().trim_ascii()
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK).unwrap_or(text)
}
