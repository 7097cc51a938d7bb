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
use super::decoded::{Decoded, DecodedColumn};
use super::file::Chunk;
use super::layout::{self, COLUMNS, COMMANDS, Column, DATE, GROUP_GAMES, Kind, UTC_DATE};
use super::record::{Place, Record, TagValue};
use super::squares::PackedSquares;
use super::summary::Summary;
use super::warnings::{self, Kept};
use crate::game::Rules;
use crate::limits::InterruptHandle;

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
        let dates = [DATE, UTC_DATE].map(|column| match &record.tags[column] {
            Some(TagValue::Text(date)) => values.get(date.clone()),
            Some(TagValue::Number(_)) | None => None,
        });
        let (has_pgn, has_variations) = (record.pgn.is_some(), record.variations.is_some());
        self.summary.add(&record.facts, dates, has_pgn, has_variations);
        for (index, tag) in record.tags.into_iter().enumerate() {
            match tag {
                Some(TagValue::Number(number)) => self.columns[index].small(Some(number)),
                Some(TagValue::Text(text)) => self.columns[index].bytes(Some(ByteArray::from(values.slice(text)))),
                None => self.columns[index].none(),
            }
        }
        let number = |number: u64| i64::from_ne_bytes(number.to_ne_bytes());
        let facts = &record.facts;
        self.boards.add(&values[record.boards], record.ever);
        let at = |place: Option<Place>| place.map(|place| values.slice(place));
        self.bytes_of(Column::OtherTags, at(record.other_tags));
        self.bytes_of(Column::TagOrder, at(Some(record.tag_order)));
        self.bytes_of(Column::Movetext, at(Some(record.movetext)));
        self.bytes_of(Column::Movedata, at(record.movedata));
        self.bytes_of(Column::Line, at(record.line));
        self.bytes_of(Column::Variations, at(record.variations));
        self.cells(Column::Outcome).small(Some(record.outcome));
        self.cells(Column::Plies)
            .small(Some(i32::try_from(facts.plies).unwrap_or(i32::MAX)));
        self.cells(Column::Events)
            .small(Some(i32::from_ne_bytes(facts.events.0.to_ne_bytes())));
        self.cells(Column::PiecesLeast).large(Some(number(facts.least.0)));
        self.cells(Column::PiecesMost).large(Some(number(facts.most.0)));
        self.cells(Column::Source).bytes(Some(source.clone()));
        self.cells(Column::SourceLine).large(Some(number(record.source_line)));
        self.bytes_of(Column::Warnings, warnings::to_text(kept)?.map(Bytes::from));
        self.bytes_of(Column::Pgn, at(record.pgn));
        for (column, values) in COMMANDS.into_iter().zip(record.commands.0) {
            self.bytes_of(column, values.map(Bytes::from));
        }
        Ok(())
    }

    /// Adds a row of another database, with its warnings.
    pub(super) fn push_row(&mut self, rows: &Decoded, index: usize, kept: &[Kept], rules: Rules) -> io::Result<()> {
        rows.summarize(index, &mut self.summary);
        self.boards.add_row(rows, index, rules);
        let mut bytes = 0;
        for (column, (cells, values)) in self.columns.iter_mut().zip(&rows.columns).enumerate() {
            if column == Column::Warnings.index() {
                cells.bytes(warnings::to_text(kept)?.map(|text| ByteArray::from(text.into_bytes())));
                continue;
            }
            match values {
                _ if column == Column::Events.index() => {
                    cells.small(Some(rows.events(index).0.cast_signed()));
                }
                DecodedColumn::Small(numbers) => cells.small(numbers.get(index)),
                DecodedColumn::Large(numbers) => cells.large(numbers.get(index)),
                DecodedColumn::Bytes(texts) => {
                    let text = texts.shared(index);
                    bytes += text.as_ref().map_or(0, ByteArray::len);
                    cells.bytes(text);
                }
            }
        }
        self.count(bytes);
        Ok(())
    }

    fn cells(&mut self, column: Column) -> &mut Cells {
        &mut self.columns[column.index()]
    }

    fn bytes_of(&mut self, column: Column, value: Option<Bytes>) {
        self.cells(column).bytes(value.map(ByteArray::from));
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

    fn none(&mut self) {
        match self {
            Cells::Bytes(values) => values.push(None),
            Cells::Small(values) => values.push(None),
            Cells::Large(values) => values.push(None),
        }
    }

    pub(super) fn bytes(&mut self, value: Option<ByteArray>) {
        if let Cells::Bytes(values) = self {
            values.push(value);
        }
    }

    fn small(&mut self, value: Option<i32>) {
        if let Cells::Small(values) = self {
            values.push(value);
        }
    }

    fn large(&mut self, value: Option<i64>) {
        if let Cells::Large(values) = self {
            values.push(value);
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
