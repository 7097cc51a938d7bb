//! The values of a column.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};

use super::dictionary::Dictionary;
use super::error::damaged;
use super::facts::Events;
use super::file::in_column;
use super::layout::{self, Column, is_number};
use super::panic_guard;
use super::rows::{FileGroup, RowGroup, Rows};
use crate::game::{GameTable, SharedBytes, Values};

/// The values of a column for a few games. The buffers are reused for the next games.
pub(super) struct Cells<T: DataType> {
    values: Vec<T::T>,
    levels: Vec<i16>,
    /// For each game, the index of its value, if it has one.
    places: Vec<Option<u32>>,
}

/// The values of a column of a database for the games of a block. It can continue with later blocks.
pub(super) struct ColumnCursor<T: DataType> {
    cells: Cells<T>,
    open: Option<Open<T>>,
}

/// A column of a row group of a file that is read from its first game to its last.
struct Open<T: DataType> {
    group: Arc<RowGroup>,
    column: usize,
    reader: ColumnReaderImpl<T>,
    /// The number of games that have been read or skipped.
    behind: usize,
}

impl<T: DataType> Open<T> {
    fn begin(reader: ColumnReaderImpl<T>, rows: &Rows, column: usize) -> Open<T> {
        Open {
            reader,
            group: Arc::clone(rows.group()),
            column,
            behind: 0,
        }
    }

    /// Returns whether it can continue with these games.
    fn leads_to(&self, rows: &Rows, column: usize) -> bool {
        self.column == column && Arc::ptr_eq(&self.group, rows.group()) && self.behind <= rows.games().start
    }

    /// Reads the values of games with which it can continue. After an error it cannot continue.
    fn read(&mut self, rows: &Rows, cells: &mut Cells<T>) -> io::Result<()> {
        let start = rows.games().start;
        let ahead = start - self.behind;
        let skipped = panic_guard::decode(|| self.reader.skip_records(ahead))?;
        if skipped != ahead {
            return Err(damaged("it does not have a value for every game"));
        }
        cells.fill(&mut self.reader, rows.len())?;
        self.behind = start + rows.len();
        Ok(())
    }
}

/// Texts and bytes.
pub(super) type Texts = ColumnCursor<ByteArrayType>;
/// Small numbers.
pub(super) type Int32Column = ColumnCursor<Int32Type>;
/// Large numbers.
pub(super) type Int64Column = ColumnCursor<Int64Type>;

