//! Checksums of the columns, so that a damaged file is found out before anything tries to make sense of it.

use std::io::{self, Write};
use std::ops::Range;

use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::layout::COLUMNS;
use super::{damaged, footer};

/// The CRC-32 of each column of each row group.
#[derive(Default)]
pub(super) struct Checksums(Vec<u32>);

/// Digits of a checksum.
const DIGITS: usize = 8;

impl Checksums {
    /// Adds the checksum of the next column.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.push(crc32fast::hash(bytes));
    }

    /// The checksums as hexadecimal digits without anything between.
    pub(super) fn to_text(&self) -> String {
        self.0.iter().map(|sum| format!("{sum:0DIGITS$x}")).collect()
    }

    /// Reads the checksums of so many row groups.
    ///
    /// # Errors
    /// When there are more or fewer, or other characters.
    pub(super) fn from_text(text: &str, groups: usize) -> io::Result<Checksums> {
        let (digits, rest) = text.as_bytes().as_chunks::<DIGITS>();
        let sum = |digits: &[u8; DIGITS]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let sums: Option<Vec<u32>> = digits.iter().map(sum).collect();
        let is_complete = rest.is_empty() && Some(digits.len()) == groups.checked_mul(COLUMNS);
        let sums = sums.filter(|_| is_complete);
        sums.map(Checksums)
            .ok_or_else(|| damaged("checksums that cannot be read"))
    }

    /// Whether a column of a row group has the bytes that were written.
    pub(super) fn fit(&self, group: usize, column: usize, bytes: &[u8]) -> bool {
        self.0.get(group * COLUMNS + column) == Some(&crc32fast::hash(bytes))
    }
}

/// The bytes of the file that hold a column of a row group; none if the metadata is damaged.
pub(super) fn byte_range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some(start..start.checked_add(length)?)
}

/// Holds the bytes of the row group that is being written until their checksums are known.
pub(super) struct Held<W> {
    inner: W,
    /// How many bytes came before those that are held.
    before: u64,
    held: Vec<u8>,
}

impl<W: Write> Held<W> {
    pub(super) fn new(inner: W) -> Held<W> {
        Held {
            inner,
            before: 0,
            held: Vec::new(),
        }
    }

    /// Adds the checksums of the columns of a row group whose bytes are all held, and lets the bytes go.
    ///
    /// # Errors
    /// When they cannot be written, or are not all there.
    pub(super) fn end_group(&mut self, group: &RowGroupMetaData, sums: &mut Checksums) -> io::Result<()> {
        for column in group.columns() {
            let place = |at: u64| at.checked_sub(self.before).and_then(|at| usize::try_from(at).ok());
            let bytes = byte_range(column).and_then(|range| self.held.get(place(range.start)?..place(range.end)?));
            sums.push(bytes.ok_or_else(|| io::Error::other("a column is not where its metadata says"))?);
        }
        self.let_go()
    }

    fn let_go(&mut self) -> io::Result<()> {
        self.inner.write_all(&self.held)?;
        self.before += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }

    /// Sets the checksum of the footer, which is still held, lets it go and gives the output back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(mut self) -> io::Result<W> {
        footer::seal(&mut self.held)?;
        self.let_go()?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for Held<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: what is held goes on when its row group ends.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
