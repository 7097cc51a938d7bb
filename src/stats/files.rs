//! The table in its formats; those for programs are CSV, TSV, JSON and Parquet.

use std::borrow::Cow;
use std::io;

use csv::WriterBuilder;
use serde::{Serialize, Serializer};

use super::groups::{Distribution, KeyValue};
use super::interval::Share;
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
            Cell::Counts(values) => {
                let counts = values.counts.iter().map(|(value, count)| format!("{value}:{count}"));
                Cell::Text(counts.collect::<Vec<_>>().join(" ").into())
            }
            cell => cell,
        });
        writer.serialize(cells.collect::<Vec<_>>())?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// The names of all columns, and what they hold.
fn holds(table: &Table) -> Vec<(String, Holds)> {
    let of_key = |place: usize| {
        let values = table.rows.iter().filter_map(|row| row.keys.get(place));
        let has_text = values.clone().any(|value| matches!(value, KeyValue::Text(_)));
        if has_text { Holds::Texts } else { Holds::Numbers }
    };
    let columns = names(table).enumerate().map(|(place, name)| {
        let holds = match name {
            _ if place < table.columns.len() => of_key(place),
            HISTOGRAM => Holds::Texts,
            name if INTEGERS.contains(&name) => Holds::Numbers,
            _ => Holds::Reals,
        };
        (name.to_owned(), holds)
    });
    columns.collect()
}

/// The columns of whole numbers, beside keys.
const INTEGERS: [&str; 10] = [
    "searched",
    "matching",
    "games",
    "positions",
    "wins",
    "draws",
    "losses",
    "first_year",
    "last_year",
    "values",
];

/// The columns behind those of the keys and of the games that shares are taken of. A key has another name.
const NAMES: [&str; 14] = [
    "games",
    "positions",
    "share",
    "share_low",
    "share_high",
    "wins",
    "draws",
    "losses",
    "score",
    "score_low",
    "score_high",
    "rating",
    "first_year",
    "last_year",
];

/// The columns of a value that was measured.
const OF_VALUES: [&str; 7] = [
    "values",
    "mean",
    "min",
    "lower_quartile",
    "median",
    "upper_quartile",
    "max",
];

/// The column with how often each of its values occurs.
const HISTOGRAM: &str = "histogram";

/// Whether a column that is no key has this name.
pub(crate) fn is_column(name: &str) -> bool {
    ["searched", "matching", HISTOGRAM]
        .iter()
        .chain(&NAMES)
        .chain(&OF_VALUES)
        .any(|known| *known == name)
}

/// The names of all columns.
fn names(table: &Table) -> impl Iterator<Item = &str> {
    let keys = table.columns.iter().map(|KeyColumn { name, .. }| name.as_str());
    let of_values = OF_VALUES.into_iter().filter(|_| table.is_measured);
    let histogram = table.has_histograms.then_some(HISTOGRAM);
    keys.chain([table.base]).chain(NAMES).chain(of_values).chain(histogram)
}

/// What stands in a column.
enum Cell<'r> {
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
fn cells<'t>(table: &Table, row: &'t Row) -> impl Iterator<Item = Cell<'t>> {
    let keys = row.keys.iter().map(|value| match value {
        KeyValue::Number(number) => Cell::Integer(*number),
        other => shown(other).map_or(Cell::Unknown, Cell::Text),
    });
    let integer = |number: u64| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let tally = &row.tally;
    let [share, share_low, share_high] = interval(row.share());
    let [score, score_low, score_high] = interval(row.score());
    let years = row.years();
    let year = |year: Option<u16>| year.map_or(Cell::Unknown, |year| Cell::Integer(year.into()));
    let of_values = table.is_measured.then(|| {
        let values = &row.values;
        let real = |number: Option<f64>| number.map_or(Cell::Unknown, |number| Cell::Real(rounded(number, 1e6)));
        let quantile = |share: f64| real(values.quantile(share));
        [
            integer(values.len()),
            real(values.mean()),
            quantile(0.0),
            quantile(0.25),
            quantile(0.5),
            quantile(0.75),
            quantile(1.0),
        ]
    });
    let counted = [
        integer(row.base),
        integer(tally.games),
        integer(tally.positions),
        share,
        share_low,
        share_high,
        integer(tally.wins),
        integer(tally.draws),
        integer(tally.losses),
        score,
        score_low,
        score_high,
        row.rating()
            .map_or(Cell::Unknown, |rating| Cell::Real(rounded(rating, 100.0))),
        year(years.map(|(first, _)| first)),
        year(years.map(|(_, last)| last)),
    ];
    let histogram = table.has_histograms.then_some(Cell::Counts(&row.values));
    keys.chain(counted)
        .chain(of_values.into_iter().flatten())
        .chain(histogram)
}

fn interval(share: Option<Share>) -> [Cell<'static>; 3] {
    let ends = share.map(|share| [share.value, share.low, share.high]);
    ends.map_or([Cell::Unknown, Cell::Unknown, Cell::Unknown], |ends| {
        ends.map(|end| Cell::Real(rounded(end, 1e6)))
    })
}

fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
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
