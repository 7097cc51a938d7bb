//! The descriptions of row groups at the end of a file. In a database each one is decoded when it is needed: for ten million games the
//! descriptions take 20 MB, almost none of which is needed in a search for something rare.
//!
//! The key `skewer.directory` of the file's metadata has for each row group the length of its description, its number of games, the place of its
//! columns, and whether games have warnings. The row groups of files without it are all decoded at once.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::file::metadata::{FileMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};

use super::error::{damaged, in_column};
use super::footer::Footer;
use super::layout::{self, Column, GROUP_GAMES};
use super::thrift::{Thrift, kind, push_list};
use super::{hexadecimal, panic_guard, validation};

/// The field of `FileMetaData` with the list of row groups.
const GROUPS: i64 = 4;
/// The hexadecimal digits of a row group in the directory.
const DIGITS: usize = 49;

/// What is known about a row group without its description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The bytes of its description.
    pub(super) length: usize,
    pub(super) games: usize,
    /// The place of its columns in the file.
    pub(super) columns: Range<u64>,
    /// Whether games have warnings, according to the description.
    pub(super) has_warnings: bool,
}

impl Entry {
    /// Creates the entry of a row group whose description has this many bytes.
    pub(super) fn of(group: &RowGroupMetaData, length: usize) -> Entry {
        let start = group
            .columns()
            .iter()
            .filter_map(validation::byte_range)
            .map(|range| range.start)
            .min();
        let start = start.unwrap_or(0);
        let bytes = u64::try_from(group.compressed_size()).unwrap_or(0);
        Entry {
            length,
            games: usize::try_from(group.num_rows()).unwrap_or(0),
            columns: start..start.saturating_add(bytes),
            has_warnings: !is_empty(group, Column::Warnings.index()),
        }
    }

    /// Returns entries as hexadecimal digits without separators.
    pub(super) fn to_text(entries: &[Entry]) -> String {
        let mut text = String::with_capacity(DIGITS * entries.len());
        for entry in entries {
            let Range { start, end } = entry.columns;
            // Writing to a string cannot fail.
            let _ = write!(text, "{:08x}{:08x}{start:016x}{end:016x}", entry.length, entry.games);
            let _ = write!(text, "{:x}", u8::from(entry.has_warnings));
        }
        text
    }

    fn from_text(text: &[u8]) -> Option<Vec<Entry>> {
        hexadecimal::entries(str::from_utf8(text).ok()?, DIGITS, |digits| {
            Some(Entry {
                length: digits.number(8)?,
                games: digits.number(8)?,
                columns: digits.number(16)?..digits.number(16)?,
                has_warnings: digits.number::<u8>(1)? != 0,
            })
        })
    }
}

/// Returns whether no game of a row group has a value in a column, according to the statistics.
pub(super) fn is_empty(group: &RowGroupMetaData, column: usize) -> bool {
    let statistics = group.columns().get(column).and_then(|column| column.statistics());
    let nulls = statistics.and_then(|statistics| statistics.null_count_opt());
    nulls.is_some() && nulls == u64::try_from(group.num_rows()).ok()
}

/// The row groups of a file.
pub(super) struct RowGroups {
    entries: Vec<Entry>,
    described: Vec<OnceLock<io::Result<Box<RowGroupMetaData>>>>,
    /// The descriptions that are not decoded yet.
    descriptions: Descriptions,
    /// The end of the columns.
    end: u64,
}

/// The descriptions of row groups in the footer.
#[derive(Default)]
struct Descriptions {
    footer: Bytes,
    /// The start of their list.
    list: usize,
    /// The place of each description.
    places: Vec<Range<usize>>,
}

impl RowGroups {
    /// Reads the row groups from a footer.
    ///
    /// # Errors
    /// Returns an error if the footer is not valid.
    pub(super) fn read(footer: &Footer) -> io::Result<(FileMetaData, RowGroups)> {
        let (metadata, groups) = match footer.directory() {
            Some(directory) => RowGroups::listed(footer, directory).ok_or_else(unreadable)??,
            None => RowGroups::described(footer)?,
        };
        let games = groups.entries.iter().map(|entry| entry.games);
        validation::check_rows(games, metadata.num_rows(), footer.start)?;
        Ok((metadata, groups))
    }

    /// Decodes all descriptions.
    fn described(footer: &Footer) -> io::Result<(FileMetaData, RowGroups)> {
        let mut metadata = decode(&footer.bytes)?.into_builder();
        let described = metadata.take_row_groups();
        let groups = RowGroups {
            entries: described.iter().map(|group| Entry::of(group, 0)).collect(),
            described: described
                .into_iter()
                .map(|group| OnceLock::from(Ok(Box::new(group))))
                .collect(),
            descriptions: Descriptions::default(),
            end: footer.start,
        };
        Ok((metadata.build().file_metadata().clone(), groups))
    }

    /// Decodes none of the descriptions in a directory, if it fits the footer.
    fn listed(footer: &Footer, directory: &[u8]) -> Option<io::Result<(FileMetaData, RowGroups)>> {
        let entries = Entry::from_text(directory)?;
        let (list, mut end, count) = find_list(&footer.bytes)?;
        let places = entries.iter().map(|entry| {
            let start = end;
            end = start.checked_add(entry.length)?;
            Some(start..end)
        });
        let descriptions = Descriptions {
            footer: footer.bytes.clone(),
            list,
            places: places.collect::<Option<_>>()?,
        };
        let mut others = descriptions.begin(0);
        others.extend_from_slice(footer.bytes.get(end..)?);
        if count != entries.len() {
            return None;
        }
        Some(decode(&others).map(|metadata| {
            let groups = RowGroups {
                described: entries.iter().map(|_| OnceLock::new()).collect(),
                entries,
                descriptions,
                end: footer.start,
            };
            (metadata.file_metadata().clone(), groups)
        }))
    }

