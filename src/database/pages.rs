//! The pages of a column. Each is checked before it is unpacked, and again before its values are decoded.

use std::io::{self, Read as _};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;

use super::thrift::{Thrift, kind};
use super::{delta, unpack};
use crate::limits::Share;

/// The most bytes of an unpacked page.
const MOST_BYTES: u64 = 128 << 20;
/// The most elements of lists in a page.
const MOST_ELEMENTS: u64 = 1 << 24;
/// The number of bytes in which the header of a page is looked for at first. Statistics can make it longer.
const HEADER_BYTES: u64 = 256;
/// The most bytes of a header.
const MOST_HEADER_BYTES: u64 = 16 << 20;

/// The kinds of pages, by their numbers in the format.
mod page {
    pub(super) const DATA: i64 = 0;
    pub(super) const DICTIONARY: i64 = 2;
    pub(super) const DATA_2: i64 = 3;
}

/// Encodings, by their numbers in the format.
mod encoding {
    pub(super) const PLAIN: i64 = 0;
    pub(super) const RLE: i64 = 3;
}

/// Reads the pages of a column of a row group.
pub(super) struct Pages<R: ChunkReader> {
    reader: Arc<R>,
    inner: SerializedPageReader<R>,
    descriptor: ColumnDescPtr,
    compression: Compression,
    /// Whether pages are handed out packed, as in the file.
    are_packed: bool,
    /// The start of the next page, and the end of the last one.
    next: u64,
    end: u64,
    /// The start of the page after the next one, once the next one has been checked, and the unpacked bytes of the next one.
    after: Option<u64>,
    unpacked: u64,
    /// The number of values in the remaining pages.
    left: u64,
    /// Whether there has been a page, and a dictionary.
    has_begun: bool,
    has_dictionary: bool,
    /// Whether values may share prefixes, according to the description of the column.
    shares_prefixes: bool,
    /// The memory of the dictionary and the current page, if it is counted.
    share: Option<Share>,
    dictionary_bytes: u64,
}

/// The header of a page.
#[derive(Default)]
struct Header {
    kind: i64,
    unpacked: i64,
    packed: i64,
    values: i64,
    nulls: i64,
    rows: i64,
    /// The encodings of the values, and of the levels that mark rows with a value, in the first version of pages.
    encodings: [i64; 2],
    /// The bytes of the two kinds of levels, in the second version of pages.
    levels: [i64; 2],
    /// Whether it contains a structure for its kind.
    is_complete: bool,
}

