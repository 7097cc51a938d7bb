//! The end of a Parquet file: whether the file is complete, who has written it, and whether the end is undamaged.
//!
//! ```text
//!  PAR1 │ columns … │ footer (Thrift) │ its length │ PAR1
//! ```
//!
//! The key `skewer.footer` of our own files has the CRC-32 of the footer, computed with zeros in place of its digits. It is looked up in the bytes
//! themselves, before anything is decoded.

use std::io;

use bytes::Bytes;
use memchr::memmem;

use super::error::damaged;
use super::layout::{CHECKSUMS_KEY, DIRECTORY_KEY, FOOTER_KEY, VERSION_KEY};
use super::storage::Storage;
use super::thrift::{Thrift, kind};
use crate::pgn::DATABASE;

/// The placeholder for the checksum while it is computed.
pub(super) const NO_CHECKSUM: &str = "00000000";
/// The end of encrypted files.
const ENCRYPTED: [u8; 4] = *b"PARE";
/// The bytes after the footer: its length and the mark at the end of the file.
const TAIL_BYTES: usize = 4 + DATABASE.len();
/// The beginnings of the names of other programs that write Parquet: Arrow, Spark, DuckDB, Polars, fastparquet, Impala.
const OTHERS: [&str; 6] = ["parquet", "apache", "duckdb", "polars", "fastparquet", "impala"];
/// The field of `FileMetaData` with the name of the program that has written the file.
const CREATOR: i64 = 6;
/// The first byte of a text field in Thrift, before its length.
const TEXT_FIELD: u8 = 0x18;

/// The footer of a file.
pub(super) struct Footer {
    /// Its contents, in Thrift.
    pub(super) bytes: Bytes,
    /// Its start, which is the end of the columns.
    pub(super) start: u64,
    /// Whether skewer has written it.
    pub(super) is_ours: bool,
    /// Whether it has a correct checksum.
    pub(super) is_summed: bool,
}

impl Footer {
    /// Finds the footer of a file.
    ///
    /// # Errors
    /// Returns an error if the file is incomplete, or the checksum of the footer is wrong.
    pub(super) fn read(storage: &Storage) -> io::Result<Footer> {
        let tail = check_frame(storage)?;
        let length = tail.first_chunk().copied().map_or(0, u32::from_le_bytes);
        let end = storage.length().saturating_sub(TAIL_BYTES as u64);
        let start = end
            .checked_sub(length.into())
            .filter(|start| *start >= DATABASE.len() as u64)
            .ok_or_else(|| damaged("not a complete Parquet file: its end says that it has more bytes"))?;
        let bytes = storage.read(start..end)?;
        let place = checksum_place(&bytes);
        let is_right = |place: usize| bytes[place..place + NO_CHECKSUM.len()] == *checksum(&bytes, place).as_bytes();
        let is_summed = place.is_some_and(is_right);
        // Other programs copy all keys of a database, but the values are no longer true.
        let is_copy = !is_summed && is_of_others(&bytes);
        if place.is_some() && !is_summed && !is_copy {
            return Err(damaged("the end of the database is damaged"));
        }
        let mut keys = [VERSION_KEY, CHECKSUMS_KEY].into_iter();
        let has_key = |key| memmem::find(&bytes, &text_field(key)).is_some();
        Ok(Footer {
            start,
            is_ours: is_summed || (!is_copy && keys.any(has_key)),
            is_summed,
            bytes,
        })
    }

    /// Returns the directory of the row groups in the footer of a database, if it has one.
    pub(super) fn directory(&self) -> Option<&[u8]> {
        if !self.is_summed {
            return None;
        }
        let mut mark = text_field(DIRECTORY_KEY);
        mark.push(TEXT_FIELD);
        // No text of a game comes after it.
        let start = memmem::rfind(&self.bytes, &mark)? + mark.len();
        let mut thrift = Thrift::new(&self.bytes[start..]);
        let length = usize::try_from(thrift.unsigned()?).ok()?;
        let start = start + thrift.len_read();
        self.bytes.get(start..start.checked_add(length)?)
    }
}

/// Returns whether another program names itself as the writer of the file. Damage cannot turn our name into one of theirs.
fn is_of_others(footer: &[u8]) -> bool {
    let creator = creator(footer).unwrap_or_default().to_ascii_lowercase();
    OTHERS.iter().any(|name| creator.starts_with(name.as_bytes()))
}

/// Returns the name of the program that has written the file.
fn creator(footer: &[u8]) -> Option<&[u8]> {
    let mut thrift = Thrift::new(footer);
    let mut last = 0;
    while let Some(field) = thrift.field(&mut last)? {
        if (field.id, field.kind) == (CREATOR, kind::TEXT) {
            let length = usize::try_from(thrift.unsigned()?).ok()?;
            let start = thrift.len_read();
            return footer.get(start..start.checked_add(length)?);
        }
        thrift.skip(field.kind)?;
    }
    None
}

/// Checks both ends of a file. Returns the last bytes.
fn check_frame(storage: &Storage) -> io::Result<Bytes> {
    if storage.length() == 0 {
        return Err(damaged("an empty file, not a Parquet file"));
    }
    let begins = storage.head(DATABASE.len() as u64)? == DATABASE[..];
    let tail = storage.tail(TAIL_BYTES as u64)?;
    if tail.ends_with(&ENCRYPTED) {
        return Err(damaged("an encrypted Parquet file, which skewer cannot read"));
    }
    match (begins, tail.ends_with(&DATABASE)) {
        (true, true) => Ok(tail),
        (true, false) => Err(damaged("not a complete Parquet file: it does not end with `PAR1`")),
        (false, true) => Err(damaged("a damaged Parquet file: it does not begin with `PAR1`")),
        (false, false) => Err(damaged("not a Parquet file: it does not begin with `PAR1`")),
    }
}

/// Returns a text as it is written in a footer.
fn text_field(text: &str) -> Vec<u8> {
    // Our keys are short, so one byte holds the length.
    [&[TEXT_FIELD, text.len() as u8], text.as_bytes()].concat()
}

/// Returns the place of the digits of the checksum in a footer, if it has one.
fn checksum_place(footer: &[u8]) -> Option<usize> {
    let mut mark = text_field(FOOTER_KEY);
    mark.extend([TEXT_FIELD, NO_CHECKSUM.len() as u8]);
    let place = memmem::rfind(footer, &mark)? + mark.len();
    (place + NO_CHECKSUM.len() <= footer.len()).then_some(place)
}

/// Returns the checksum of a footer whose digits are at this place.
fn checksum(footer: &[u8], place: usize) -> String {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&footer[..place]);
    sum.update(NO_CHECKSUM.as_bytes());
    sum.update(&footer[place + NO_CHECKSUM.len()..]);
    format!("{:08x}", sum.finalize())
}

/// Sets the checksum of the footer in the last bytes of a file.
///
/// # Errors
/// Returns an error if there is no place for it.
pub(super) fn seal(end: &mut [u8]) -> io::Result<()> {
    let sealed = || {
        let tail = end.len().checked_sub(TAIL_BYTES)?;
        let length = u32::from_le_bytes(*end[tail..].first_chunk()?);
        let start = tail.checked_sub(usize::try_from(length).ok()?)?;
        let footer = &end[start..tail];
        let place = checksum_place(footer)?;
        Some((start + place, checksum(footer, place)))
    };
    let (place, sum) = sealed().ok_or_else(|| io::Error::other("the file has no place for its checksum"))?;
    end[place..place + sum.len()].copy_from_slice(sum.as_bytes());
    Ok(())
}
