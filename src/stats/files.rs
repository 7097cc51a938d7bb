//! The table in its formats; those for programs are CSV, TSV, JSON and Parquet.

use std::borrow::Cow;
use std::io;

use csv::WriterBuilder;
use serde::{Serialize, Serializer};

use super::groups::{Distribution, KeyValue};
use super::interval::Share;
use super::key::{Key, NamedKey};
use super::page::page;
use super::plot::plot;
use super::screen::on_screen;
use super::table::{KeyColumn, Row, Table, shown};
use crate::limits::Interrupt;
use crate::output::{Holds, quoted, write_parquet};

/// What a table is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFormat {
    /// Aligned, with bars, for people.
    Table,
    /// With commas between the values.
    Csv,
    /// With tabs between them.
    Tsv,
    /// One document.
    Json,
    /// An object a line.
    Jsonl,
    /// For databases and data frames.
    Parquet,
    /// A drawing.
    Svg,
    /// A page for the browser.
    Html,
}

/// How a table looks to people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'l> {
    /// What stands above a drawing or page.
    pub(crate) title: &'l str,
    /// How many columns the terminal has.
    pub(crate) width: Option<usize>,
    /// No cell is a formula for a spreadsheet.
    pub(crate) quotes_formulas: bool,
}

impl FileFormat {
    /// All of them.
    pub(crate) const ALL: [FileFormat; 8] = [
        FileFormat::Table,
        FileFormat::Csv,
        FileFormat::Tsv,
        FileFormat::Json,
        FileFormat::Jsonl,
        FileFormat::Parquet,
        FileFormat::Svg,
        FileFormat::Html,
    ];

    /// Its name, and what the names of files in it end in.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            FileFormat::Table => ("table", "txt"),
            FileFormat::Csv => ("csv", "csv"),
            FileFormat::Tsv => ("tsv", "tsv"),
            FileFormat::Json => ("json", "json"),
            FileFormat::Jsonl => ("jsonl", "jsonl"),
            FileFormat::Parquet => ("parquet", "parquet"),
            FileFormat::Svg => ("svg", "svg"),
            FileFormat::Html => ("html", "html"),
        }
    }

    /// Whether something may stand above it.
    pub(crate) fn has_title(self) -> bool {
        matches!(self, FileFormat::Svg | FileFormat::Html)
    }

    /// What it is, in a line.
    pub(crate) fn description(self) -> &'static str {
        match self {
            FileFormat::Table => "Columns and bars to read",
            FileFormat::Csv => "A table with a row for each group",
            FileFormat::Tsv => "The same with tabs between the columns",
            FileFormat::Json => "The same as one JSON document",
            FileFormat::Jsonl => "The same as one JSON object per line",
            FileFormat::Parquet => "The same in Parquet, for DuckDB, Polars and others",
            FileFormat::Svg => "A drawing of the shares and scores with their intervals",
            FileFormat::Html => "A page for the browser: the table with such a drawing in each row",
        }
    }
}

/// Writes a table in a format.
///
/// # Errors
/// When it cannot be written in this format.
pub(crate) fn write(table: &Table, format: FileFormat, look: &Look) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let rows = table.rows.iter().map(|row| Object { table, row });
    match format {
        FileFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &rows.collect::<Vec<_>>())?;
            out.push(b'\n');
        }
        FileFormat::Jsonl => {
            for row in rows {
                serde_json::to_writer(&mut out, &row)?;
                out.push(b'\n');
            }
        }
        FileFormat::Csv => out = separated(table, b',', look.quotes_formulas, true)?,
        FileFormat::Tsv => out = separated(table, b'\t', look.quotes_formulas, true)?,
        FileFormat::Parquet => {
            let rows = separated(table, b',', false, false)?;
            write_parquet(&holds(table), &*rows, &mut out, &Interrupt::default())?;
        }
        FileFormat::Table => out = on_screen(table, look.width).into_bytes(),
        FileFormat::Svg => out = plot(table, look.title).into_bytes(),
        FileFormat::Html => out = page(table, look.title).into_bytes(),
    }
    Ok(out)
}

