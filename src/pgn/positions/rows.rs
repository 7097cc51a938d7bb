//! Rows of a stream, one after the other.

use std::io::{self, BufRead, BufReader, Read};

use super::PositionRow;

/// The most bytes of a row. Whoever needs more has probably opened a quote without closing it.
pub(super) const MOST_ROW_BYTES: u64 = 16 << 20;

/// A stream of text.
pub(super) type Stream = Box<dyn Read + Send>;

/// A row of a stream.
pub(super) enum Next {
    /// There is none.
    End,
    /// One that has been read, on this line.
    Row(u64),
    /// One that cannot be read, on this line, and why.
    Unreadable(u64, String),
}

/// What gives rows.
pub(super) trait Rows: Send {
    /// Reads the next row in place of the one before.
    ///
    /// # Errors
    /// When the stream cannot be read on.
    fn next(&mut self, row: &mut PositionRow) -> io::Result<Next>;

    /// What there is to say about all rows, once.
    fn complaints(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// The lines of a stream that are not empty, each a row that `read` understands.
pub(super) struct Lines<F> {
    stream: BufReader<Stream>,
    /// The number of the line that was read last.
    number: u64,
    line: Vec<u8>,
    read: F,
}

impl<F> Lines<F> {
    pub(super) fn new(stream: Stream, read: F) -> Lines<F> {
        Lines {
            stream: BufReader::new(stream),
            number: 0,
            line: Vec::new(),
            read,
        }
    }

    /// Reads a line; how long it is, with its end. Of one that is too long nothing is kept.
    fn read_line(&mut self) -> io::Result<u64> {
        self.line.clear();
        let mut length = 0;
        loop {
            let mut part = self.stream.by_ref().take(MOST_ROW_BYTES);
            let read = part.read_until(b'\n', &mut self.line)? as u64;
            length += read;
            if read < MOST_ROW_BYTES || self.line.ends_with(b"\n") {
                break;
            }
            self.line.clear();
        }
        self.number += u64::from(length > 0);
        Ok(length)
    }
}

impl<F: FnMut(&[u8], &mut PositionRow) -> Result<(), String> + Send> Rows for Lines<F> {
    fn next(&mut self, row: &mut PositionRow) -> io::Result<Next> {
        loop {
            let length = self.read_line()?;
            if length == 0 {
                return Ok(Next::End);
            }
            if length >= MOST_ROW_BYTES {
                return Ok(Next::Unreadable(self.number, "a line of more than 16 MB".to_owned()));
            }
            let line = self.line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            row.clear();
            return Ok(match (self.read)(line, row) {
                Ok(()) => Next::Row(self.number),
                Err(why) => Next::Unreadable(self.number, why),
            });
        }
    }
}