    /// Returns the entries of the row groups.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the description of a row group.
    ///
    /// # Errors
    /// Returns an error if it is not valid.
    pub(super) fn get(&self, index: usize) -> io::Result<&RowGroupMetaData> {
        let described = self.described.get(index).ok_or_else(unreadable)?;
        match described.get_or_init(|| self.describe(index).map(Box::new)) {
            Ok(group) => Ok(group),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    fn describe(&self, index: usize) -> io::Result<RowGroupMetaData> {
        let place = self.descriptions.places.get(index).cloned().ok_or_else(unreadable)?;
        let mut footer = self.descriptions.begin(1);
        footer.extend_from_slice(&self.descriptions.footer[place]);
        footer.push(kind::STOP);
        let mut metadata = decode(&footer)?.into_builder();
        let group = metadata.take_row_groups().pop().ok_or_else(unreadable)?;
        self.check(&group)?;
        match Entry::of(&group, self.entries[index].length) == self.entries[index] {
            true => Ok(group),
            false => Err(damaged("a damaged database: a row group is not where it should be")),
        }
    }

    /// Checks the decoded descriptions as those of a database.
    ///
    /// # Errors
    /// Returns an error if one of them cannot belong to a database.
    pub(super) fn check_described(&self) -> io::Result<()> {
        let described = self.described.iter().filter_map(OnceLock::get).flatten();
        described.into_iter().try_for_each(|group| self.check(group))
    }

    /// Checks the description of a row group of a database.
    fn check(&self, group: &RowGroupMetaData) -> io::Result<()> {
        if group.num_columns() != group.schema_descr().num_columns() {
            return Err(damaged("a row group without all columns"));
        }
        if u64::try_from(group.num_rows()).is_ok_and(|games| games > GROUP_GAMES as u64) {
            return Err(damaged("a damaged database: a row group of too many games"));
        }
        for column in 0..group.num_columns() {
            let of_column = |error: &io::Error| in_column(layout::column(column).0, error);
            validation::place(group, column, self.end).map_err(|error| of_column(&error))?;
            let mut encodings = group.column(column).encodings();
            if encodings.any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) {
                return Err(of_column(&damaged("its encoding is not one of a database")));
            }
        }
        Ok(())
    }
}

impl Descriptions {
    /// Returns the beginning of a footer up to the first of this many descriptions.
    fn begin(&self, count: usize) -> Vec<u8> {
        let mut begin = self.footer[..self.list].to_vec();
        push_list(&mut begin, count);
        begin
    }
}

/// Returns the start of the list of row groups in a footer, the start of its first element, and the number of elements.
fn find_list(footer: &[u8]) -> Option<(usize, usize, usize)> {
    let mut thrift = Thrift::new(footer);
    let mut last = 0;
    while let Some(field) = thrift.field(&mut last)? {
        if (field.id, field.kind) == (GROUPS, kind::LIST) {
            let list = thrift.len_read();
            let (element, count) = thrift.list()?;
            return (element == kind::STRUCT).then_some((list, thrift.len_read(), count));
        }
        thrift.skip(field.kind)?;
    }
    None
}

fn decode(footer: &[u8]) -> io::Result<ParquetMetaData> {
    validation::check_footer(footer)?;
    panic_guard::decode(|| ParquetMetaDataReader::decode_metadata(footer))
        .map_err(|error| damaged(&format!("a damaged Parquet file: its end cannot be read ({error})")))
}

fn unreadable() -> io::Error {
    damaged("a damaged database: the description of its row groups cannot be read")
}

#[cfg(test)]
mod tests {
    use super::super::storage::Storage;
    use super::super::writer::Writer;
    use super::*;
    use crate::pgn::sample;

    #[test]
    fn row_groups_are_described_one_by_one_as_all_together() {
        let batch = sample::batch(&"[White \"A\"]\n\n1. e4 {x} e5 *\n\n".repeat(1000));
        let mut writer = Writer::new(Vec::new()).unwrap();
        (0..3).for_each(|_| writer.add(&batch, &mut |_| {}).unwrap());
        let storage = Storage::Memory(writer.finish().unwrap().into());
        let footer = Footer::read(&storage).unwrap();
        let (metadata, listed) = RowGroups::read(&footer).unwrap();
        let (expected, described) = RowGroups::described(&footer).unwrap();
        assert_eq!((metadata, listed.entries.len()), (expected, 2));
        for index in [1, 0] {
            assert!(listed.described[index].get().is_none());
            assert_eq!(listed.get(index).unwrap(), described.get(index).unwrap());
            let without_length = Entry {
                length: 0,
                ..listed.entries[index].clone()
            };
            assert_eq!(without_length, described.entries[index]);
        }
        assert!(listed.get(2).is_err());
    }

    #[test]
    fn entries_that_cannot_be_read_are_none() {
        let entry = Entry {
            length: 4000,
            games: 2048,
            columns: 4..900_000,
            has_warnings: true,
        };
        let text = Entry::to_text(&[entry.clone(), entry.clone()]);
        assert_eq!(Entry::from_text(text.as_bytes()).unwrap(), [entry.clone(), entry]);
        assert_eq!(Entry::from_text(&text.as_bytes()[1..]), None);
        assert_eq!(Entry::from_text(text.replace('f', "x").as_bytes()), None);
    }
}
