//! The values of a column.

use std::io;
use std::sync::Arc;

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;

use super::damaged;
use super::layout::is_number;
use super::rows::{RowGroup, Rows};

/// The values of a column for some games; the buffers are used again for the next.
pub(super) struct Cells<T: DataType> {
    values: Vec<T::T>,
    levels: Vec<i16>,
    /// By game: the place of its value, if it has one.
    places: Vec<Option<u32>>,
    open: Option<Open<T>>,
}

/// A column of a row group on the way from its first game to the last.
struct Open<T: DataType> {
    group: Arc<RowGroup>,
    column: usize,
    reader: ColumnReaderImpl<T>,
    /// How many games have been read or skipped.
    behind: usize,
}

impl<T: DataType> Open<T> {
    fn begin(rows: &Rows, column: usize) -> io::Result<Open<T>> {
        let group = Arc::clone(rows.group());
        Ok(Open {
            reader: group.column(column)?,
            group,
            column,
            behind: 0,
        })
    }

    /// Whether it can go on to these games.
    fn leads_to(&self, rows: &Rows, column: usize) -> bool {
        self.column == column && Arc::ptr_eq(&self.group, rows.group()) && self.behind <= rows.games().start
    }
}

/// Texts and bytes.
pub(super) type Texts = Cells<ByteArrayType>;
/// Small numbers.
pub(super) type Smalls = Cells<Int32Type>;
/// Large numbers.
pub(super) type Larges = Cells<Int64Type>;

impl<T: DataType> Default for Cells<T> {
    fn default() -> Cells<T> {
        Cells {
            values: Vec::new(),
            levels: Vec::new(),
            places: Vec::new(),
            open: None,
        }
    }
}

impl<T: DataType> Cells<T> {
    /// Reads the values of a column. It costs least for games that come after those of the call before, in the same row group.
    ///
    /// # Errors
    /// When it cannot be read, or does not have a value or the lack of one for every game.
    pub(super) fn read(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.clear();
        if rows.group().is_empty(column) {
            return Ok(());
        }
        let mut open = match self.open.take() {
            Some(open) if open.leads_to(rows, column) => open,
            _ => Open::begin(rows, column)?,
        };
        let (start, games) = (rows.games().start, rows.games().len());
        let failed = |error: ParquetError| damaged(&error.to_string());
        let ahead = start - open.behind;
        let skipped = open.reader.skip_records(ahead).map_err(failed)?;
        let (read, values, _) = open
            .reader
            .read_records(games, Some(&mut self.levels), None, &mut self.values)
            .map_err(failed)?;
        if skipped != ahead || read != games || values != self.values.len() {
            return Err(damaged("a column without a value for every game"));
        }
        open.behind = start + games;
        self.open = Some(open);
        let mut next = 0;
        let place = |has_value: bool| {
            has_value.then(|| {
                next += 1;
                next - 1
            })
        };
        if self.levels.is_empty() {
            self.places.extend((0..games).map(|_| true).map(place));
        } else {
            self.places
                .extend(self.levels.iter().map(|level| *level > 0).map(place));
        }
        Ok(())
    }

    /// Forgets the values and keeps the buffers.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.levels.clear();
        self.places.clear();
    }

    fn value(&self, game: usize) -> Option<&T::T> {
        let place = (*self.places.get(game)?)?;
        self.values.get(place as usize)
    }
}

impl Texts {
    /// The text of a game.
    pub(super) fn get(&self, game: usize) -> Option<&[u8]> {
        self.value(game).map(|text| text.data())
    }
}

impl Smalls {
    /// The number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i32> {
        self.value(game).copied()
    }
}

impl Larges {
    /// The number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i64> {
        self.value(game).copied()
    }
}

/// The values of a tag.
pub(super) enum Tag {
    Text(Texts),
    Number(Smalls),
}

impl Tag {
    /// Without values, for the column of a tag.
    pub(super) fn new(column: usize) -> Tag {
        if is_number(column) {
            Tag::Number(Smalls::default())
        } else {
            Tag::Text(Texts::default())
        }
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        match self {
            Tag::Text(texts) => texts.clear(),
            Tag::Number(numbers) => numbers.clear(),
        }
    }

    pub(super) fn read(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        match self {
            Tag::Text(texts) => texts.read(rows, column),
            Tag::Number(numbers) => numbers.read(rows, column),
        }
    }
}
