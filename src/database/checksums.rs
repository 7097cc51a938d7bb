//! Checksums of the columns, so that a damaged file is found out before anything tries to make sense of it.

use std::io;
use std::ops::Range;

use parquet::file::metadata::ColumnChunkMetaData;

use super::error::damaged;

/// The CRC-32 of each column of each row group.
#[derive(Default)]
pub(super) struct Checksums {
    sums: Vec<u32>,
    /// How many columns a row group has.
    columns: usize,
}

/// Digits of a checksum.
const DIGITS: usize = 8;

impl Checksums {
    /// Adds the checksum of the next column.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.sums.push(crc32fast::hash(bytes));
    }

    /// The checksums as hexadecimal digits without anything between.
    pub(super) fn to_text(&self) -> String {
        self.sums.iter().map(|sum| format!("{sum:0DIGITS$x}")).collect()
    }

    /// Reads the checksums of so many row groups with so many columns.
    ///
    /// # Errors
    /// When there are more or fewer, or other characters.
    pub(super) fn from_text(text: &str, groups: usize, columns: usize) -> io::Result<Checksums> {
        let (digits, rest) = text.as_bytes().as_chunks::<DIGITS>();
        let sum = |digits: &[u8; DIGITS]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let sums: Option<Vec<u32>> = digits.iter().map(sum).collect();
        let is_complete = rest.is_empty() && Some(digits.len()) == groups.checked_mul(columns);
        let sums = sums.filter(|_| is_complete);
        sums.map(|sums| Checksums { sums, columns })
            .ok_or_else(|| damaged("checksums that cannot be read"))
    }

    /// Whether a column of a row group has the bytes that were written.
    pub(super) fn fit(&self, group: usize, column: usize, bytes: &[u8]) -> bool {
        self.sums.get(group * self.columns + column) == Some(&crc32fast::hash(bytes))
    }
}

/// The bytes of the file that hold a column of a row group; none if the metadata is damaged.
pub(super) fn byte_range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some(start..start.checked_add(length)?)
}
