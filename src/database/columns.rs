//! The values of a column of a row group.

use std::io;

use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};

use super::damaged;
use super::file::ParquetFile;

/// The values of a column in one row group; the buffers are used again for the next.
pub(super) struct Cells<T: DataType> {
    values: Vec<T::T>,
    levels: Vec<i16>,
    /// By game: the place of its value, if it has one.
    places: Vec<Option<u32>>,
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
        }
    }
}

impl<T: DataType> Cells<T> {
    /// Reads the values of a column of a row group.
    ///
    /// # Errors
    /// When it cannot be read, or does not have a value or the lack of one for every game.
    pub(super) fn read(&mut self, file: &ParquetFile, group: usize, column: usize) -> io::Result<()> {
        self.clear();
        let games = file.group_games(group);
        if file.is_empty(group, column) {
            return Ok(());
        }
        let mut reader = file.column::<T>(group, column)?;
        let (read, values, _) = reader
            .read_records(games, Some(&mut self.levels), None, &mut self.values)
            .map_err(|error| damaged(&error.to_string()))?;
        if read != games || values != self.values.len() {
            return Err(damaged("a column without a value for every game"));
        }
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
