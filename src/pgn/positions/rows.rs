//! The lines of a stream, from which rows are cut.

use std::io::{self, ErrorKind, Read};

use memchr::memchr;

/// The most bytes of a row. A longer one probably has an unclosed quote.
pub(super) const MOST_ROW_BYTES: usize = 16 << 20;

/// The number of bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A stream of text.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The part of a stream that is in memory. It begins at the start of a line.
pub(super) struct Lines {
    stream: Stream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Whether nothing comes after what is in memory.
    is_at_end: bool,
    /// The number of the first line in memory.
    pub(super) number: u64,
}

impl Lines {
    pub(super) fn new(stream: Stream) -> Lines {
        Lines {
            stream,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            is_at_end: false,
            number: 1,
        }
    }

    /// Returns what is in memory.
    pub(super) fn text(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns whether reading has reached the end of the stream.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Reads more. Returns whether there is more now. There is not at the end of the stream, or if the text in memory is as long as a row may be.
    pub(super) fn read_more(&mut self) -> io::Result<bool> {
        if self.is_at_end || self.end - self.start > MOST_ROW_BYTES {
            return Ok(false);
        }
        if self.buffer.len() - self.end < CHUNK {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            let size = (self.end + CHUNK).max(self.buffer.len());
            self.buffer.resize(size.next_power_of_two(), 0);
        }
        loop {
            match self.stream.read(self.buffer.get_mut(self.end..).unwrap_or_default()) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(0) => {
                    self.is_at_end = true;
                    return Ok(false);
                }
                Ok(length) => {
                    self.end += length;
                    return Ok(true);
                }
            }
        }
    }

    /// Returns the length of the next line including its end (0 if there is none), or `None` if it is longer than a row may be.
    pub(super) fn line_length(&mut self) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            let rest = self.text().get(searched..).unwrap_or_default();
            if let Some(length) = memchr(b'\n', rest) {
                return Ok(Some(searched + length + 1).filter(|length| *length <= MOST_ROW_BYTES));
            }
            searched += rest.len();
            if !self.read_more()? {
                return Ok((self.is_at_end && searched <= MOST_ROW_BYTES).then_some(searched));
            }
        }
    }

    /// Moves past some bytes that contain this many line ends.
    pub(super) fn consume(&mut self, length: usize, lines: u64) {
        self.start = self.end.min(self.start + length);
        self.number += lines;
    }

    /// Moves past a line of any length.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(length) = memchr(b'\n', self.text()) {
                self.consume(length + 1, 1);
                break;
            }
            self.start = self.end;
            if !self.read_more()? {
                break;
            }
        }
        // Few lines are that long.
        self.buffer = self.text().to_vec();
        (self.start, self.end) = (0, self.buffer.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields this many bytes at a time.
    struct Slow(Vec<u8>, usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            let rest = self.0.split_off(length);
            buffer[..length].copy_from_slice(&std::mem::replace(&mut self.0, rest));
            Ok(length)
        }
    }

    #[test]
    fn lines_are_cut_wherever_the_stream_pauses() {
        let text = format!("one\n\n{}\nlast", "x".repeat(3 * CHUNK));
        for step in [1000, CHUNK, usize::MAX] {
            let mut lines = Lines::new(Box::new(Slow(text.clone().into_bytes(), step)));
            let mut cut = Vec::new();
            while let Some(length @ 1..) = lines.line_length().unwrap() {
                cut.push((lines.number, lines.text()[..length].to_vec()));
                lines.consume(length, 1);
            }
            let joined: Vec<u8> = cut.iter().flat_map(|(_, line)| line.clone()).collect();
            assert_eq!(joined, text.as_bytes());
            assert_eq!(cut.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let text = [vec![b'x'; MOST_ROW_BYTES + 3 * CHUNK], b"\nnext\n".to_vec()].concat();
        let mut lines = Lines::new(Box::new(Slow(text, usize::MAX)));
        assert_eq!(lines.line_length().unwrap(), None);
        lines.skip_line().unwrap();
        assert_eq!((lines.line_length().unwrap(), lines.number), (Some(5), 2));
        assert_eq!(lines.text(), b"next\n");
    }
}
