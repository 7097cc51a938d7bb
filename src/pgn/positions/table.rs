//! Tables of positions with a header: CSV, also with tabs or semicolons between the columns.

use std::io::{self, Read};

use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};

use super::rows::{MOST_ROW_BYTES, Next, Rows, Stream};
use super::{PositionColumn, PositionRow, position_columns};

/// What stands between columns, the likeliest first.
pub(super) const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

/// A table, row by row.
pub(super) struct Table {
    reader: Reader<Limited>,
    record: ByteRecord,
    /// Of line ends of two bytes the second one is read with the row behind it: 1 if the lines of the rows are so many more.
    lines_ahead: u64,
    columns: Vec<Option<PositionColumn>>,
    complaints: Vec<String>,
}

/// The rows of a table with this header.
///
/// # Errors
/// When the header cannot be read, or no column has positions.
pub(super) fn rows(stream: Stream, delimiter: u8) -> io::Result<Box<dyn Rows>> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(Limited {
            stream,
            left: MOST_ROW_BYTES,
            is_over: false,
        });
    let names = names(reader.byte_headers().map_err(failed)?);
    let lines_ahead = u64::from(reader.position().line() == 1);
    let columns = position_columns(names.iter().map(String::as_str));
    // An empty file is like a list without lines.
    if !names.is_empty() && !columns.contains(&Some(PositionColumn::Fen)) {
        let message = format!(
            "no positions: it has no column `FEN`, its columns are {}",
            listed(&names)
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let nameless = names.iter().zip(&columns).filter(|(_, column)| column.is_none());
    let complaints = nameless.map(|(name, _)| match name.as_str() {
        "" => "a column without a name is left out".to_owned(),
        name => format!("the column `{name}` is left out: its name cannot be that of a tag"),
    });
    let complaints = complaints.collect();
    Ok(Box::new(Table {
        reader,
        record: ByteRecord::new(),
        lines_ahead,
        columns,
        complaints,
    }))
}

/// The first delimiter with which a line is a header with a column of positions.
pub(super) fn delimiter_of(line: &[u8]) -> Option<u8> {
    DELIMITERS.into_iter().find(|delimiter| {
        let mut reader = ReaderBuilder::new().delimiter(*delimiter).from_reader(line);
        let header = reader.byte_headers().map(names).unwrap_or_default();
        header.iter().any(|name| name.eq_ignore_ascii_case("fen"))
    })
}

fn names(header: &ByteRecord) -> Vec<String> {
    let name = |name: &[u8]| String::from_utf8_lossy(name.trim_ascii()).into_owned();
    header.iter().map(name).collect()
}

/// The names of the first columns, as far as they are not too long.
fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    const LONGEST: usize = 40;
    let short = |name: &String| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    };
    let shown: Vec<String> = names.iter().take(MOST).map(short).collect();
    let more = if names.len() > MOST { " …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

impl Rows for Table {
    fn next(&mut self, row: &mut PositionRow) -> io::Result<Next> {
        self.reader.get_mut().left = MOST_ROW_BYTES;
        if !self.reader.read_byte_record(&mut self.record).map_err(failed)? {
            return Ok(Next::End);
        }
        let line = self.record.position().map_or(0, csv::Position::line) + self.lines_ahead;
        row.clear();
        for (column, value) in self.columns.iter().zip(&self.record) {
            if let Some(column) = column {
                row.add(column, value);
            }
        }
        let goes_over_lines = self.record.iter().any(|value| value.contains(&b'\n'));
        if goes_over_lines && self.reader.get_ref().is_over {
            row.complain("the row takes in all that follows: probably a quote is not closed".to_owned());
        }
        Ok(match (row.has_position(), self.record.len() > self.columns.len()) {
            (false, _) => Next::Unreadable(line, "the row has no position".to_owned()),
            (true, true) => Next::Unreadable(line, "the row has more values than there are columns".to_owned()),
            (true, false) => Next::Row(line),
        })
    }

    fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}

fn failed(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        // Bytes need not be text, and rows may have any length.
        other => io::Error::new(io::ErrorKind::InvalidData, format!("{other:?}")),
    }
}

/// A stream of which a row may take so much more.
struct Limited {
    stream: Stream,
    left: u64,
    /// Nothing comes any more, and somebody has asked. Nobody does behind a row that ends with its line.
    is_over: bool,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let message = "a row of more than 16 MB: probably a quote is not closed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let length = self.stream.read(buffer)?;
        self.left = self.left.saturating_sub(length as u64);
        self.is_over = length == 0;
        Ok(length)
    }
}
