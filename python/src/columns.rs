//! Games in the columns of Arrow.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::temporal_conversions::{date32_to_datetime, date64_to_datetime};
use arrow_array::types::{
    ArrowPrimitiveType, ByteArrayType, ByteViewType, Date32Type, Date64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{
    Array, ArrayRef, GenericByteArray, GenericByteViewArray, GenericListArray, OffsetSizeTrait, PrimitiveArray,
    RecordBatch,
};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{DataType, TimeUnit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use skewer::{GameTable, Games, Options};

use crate::error;

/// The batches of something that Arrow knows: a table or a stream, one batch, or a list of these.
///
/// # Errors
/// If it is none of these, or reading it fails.
pub(crate) fn batches(given: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    if given.hasattr("__arrow_c_stream__")? {
        let stream = RecordBatchStreamReader::from_pyarrow_bound(given)?;
        let batches: Result<Vec<_>, _> = given.py().detach(|| stream.collect());
        return batches.map_err(|error| error::Error::new_err(format!("cannot read the batches: {error}")));
    }
    if given.hasattr("__arrow_c_array__")? {
        return Ok(vec![RecordBatch::from_pyarrow_bound(given)?]);
    }
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let each = given.try_iter()?.map(|given| batches(&given?));
        return Ok(each.collect::<PyResult<Vec<_>>>()?.concat());
    }
    let kind = given.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "games in columns are an Arrow table or stream (of pyarrow, Polars, DuckDB, pandas) or a list of record batches, not {kind}"
    )))
}

/// The games of batches, with the columns that a search for queries reads. They are numbered by their rows, from 1.
pub(crate) fn games(batches: &[RecordBatch], queries: &[skewer::Query], options: &Options) -> Games {
    let queries: Vec<&skewer::Query> = queries.iter().collect();
    batches
        .iter()
        .map(|batch| Games::of_table("<batches>", table(batch, &queries, options)))
        .collect()
}

fn table(batch: &RecordBatch, queries: &[&skewer::Query], options: &Options) -> GameTable {
    let schema = batch.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let mut read = skewer::columns_read(queries, &names, options);
    if names.contains(&"outcome") {
        // Text that is there is used where the columns do not tell a game.
        read.extend(["movetext", "tag_order", "other_tags"]);
    }
    let mut table = GameTable::new(batch.num_rows());
    for (name, array) in names.iter().zip(batch.columns()) {
        if read.contains(name) {
            table = with_column(table, name, array);
        }
    }
    table
}

/// A table with one more column; without it if it holds nothing that games have.
fn with_column(table: GameTable, name: &str, array: &ArrayRef) -> GameTable {
    match array.data_type() {
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
        DataType::Null => table.numbers(name, []),
        DataType::Date32 => shown::<Date32Type>(table, name, array, |days| {
            date32_to_datetime(days).map(|date| date.format("%Y.%m.%d").to_string())
        }),
        DataType::Date64 => shown::<Date64Type>(table, name, array, |milliseconds| {
            date64_to_datetime(milliseconds).map(|date| date.format("%Y.%m.%d").to_string())
        }),
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
        DataType::Dictionary(..) => dictionary(table, name, array),
        DataType::List(_) => lists::<i32>(table, name, array.as_list()),
        DataType::LargeList(_) => lists::<i64>(table, name, array.as_list()),
        _ => table,
    }
}

/// A column whose bytes are shared with Arrow.
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

/// A column of lists of numbers; the table without it if they are lists of something else.
fn lists<O: OffsetSizeTrait>(table: GameTable, name: &str, array: &GenericListArray<O>) -> GameTable {
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

/// The numbers of lists; those that are too large are missing.
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

/// A column whose values stand in several places, copied together.
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

/// A column of dates or times, as tags of PGN have them.
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

/// A column of texts of which each is there once; without it if they are no texts.
fn dictionary(table: GameTable, name: &str, array: &ArrayRef) -> GameTable {
    let dictionary = array.as_any_dictionary();
    let keys = dictionary.normalized_keys();
    let values = Arc::clone(dictionary.values());
    let text: Box<dyn Fn(usize) -> Option<String>> = match values.data_type() {
        DataType::Utf8 => {
            let texts = values.as_string::<i32>().clone();
            Box::new(move |key| texts.is_valid(key).then(|| texts.value(key).to_owned()))
        }
        DataType::LargeUtf8 => {
            let texts = values.as_string::<i64>().clone();
            Box::new(move |key| texts.is_valid(key).then(|| texts.value(key).to_owned()))
        }
        DataType::Utf8View => {
            let texts = values.as_string_view().clone();
            Box::new(move |key| texts.is_valid(key).then(|| texts.value(key).to_owned()))
        }
        _ => return table,
    };
    let of_row = |(row, key): (usize, &usize)| array.is_valid(row).then(|| text(*key)).flatten();
    copied(table, name, keys.iter().enumerate().map(of_row), true)
}