impl<R: ChunkReader> Pages<R> {
    /// Creates the pages of a column of a row group with this many rows.
    pub(super) fn new(reader: Arc<R>, column: &ColumnChunkMetaData, rows: usize) -> Result<Pages<R>> {
        let (start, length) = column.byte_range();
        let as_it_stands = unpack::as_it_stands(column)?;
        let inner = as_it_stands.as_ref().unwrap_or(column);
        Ok(Pages {
            inner: SerializedPageReader::new(Arc::clone(&reader), inner, rows, None)?,
            are_packed: as_it_stands.is_some(),
            reader,
            descriptor: column.column_descr_ptr(),
            compression: column.compression(),
            next: start,
            end: start.saturating_add(length),
            after: None,
            unpacked: 0,
            left: match column.column_descr().max_rep_level() {
                0 => rows as u64,
                _ => u64::try_from(column.num_values()).unwrap_or(0),
            },
            has_begun: false,
            has_dictionary: false,
            shares_prefixes: column
                .encodings()
                .any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY),
            share: None,
            dictionary_bytes: 0,
        })
    }

    /// Counts the bytes of the pages.
    pub(super) fn within(self, share: Share) -> Pages<R> {
        Pages {
            share: Some(share),
            ..self
        }
    }

    /// Reserves memory for a page, or returns an error if there is not enough.
    fn make_room(&mut self, header: &Header, unpacked: u64) -> Result<()> {
        if header.kind == page::DICTIONARY {
            self.dictionary_bytes = unpacked;
        }
        let others = if header.kind == page::DICTIONARY {
            0
        } else {
            self.dictionary_bytes
        };
        let bytes = usize::try_from(others.saturating_add(unpacked)).unwrap_or(usize::MAX);
        let has_room = self.share.as_mut().is_none_or(|share| share.resize(bytes));
        if has_room {
            return Ok(());
        }
        let message = "its pages and those of the other columns take too much memory; `--max-memory` allows more";
        Err(io::Error::new(io::ErrorKind::OutOfMemory, message).into())
    }

    /// Checks the header of the next page.
    fn look_ahead(&mut self) -> Result<()> {
        if self.after.is_some() {
            return Ok(());
        }
        let mut after = self.next;
        if self.next < self.end {
            let (header, length) = self.header(self.next)?;
            self.check(&header)?;
            let packed = u64::try_from(header.packed).unwrap_or(u64::MAX);
            after = after.saturating_add(length).saturating_add(packed);
        }
        if after > self.end {
            return Err(wrong("a page beyond the end of its column"));
        }
        if after == self.end && self.left > 0 {
            return Err(wrong("fewer values than rows"));
        }
        self.after = Some(after);
        Ok(())
    }

    /// Returns the header at a place and its length.
    fn header(&self, at: u64) -> Result<(Header, u64)> {
        let most = (self.end - at).min(MOST_HEADER_BYTES);
        let mut count = HEADER_BYTES.min(most);
        loop {
            let mut bytes = Vec::new();
            self.reader.get_read(at)?.take(count).read_to_end(&mut bytes)?;
            let mut thrift = Thrift::new(&bytes);
            if let Some(header) = read_header(&mut thrift) {
                return Ok((header, thrift.len_read() as u64));
            }
            if count == most {
                return Err(wrong("a page without a header"));
            }
            count = most.min(count.saturating_mul(16));
        }
    }

    fn check(&mut self, header: &Header) -> Result<()> {
        let positive = |number: i64| u64::try_from(number).map_err(|_| wrong("a page with a negative number"));
        let (packed, unpacked) = (positive(header.packed)?, positive(header.unpacked)?);
        let (values, nulls) = (positive(header.values)?, positive(header.nulls)?);
        if unpacked > MOST_BYTES {
            return Err(wrong("a page of more than 128 MB"));
        }
        if unpacked > most_unpacked(self.compression, packed) {
            return Err(wrong("a page that is too long"));
        }
        match header.kind {
            _ if !header.is_complete => return Err(wrong("a page without a description")),
            page::DICTIONARY => {
                if self.has_begun || values.saturating_mul(self.least_bytes()) > unpacked {
                    return Err(wrong("an invalid dictionary"));
                }
                self.has_dictionary = true;
            }
            page::DATA | page::DATA_2 if self.has_lists() && values > MOST_ELEMENTS => {
                return Err(wrong("a page with too many elements of lists"));
            }
            page::DATA | page::DATA_2 => {
                self.left = self
                    .left
                    .checked_sub(values)
                    .ok_or_else(|| wrong("more values than rows"))?;
            }
            _ => return Err(wrong("a page of an unknown kind")),
        }
        self.unpacked = unpacked;
        self.make_room(header, unpacked)?;
        if header.kind == page::DATA_2 {
            let levels = positive(header.levels[0])?.saturating_add(positive(header.levels[1])?);
            let rows = positive(header.rows)?;
            let has_all_rows = if self.has_lists() {
                rows <= values
            } else {
                rows == values
            };
            if nulls > values || !has_all_rows || levels > packed.min(unpacked) {
                return Err(wrong("a page that contradicts itself"));
            }
        }
        self.has_begun = true;
        Ok(())
    }

    /// Returns the least bytes of a value in a dictionary.
    fn least_bytes(&self) -> u64 {
        match self.descriptor.physical_type() {
            Physical::BOOLEAN => 1,
            Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::INT96 => 12,
            Physical::FIXED_LEN_BYTE_ARRAY => u64::try_from(self.descriptor.type_length()).unwrap_or(1),
        }
    }

    /// Unpacks a page that has been read. It has `unpacked` bytes then.
    fn unpack(&self, page: Page, unpacked: u64) -> Result<Page> {
        if self.are_packed {
            unpack::unpack(page, unpacked)
        } else {
            Ok(page)
        }
    }

    fn checked(&self, page: Page) -> Result<Page> {
        if page.is_data_page() {
            let body = self.body(&page)?;
            self.check_values(page.encoding(), &body, page.num_values())?;
        }
        Ok(page)
    }

    /// Returns whether the values are elements of lists.
    fn has_lists(&self) -> bool {
        self.descriptor.max_rep_level() > 0
    }

    /// Returns the bytes of a page that hold values.
    fn body(&self, page: &Page) -> Result<Bytes> {
        let mut bytes = page.buffer().clone();
        if let Page::DataPage { rep_level_encoding, .. } = page
            && self.has_lists()
        {
            // The other levels are preceded by those that mark where lists begin.
            let length = bytes.first_chunk().copied().map(u32::from_le_bytes);
            let length = length.filter(|_| *rep_level_encoding == Encoding::RLE);
            let end = length.and_then(|length| usize::try_from(length).ok()?.checked_add(4));
            let end = end.filter(|end| *end <= bytes.len());
            bytes = bytes.slice(end.ok_or_else(|| wrong("a page without levels"))?..);
        }
        let levels = match page {
            Page::DataPageV2 {
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len),
            Page::DataPage {
                def_level_encoding: Encoding::RLE,
                ..
            } if self.descriptor.max_def_level() > 0 => {
                let length = bytes.first_chunk().copied().map(u32::from_le_bytes);
                4 + u64::from(length.ok_or_else(|| wrong("a page without levels"))?)
            }
            Page::DataPage { num_values, .. } if self.descriptor.max_def_level() > 0 => {
                // Packed bits, as many per value as the greatest level has.
                let width = 16 - self.descriptor.max_def_level().leading_zeros();
                (u64::from(*num_values) * u64::from(width)).div_ceil(8)
            }
            Page::DataPage { .. } | Page::DictionaryPage { .. } => 0,
        };
        let levels = usize::try_from(levels).ok().filter(|levels| *levels <= bytes.len());
        levels
            .map(|levels| bytes.slice(levels..))
            .ok_or_else(|| wrong("levels beyond the end of their page"))
    }

    fn check_values(&self, encoding: Encoding, body: &[u8], values: u32) -> Result<()> {
        match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => {
                if !self.has_dictionary {
                    return Err(wrong("a page without its dictionary"));
                }
                // The first byte is the number of bits of an index in the dictionary.
                if body.first().is_some_and(|bits| *bits > 32) || (body.is_empty() && values > 0 && self.is_required())
                {
                    return Err(wrong("impossible places in a dictionary"));
                }
            }
            Encoding::BYTE_STREAM_SPLIT => {
                let width = self.least_bytes() as usize;
                if !body.len().is_multiple_of(width) || (self.is_required() && body.len() / width != values as usize) {
                    return Err(wrong("values without all their bytes"));
                }
            }
            Encoding::DELTA_BYTE_ARRAY if !self.shares_prefixes => {
                return Err(wrong("an encoding that the column does not have"));
            }
            Encoding::DELTA_BYTE_ARRAY if delta::are_lists_of_prefixes(body, values.into()) => {}
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY
                if delta::is_list(body, values.into()) => {}
            Encoding::DELTA_BYTE_ARRAY | Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                return Err(wrong("differences of more values than the page has"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether each row has a value.
    fn is_required(&self) -> bool {
        self.descriptor.max_def_level() == 0
    }
}

/// Returns the most bytes that this many packed bytes can expand to.
fn most_unpacked(compression: Compression, packed: u64) -> u64 {
    let ratio = match compression {
        Compression::UNCOMPRESSED => return packed,
        // A copy of 64 bytes takes three.
        Compression::SNAPPY => 32,
        // A byte adds 255 to the length of a copy.
        Compression::LZ4 | Compression::LZ4_RAW => 260,
        // A copy of 258 bytes takes two bits.
        Compression::GZIP(_) => 1_040,
        // A block of 128 KiB that repeats one byte takes four.
        _ => 1 << 15,
    };
    packed.saturating_mul(ratio).saturating_add(1 << 10)
}

/// Returns the length of each page of a column, including its header, and its number of values. Returns `None` if a page holds anything but values.
pub(super) fn lengths(column: &[u8]) -> Option<Vec<(usize, u64)>> {
    let (mut rest, mut lengths) = (column, Vec::new());
    while !rest.is_empty() {
        let mut thrift = Thrift::new(rest);
        let header = read_header(&mut thrift).filter(|header| matches!(header.kind, page::DATA | page::DATA_2))?;
        let length = thrift.len_read().checked_add(usize::try_from(header.packed).ok()?)?;
        lengths.push((length, u64::try_from(header.values).ok()?));
        rest = rest.get(length..)?;
    }
    Some(lengths)
}

/// Returns the length of the header of an unpacked page, if the page is of the first version, has this many rows and its values are plain.
pub(super) fn plain_body(page: &[u8], rows: usize) -> Option<usize> {
    let mut thrift = Thrift::new(page);
    let header = read_header(&mut thrift)?;
    let is_plain = header.is_complete
        && header.kind == page::DATA
        && header.encodings == [encoding::PLAIN, encoding::RLE]
        && usize::try_from(header.values) == Ok(rows);
    is_plain.then_some(thrift.len_read())
}

/// Reads the structure `PageHeader`.
fn read_header(thrift: &mut Thrift<'_>) -> Option<Header> {
    let mut header = Header {
        kind: -1,
        ..Header::default()
    };
    let mut described = None;
    let mut last = 0;
    while let Some(field) = thrift.field(&mut last)? {
        match (field.id, field.kind) {
            (1, kind::I32) => header.kind = thrift.integer()?,
            (2, kind::I32) => header.unpacked = thrift.integer()?,
            (3, kind::I32) => header.packed = thrift.integer()?,
            (5, kind::STRUCT) => {
                described = Some(page::DATA);
                let [values, levels] = &mut header.encodings;
                let numbers = [&mut header.values, values, levels];
                let [count, values, levels] = numbers.map(Some);
                read_description(thrift, [count, values, levels, None, None, None])?;
            }
            (7, kind::STRUCT) => {
                described = Some(page::DICTIONARY);
                read_description(thrift, [Some(&mut header.values), None, None, None, None, None])?;
            }
            (8, kind::STRUCT) => {
                described = Some(page::DATA_2);
                let [first, second] = &mut header.levels;
                let numbers = [&mut header.values, &mut header.nulls, &mut header.rows];
                let [values, nulls, rows] = numbers.map(Some);
                read_description(thrift, [values, nulls, rows, None, Some(first), Some(second)])?;
            }
            (_, kind) => thrift.skip(kind)?,
        }
    }
    header.is_complete = described == Some(header.kind);
    Some(header)
}

/// Reads a structure whose first fields are numbers, some of which are wanted.
fn read_description(thrift: &mut Thrift<'_>, mut numbers: [Option<&mut i64>; 6]) -> Option<()> {
    let mut last = 0;
    while let Some(field) = thrift.field(&mut last)? {
        let place = usize::try_from(field.id - 1).ok();
        match place.and_then(|place| numbers.get_mut(place)) {
            Some(Some(number)) if field.kind == kind::I32 => **number = thrift.integer()?,
            _ => thrift.skip(field.kind)?,
        }
    }
    Some(())
}

fn wrong(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

impl<R: ChunkReader> Iterator for Pages<R> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for Pages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.look_ahead()?;
        let page = self.inner.get_next_page()?;
        self.next = self.after.take().unwrap_or(self.end);
        let whole = |page| self.unpack(page, self.unpacked).and_then(|page| self.checked(page));
        page.map(whole).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.look_ahead()?;
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.look_ahead()?;
        self.inner.skip_next_page()?;
        self.next = self.after.take().unwrap_or(self.end);
        Ok(())
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.inner.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        let dictionary = self.inner.take_deferred_dictionary()?;
        let whole = |page| self.unpack(page, self.dictionary_bytes);
        dictionary.map(whole).transpose()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.look_ahead()?;
        self.inner.at_record_boundary()
    }
}
