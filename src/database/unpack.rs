//! Unpacks pages that are packed with Zstandard.
//!
//! In the `parquet` crate a codec belongs to one column of one row group, and making it takes longer than unpacking a short page: each can pack too,
//! and allocates memory. Here each thread makes one for all pages.

use std::cell::RefCell;
use std::io::{self, Cursor};

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::Page;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use zstd::bulk::Decompressor;

thread_local! {
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Describes a column packed with Zstandard as unpacked, so that its pages are handed out as in the file. Returns `None` if it is packed in another
/// way.
///
/// # Errors
/// Returns an error if its description contradicts itself.
pub(super) fn as_it_stands(column: &ColumnChunkMetaData) -> Result<Option<ColumnChunkMetaData>> {
    let is_zstd = matches!(column.compression(), Compression::ZSTD(_));
    let unpacked = || {
        let builder = column.clone().into_builder();
        builder.set_compression(Compression::UNCOMPRESSED).build()
    };
    is_zstd.then(unpacked).transpose()
}

/// Unpacks a page that was handed out as in the file. It must have `length` bytes then.
///
/// # Errors
/// Returns an error if the page is not packed with Zstandard, or its length differs.
pub(super) fn unpack(mut page: Page, length: u64) -> Result<Page> {
    let length = usize::try_from(length)?;
    let (packed, in_front) = match &mut page {
        Page::DataPageV2 {
            is_compressed: false, ..
        } => return Ok(page),
        Page::DataPageV2 {
            buf,
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => (buf, u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len)),
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, 0),
    };
    // Levels before the values are not packed.
    let levels = usize::try_from(in_front).ok().and_then(|levels| packed.get(..levels));
    let levels = levels
        .filter(|levels| levels.len() <= length)
        .ok_or_else(|| wrong(length))?;
    let (mut bytes, values) = (Vec::with_capacity(length), &packed[levels.len()..]);
    bytes.extend_from_slice(levels);
    // A page without values may have nothing to unpack.
    if bytes.len() < length {
        let mut end = Cursor::new(&mut bytes);
        end.set_position(in_front);
        with_decompressor(|decompressor| decompressor.decompress_to_buffer(values, &mut end))?;
    }
    if bytes.len() != length {
        return Err(wrong(length));
    }
    *packed = Bytes::from(bytes);
    Ok(page)
}

/// Unpacks bytes. Returns `None` if that fails, or if the result does not have `length` bytes.
pub(super) fn unpacked(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    let bytes = with_decompressor(|decompressor| decompressor.decompress(packed, length)).ok()?;
    (bytes.len() == length).then_some(bytes)
}

fn with_decompressor<T>(unpack: impl FnOnce(&mut Decompressor<'static>) -> io::Result<T>) -> io::Result<T> {
    DECOMPRESSOR.with_borrow_mut(|known| match known {
        Some(decompressor) => unpack(decompressor),
        None => unpack(known.insert(Decompressor::new()?)),
    })
}

fn wrong(length: usize) -> ParquetError {
    ParquetError::General(format!("a page that does not have its {length} bytes"))
}

#[cfg(test)]
mod tests {
    use parquet::basic::Encoding;

    use super::*;

    /// Returns a page with three values, stored like this.
    fn page(stored: &[u8]) -> Page {
        Page::DataPage {
            buf: Bytes::copy_from_slice(stored),
            num_values: 3,
            encoding: Encoding::PLAIN,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        }
    }

    /// Returns the same as a page of the second version, with two levels before the values.
    fn second_version(stored: &[u8], is_compressed: bool) -> Page {
        Page::DataPageV2 {
            buf: Bytes::copy_from_slice(stored),
            num_values: 3,
            encoding: Encoding::PLAIN,
            num_nulls: 0,
            num_rows: 3,
            def_levels_byte_len: 1,
            rep_levels_byte_len: 1,
            is_compressed,
            statistics: None,
        }
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(bytes, 1).unwrap()
    }

    /// Returns the unpacked contents of a page with this many bytes, unless it is refused.
    fn unpacked(page: Page, length: u64) -> Option<Vec<u8>> {
        Some(unpack(page, length).ok()?.buffer().to_vec())
    }

    #[test]
    fn a_page_has_the_bytes_that_its_header_says_or_is_refused() {
        let stored = packed(b"values");
        assert_eq!(unpacked(page(&stored), 6).unwrap(), b"values");
        for (stored, length) in [
            (&*stored, 5),
            (&stored, 7),
            (&stored[..stored.len() - 1], 6),
            (b"values", 6),
        ] {
            assert_eq!(unpacked(page(stored), length), None, "{stored:?}, {length}");
        }
        assert_eq!(unpacked(page(b""), 0).unwrap(), b"");
        assert_eq!(unpacked(page(&stored), 6).unwrap(), b"values", "after errors");
    }

    #[test]
    fn levels_in_front_of_the_values_are_not_packed() {
        let stored = [b"LL", &*packed(b"values")].concat();
        assert_eq!(unpacked(second_version(&stored, true), 8).unwrap(), b"LLvalues");
        assert_eq!(unpacked(second_version(b"LLvalues", false), 8).unwrap(), b"LLvalues");
        assert_eq!(unpacked(second_version(b"LL", true), 2).unwrap(), b"LL");
        assert_eq!(unpacked(second_version(b"L", true), 2), None);
        assert_eq!(unpacked(second_version(&stored, true), 1), None);
    }
}
