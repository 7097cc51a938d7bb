//! A row group on its way into a file: its values, and the bytes that any thread can make from them.

use std::io;
use std::mem;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescPtr, SchemaDescriptor};

use super::board_filter::BoardFilter;
use super::board_keys::BoardKeys;
use super::decoded::Decoded;
use super::file::Chunk;
use super::layout::{self, COLUMNS, Column, DATE, GROUP_GAMES, Kind, UTC_DATE};
use super::record::{Record, Value};
use super::squares::PackedSquares;
use super::summary::Summary;
use super::warnings::{self, Kept};
use crate::game::Rules;
use crate::limits::InterruptHandle;

const SOURCE: usize = Column::Source.index();
const WARNINGS: usize = Column::Warnings.index();
const EVENTS: usize = Column::Events.index();

/// The bytes of texts above which a game is large.
const LARGE: usize = 1 << 20;

/// Returns the capacity to reserve for at most this many bytes. Allocators take a very large piece from the system and return it as soon as it is
/// free, and only the part that is written takes memory. Of smaller pieces they keep some for each thread.
pub(super) fn room_for(bytes: usize) -> usize {
    const SMALL: usize = 4 << 20;
    const LARGEST_KEPT: usize = 32 << 20;
    if bytes > SMALL {
        bytes.max(LARGEST_KEPT + SMALL)
    } else {
        bytes
    }
}

/// How columns become bytes.
#[derive(Clone)]
pub(super) struct Format {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
}

impl Format {
    /// Creates the format of the version that is written.
    pub(super) fn new() -> io::Result<Format> {
        let schema = layout::schema().map_err(failed)?;
        Ok(Format {
            schema: Arc::new(SchemaDescriptor::new(Arc::new(schema))),
            properties: Arc::new(layout::properties().map_err(failed)?),
        })
    }

    /// Returns the schema of the columns.
    pub(super) fn schema(&self) -> SchemaDescPtr {
        Arc::clone(&self.schema)
    }
}

/// A column of a row group as written in a file.
pub(super) struct EncodedColumn {
    pub(super) chunk: Arc<Chunk>,
    pub(super) result: ColumnCloseResult,
}

/// A row group as written in a file.
pub(super) struct EncodedGroup {
    pub(super) columns: Vec<EncodedColumn>,
    pub(super) summary: Summary,
    pub(super) boards: BoardFilter,
    pub(super) squares: PackedSquares,
}

/// The values of a row group that is being filled. The buffers are reused for the next one.
pub(super) struct GroupValues {
    columns: Vec<Cells>,
    games: usize,
    /// The bytes of the games' texts.
    bytes: usize,
    /// The bytes of the texts of the largest game.
    largest: usize,
    summary: Summary,
    boards: BoardKeys,
}

impl GroupValues {
    pub(super) fn new() -> GroupValues {
        GroupValues {
            columns: (0..COLUMNS)
                .map(|index| Cells::with_room(layout::column(index).1, GROUP_GAMES))
                .collect(),
            games: 0,
            bytes: 0,
            largest: 0,
            summary: Summary::default(),
            boards: BoardKeys::default(),
        }
    }

    /// Returns the number of games.
    pub(super) fn games(&self) -> usize {
        self.games
    }

    /// Returns the bytes of the games' texts.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the bytes that packing takes: a page has at least one value, and is copied and packed as a whole. The places of values take memory
    /// too.
    pub(super) fn weight(&self) -> usize {
        const PLACES: usize = 1 << 10;
        self.bytes + 3 * self.largest + PLACES * self.games
    }

    /// Returns whether a game has more text than most pages.
    pub(super) fn has_large(&self) -> bool {
        self.largest > LARGE
    }

    /// Counts another game with texts of this many bytes.
    fn count(&mut self, bytes: usize) {
        self.games += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }

    /// Adds the row of a game whose texts and bytes are in `values`, with its warnings and its PGN file.
    pub(super) fn push(&mut self, record: Record, values: &Bytes, source: &ByteArray, kept: &[Kept]) -> io::Result<()> {
        self.count(record.bytes());
        let dates = [DATE, UTC_DATE].map(|column| values.get(record.text(column)?.clone()));
        let has = |column: Column| record.text(column.index()).is_some();
        self.summary
            .add(&record.facts, dates, has(Column::Pgn), has(Column::Variations));
        self.boards.add(&values[record.boards], record.ever);
        for (column, (cells, value)) in self.columns.iter_mut().zip(record.values).enumerate() {
            cells.push(match column {
                SOURCE => Some(Value::Bytes(source.clone())),
                WARNINGS => of_warnings(kept)?,
                _ => value.map(|value| match value {
                    Value::Bytes(place) => Value::Bytes(ByteArray::from(values.slice(place))),
                    Value::Small(number) => Value::Small(number),
                    Value::Large(number) => Value::Large(number),
                }),
            });
        }
        Ok(())
    }

