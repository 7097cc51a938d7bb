//! Matching positions as a table in Parquet.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::mem;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::columns::{self, ColumnType};
use super::csv::Csv;
use super::facts::GameFacts;
use super::format::{Format, FormatTraits, Waiting};
use super::look::Look;
use super::row;
use super::text::titles;
use crate::eval::report::{Extras, GameReport};
use crate::limits::Interrupt;
use crate::query::SortKey;

/// The columns that hold numbers, in every table that has them.
const NUMBERS: [&str; 8] = [
    "game",
    "positionid",
    "ply",
    "movenumber",
    "white_elo",
    "black_elo",
    "eval",
    "clock",
];

/// The columns of CSV, each with its type. The rows wait as CSV until all are known.
pub(super) struct Table {
    rows: Csv,
    /// The names of the columns, and what they hold.
    columns: Vec<(String, Holds)>,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// Whole numbers.
    Numbers,
    /// Numbers with decimals.
    Reals,
    /// Whether something is true.
    Truths,
    /// Text.
    Texts,
}

/// The number of rows in a row group.
const GROUP_ROWS: usize = 1 << 16;

/// The cells of a column in one row group. Levels are 1 where there is a value.
enum Cells {
    Numbers(Vec<i64>, Vec<i16>),
    Reals(Vec<f64>, Vec<i16>),
    Truths(Vec<bool>, Vec<i16>),
    Texts(Vec<ByteArray>, Vec<i16>),
}

impl Table {
    pub(super) fn new(keys: &[SortKey], look: &Look) -> Table {
        let holds = |numbers: bool| if numbers { Holds::Numbers } else { Holds::Texts };
        let own = row::own_names(look.measures).map(|name| (name.to_owned(), holds(NUMBERS.contains(&name))));
        let types = columns::types(&look.columns, &look.kept).map(|kind| match kind {
            ColumnType::Number => Holds::Numbers,
            ColumnType::Text => Holds::Texts,
            ColumnType::Truth => Holds::Truths,
        });
        let added = look.columns.iter().map(|column| column.name().to_owned()).zip(types);
        let sorted = titles(keys).zip(keys.iter().map(|key| holds(!key.text)));
        let mut taken = HashSet::new();
        let mut columns: Vec<_> = own.chain(added).chain(sorted).collect();
        for (name, _) in &mut columns {
            while !taken.insert(name.clone()) {
                name.push('_');
            }
        }
        // What waits is read again, so it must not be changed.
        let look = Look {
            quotes_formulas: false,
            ..look.clone()
        };
        Table {
            rows: Csv::new(b',', keys, &look),
            columns,
        }
    }
}

/// Returns the Parquet schema of these columns.
fn schema(columns: &[(String, Holds)]) -> Result<Type, ParquetError> {
    let fields = columns.iter().map(|(name, holds)| {
        let (physical, logical) = match holds {
            Holds::Numbers => (Physical::INT64, None),
            Holds::Reals => (Physical::DOUBLE, None),
            Holds::Truths => (Physical::BOOLEAN, None),
            Holds::Texts => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    });
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    Type::group_type_builder("matches").with_fields(fields).build()
}

fn new_cells(columns: &[(String, Holds)]) -> Vec<Cells> {
    let cells = columns.iter().map(|(_, holds)| match holds {
        Holds::Numbers => Cells::Numbers(Vec::new(), Vec::new()),
        Holds::Reals => Cells::Reals(Vec::new(), Vec::new()),
        Holds::Truths => Cells::Truths(Vec::new(), Vec::new()),
        Holds::Texts => Cells::Texts(Vec::new(), Vec::new()),
    });
    cells.collect()
}

impl Cells {
    /// Adds a cell. An empty cell has no value.
    fn push(&mut self, cell: &str) {
        match self {
            Cells::Numbers(values, levels) => {
                let value: Option<i64> = cell.parse().ok();
                levels.push(i16::from(value.is_some()));
                values.extend(value);
            }
            Cells::Reals(values, levels) => {
                let value: Option<f64> = cell.parse().ok();
                levels.push(i16::from(value.is_some()));
                values.extend(value);
            }
            Cells::Truths(values, levels) => {
                let value: Option<bool> = cell.parse().ok();
                levels.push(i16::from(value.is_some()));
                values.extend(value);
            }
            Cells::Texts(values, levels) => {
                levels.push(i16::from(!cell.is_empty()));
                values.extend((!cell.is_empty()).then(|| ByteArray::from(cell)));
            }
        }
    }
}

/// Writes a row group.
fn write_group(file: &mut SerializedFileWriter<Vec<u8>>, columns: Vec<Cells>) -> Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    for cells in columns {
        let Some(mut column) = group.next_column()? else {
            break;
        };
        match cells {
            Cells::Numbers(values, levels) => column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?,
            Cells::Reals(values, levels) => column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?,
            Cells::Truths(values, levels) => column.typed::<BoolType>().write_batch(&values, Some(&levels), None)?,
            Cells::Texts(values, levels) => {
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, Some(&levels), None)?
            }
        };
        column.close()?;
    }
    group.close().map(drop)
}

/// Writes rows of CSV without a header as a table in Parquet. It leaves rows out if the time is up. Empty cells have no value.
///
/// # Errors
/// Returns an error if the rows cannot be read or the table cannot be written.
pub(crate) fn write_parquet(
    columns: &[(String, Holds)],
    rows: impl Read,
    out: &mut dyn Write,
    interrupt: &Interrupt,
) -> io::Result<()> {
    let properties = WriterProperties::builder()
        .set_created_by(concat!("skewer ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let schema = Arc::new(schema(columns).map_err(io::Error::other)?);
    let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties));
    let mut file = file.map_err(io::Error::other)?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
    let mut group = new_cells(columns);
    let mut rows = 0;
    for record in reader.records() {
        if interrupt.cuts_off() {
            break;
        }
        let record = record.map_err(io::Error::other)?;
        for (cells, cell) in group.iter_mut().zip(&record) {
            cells.push(cell);
        }
        rows += 1;
        if rows == GROUP_ROWS {
            write_group(&mut file, mem::replace(&mut group, new_cells(columns))).map_err(io::Error::other)?;
            out.write_all(&mem::take(file.inner_mut()))?;
            rows = 0;
        }
    }
    if rows > 0 {
        write_group(&mut file, group).map_err(io::Error::other)?;
    }
    out.write_all(&file.into_inner().map_err(io::Error::other)?)
}

impl Format for Table {
    fn extras(&self) -> Extras {
        self.rows.extras()
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS | FormatTraits::ASSEMBLED
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        self.rows.game(game, report, out);
    }

    fn assemble(&self, games: &mut dyn Waiting, out: &mut dyn Write, interrupt: &Interrupt) -> io::Result<()> {
        write_parquet(&self.columns, games, out, interrupt)
    }
}
