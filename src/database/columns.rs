//! The values of a column.

use std::io;
use std::sync::Arc;

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};

use super::file::in_column;
use super::layout::is_number;
use super::rows::{RowGroup, Rows};
use super::{contained, damaged};

/// The values of a column for some games; the buffers are used again for the next.
pub(super) struct Cells<T: DataType> {
    values: Vec<T::T>,
    levels: Vec<i16>,
    /// By game: the place of its value, if it has one.
    places: Vec<Option<u32>>,
}

/// The values of a column of a database for the games of a block, and the way to those of later blocks.
pub(super) struct Course<T: DataType> {
    cells: Cells<T>,
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
pub(super) type Texts = Course<ByteArrayType>;
/// Small numbers.
pub(super) type Smalls = Course<Int32Type>;
/// Large numbers.
pub(super) type Larges = Course<Int64Type>;

impl<T: DataType> Default for Cells<T> {
    fn default() -> Cells<T> {
        Cells {
            values: Vec::new(),
            levels: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<T: DataType> Default for Course<T> {
    fn default() -> Course<T> {
        Course {
            cells: Cells::default(),
            open: None,
        }
    }
}

impl<T: DataType> Course<T> {
    /// Reads the values of a column. It costs least for games that come after those of the call before, in the same row group.
    ///
    /// # Errors
    /// When it cannot be read, or does not have a value or the lack of one for every game.
    pub(super) fn read(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.read_on(rows, column).map_err(|error| in_column(column, &error))
    }

    fn read_on(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.clear();
        if rows.group().is_empty(column) {
            return Ok(());
        }
        let mut open = match self.open.take() {
            Some(open) if open.leads_to(rows, column) => open,
            _ => Open::begin(rows, column)?,
        };
        let start = rows.games().start;
        let ahead = start - open.behind;
        let skipped = contained::decode(|| open.reader.skip_records(ahead))?;
        if skipped != ahead {
            return Err(damaged("it does not have a value for every game"));
        }
        self.cells.fill(&mut open.reader, rows.len())?;
        open.behind = start + rows.len();
        self.open = Some(open);
        Ok(())
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }
}

impl<T: DataType> Cells<T> {
    /// Takes the next values of a reader in place of those before.
    ///
    /// # Errors
    /// When it cannot be read, or does not have a value or the lack of one for every game.
    pub(super) fn fill(&mut self, reader: &mut ColumnReaderImpl<T>, games: usize) -> io::Result<()> {
        self.clear();
        self.fill_more(reader, games)
    }

    /// Takes the next values of a reader behind those before.
    ///
    /// # Errors
    /// When it cannot be read, or does not have a value or the lack of one for every game.
    pub(super) fn fill_more(&mut self, reader: &mut ColumnReaderImpl<T>, games: usize) -> io::Result<()> {
        let before = self.values.len();
        self.levels.clear();
        let (read, values, _) =
            contained::decode(|| reader.read_records(games, Some(&mut self.levels), None, &mut self.values))?;
        if read != games || before + values != self.values.len() {
            return Err(damaged("it does not have a value for every game"));
        }
        let mut next = u32::try_from(before).unwrap_or(u32::MAX);
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

    fn clear(&mut self) {
        self.values.clear();
        self.levels.clear();
        self.places.clear();
    }

    /// The value of a game, if it has one.
    pub(super) fn value(&self, game: usize) -> Option<&T::T> {
        let place = (*self.places.get(game)?)?;
        self.values.get(place as usize)
    }
}

impl Texts {
    /// The text of a game.
    pub(super) fn get(&self, game: usize) -> Option<&[u8]> {
        self.cells.value(game).map(|text| text.data())
    }
}

impl Smalls {
    /// The number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i32> {
        self.cells.value(game).copied()
    }
}

impl Larges {
    /// The number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i64> {
        self.cells.value(game).copied()
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