    /// Adds a row of another database, with its warnings.
    pub(super) fn push_row(&mut self, rows: &Decoded, index: usize, kept: &[Kept], rules: Rules) -> io::Result<()> {
        rows.summarize(index, &mut self.summary);
        self.boards.add_row(rows, index, rules);
        let mut bytes = 0;
        for (column, cells) in self.columns.iter_mut().enumerate() {
            let value = match column {
                WARNINGS => of_warnings(kept)?,
                EVENTS => Some(Value::Small(rows.events(index).0.cast_signed())),
                _ => rows.value(column, index),
            };
            if let Some(Value::Bytes(text)) = &value
                && column != WARNINGS
            {
                bytes += text.len();
            }
            cells.push(value);
        }
        self.count(bytes);
        Ok(())
    }

    /// Returns the columns as bytes and removes the values.
    ///
    /// # Errors
    /// Returns an error if the columns are no longer wanted, or packing fails.
    pub(super) fn encode(&mut self, format: &Format, watch: &InterruptHandle) -> io::Result<EncodedGroup> {
        let columns = self.columns.iter_mut().enumerate();
        let columns = columns.map(|(index, cells)| {
            watch.check()?;
            cells.encode(format, index)
        });
        let columns = columns.collect::<io::Result<_>>()?;
        (self.games, self.bytes, self.largest) = (0, 0, 0);
        let (boards, squares) = mem::take(&mut self.boards).finish()?;
        Ok(EncodedGroup {
            columns,
            summary: mem::take(&mut self.summary),
            boards,
            squares,
        })
    }
}

/// Returns the value of the column of warnings for a game.
pub(super) fn of_warnings(kept: &[Kept]) -> io::Result<Option<Value<ByteArray>>> {
    let text = warnings::to_text(kept)?;
    Ok(text.map(|text| Value::Bytes(ByteArray::from(text.into_bytes()))))
}

/// Returns the original I/O error of an output.
pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// The values of a column in the row group that is being filled, and which games have none.
pub(super) enum Cells {
    Bytes(Values<ByteArrayType>),
    Small(Values<Int32Type>),
    Large(Values<Int64Type>),
}

pub(super) struct Values<T: DataType> {
    values: Vec<T::T>,
    /// For each game, 1 if it has a value, otherwise 0.
    levels: Vec<i16>,
}

impl<T: DataType> Values<T> {
    fn with_room(games: usize) -> Values<T> {
        Values {
            values: Vec::with_capacity(games),
            levels: Vec::with_capacity(games),
        }
    }

    fn push(&mut self, value: Option<T::T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn encode(
        &mut self,
        descriptor: ColumnDescPtr,
        properties: WriterPropertiesPtr,
        size: usize,
    ) -> Result<EncodedColumn, ParquetError> {
        let levels = (descriptor.max_def_level() > 0).then_some(self.levels.as_slice());
        let mut bytes = TrackedWrite::new(Vec::with_capacity(room_for(size / 4)));
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let mut column = get_typed_column_writer::<T>(get_column_writer(descriptor, properties, pages));
        column.write_batch(&self.values, levels, None)?;
        let result = column.close()?;
        self.values.clear();
        self.levels.clear();
        let bytes = Bytes::from(bytes.into_inner()?);
        Ok(EncodedColumn {
            chunk: Arc::new(Chunk::new(0, bytes)),
            result,
        })
    }
}

impl Cells {
    /// Creates empty cells with capacity for this many games.
    pub(super) fn with_room(kind: Kind, games: usize) -> Cells {
        match kind {
            Kind::Text | Kind::Bytes => Cells::Bytes(Values::with_room(games)),
            Kind::Small => Cells::Small(Values::with_room(games)),
            Kind::Large => Cells::Large(Values::with_room(games)),
        }
    }

    /// Adds the value of the next game.
    pub(super) fn push(&mut self, value: Option<Value<ByteArray>>) {
        match (self, value) {
            (Cells::Bytes(values), Some(Value::Bytes(bytes))) => values.push(Some(bytes)),
            (Cells::Small(values), Some(Value::Small(number))) => values.push(Some(number)),
            (Cells::Large(values), Some(Value::Large(number))) => values.push(Some(number)),
            (Cells::Bytes(values), _) => values.push(None),
            (Cells::Small(values), _) => values.push(None),
            (Cells::Large(values), _) => values.push(None),
        }
    }

    /// Returns the column with this index as bytes and removes the values.
    ///
    /// # Errors
    /// Returns an error if packing fails.
    pub(super) fn encode(&mut self, format: &Format, index: usize) -> io::Result<EncodedColumn> {
        let (descriptor, properties) = (format.schema.column(index), Arc::clone(&format.properties));
        let encoded = match self {
            Cells::Bytes(values) => {
                let size = values.values.iter().map(ByteArray::len).sum();
                values.encode(descriptor, properties, size)
            }
            Cells::Small(values) => values.encode(descriptor, properties, 0),
            Cells::Large(values) => values.encode(descriptor, properties, 0),
        };
        encoded.map_err(failed)
    }
}
