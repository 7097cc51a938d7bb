//! The cells of a table, column by column.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::groups::{Distribution, KeyValue};
use super::interval::Share;
use super::key::{Key, NamedKey};
use super::table::{KeyColumn, Row, Table, shown};
#[cfg(feature = "cli")]
use crate::output::Holds;

/// A column after those of the keys, whose name no key may have.
pub(super) struct Column {
    pub(super) name: &'static str,
    /// The type of its values in a file.
    #[cfg(feature = "cli")]
    pub(super) holds: Holds,
    cell: for<'r> fn(&'r Row) -> Cell<'r>,
}

const fn integers(name: &'static str, cell: for<'r> fn(&'r Row) -> Cell<'r>) -> Column {
    Column {
        name,
        #[cfg(feature = "cli")]
        holds: Holds::Numbers,
        cell,
    }
}

const fn reals(name: &'static str, cell: for<'r> fn(&'r Row) -> Cell<'r>) -> Column {
    Column {
        name,
        #[cfg(feature = "cli")]
        holds: Holds::Reals,
        cell,
    }
}

/// The column with the number of games that shares are computed from. Its name is the [base](Table::base) of the table.
const BASES: [Column; 2] = [
    integers("searched", |row| integer(row.base)),
    integers("matching", |row| integer(row.base)),
];

/// The columns of every table.
const COUNTS: [Column; 14] = [
    integers("games", |row| integer(row.tally.games)),
    integers("positions", |row| integer(row.tally.positions)),
    reals("share", |row| end(row.share(), |share| share.value)),
    reals("share_low", |row| end(row.share(), |share| share.low)),
    reals("share_high", |row| end(row.share(), |share| share.high)),
    integers("wins", |row| integer(row.tally.wins)),
    integers("draws", |row| integer(row.tally.draws)),
    integers("losses", |row| integer(row.tally.losses)),
    reals("score", |row| end(row.score(), |score| score.value)),
    reals("score_low", |row| end(row.score(), |score| score.low)),
    reals("score_high", |row| end(row.score(), |score| score.high)),
    reals("rating", |row| real(row.rating(), 100.0)),
    integers("first_year", |row| year(row.years().map(|(first, _)| first))),
    integers("last_year", |row| year(row.years().map(|(_, last)| last))),
];

/// The columns for a value that was measured.
const VALUES: [Column; 7] = [
    integers("values", |row| integer(row.values.len())),
    reals("mean", |row| real(row.values.mean(), 1e6)),
    reals("min", |row| quantile(row, 0.0)),
    reals("lower_quartile", |row| quantile(row, 0.25)),
    reals("median", |row| quantile(row, 0.5)),
    reals("upper_quartile", |row| quantile(row, 0.75)),
    reals("max", |row| quantile(row, 1.0)),
];

/// The column that says how often each measured value occurs.
const HISTOGRAM: Column = Column {
    name: "histogram",
    // A table in a file has no values with parts.
    #[cfg(feature = "cli")]
    holds: Holds::Texts,
    cell: |row| Cell::Counts(&row.values),
};

/// Why keys cannot be in one table, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeyConflict {
    pub(crate) message: String,
    pub(crate) advice: &'static str,
}

/// Checks that each column of these keys has a name of its own.
///
/// # Errors
/// Returns an error if two columns have the same name.
pub(crate) fn check_names(keys: &[NamedKey]) -> Result<(), KeyConflict> {
    let own = || BASES.iter().chain(&COUNTS).chain(&VALUES).chain([&HISTOGRAM]);
    for (place, key) in keys.iter().enumerate() {
        // A table of several queries has this column anyway.
        let is_taken = key.name == "query" && key.key != Key::Query;
        if is_taken || own().any(|known| known.name == key.name) {
            return Err(KeyConflict {
                message: format!("`{}` is the name of another column", key.name),
                advice: "give the key another name: `my_name=...`",
            });
        }
        if keys.iter().take(place).any(|other| other.name == key.name) {
            return Err(KeyConflict {
                message: format!(
                    "there are two keys with the name `{}`, and columns have different names",
                    key.name
                ),
                advice: "leave one of them out",
            });
        }
    }
    Ok(())
}

/// Returns the columns after those of the keys.
pub(super) fn columns(table: &Table) -> impl Iterator<Item = &'static Column> + use<> {
    let Table {
        base,
        is_measured,
        has_histograms,
        ..
    } = *table;
    let base = BASES.iter().filter(move |column| column.name == base);
    let values = VALUES.iter().filter(move |_| is_measured);
    base.chain(&COUNTS)
        .chain(values)
        .chain(has_histograms.then_some(&HISTOGRAM))
}

/// Returns the names of all columns.
pub(super) fn names(table: &Table) -> impl Iterator<Item = &str> {
    let keys = table.columns.iter().map(|KeyColumn { name, .. }| name.as_str());
    keys.chain(columns(table).map(|column| column.name))
}

/// The value of a cell.
pub(super) enum Cell<'r> {
    Unknown,
    Integer(i64),
    Real(f64),
    Text(Cow<'r, str>),
    Counts(&'r Distribution),
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Unknown => serializer.serialize_none(),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Counts(values) => {
                serializer.collect_map(values.counts.iter().map(|(value, count)| (value.to_string(), count)))
            }
        }
    }
}

/// Returns the cells of a row.
pub(super) fn cells<'t>(table: &Table, row: &'t Row) -> impl Iterator<Item = Cell<'t>> + use<'t> {
    let keys = row.keys.iter().map(|value| match value {
        KeyValue::Number(number) => Cell::Integer(*number),
        other => shown(other).map_or(Cell::Unknown, Cell::Text),
    });
    keys.chain(columns(table).map(|column| (column.cell)(row)))
}

fn integer(number: u64) -> Cell<'static> {
    Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn year(year: Option<u16>) -> Cell<'static> {
    year.map_or(Cell::Unknown, |year| Cell::Integer(year.into()))
}

/// Returns a number, rounded to one part of `parts`.
fn real(number: Option<f64>, parts: f64) -> Cell<'static> {
    number.map_or(Cell::Unknown, |number| Cell::Real((number * parts).round() / parts))
}

/// Returns a share, or an end of its interval.
fn end(share: Option<Share>, end: fn(Share) -> f64) -> Cell<'static> {
    real(share.map(end), 1e6)
}

fn quantile(row: &Row, share: f64) -> Cell<'_> {
    real(row.values.quantile(share), 1e6)
}

/// Returns the rows, each as a map of its columns.
pub(crate) fn objects(table: &Table) -> Vec<Object<'_>> {
    table.rows.iter().map(|row| Object { table, row }).collect()
}

/// A row as a map of its columns.
pub(crate) struct Object<'t> {
    table: &'t Table,
    row: &'t Row,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(names(self.table).zip(cells(self.table, self.row)))
    }
}
