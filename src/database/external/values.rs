//! The values of another program's columns, of any type.

use std::borrow::Cow;
use std::io;

use parquet::basic::{ConvertedType, Encoding, LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{BoolType, ByteArray, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int96};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;

use crate::database::columns::Cells;
use crate::database::error::damaged;
use crate::database::panic_guard;
use crate::game::{self, GameTable};

/// The most bytes of values with shared prefixes, for the games that are read at once.
const MOST_BYTES: usize = 64 << 20;

/// The largest distances from 1970, in days, milliseconds and microseconds, that are certainly dates of a calendar.
const MOST_DAYS: i32 = 90_000_000;
const MOST_MILLISECONDS: u64 = 7_000_000_000_000_000;
const MOST_MICROSECONDS: u64 = MOST_MILLISECONDS * 1000;

/// A column of a row group that is read from its first game to its last.
pub(super) trait Stream: Send {
    /// Returns the values of the next games.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or if there are not enough.
    fn next(&mut self, games: usize) -> io::Result<Box<dyn Values>>;
}

/// The values of a column for a few games.
pub(super) trait Values: Send + Sync {
    /// Returns a value as it is written in a tag, or `None` if it cannot be written there.
    fn shown(&self, game: usize) -> Option<Cow<'_, str>>;
    /// Returns the bytes of a value, or `None` for a number.
    fn bytes(&self, game: usize) -> Option<&[u8]>;
    /// Returns the elements of a list of numbers, or nothing for any other value.
    fn numbers(&self, _game: usize) -> &[Option<i32>] {
        &[]
    }
    /// Returns roughly how many bytes a value takes in the text of its game, if it can be large.
    fn size(&self, game: usize) -> usize {
        self.bytes(game).map_or(0, <[u8]>::len)
    }
}

/// Returns a stream of the values of a column of a row group.
pub(super) fn stream(reader: ColumnReader, column: &ColumnChunkMetaData) -> Box<dyn Stream> {
    fn typed<T: DataType<T: Sync>>(
        reader: ColumnReaderImpl<T>,
        column: &ColumnChunkMetaData,
        shown: Show<T>,
        bytes: fn(&T::T) -> Option<&[u8]>,
    ) -> Box<dyn Stream> {
        Box::new(TypedStream {
            reader,
            descriptor: column.column_descr_ptr(),
            shares_prefixes: column
                .encodings()
                .any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY),
            shown,
            bytes,
        })
    }
    let descriptor = column.column_descr_ptr();
    let has_lists = descriptor.max_rep_level() > 0;
    match reader {
        ColumnReader::Int32ColumnReader(reader) if has_lists => Box::new(ListStream { reader, descriptor }),
        ColumnReader::ByteArrayColumnReader(reader) if has_lists => Box::new(ListStream { reader, descriptor }),
        ColumnReader::BoolColumnReader(reader) => {
            let shown: Show<BoolType> = |value, descriptor| of_field(&Field::convert_bool(descriptor, *value));
            typed(reader, column, shown, |_| None)
        }
        ColumnReader::Int32ColumnReader(reader) => typed(reader, column, of_int32, |_| None),
        ColumnReader::Int64ColumnReader(reader) => typed(reader, column, of_int64, |_| None),
        ColumnReader::Int96ColumnReader(reader) => typed(reader, column, of_int96, |_| None),
        ColumnReader::FloatColumnReader(reader) => {
            let shown: Show<FloatType> = |value, descriptor| of_field(&Field::convert_float(descriptor, *value));
            typed(reader, column, shown, |_| None)
        }
        ColumnReader::DoubleColumnReader(reader) => {
            let shown: Show<DoubleType> = |value, descriptor| of_field(&Field::convert_double(descriptor, *value));
            typed(reader, column, shown, |_| None)
        }
        ColumnReader::ByteArrayColumnReader(reader) => typed(reader, column, of_bytes, |value| Some(value.data())),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            let shown: Show<FixedLenByteArrayType> = |value, descriptor| of_bytes(value, descriptor);
            typed(reader, column, shown, |value| Some(value.data()))
        }
    }
}

/// Returns a value as it is written in a tag, or `None` if it cannot be written there.
type Show<T> = for<'a> fn(&'a <T as DataType>::T, &ColumnDescPtr) -> Option<Cow<'a, str>>;

/// A column of lists.
struct ListStream<T: DataType> {
    reader: ColumnReaderImpl<T>,
    descriptor: ColumnDescPtr,
}

/// Lists of numbers or of texts.
struct Lists<E> {
    elements: Vec<Option<E>>,
    /// The end of each game's list.
    ends: Vec<usize>,
}

