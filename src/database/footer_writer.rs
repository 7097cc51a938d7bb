//! The end of a database that is being written. The descriptions of its row groups are kept as the bytes of the footer, which take a tenth of the
//! memory of the structures of the `parquet` crate.
//!
//! The crate makes these bytes, for each row group separately, in a file of its own. They are put together here.

use std::io;
use std::ops::Range;

use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData};
use parquet::schema::types::SchemaDescPtr;

use super::group::failed;
use super::row_groups::Entry;
use super::thrift::{Thrift, push_list, push_unsigned};
use crate::pgn::DATABASE;

/// The field of `FileMetaData` with the number of rows.
const ROWS: i64 = 3;
/// The field with the list of row groups.
const GROUPS: i64 = 4;
/// The version of the format, which all readers know.
const FORMAT: i32 = 1;

/// The descriptions of the row groups for the footer.
#[derive(Default)]
pub(super) struct FooterWriter {
    /// The row groups as elements of a Thrift list.
    elements: Vec<u8>,
    entries: Vec<Entry>,
}

impl FooterWriter {
    /// Adds the next row group.
    ///
    /// # Errors
    /// Returns an error if it cannot be described.
    pub(super) fn push(&mut self, group: RowGroupMetaData) -> io::Result<()> {
        let mut entry = Entry::of(&group, 0);
        let footer = footer(group.schema_descr_ptr(), None, None, vec![group])?;
        let elements = FooterPlaces::of(&footer).and_then(|places| places.elements(&footer));
        let elements = elements.ok_or_else(|| io::Error::other("a row group cannot be described"))?;
        entry.length = elements.len();
        self.entries.push(entry);
        self.elements.extend_from_slice(&footer[elements]);
        Ok(())
    }

    /// Returns the entries of the row groups for a directory.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns all bytes after the last row group: the footer, its length and the mark at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be described.
    pub(super) fn into_bytes(self, schema: SchemaDescPtr, creator: &str, keys: Vec<KeyValue>) -> io::Result<Vec<u8>> {
        let none = footer(schema, Some(creator), Some(keys), Vec::new())?;
        let places = FooterPlaces::of(&none).ok_or_else(|| io::Error::other("a file cannot be described"))?;
        let mut end = Vec::with_capacity(none.len() + self.elements.len() + 32);
        end.extend_from_slice(&none[..places.rows.start]);
        let games: usize = self.entries.iter().map(|entry| entry.games).sum();
        push_unsigned(&mut end, (games as u64) << 1);
        end.extend_from_slice(&none[places.rows.end..places.groups.start]);
        push_list(&mut end, self.entries.len());
        end.extend_from_slice(&self.elements);
        end.extend_from_slice(&none[places.groups.end..]);
        let length = u32::try_from(end.len()).map_err(|_| io::Error::other("a file of too many row groups"))?;
        end.extend_from_slice(&length.to_le_bytes());
        end.extend_from_slice(&DATABASE);
        Ok(end)
    }
}

/// Returns the footer of a file, without its length.
fn footer(
    schema: SchemaDescPtr,
    creator: Option<&str>,
    keys: Option<Vec<KeyValue>>,
    groups: Vec<RowGroupMetaData>,
) -> io::Result<Vec<u8>> {
    let file = FileMetaData::new(FORMAT, 0, creator.map(str::to_owned), keys, schema, None);
    let metadata = ParquetMetaData::new(file, groups);
    let mut footer = Vec::new();
    let writer = ParquetMetaDataWriter::new(&mut footer, &metadata);
    // Row groups that come from other files have left their page indexes there.
    let writer = writer.with_preserve_page_index_locations(false);
    writer.finish().map_err(failed)?;
    footer.truncate(footer.len().saturating_sub(4 + DATABASE.len()));
    Ok(footer)
}

/// The places of values in a footer.
struct FooterPlaces {
    rows: Range<usize>,
    groups: Range<usize>,
}

impl FooterPlaces {
    fn of(footer: &[u8]) -> Option<FooterPlaces> {
        let mut thrift = Thrift::new(footer);
        let (mut last, mut rows, mut groups) = (0, None, None);
        while let Some(field) = thrift.field(&mut last)? {
            let start = thrift.len_read();
            thrift.skip(field.kind)?;
            match field.id {
                ROWS => rows = Some(start..thrift.len_read()),
                GROUPS => groups = Some(start..thrift.len_read()),
                _ => {}
            }
        }
        Some(FooterPlaces {
            rows: rows?,
            groups: groups?,
        })
    }

    /// Returns the range of the row groups without the head of their list.
    fn elements(&self, footer: &[u8]) -> Option<Range<usize>> {
        let mut list = Thrift::new(footer.get(self.groups.clone())?);
        list.list()?;
        Some(self.groups.start + list.len_read()..self.groups.end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::writer::Writer;
    use super::*;
    use crate::pgn::sample;
    use parquet::file::metadata::ParquetMetaDataReader;

    #[test]
    fn the_end_of_a_file_is_what_the_crate_makes_of_all_row_groups() {
        let batch = sample::batch("[White \"A\"]\n[WhiteElo \"2000\"]\n\n1. e4 {x} e5 *\n\n");
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.add(&batch, &mut |_| {}).unwrap();
        let file = writer.finish().unwrap();
        let tail = file.len() - 8;
        let length = u32::from_le_bytes(*file[tail..].first_chunk().unwrap()) as usize;
        let metadata = ParquetMetaDataReader::decode_metadata(&file[tail - length..tail]).unwrap();
        let schema = metadata.file_metadata().schema_descr_ptr();
        let keys = || metadata.file_metadata().key_value_metadata().cloned().unwrap();
        for count in [0, 1, 2, 14, 15, 16, 130] {
            let group = |number: i32| {
                let group = metadata.row_group(0).clone().into_builder();
                let group = group.set_ordinal(number).set_num_rows(i64::from(number) * 100);
                group.build().unwrap()
            };
            let groups: Vec<RowGroupMetaData> = (0..count).map(group).collect();
            let mut writer = FooterWriter::default();
            groups.iter().for_each(|group| writer.push(group.clone()).unwrap());
            let end = writer.into_bytes(schema.clone(), "test", keys()).unwrap();
            let (made, tail) = end.split_at(end.len() - 8);
            let whole = footer(schema.clone(), Some("test"), Some(keys()), groups).unwrap();
            assert!(made == whole, "{count} row groups");
            assert_eq!(tail[..4], (made.len() as u32).to_le_bytes());
            assert_eq!(tail[4..], DATABASE);
        }
    }
}
