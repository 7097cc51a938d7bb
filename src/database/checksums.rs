//! Checksums of the columns, which reveal damage before a file is decoded.

use std::io;
use std::ops::Range;

use parquet::file::metadata::ColumnChunkMetaData;

use super::error::damaged;

/// The CRC-32 of each column of each row group.
#[derive(Default)]
pub(super) struct Checksums {
    /// The checksums as hexadecimal digits without separators.
    digits: String,
    /// The number of columns of a row group.
    columns: usize,
}

/// The digits of a checksum.
const DIGITS: usize = 8;

impl Checksums {
    /// Adds the checksum of the next column.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.digits += &digits(bytes);
    }

    /// Returns the checksums as hexadecimal digits without separators.
    pub(super) fn into_text(self) -> String {
        self.digits
    }

    /// Reads the checksums of this many row groups with this many columns.
    ///
    /// # Errors
    /// Returns an error if the number of checksums differs, or a character is not a digit.
    pub(super) fn from_text(text: &str, groups: usize, columns: usize) -> io::Result<Checksums> {
        let length = groups.checked_mul(columns).and_then(|sums| sums.checked_mul(DIGITS));
        if Some(text.len()) != length || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(damaged("checksums that cannot be read"));
        }
        Ok(Checksums {
            digits: text.to_owned(),
            columns,
        })
    }

    /// Returns whether a column of a row group has the bytes that were written.
    pub(super) fn fit(&self, group: usize, column: usize, bytes: &[u8]) -> bool {
        let start = (group * self.columns + column) * DIGITS;
        self.digits.get(start..start + DIGITS) == Some(&digits(bytes))
    }
}

/// Returns the digits of the checksum of these bytes.
fn digits(bytes: &[u8]) -> String {
    format!("{:0DIGITS$x}", crc32fast::hash(bytes))
}

/// Returns the bytes of the file that hold a column of a row group, or `None` if the metadata is damaged.
pub(super) fn byte_range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some(start..start.checked_add(length)?)
}
