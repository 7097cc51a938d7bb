//! Games in the columns of Arrow tables.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::temporal_conversions::as_datetime;
use arrow_array::types::{
    ArrowPrimitiveType, ByteArrayType, ByteViewType, Date32Type, Date64Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, GenericByteArray, GenericByteViewArray, GenericListArray, OffsetSizeTrait, PrimitiveArray,
    RecordBatch,
};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{DataType, TimeUnit};
use arrow_select::take::take;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use skewer::{GameTable, Games, Options};

use crate::error::{self, Error};

/// Reads games from Arrow data, with the columns that a search for the queries needs: a table or a stream, one batch, or several of
/// these. The games are numbered by their rows, from 1.
///
/// # Errors
/// Returns an error if `given` is none of these, if reading fails, or if a column that is needed does not fit games.
pub(crate) fn games(given: &Bound<'_, PyAny>, queries: &[skewer::Query], options: &Options) -> PyResult<Games> {
    let queries: Vec<&skewer::Query> = queries.iter().collect();
    games_of(given, &|columns| skewer::columns_read(&queries, columns, options))
}

/// Returns which of these columns are read.
type ColumnsRead<'r> = dyn for<'a> Fn(&[&'a str]) -> Vec<&'a str> + Sync + 'r;

/// Reads games as [`games`] does, with the columns that `columns_read` chooses.
///
/// # Errors
/// Returns the same errors as [`games`].
pub(crate) fn games_of(given: &Bound<'_, PyAny>, columns_read: &ColumnsRead<'_>) -> PyResult<Games> {
    let reading = Reading { columns_read };
    let mut tables = Vec::new();
    reading.add(given, &mut tables)?;
    Ok(tables
        .into_iter()
        .map(|table| Games::of_table("<batches>", table))
        .collect())
}

/// Returns positions from a column of FENs.
pub(crate) fn positions(fens: &ArrayRef) -> PyResult<Games> {
    let table = with_column(GameTable::new(fens.len()), "fen", fens)?;
    Ok(Games::of_table("<positions>", table))
}

/// Reads tables.
struct Reading<'r> {
    columns_read: &'r ColumnsRead<'r>,
}

impl Reading<'_> {
    /// Adds the batches of `given` to the tables one by one, so that unread columns are soon freed.
    fn add(&self, given: &Bound<'_, PyAny>, tables: &mut Vec<GameTable>) -> PyResult<()> {
        if given.hasattr("__arrow_c_stream__")? {
            let stream =
                RecordBatchStreamReader::from_pyarrow_bound(given).map_err(|error| unfit(given, Some(error)))?;
            return given.py().detach(|| {
                for batch in stream {
                    let batch = batch.map_err(|error| Error::new_err(format!("cannot read the batches: {error}")))?;
                    tables.push(self.table(&batch)?);
                }
                Ok(())
            });
        }
        if given.hasattr("__arrow_c_array__")? {
            let batch = RecordBatch::from_pyarrow_bound(given).map_err(|error| unfit(given, Some(error)))?;
            tables.push(self.table(&batch)?);
            return Ok(());
        }
        let holds_others = given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>();
        if !holds_others && !given.hasattr("__next__")? {
            return Err(unfit(given, None));
        }
        given.try_iter()?.try_for_each(|given| self.add(&given?, tables))
    }

    fn table(&self, batch: &RecordBatch) -> PyResult<GameTable> {
        let schema = batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let mut read = (self.columns_read)(&names);
        if names.contains(&"outcome") {
            // Text is used, if it is there, for games that the columns do not express completely.
            read.extend(["movetext", "tag_order", "other_tags"]);
        }
        let mut table = GameTable::new(batch.num_rows());
        for (name, array) in names.iter().zip(batch.columns()) {
            if read.contains(name) {
                table = with_column(table, name, array)?;
            }
        }
        Ok(table)
    }
}

/// Returns the error for data that cannot be read as games.
fn unfit(given: &Bound<'_, PyAny>, cause: Option<PyErr>) -> PyErr {
    let kind = given.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let error = PyTypeError::new_err(format!(
        "games in columns are an Arrow table or stream (of pyarrow, Polars, DuckDB, pandas) or a list of record batches, not {kind}"
    ));
    error.set_cause(given.py(), cause);
    error
}

/// Adds a column without any values to a table.
fn unknown(table: GameTable, name: &str) -> GameTable {
    match name {
        "movedata" | "pgn" => table.bytes(name, [], []),
        _ => table.texts(name, [], []),
    }
}