impl<T: DataType> Default for Cells<T> {
    fn default() -> Cells<T> {
        Cells {
            values: Vec::new(),
            levels: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<T: DataType> Default for ColumnCursor<T> {
    fn default() -> ColumnCursor<T> {
        ColumnCursor {
            cells: Cells::default(),
            open: None,
        }
    }
}

impl<T: InTable> ColumnCursor<T> {
    /// Reads the values of a column. This is cheapest for later games of the same row group than in the previous call.
    ///
    /// # Errors
    /// Returns an error if the column cannot be read, or if its number of entries differs from the number of games.
    pub(super) fn read(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.read_on(rows, column).map_err(|error| in_column(column, &error))
    }

    fn read_on(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.clear();
        let group = match &**rows.group() {
            RowGroup::File(group) => group,
            RowGroup::Table(table) => return self.cells.copy(table, column, rows.games()),
        };
        if group.file.is_empty(group.index, column) {
            return Ok(());
        }
        if !self.leads_to(rows, column) {
            let reader = group.file.column(group.index, column, group.chunk(column)?)?;
            self.open = Some(Open::begin(reader, rows, column));
        }
        self.read_open(rows)
    }
}

impl<T: DataType> ColumnCursor<T> {
    /// Returns whether the open column can continue with these games.
    fn leads_to(&self, rows: &Rows, column: usize) -> bool {
        self.open.as_ref().is_some_and(|open| open.leads_to(rows, column))
    }

    /// Reads the values of games with which the open column can continue.
    fn read_open(&mut self, rows: &Rows) -> io::Result<()> {
        let read = self
            .open
            .as_mut()
            .map_or(Ok(()), |open| open.read(rows, &mut self.cells));
        if read.is_err() {
            self.open = None;
        }
        read
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }
}

impl<T: DataType> Cells<T> {
    /// Replaces the values by the next ones of a reader.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or if their number differs from the number of games.
    pub(super) fn fill(&mut self, reader: &mut ColumnReaderImpl<T>, games: usize) -> io::Result<()> {
        self.clear();
        self.fill_more(reader, games)
    }

    /// Appends the next values of a reader.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or if their number differs from the number of games.
    pub(super) fn fill_more(&mut self, reader: &mut ColumnReaderImpl<T>, games: usize) -> io::Result<()> {
        let before = self.values.len();
        self.levels.clear();
        let (read, values, _) =
            panic_guard::decode(|| reader.read_records(games, Some(&mut self.levels), None, &mut self.values))?;
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

    /// Returns the value of a game, if it has one.
    pub(super) fn value(&self, game: usize) -> Option<&T::T> {
        let place = (*self.places.get(game)?)?;
        self.values.get(place as usize)
    }
}

/// A type of values that tables in memory have too.
pub(super) trait InTable: DataType {
    /// What a column must hold.
    const CONTENT: &'static str;

    /// Returns the values of these rows in order, or `None` if the column holds something else.
    fn values(column: &Values, rows: Range<usize>) -> Option<Vec<Option<Self::T>>>;
}

impl InTable for ByteArrayType {
    const CONTENT: &'static str = "texts or bytes";

    fn values(column: &Values, rows: Range<usize>) -> Option<Vec<Option<ByteArray>>> {
        let Values::Bytes { bytes, places, .. } = column else {
            return None;
        };
        let bytes = Bytes::from_owner(Owner(Arc::clone(bytes)));
        let value = |place: &Option<Range<usize>>| {
            let place = place.clone().filter(|place| bytes.get(place.clone()).is_some())?;
            Some(ByteArray::from(bytes.slice(place)))
        };
        Some(places.get(rows)?.iter().map(value).collect())
    }
}

/// Shared bytes as the owner of a buffer.
struct Owner(SharedBytes);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl InTable for Int32Type {
    const CONTENT: &'static str = "numbers of 32 bits";

    fn values(column: &Values, rows: Range<usize>) -> Option<Vec<Option<i32>>> {
        let Values::Numbers(numbers) = column else { return None };
        let small = |number: &Option<i64>| number.map(i32::try_from).transpose().ok();
        numbers.get(rows)?.iter().map(small).collect()
    }
}

impl InTable for Int64Type {
    const CONTENT: &'static str = "numbers";

    fn values(column: &Values, rows: Range<usize>) -> Option<Vec<Option<i64>>> {
        let Values::Numbers(numbers) = column else { return None };
        Some(numbers.get(rows)?.to_vec())
    }
}

impl<T: InTable> Cells<T> {
    /// Replaces the values by those of rows of a table. Columns that only tell the origin of a game may be missing.
    ///
    /// # Errors
    /// Returns an error if there is no such column, or it holds something else.
    fn copy(&mut self, table: &GameTable, column: usize, rows: Range<usize>) -> io::Result<()> {
        self.clear();
        let (name, ..) = layout::column(column);
        let Some(values) = table.column(name) else {
            let of_origin = [Column::Source, Column::SourceLine, Column::Warnings];
            return match of_origin.iter().any(|may_miss| may_miss.index() == column) {
                true => Ok(()),
                false => Err(damaged("it is missing, and this search reads it")),
            };
        };
        let values = match T::values(values, rows.clone()) {
            Some(values) => values,
            // Programs do not know the type of a column without values.
            None if values.are_none() => vec![None; rows.len()],
            None => return Err(damaged(&format!("it does not hold {}", T::CONTENT))),
        };
        for value in values {
            let place = value.map(|value| {
                self.values.push(value);
                self.values.len() - 1
            });
            self.places.push(place.and_then(|place| u32::try_from(place).ok()));
        }
        Ok(())
    }
}

impl Texts {
    /// Returns the text of a game.
    pub(super) fn get(&self, game: usize) -> Option<&[u8]> {
        self.cells.value(game).map(|text| text.data())
    }

    /// Returns the text of a game as a shared value.
    pub(super) fn shared(&self, game: usize) -> Option<ByteArray> {
        self.cells.value(game).cloned()
    }
}

impl Int32Column {
    /// Returns the number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i32> {
        self.cells.value(game).copied()
    }
}

impl Int64Column {
    /// Returns the number of a game.
    pub(super) fn get(&self, game: usize) -> Option<i64> {
        self.cells.value(game).copied()
    }
}

/// Texts of which most games have the same as others. Where the row group has a dictionary, only the numbers of the texts are decoded.
#[derive(Default)]
pub(super) struct TagTexts {
    numbers: Int32Column,
    dictionary: Dictionary,
    /// How many dictionaries were read before this one.
    before: usize,
    /// The texts of games without a dictionary.
    texts: Texts,
    /// Whether games of a file have no text at all.
    are_none: bool,
}

impl TagTexts {
    /// Reads the texts of a column, as [`Texts`] does.
    ///
    /// # Errors
    /// Returns an error if the column cannot be read, or if its number of entries differs from the number of games.
    pub(super) fn read(&mut self, rows: &Rows, column: usize) -> io::Result<()> {
        self.clear();
        let RowGroup::File(group) = &**rows.group() else {
            return self.texts.read(rows, column);
        };
        self.are_none = group.file.is_empty(group.index, column);
        if self.are_none {
            return Ok(());
        }
        match self.read_numbers(group, rows, column) {
            Ok(true) => Ok(()),
            // A column without numbers, or one that is damaged: then this says how.
            _ => {
                self.numbers = Int32Column::default();
                self.texts.read(rows, column)
            }
        }
    }

    /// Reads the numbers of the texts. Returns whether they have numbers.
    fn read_numbers(&mut self, group: &FileGroup, rows: &Rows, column: usize) -> io::Result<bool> {
        if !self.numbers.leads_to(rows, column) {
            let numbered = group.file.numbered_texts(group.index, column, group.chunk(column)?)?;
            let Some((dictionary, reader)) = numbered else {
                return Ok(false);
            };
            self.dictionary = dictionary;
            self.before += 1;
            self.numbers.open = Some(Open::begin(reader, rows, column));
        }
        self.numbers.read_open(rows).map(|()| true)
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.texts.clear();
        self.are_none = false;
    }

    /// Returns the text of a game.
    pub(super) fn get(&self, game: usize) -> Option<&[u8]> {
        match self.numbers.get(game) {
            Some(number) => self.dictionary.text(usize::try_from(number).ok()?),
            None => self.texts.get(game),
        }
    }
}

/// The values of a tag.
pub(super) enum Tag {
    Text(Box<TagTexts>),
    Number(Box<Int32Column>),
}

/// The numbers below this have [keys](Tag::key): ratings and results.
const MOST_NUMBERS: usize = 1 << 13;

impl Tag {
    /// Creates a tag without values for its column.
    pub(super) fn new(column: usize) -> Tag {
        if is_number(column) {
            Tag::Number(Box::default())
        } else {
            Tag::Text(Box::default())
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

    /// Returns a small number that stands for the value of a game: 0 if it has none. Games have the same value if they have the same key and
    /// [their keys](Tag::keys) are the same.
    pub(super) fn key(&self, game: usize) -> Option<usize> {
        match self {
            Tag::Text(texts) if texts.are_none => Some(0),
            Tag::Text(texts) => match texts.numbers.cells.places.get(game)? {
                Some(_) => Some(usize::try_from(texts.numbers.get(game)?).ok()? + 1),
                None => Some(0),
            },
            Tag::Number(numbers) => numbers.key(game),
        }
    }

    /// Returns which keys the games that were read last have.
    pub(super) fn keys(&self) -> usize {
        match self {
            Tag::Text(texts) => texts.before,
            Tag::Number(_) => 0,
        }
    }
}

impl Int32Column {
    /// Returns the events of a game, if this is their column.
    pub(super) fn events(&self, game: usize) -> Events {
        Events(self.get(game).unwrap_or(0).cast_unsigned())
    }

    /// Returns the same as [`Tag::key`].
    pub(super) fn key(&self, game: usize) -> Option<usize> {
        match self.get(game) {
            None => Some(0),
            Some(number) => usize::try_from(number)
                .ok()
                .filter(|number| *number < MOST_NUMBERS)
                .map(|number| number + 1),
        }
    }
}