/// A row for each group, with a sign between the values, below a header if there is to be one.
fn separated(table: &Table, delimiter: u8, quotes: bool, has_header: bool) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .from_writer(Vec::new());
    let quote = |text: Cow<'_, str>| match quotes {
        true => quoted(text).into_owned(),
        false => text.into_owned(),
    };
    if has_header {
        writer.write_record(names(table).map(|name| quote(name.into())))?;
    }
    for row in &table.rows {
        let cells = cells(table, row).map(|cell| match cell {
            Cell::Text(text) => Cell::Text(quote(text).into()),
            // A table has no values with parts.
            Cell::Counts(values) => Cell::Text(values.to_string().into()),
            cell => cell,
        });
        writer.serialize(cells.collect::<Vec<_>>())?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// A column behind those of the keys. A key has another name.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    cell: for<'r> fn(&'r Row) -> Cell<'r>,
}

const fn integers(name: &'static str, cell: for<'r> fn(&'r Row) -> Cell<'r>) -> Column {
    let holds = Holds::Numbers;
    Column { name, holds, cell }
}

const fn reals(name: &'static str, cell: for<'r> fn(&'r Row) -> Cell<'r>) -> Column {
    let holds = Holds::Reals;
    Column { name, holds, cell }
}

/// Of how many games the games that match are a share: that column which has the name of the [base](Table::base).
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

/// The columns of a value that was measured.
const VALUES: [Column; 7] = [
    integers("values", |row| integer(row.values.len())),
    reals("mean", |row| real(row.values.mean(), 1e6)),
    reals("min", |row| quantile(row, 0.0)),
    reals("lower_quartile", |row| quantile(row, 0.25)),
    reals("median", |row| quantile(row, 0.5)),
    reals("upper_quartile", |row| quantile(row, 0.75)),
    reals("max", |row| quantile(row, 1.0)),
];

/// The column with how often each of its values occurs.
const HISTOGRAM: Column = Column {
    name: "histogram",
    holds: Holds::Texts,
    cell: |row| Cell::Counts(&row.values),
};

/// Whether a column that is no key has this name.
fn is_column(name: &str) -> bool {
    let all = BASES.iter().chain(&COUNTS).chain(&VALUES).chain([&HISTOGRAM]);
    all.into_iter().any(|known| known.name == name)
}

/// Looks for keys that cannot have columns of their own: what is wrong with the name of the first one, and what to do about it.
pub(crate) fn clash(keys: &[NamedKey]) -> Option<(String, &'static str)> {
    keys.iter().enumerate().find_map(|(place, key)| {
        // Several queries have a column anyway.
        let is_taken = key.name == "query" && key.key != Key::Query;
        if is_taken || is_column(&key.name) {
            let message = format!("`{}` is the name of another column", key.name);
            return Some((message, "give the key another name: `my_name=...`"));
        }
        let is_second = keys.iter().take(place).any(|other| other.name == key.name);
        is_second.then(|| {
            let message = format!(
                "there are two keys with the name `{}`, and columns have different names",
                key.name
            );
            (message, "leave one of them out")
        })
    })
}

/// The columns behind those of the keys.
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

/// The names of all columns.
fn names(table: &Table) -> impl Iterator<Item = &str> {
    let keys = table.columns.iter().map(|KeyColumn { name, .. }| name.as_str());
    keys.chain(columns(table).map(|column| column.name))
}

/// The names of all columns, and what they hold.
fn holds(table: &Table) -> Vec<(String, Holds)> {
    let of_key = |place: usize| {
        let values = table.rows.iter().filter_map(|row| row.keys.get(place));
        let has_text = values.clone().any(|value| matches!(value, KeyValue::Text(_)));
        if has_text { Holds::Texts } else { Holds::Numbers }
    };
    let keys = (0..table.columns.len()).map(of_key);
    let all = keys.chain(columns(table).map(|column| column.holds));
    names(table).map(str::to_owned).zip(all).collect()
}

/// What stands in a column.
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

/// What stands in all columns of a row.
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

/// A number that is rounded to parts of one.
fn real(number: Option<f64>, parts: f64) -> Cell<'static> {
    number.map_or(Cell::Unknown, |number| Cell::Real((number * parts).round() / parts))
}

/// A share, or an end of its interval.
fn end(share: Option<Share>, end: fn(Share) -> f64) -> Cell<'static> {
    real(share.map(end), 1e6)
}

fn quantile(row: &Row, share: f64) -> Cell<'_> {
    real(row.values.quantile(share), 1e6)
}

/// A row as a map of its columns.
struct Object<'t> {
    table: &'t Table,
    row: &'t Row,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(names(self.table).zip(cells(self.table, self.row)))
    }
}