impl<T: DataType<T: Sync>> Stream for ListStream<T>
where
    Lists<T::T>: Values + 'static,
{
    fn next(&mut self, games: usize) -> io::Result<Box<dyn Values>> {
        let (mut depths, mut repetitions, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let (records, ..) = panic_guard::decode(|| {
            let depths = Some(&mut depths);
            self.reader
                .read_records(games, depths, Some(&mut repetitions), &mut numbers)
        })?;
        if records != games || depths.len() != repetitions.len() {
            return Err(damaged("it does not have a list for every game"));
        }
        let deepest = self.descriptor.max_def_level();
        let has_gaps = self.descriptor.self_type().is_optional();
        let mut lists = Lists {
            elements: Vec::new(),
            ends: Vec::new(),
        };
        let mut numbers = numbers.into_iter();
        for (index, (depth, repetition)) in depths.into_iter().zip(repetitions).enumerate() {
            if repetition == 0 && index > 0 {
                lists.ends.push(lists.elements.len());
            }
            if depth == deepest {
                lists.elements.push(numbers.next());
            } else if has_gaps && depth + 1 == deepest {
                lists.elements.push(None);
            }
        }
        lists.ends.push(lists.elements.len());
        Ok(Box::new(lists))
    }
}

impl<E> Lists<E> {
    /// Returns the elements of the list of a game.
    fn list(&self, game: usize) -> &[Option<E>] {
        let start = game
            .checked_sub(1)
            .map_or(Some(0), |before| self.ends.get(before).copied());
        let list = start
            .zip(self.ends.get(game))
            .and_then(|(start, end)| self.elements.get(start..*end));
        list.unwrap_or_default()
    }
}

impl Values for Lists<i32> {
    fn shown(&self, _game: usize) -> Option<Cow<'_, str>> {
        None
    }

    fn bytes(&self, _game: usize) -> Option<&[u8]> {
        None
    }

    fn numbers(&self, game: usize) -> &[Option<i32>] {
        self.list(game)
    }

    fn size(&self, game: usize) -> usize {
        size_of_numbers(self.list(game))
    }
}

impl Values for Lists<ByteArray> {
    fn size(&self, game: usize) -> usize {
        let texts = self.list(game).iter().flatten();
        texts.map(|text| text.len() + 1).sum()
    }

    /// Returns the texts, separated by spaces.
    fn shown(&self, game: usize) -> Option<Cow<'_, str>> {
        let texts = self.list(game).iter().flatten();
        let texts: Vec<_> = texts.map(|text| String::from_utf8_lossy(text.data())).collect();
        Some(Cow::Owned(texts.join(" ")))
    }

    fn bytes(&self, _game: usize) -> Option<&[u8]> {
        None
    }
}

/// Returns the size of a list whose elements become words of commands.
fn size_of_numbers(list: &[Option<i32>]) -> usize {
    const ELEMENT: usize = 20;
    ELEMENT * list.len()
}

/// Returns the values of a column of a table, by its index.
pub(super) fn of_table(table: &GameTable, column: usize) -> Box<dyn Values> {
    Box::new(TableValues {
        table: table.clone(),
        column,
    })
}

struct TableValues {
    table: GameTable,
    column: usize,
}

impl TableValues {
    fn values(&self) -> Option<&game::Values> {
        self.table.columns().get(self.column).map(|(_, values)| values)
    }
}

impl Values for TableValues {
    fn shown(&self, game: usize) -> Option<Cow<'_, str>> {
        match self.values()? {
            values @ game::Values::Numbers(_) => values.number(game).map(|number| Cow::Owned(number.to_string())),
            values @ game::Values::Bytes { are_texts: true, .. } => values.value(game).map(String::from_utf8_lossy),
            game::Values::Bytes { .. } | game::Values::Lists { .. } => None,
        }
    }

    fn bytes(&self, game: usize) -> Option<&[u8]> {
        self.values()?.value(game)
    }

    fn numbers(&self, game: usize) -> &[Option<i32>] {
        self.values().map_or(&[], |values| values.list(game))
    }

    fn size(&self, game: usize) -> usize {
        self.bytes(game)
            .map_or_else(|| size_of_numbers(self.numbers(game)), <[u8]>::len)
    }
}

struct TypedStream<T: DataType> {
    reader: ColumnReaderImpl<T>,
    descriptor: ColumnDescPtr,
    /// Whether values are written as what they share with the previous one and the rest, so that they may have more bytes than their page.
    shares_prefixes: bool,
    shown: Show<T>,
    bytes: fn(&T::T) -> Option<&[u8]>,
}

struct TypedValues<T: DataType> {
    cells: Cells<T>,
    descriptor: ColumnDescPtr,
    shown: Show<T>,
    bytes: fn(&T::T) -> Option<&[u8]>,
}

