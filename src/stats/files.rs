//! Writes the table in its formats; those for programs are CSV, TSV, JSON and Parquet.

use std::borrow::Cow;
use std::io;

use csv::WriterBuilder;

use super::cells::{Cell, cells, columns, names, objects};
use super::groups::KeyValue;
use super::page::page;
use super::plot::plot;
use super::screen::on_screen;
use super::table::Table;
use crate::limits::Interrupt;
use crate::output::{Holds, quoted, write_parquet};

/// The format of a table. What is said of them is their help, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum FileFormat {
    /// Columns and bars to read
    Table,
    /// A table with a row for each group
    Csv,
    /// The same with tabs between the columns
    Tsv,
    /// The same as one JSON document
    Json,
    /// The same as one JSON object per line
    Jsonl,
    /// The same in Parquet, for DuckDB, Polars and others
    Parquet,
    /// A drawing of the shares and scores with their intervals
    Svg,
    /// A page for the browser: the table with such a drawing in each row
    Html,
}

/// Options for how a table looks to people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<'l> {
    /// The heading of a drawing or page.
    pub(crate) title: &'l str,
    /// The width of the terminal in columns.
    pub(crate) width: Option<usize>,
    /// Whether to change cells that a spreadsheet would take for formulas.
    pub(crate) quotes_formulas: bool,
}

impl FileFormat {
    /// Returns whether it has a heading.
    pub(crate) fn has_title(self) -> bool {
        matches!(self, FileFormat::Svg | FileFormat::Html)
    }
}

/// Writes a table in a format.
///
/// # Errors
/// Returns an error if it cannot be written in this format.
pub(crate) fn write(table: &Table, format: FileFormat, look: &Look) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let rows = objects(table);
    match format {
        FileFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &rows)?;
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

/// Returns a row for each group with separated values, below a header if wanted.
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
            // A table in a file has no values with parts.
            Cell::Counts(values) => Cell::Text(values.to_string().into()),
            cell => cell,
        });
        writer.serialize(cells.collect::<Vec<_>>())?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// Returns the names of all columns, and the types of their values.
fn holds(table: &Table) -> Vec<(String, Holds)> {
    let of_key = |place: usize| {
        let values = table.rows.iter().filter_map(|row| row.keys.get(place));
        let has_text = values.clone().any(|value| matches!(value, KeyValue::Text(_)));
        if has_text { Holds::Texts } else { Holds::Numbers }
    };
    let keys = (0..table.columns.len()).map(of_key);
    let of_columns = columns(table).map(|column| column.holds);
    let all = keys.chain(of_columns);
    names(table).map(str::to_owned).zip(all).collect()
}