/// Adds a column to a table.
///
/// # Errors
/// Returns an error if the column has values that games do not have.
fn with_column(table: GameTable, name: &str, array: &ArrayRef) -> PyResult<GameTable> {
    Ok(match array.data_type() {
        _ if array.logical_null_count() == array.len() => unknown(table, name),
        DataType::Utf8 => bytes(table, name, array.as_string::<i32>(), true),
        DataType::LargeUtf8 => bytes(table, name, array.as_string::<i64>(), true),
        DataType::Binary => bytes(table, name, array.as_binary::<i32>(), false),
        DataType::LargeBinary => bytes(table, name, array.as_binary::<i64>(), false),
        DataType::Utf8View => views(table, name, array.as_string_view(), true),
        DataType::BinaryView => views(table, name, array.as_binary_view(), false),
        DataType::Int8 => numbers::<Int8Type>(table, name, array),
        DataType::Int16 => numbers::<Int16Type>(table, name, array),
        DataType::Int32 => numbers::<Int32Type>(table, name, array),
        DataType::Int64 => numbers::<Int64Type>(table, name, array),
        DataType::UInt8 => numbers::<UInt8Type>(table, name, array),
        DataType::UInt16 => numbers::<UInt16Type>(table, name, array),
        DataType::UInt32 => numbers::<UInt32Type>(table, name, array),
        DataType::UInt64 => {
            let numbers: &PrimitiveArray<UInt64Type> = array.as_primitive();
            table.numbers(name, numbers.iter().map(|number| number?.try_into().ok()))
        }
        DataType::Float32 => fractions::<Float32Type>(table, name, array),
        DataType::Float64 => fractions::<Float64Type>(table, name, array),
        DataType::Boolean => {
            let text = |value: Option<bool>| value.map(|value| if value { "true" } else { "false" });
            copied(table, name, array.as_boolean().iter().map(text), true)
        }
        DataType::Date32 => times::<Date32Type>(table, name, array),
        DataType::Date64 => times::<Date64Type>(table, name, array),
        DataType::Time32(TimeUnit::Second) => {
            shown::<Time32SecondType>(table, name, array, |time| clock(i64::from(time)))
        }
        DataType::Time32(_) => {
            shown::<Time32MillisecondType>(table, name, array, |time| clock(i64::from(time) / 1_000))
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            shown::<Time64MicrosecondType>(table, name, array, |time| clock(time / 1_000_000))
        }
        DataType::Time64(_) => shown::<Time64NanosecondType>(table, name, array, |time| clock(time / 1_000_000_000)),
        DataType::Timestamp(TimeUnit::Second, _) => times::<TimestampSecondType>(table, name, array),
        DataType::Timestamp(TimeUnit::Millisecond, _) => times::<TimestampMillisecondType>(table, name, array),
        DataType::Timestamp(TimeUnit::Microsecond, _) => times::<TimestampMicrosecondType>(table, name, array),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => times::<TimestampNanosecondType>(table, name, array),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let plain = take(dictionary.values(), dictionary.keys(), None);
            with_column(table, name, &plain.map_err(|error| error::of_table(&error))?)?
        }
        DataType::List(_) => lists::<i32>(table, name, array.as_list()),
        DataType::LargeList(_) => lists::<i64>(table, name, array.as_list()),
        // Columns of other types, such as structs, are not tags.
        _ => table,
    })
}

/// Adds a column whose bytes are shared with Arrow.
fn bytes<T: ByteArrayType<Offset: Into<i64>>>(
    table: GameTable,
    name: &str,
    array: &GenericByteArray<T>,
    are_texts: bool,
) -> GameTable {
    let offsets = array.offsets();
    let offset = |row: usize| usize::try_from(offsets[row].into()).unwrap_or(usize::MAX);
    let place = |row: usize| -> Option<Range<usize>> { array.is_valid(row).then(|| offset(row)..offset(row + 1)) };
    let (values, places) = (array.values().clone(), (0..array.len()).map(place));
    match are_texts {
        true => table.texts(name, values, places),
        false => table.bytes(name, values, places),
    }
}

/// Adds a column of lists of numbers. Lists of texts are joined by spaces to one text. Other lists are left out.
fn lists<O: OffsetSizeTrait>(table: GameTable, name: &str, array: &GenericListArray<O>) -> GameTable {
    let texts = |row: usize| array.is_valid(row).then(|| joined(&array.value(row))).flatten();
    if (0..array.len()).any(|row| texts(row).is_some()) {
        return copied(table, name, (0..array.len()).map(texts), true);
    }
    let Some(elements) = elements(array.values()) else {
        return table;
    };
    let offsets = array.value_offsets();
    let place = |row: usize| {
        array
            .is_valid(row)
            .then(|| offsets[row].as_usize()..offsets[row + 1].as_usize())
    };
    table.lists(name, elements, (0..array.len()).map(place))
}