impl<T: DataType> TypedStream<T> {
    /// Takes values one by one, as long as there is room for them.
    fn fill_slowly(&mut self, cells: &mut Cells<T>, games: usize) -> io::Result<()> {
        let mut bytes = 0;
        for game in 0..games {
            cells.fill_more(&mut self.reader, 1)?;
            bytes += cells.value(game).and_then(self.bytes).map_or(0, <[u8]>::len);
            if bytes > MOST_BYTES {
                return Err(damaged("values of more than 64 MB"));
            }
        }
        Ok(())
    }
}

impl<T: DataType<T: Sync>> Stream for TypedStream<T> {
    fn next(&mut self, games: usize) -> io::Result<Box<dyn Values>> {
        let mut cells = Cells::default();
        if self.shares_prefixes {
            self.fill_slowly(&mut cells, games)?;
        } else {
            cells.fill(&mut self.reader, games)?;
        }
        Ok(Box::new(TypedValues {
            cells,
            descriptor: self.descriptor.clone(),
            shown: self.shown,
            bytes: self.bytes,
        }))
    }
}

impl<T: DataType<T: Sync>> Values for TypedValues<T> {
    fn shown(&self, game: usize) -> Option<Cow<'_, str>> {
        (self.shown)(self.cells.value(game)?, &self.descriptor)
    }

    fn bytes(&self, game: usize) -> Option<&[u8]> {
        (self.bytes)(self.cells.value(game)?)
    }
}

/// Returns a number, a date or a time as it is written in a tag.
fn of_field(field: &Field) -> Option<Cow<'static, str>> {
    let text = field.to_string();
    Some(Cow::Owned(match field {
        Field::Bytes(_) => return None,
        // Dates in PGN have dots.
        Field::Date(_) => text.replace('-', "."),
        // Times in PGN end with seconds.
        Field::TimeMillis(_) | Field::TimeMicros(_) => text.split('.').next()?.to_owned(),
        // A day, with its time if it has one.
        Field::TimestampMillis(_) | Field::TimestampMicros(_) => {
            let (day, time) = text.split_once(' ')?;
            let (day, time) = (day.replace('-', "."), time.split(['.', ' ']).next()?);
            if time == "00:00:00" {
                day
            } else {
                format!("{day} {time}")
            }
        }
        // Programs whose integers cannot be missing use NaN instead.
        Field::Float(number) if number.is_nan() => return None,
        Field::Double(number) if number.is_nan() => return None,
        Field::Float(_) | Field::Double(_) => text.strip_suffix(".0").unwrap_or(&text).to_owned(),
        _ => text,
    }))
}

fn of_int32(value: &i32, descriptor: &ColumnDescPtr) -> Option<Cow<'static, str>> {
    let is_date = descriptor.converted_type() == ConvertedType::DATE;
    if is_date && !(-MOST_DAYS..=MOST_DAYS).contains(value) {
        return None;
    }
    of_field(&Field::convert_int32(descriptor, *value))
}

fn of_int64(value: &i64, descriptor: &ColumnDescPtr) -> Option<Cow<'static, str>> {
    if let Some(LogicalType::Timestamp(time)) = descriptor.logical_type_ref()
        && time.unit == TimeUnit::NANOS
    {
        // Every value is a date.
        return of_field(&Field::TimestampMicros(value / 1000));
    }
    let most = match descriptor.converted_type() {
        ConvertedType::TIMESTAMP_MILLIS => MOST_MILLISECONDS,
        ConvertedType::TIMESTAMP_MICROS => MOST_MICROSECONDS,
        _ => u64::MAX,
    };
    let is_shown = value.unsigned_abs() <= most;
    is_shown
        .then(|| Field::convert_int64(descriptor, *value))
        .as_ref()
        .and_then(of_field)
}

fn of_int96(value: &Int96, descriptor: &ColumnDescPtr) -> Option<Cow<'static, str>> {
    // Nanoseconds of a day and the number of the day; together they must be a date.
    let is_date = i32::try_from(value.data()[2]).is_ok_and(|day| day <= MOST_DAYS);
    is_date
        .then(|| Field::convert_int96(descriptor, *value))
        .as_ref()
        .and_then(of_field)
}

fn of_bytes<'a>(value: &'a ByteArray, descriptor: &ColumnDescPtr) -> Option<Cow<'a, str>> {
    match descriptor.converted_type() {
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Some(String::from_utf8_lossy(value.data())),
        ConvertedType::INTERVAL => None,
        _ => of_field(&Field::convert_byte_array(descriptor, value.clone()).ok()?),
    }
}
