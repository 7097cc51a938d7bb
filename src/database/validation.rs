//! Checks the footer of a Parquet file before the `parquet` crate decodes it, and the decoded metadata before columns are read: places and sizes
//! must fit the file.

use std::io;
use std::ops::Range;

use parquet::basic::Type as Physical;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::error::damaged;
use super::thrift::{Thrift, kind};
use crate::pgn::DATABASE;

/// The most columns and groups of columns of a file.
const MOST_COLUMNS: usize = 10_000;
/// The deepest nesting of columns.
const MOST_DEPTH: usize = 32;
/// The rows that any file may have, whatever its size: equal ones take hardly a byte.
const FREE_ROWS: u64 = 1 << 18;
/// The additional rows for each byte of the file.
const ROWS_OF_BYTE: u64 = 64;

/// The fields of `FileMetaData` and `SchemaElement`.
const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;

/// Checks the bytes of a footer.
///
/// # Errors
/// Returns an error if they are not a structure, or the columns of the schema are not a tree of a sensible size.
pub(super) fn check_footer(bytes: &[u8]) -> io::Result<()> {
    read_footer(bytes).ok_or_else(|| damaged("a damaged Parquet file: its end cannot be read"))
}

fn read_footer(bytes: &[u8]) -> Option<()> {
    let mut thrift = Thrift::new(bytes);
    let mut last = 0;
    while let Some(field) = thrift.field(&mut last)? {
        if field.id == SCHEMA && field.kind == kind::LIST {
            read_schema(&mut thrift)?;
        } else {
            thrift.skip(field.kind)?;
        }
    }
    Some(())
}

fn read_schema(thrift: &mut Thrift<'_>) -> Option<()> {
    let (element, mut left) = thrift.list()?;
    if element != kind::STRUCT || left > MOST_COLUMNS {
        return None;
    }
    // The number of remaining children of each element that is not complete.
    let mut open: Vec<usize> = Vec::new();
    while left > 0 {
        left -= 1;
        let children = read_children(thrift)?;
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(siblings) = open.last_mut() {
            *siblings -= 1;
        }
        if children > left || open.len() >= MOST_DEPTH {
            return None;
        }
        open.push(children);
    }
    Some(())
}

/// Reads an element of a schema and returns the number of its children.
fn read_children(thrift: &mut Thrift<'_>) -> Option<usize> {
    let (mut last, mut children) = (0, 0);
    while let Some(field) = thrift.field(&mut last)? {
        if field.id == CHILDREN && field.kind == kind::I32 {
            children = usize::try_from(thrift.integer()?).ok()?;
        } else {
            thrift.skip(field.kind)?;
        }
    }
    Some(children)
}

/// Checks the numbers of rows of the row groups, in a file whose columns end at `end`.
///
/// # Errors
/// Returns an error if they do not add up to the rows of the file, or the number is impossible.
pub(super) fn check_rows(mut of_groups: impl Iterator<Item = usize>, rows_of_file: i64, end: u64) -> io::Result<()> {
    let rows = of_groups.try_fold(0_u64, |sum, rows| sum.checked_add(rows as u64));
    if rows.is_none() || rows != u64::try_from(rows_of_file).ok() {
        return Err(damaged("row groups without all rows"));
    }
    if rows > Some(end.saturating_mul(ROWS_OF_BYTE).saturating_add(FREE_ROWS)) {
        return Err(damaged("more rows than the file has room for"));
    }
    Ok(())
}

/// Returns the bytes of the file that hold a column of a row group, or `None` if the metadata is damaged.
pub(super) fn byte_range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let length = u64::try_from(column.compressed_size()).ok()?;
    Some(start..start.checked_add(length)?)
}

/// Returns the bytes of the file that hold a column of a row group, in a file whose columns end at `end`.
///
/// # Errors
/// Returns an error if they are not in the file, or the column does not have an entry for each row.
pub(super) fn place(group: &RowGroupMetaData, column: usize, end: u64) -> io::Result<Range<u64>> {
    let metadata = group.column(column);
    let descriptor = metadata.column_descr();
    if metadata.file_path().is_some() {
        return Err(damaged("it is in another file"));
    }
    let range = byte_range(metadata).filter(|range| range.start >= DATABASE.len() as u64 && range.end <= end);
    let range = range.ok_or_else(|| damaged("its place is not in the file"))?;
    if descriptor.max_rep_level() == 0 && metadata.num_values() != group.num_rows() {
        return Err(damaged("it does not have a value for each row"));
    }
    if descriptor.physical_type() == Physical::FIXED_LEN_BYTE_ARRAY && descriptor.type_length() <= 0 {
        return Err(damaged("its values have no length"));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a footer whose schema has elements with these numbers of children.
    fn footer(children: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x29, 0xfc, children.len() as u8];
        for children in children {
            // Field 5 with a number, and the end of the element.
            bytes.extend([0x55, 2 * children, 0]);
        }
        bytes.push(0);
        bytes
    }

    #[test]
    fn schemas_are_trees_of_a_sensible_size() {
        assert!(check_footer(&footer(&[2, 0, 1, 0])).is_ok());
        assert!(
            check_footer(&footer(&[4, 0, 0])).is_err(),
            "children that are not there"
        );
        assert!(check_footer(&footer(&[1; 30])).is_err(), "the last has no child");
        let chain = |length| [&vec![1; length][..], &[0]].concat();
        assert!(check_footer(&footer(&chain(20))).is_ok());
        assert!(check_footer(&footer(&chain(100))).is_err(), "a deep one");
        assert!(check_footer(&footer(&[0])[..4]).is_err(), "a cut one");
    }
}
