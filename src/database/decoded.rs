//! The columns of a row group, decoded.

use std::io;

use parquet::data_type::ByteArray;

use super::columns::{Int32Column, Int64Column, Texts};
use super::facts::{Events, Facts};
use super::layout::{self, COLUMNS, Column, DATE, Kind, UTC_DATE, tag_column};
use super::record::Value;
use super::rows::Rows;
use super::summary::Summary;
use crate::board::PieceCounts;

/// The rows of a row group.
pub(super) struct Decoded {
    columns: Vec<DecodedColumn>,
    /// The indices of the wanted rows.
    pub(super) wanted: Vec<usize>,
    /// Whether the columns of evaluations and clocks can be trusted.
    tell_commands: bool,
}

/// The values of a column.
enum DecodedColumn {
    Bytes(Texts),
    Small(Int32Column),
    Large(Int64Column),
}

impl Decoded {
    /// Reads these columns. The others have no values.
    pub(super) fn read(rows: &Rows, wanted: impl IntoIterator<Item = usize>) -> io::Result<Decoded> {
        let wanted: Vec<usize> = wanted.into_iter().collect();
        let column = |index| {
            let mut values = match layout::column(index).1 {
                Kind::Text | Kind::Bytes => DecodedColumn::Bytes(Texts::default()),
                Kind::Small => DecodedColumn::Small(Int32Column::default()),
                Kind::Large => DecodedColumn::Large(Int64Column::default()),
            };
            match &mut values {
                _ if !wanted.contains(&index) => {}
                DecodedColumn::Bytes(texts) => texts.read(rows, index)?,
                DecodedColumn::Small(numbers) => numbers.read(rows, index)?,
                DecodedColumn::Large(numbers) => numbers.read(rows, index)?,
            }
            Ok(values)
        };
        Ok(Decoded {
            columns: (0..COLUMNS).map(column).collect::<io::Result<_>>()?,
            wanted: (0..rows.len()).collect(),
            tell_commands: rows.tell_commands(),
        })
    }

    /// Returns the value of a column for the game with this index, if it has one.
    pub(super) fn value(&self, column: usize, index: usize) -> Option<Value<ByteArray>> {
        match &self.columns[column] {
            DecodedColumn::Bytes(texts) => texts.shared(index).map(Value::Bytes),
            DecodedColumn::Small(numbers) => numbers.get(index).map(Value::Small),
            DecodedColumn::Large(numbers) => numbers.get(index).map(Value::Large),
        }
    }

    /// Returns the value of a column of texts or bytes for the game with this index, if it has one.
    pub(super) fn text(&self, column: usize, index: usize) -> Option<&[u8]> {
        match &self.columns[column] {
            DecodedColumn::Bytes(texts) => texts.get(index),
            DecodedColumn::Small(_) | DecodedColumn::Large(_) => None,
        }
    }

    /// Returns the value of a column of numbers for the game with this index, or 0.
    pub(super) fn number(&self, column: Column, index: usize) -> i64 {
        match self.value(column.index(), index) {
            Some(Value::Small(number)) => number.into(),
            Some(Value::Large(number)) => number,
            Some(Value::Bytes(_)) | None => 0,
        }
    }

    /// Returns the FEN with which a game begins, if it has one.
    pub(super) fn fen(&self, index: usize) -> Option<&[u8]> {
        self.text(tag_column(b"FEN")?, index)
    }

    /// Returns the moves of a main line in the form that [`Replayer`](crate::game::Replayer) reads.
    pub(super) fn main_line(&self, index: usize) -> Option<&[u8]> {
        // Aix ends its bytes with one that names the encoding.
        let aix = self.text(Column::Movedata.index(), index);
        let low = aix.and_then(|bytes| bytes.strip_suffix(&[0]));
        low.or_else(|| self.text(Column::Line.index(), index))
    }

    /// Returns the events of a game that the other database records.
    pub(super) fn events(&self, index: usize) -> Events {
        let mut events = Events(self.number(Column::Events, index) as u32);
        if !self.tell_commands {
            events.remove(Events::HAS_COMMANDS);
        }
        events
    }

    /// Adds the game with this index to a summary.
    pub(super) fn summarize(&self, index: usize, summary: &mut Summary) {
        let facts = Facts {
            plies: u32::try_from(self.number(Column::Plies, index)).unwrap_or(0),
            events: self.events(index),
            least: PieceCounts(self.number(Column::PiecesLeast, index) as u64),
            most: PieceCounts(self.number(Column::PiecesMost, index) as u64),
        };
        let has = |column: Column| self.text(column.index(), index).is_some();
        let dates = [DATE, UTC_DATE].map(|column| self.text(column, index));
        summary.add(&facts, dates, has(Column::Pgn), has(Column::Variations));
    }
}