/// Joins texts by spaces. Returns `None` if they are not texts.
fn joined(array: &ArrayRef) -> Option<String> {
    let words: Vec<&str> = match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().flatten().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().flatten().collect(),
        DataType::Utf8View => array.as_string_view().iter().flatten().collect(),
        _ => return None,
    };
    Some(words.join(" "))
}

/// Returns the numbers of lists. Numbers that are too large are `None`.
fn elements(array: &ArrayRef) -> Option<Vec<Option<i32>>> {
    fn small<T: ArrowPrimitiveType<Native: TryInto<i32>>>(array: &ArrayRef) -> Vec<Option<i32>> {
        let numbers: &PrimitiveArray<T> = array.as_primitive();
        numbers.iter().map(|number| number?.try_into().ok()).collect()
    }
    Some(match array.data_type() {
        DataType::Int8 => small::<Int8Type>(array),
        DataType::Int16 => small::<Int16Type>(array),
        DataType::Int32 => small::<Int32Type>(array),
        DataType::Int64 => small::<Int64Type>(array),
        DataType::UInt8 => small::<UInt8Type>(array),
        DataType::UInt16 => small::<UInt16Type>(array),
        DataType::UInt32 => small::<UInt32Type>(array),
        _ => return None,
    })
}

/// Adds a column whose values are in several buffers, by copying them.
fn views<T: ByteViewType>(table: GameTable, name: &str, array: &GenericByteViewArray<T>, are_texts: bool) -> GameTable {
    let values = (0..array.len()).map(|row| {
        let value: Option<&[u8]> = array.is_valid(row).then(|| array.value(row).as_ref());
        value
    });
    copied(table, name, values, are_texts)
}

fn copied<V: AsRef<[u8]>>(
    table: GameTable,
    name: &str,
    values: impl Iterator<Item = Option<V>>,
    are_texts: bool,
) -> GameTable {
    let mut all = Vec::new();
    let places: Vec<_> = values
        .map(|value| {
            let start = all.len();
            all.extend_from_slice(value?.as_ref());
            Some(start..all.len())
        })
        .collect();
    match are_texts {
        true => table.texts(name, all, places),
        false => table.bytes(name, all, places),
    }
}

fn numbers<T: ArrowPrimitiveType<Native: Into<i64>>>(table: GameTable, name: &str, array: &ArrayRef) -> GameTable {
    let array: &PrimitiveArray<T> = array.as_primitive();
    table.numbers(name, array.iter().map(|number| number.map(Into::into)))
}

/// Adds a column of floating-point numbers, which some programs use for whole numbers with gaps.
fn fractions<T: ArrowPrimitiveType<Native: Into<f64>>>(table: GameTable, name: &str, array: &ArrayRef) -> GameTable {
    /// Up to this limit, a float represents every whole number exactly.
    const MOST: f64 = 9e15;
    let array: &PrimitiveArray<T> = array.as_primitive();
    let known = || {
        array
            .iter()
            .map(|number| number.map(Into::into).filter(|number| !number.is_nan()))
    };
    let are_whole = known()
        .flatten()
        .all(|number| number.fract() == 0.0 && number.abs() <= MOST);
    match are_whole {
        true => table.numbers(name, known().map(|number| number.map(|number| number as i64))),
        false => copied(
            table,
            name,
            known().map(|number| number.map(|number| number.to_string())),
            true,
        ),
    }
}

/// Adds a column of timestamps, with days in the form of PGN tags.
fn times<T: ArrowPrimitiveType<Native: Into<i64>>>(table: GameTable, name: &str, array: &ArrayRef) -> GameTable {
    shown::<T>(table, name, array, |time| {
        let text = as_datetime::<T>(time.into())?.format("%Y.%m.%d %H:%M:%S").to_string();
        Some(text.strip_suffix(" 00:00:00").unwrap_or(&text).to_owned())
    })
}

/// Adds a column of dates or times, in the form of PGN tags.
fn shown<T: ArrowPrimitiveType>(
    table: GameTable,
    name: &str,
    array: &ArrayRef,
    show: impl Fn(T::Native) -> Option<String>,
) -> GameTable {
    let array: &PrimitiveArray<T> = array.as_primitive();
    copied(table, name, array.iter().map(|value| value.and_then(&show)), true)
}

fn clock(seconds: i64) -> Option<String> {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    (0..86_400)
        .contains(&seconds)
        .then(|| format!("{hours:02}:{minutes:02}:{:02}", seconds % 60))
}
