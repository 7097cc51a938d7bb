//! Tables of positions with a header: CSV, also with tabs or semicolons between the columns.

use std::io;
use std::ops::Range;

use csv::{ByteRecord, ReaderBuilder};
use csv_core::ReadRecordResult;
use memchr::{memchr, memchr_iter, memchr2};

use super::columns::holds_positions;
use super::rows::Lines;
use super::{PositionColumn, PositionRow, of_other_fen, position_columns};

/// The delimiters of columns, the likeliest first.
pub(super) const DELIMITERS: [u8; 3] = [b',', b'\t', b';'];

/// The meanings of the columns of a table.
#[derive(Debug)]
pub(super) struct Header {
    delimiter: u8,
    columns: Vec<Option<PositionColumn>>,
    /// Whether two columns are the same tag.
    repeats_tags: bool,
}

/// Reads the header of a table and the complaints about its columns. Returns `None` for a table without lines.
///
/// # Errors
/// Returns an error if the header cannot be read, or no column has positions.
pub(super) fn header(lines: &mut Lines, delimiter: u8) -> io::Result<Option<(Header, Vec<String>)>> {
    let mut cells = Cells::new(delimiter);
    let RowLength {
        length, lines: passed, ..
    } = match cells.next_row(lines)? {
        NextRow::End => return Ok(None),
        NextRow::Row(length) => length,
        NextRow::TooLong => {
            let message = "a header of more than 16 MB";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
    };
    let row = lines.text().get(..length).unwrap_or_default();
    cells.split(row);
    let names: Vec<String> = cells.iter(row).map(name).collect();
    lines.consume(length, passed);
    let columns = position_columns(names.iter().map(String::as_str));
    if !columns.contains(&Some(PositionColumn::Fen)) {
        let message = format!(
            "no positions: it has no column `FEN` or `epd`, its columns are {}",
            listed(&names)
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let complaint = |(name, column): (&String, &Option<PositionColumn>)| match column {
        None if name.is_empty() => Some("a column without a name is left out".to_owned()),
        None => Some(format!(
            "the column `{name}` is left out: its name cannot be that of a tag"
        )),
        Some(PositionColumn::OtherFen(taken)) => Some(of_other_fen(name, taken)),
        Some(_) => None,
    };
    let complaints = names.iter().zip(&columns).filter_map(complaint).collect();
    let is_repeated = |(index, column): (usize, &Option<PositionColumn>)| {
        let before = columns.get(..index).unwrap_or_default();
        matches!(column, Some(PositionColumn::Tag(_))) && before.contains(column)
    };
    let header = Header {
        delimiter,
        repeats_tags: columns.iter().enumerate().any(is_repeated),
        columns,
    };
    Ok(Some((header, complaints)))
}

/// Returns the first delimiter with which a line is a header with a column of positions.
pub(super) fn delimiter_of(line: &[u8]) -> Option<u8> {
    DELIMITERS.into_iter().find(|delimiter| {
        let mut reader = ReaderBuilder::new().delimiter(*delimiter).from_reader(line);
        let header = reader.byte_headers().map(ByteRecord::iter);
        header.is_ok_and(|mut names| names.any(|cell| holds_positions(&name(cell))))
    })
}

fn name(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell.trim_ascii()).into_owned()
}

/// Returns a short list of the first column names.
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

/// Reads rows of a table.
pub(super) struct Reader<'h> {
    header: &'h Header,
    /// The meanings of the columns that are read.
    columns: Vec<Option<PositionColumn>>,
    cells: Cells,
}

impl<'h> Reader<'h> {
    /// Reads the tags for whose names `keeps_tag` returns true, and those that a row needs.
    pub(super) fn new(header: &'h Header, keeps_tag: &dyn Fn(&[u8]) -> bool) -> Reader<'h> {
        let read = |column: &Option<PositionColumn>| match column {
            Some(PositionColumn::Tag(tag)) if !keeps_tag(tag.as_bytes()) && !PositionRow::reads(tag.as_bytes()) => {
                Some(PositionColumn::Unread)
            }
            column => column.clone(),
        };
        Reader {
            columns: header.columns.iter().map(read).collect(),
            cells: Cells::new(header.delimiter),
            header,
        }
    }

    /// Reads a row. Returns the reason if it has no position.
    pub(super) fn read(&mut self, text: &[u8], row: &mut PositionRow) -> Result<(), String> {
        self.cells.split(text);
        for (column, value) in self.columns.iter().zip(self.cells.iter(text)) {
            if let Some(column) = column {
                row.add(column, value);
            }
        }
        if self.header.repeats_tags {
            row.need_text();
        }
        let (values, columns) = (self.cells.places.len(), self.columns.len());
        if values > columns {
            return Err(format!("the row has {values} values, and there are {columns} columns"));
        }
        if !row.has_position() {
            return Err("the row has no position".to_owned());
        }
        if values < columns {
            let values = if values == 1 {
                "1 value".to_owned()
            } else {
                format!("{values} values")
            };
            row.complain(format!(
                "the row has {values}, and there are {columns} columns: the others count as empty"
            ));
        }
        Ok(())
    }
}

/// What comes next in a table.
pub(super) enum NextRow {
    /// The end of the table.
    End,
    Row(RowLength),
    /// A line that is longer than a row may be.
    TooLong,
}

/// The length of a row.
#[derive(Clone, Copy)]
pub(super) struct RowLength {
    /// The bytes, including the line end.
    pub(super) length: usize,
    /// The number of lines.
    pub(super) lines: u64,
    /// Whether the row has an unclosed quote and is assumed to end with its line.
    pub(super) is_open: bool,
}

/// Finds the cells of rows.
pub(super) struct Cells {
    delimiter: u8,
    /// The values of a row with quotes.
    unquoted: Vec<u8>,
    /// The places of the values: in `unquoted` if the row has quotes, otherwise in the row.
    places: Vec<Range<usize>>,
    is_unquoted: bool,
    /// The ends of the values that `csv_core` finds.
    ends: Vec<usize>,
}

impl Cells {
    pub(super) fn new(delimiter: u8) -> Cells {
        Cells {
            delimiter,
            unquoted: Vec::new(),
            places: Vec::new(),
            is_unquoted: false,
            ends: Vec::new(),
        }
    }

    /// Goes to the next row after empty lines.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read.
    pub(super) fn next_row(&mut self, lines: &mut Lines) -> io::Result<NextRow> {
        loop {
            let Some(length) = lines.line_length()? else {
                return Ok(NextRow::TooLong);
            };
            let line = lines.text().get(..length).unwrap_or_default();
            match line {
                [] => return Ok(NextRow::End),
                [b'\n'] | [b'\r', b'\n'] => lines.consume(length, 1),
                [b'\r'] => lines.consume(length, 0),
                line if is_plain(line) => {
                    return Ok(NextRow::Row(RowLength {
                        length,
                        lines: 1,
                        is_open: false,
                    }));
                }
                [b'\r', ..] => lines.consume(1, 0),
                _ => return self.quoted_row(lines, length).map(NextRow::Row),
            }
        }
    }

    /// Returns the length of a row that may continue after its first line. `first` is the length of that line.
    fn quoted_row(&mut self, lines: &mut Lines, first: usize) -> io::Result<RowLength> {
        let mut known = first;
        loop {
            let text = lines.text().get(..known).unwrap_or_default();
            if let Some(length) = self.split_quoted(text) {
                let row = text.get(..length).unwrap_or_default();
                return Ok(RowLength {
                    length,
                    lines: memchr_iter(b'\n', row).count() as u64,
                    is_open: false,
                });
            }
            // Doubling the length avoids checking a long row line by line.
            let wanted = known * 2;
            let end = loop {
                let rest = lines.text().get(wanted..).unwrap_or_default();
                if let Some(length) = memchr(b'\n', rest) {
                    break Some(wanted + length + 1);
                }
                if !lines.read_more()? {
                    break lines.is_at_end().then_some(lines.text().len());
                }
            };
            match end.filter(|end| *end > known) {
                Some(end) => known = end,
                None => {
                    return Ok(RowLength {
                        length: first,
                        lines: 1,
                        is_open: true,
                    });
                }
            }
        }
    }

    /// Finds the cells of a row.
    pub(super) fn split(&mut self, row: &[u8]) {
        let row = without_end(row);
        if !is_plain(row) {
            if self.split_quoted(row).is_none() {
                // An unclosed quote is closed at the end.
                let closed = [row, b"\""].concat();
                self.split_quoted(&closed);
            }
            return;
        }
        self.is_unquoted = false;
        self.places.clear();
        let mut start = 0;
        for end in memchr_iter(self.delimiter, row) {
            self.places.push(start..end);
            start = end + 1;
        }
        self.places.push(start..row.len());
    }

    /// Returns the values of the row that was split last.
    pub(super) fn iter<'r>(&'r self, row: &'r [u8]) -> impl Iterator<Item = &'r [u8]> {
        let text = if self.is_unquoted { &self.unquoted } else { row };
        self.places
            .iter()
            .map(|place| text.get(place.clone()).unwrap_or_default())
    }

    /// Finds the cells of the row at the start of a text. Returns its length with the line end, or `None` if the row continues after the text because
    /// a quote is open.
    fn split_quoted(&mut self, text: &[u8]) -> Option<usize> {
        let mut machine = csv_core::ReaderBuilder::new().delimiter(self.delimiter).build();
        // No value is longer than its text. Without space left, the machine would always ask for more.
        if self.unquoted.len() <= text.len() {
            self.unquoted.resize(text.len() + 1, 0);
        }
        let (mut read, mut written, mut count) = (0, 0, 0);
        loop {
            if count == self.ends.len() {
                self.ends.resize(2 * count + 16, 0);
            }
            // After the text, a line end is added, which ends the row if no quote is open.
            let rest = text.get(read..).filter(|rest| !rest.is_empty());
            let (result, taken, added, ended) = machine.read_record(
                rest.unwrap_or(b"\n"),
                self.unquoted.get_mut(written..).unwrap_or_default(),
                self.ends.get_mut(count..).unwrap_or_default(),
            );
            (written, count) = (written + added, count + ended);
            match (result, rest) {
                (ReadRecordResult::Record | ReadRecordResult::End, rest) => {
                    read += rest.map_or(0, |_| taken);
                    break;
                }
                (ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull, None) => return None,
                (_, Some(_)) => read += taken,
                (ReadRecordResult::OutputEndsFull, None) => {}
            }
        }
        // The machine stops after the first of the two bytes of a line end.
        let is_half = text.get(read.wrapping_sub(1)..=read) == Some(b"\r\n");
        self.is_unquoted = true;
        self.places.clear();
        let mut start = 0;
        for end in self.ends.iter().take(count) {
            self.places.push(start..*end);
            start = *end;
        }
        Some(read + usize::from(is_half))
    }
}

/// Returns whether a line is a complete row whose values are exactly what is between its delimiters.
fn is_plain(line: &[u8]) -> bool {
    memchr2(b'"', b'\r', without_end(line)).is_none()
}

/// Returns a line without its end.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of a table: their lines and cells.
    fn rows(text: &str) -> Vec<(u64, Vec<String>)> {
        let mut lines = Lines::new(Box::new(io::Cursor::new(text.to_owned().into_bytes())));
        let mut cells = Cells::new(b',');
        let mut rows = Vec::new();
        while let NextRow::Row(RowLength {
            length, lines: passed, ..
        }) = cells.next_row(&mut lines).unwrap()
        {
            let row = lines.text()[..length].to_vec();
            cells.split(&row);
            let values = cells
                .iter(&row)
                .map(|value| String::from_utf8_lossy(value).into_owned());
            rows.push((lines.number, values.collect()));
            lines.consume(length, passed);
        }
        rows
    }

    /// Returns what the library's own reader finds.
    fn expected(text: &str) -> Vec<Vec<String>> {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let records = reader.byte_records().map(Result::unwrap);
        let row = |record: ByteRecord| {
            record
                .iter()
                .map(|value| String::from_utf8_lossy(value).into_owned())
                .collect()
        };
        records.map(row).collect()
    }

    #[test]
    fn rows_are_those_of_the_library() {
        for text in [
            "",
            "\n\r\n",
            "a",
            "a,b\n",
            "a,b\r\nc,,\r\n\r\n,\n\n d , e\n",
            "\"a,\"\"b\",c\n\"d\ne\",f\r\n\"\",\"g\"\r\n\"h\r\ni\"\nj,\"k\"",
            "a\rb,c\rd\n",
            "a\"b,c\n\"a\"b,c\n\"\"\n",
            "\n\"a\n\nb\"\n\n\nc\n",
        ] {
            let found: Vec<_> = rows(text).into_iter().map(|(_, row)| row).collect();
            assert_eq!(found, expected(text), "{text:?}");
        }
    }

    #[test]
    fn rows_have_the_lines_on_which_they_begin() {
        let lines = |text| rows(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("a\n\nb,\"c\nd\"\r\n\"e\"\n\nf"), [1, 3, 5, 7]);
    }

    #[test]
    fn a_quote_that_is_not_closed_ends_with_its_line() {
        let row = |line, values: &[&str]| (line, values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            rows("a,\"b,c\nd,e\n\nf,g"),
            [row(1, &["a", "b,c"]), row(2, &["d", "e"]), row(4, &["f", "g"])]
        );
    }
}
