//! Writes the file, row group by row group.

use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::checksums::{Checksums, Held, byte_range};
use super::entries::{Entries, EntryMaker};
use super::file::ParquetFile;
use super::layout::{
    self, CHECKSUMS_KEY, COLUMNS, CQL_RULES, Column, FOOTER_KEY, GROUP_BYTES, GROUP_GAMES, Kind, REST_KEY, RULES_KEY,
};
use super::record::{Record, TagValue};
use super::storage::Storage;
use super::warnings::{self, Kept};
use super::{damaged, footer};
use crate::game::{Batch, Rules, Variant, Warning};
use crate::limits::Watch;

/// Writes games to a database, in order.
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<Held<W>>,
    checksums: Checksums,
    columns: Vec<Cells>,
    /// Games of the row group that is being filled.
    pending: usize,
    /// Bytes of their texts.
    pending_bytes: usize,
    games: u64,
    /// By which rules the games are read, once there are any.
    rules: Option<Rules>,
    /// Warnings about what comes before the next game or after the last.
    rest: Vec<Kept>,
    /// Makes entries of the batches that are added.
    maker: EntryMaker,
    watch: Watch,
}

impl<W: Write + Send> Writer<W> {
    /// A database without games.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(out: W) -> io::Result<Writer<W>> {
        Writer::until(Watch::default(), out)
    }

    /// The same, but writing fails as soon as nobody wants it any more.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn until(watch: Watch, out: W) -> io::Result<Writer<W>> {
        let schema = Arc::new(layout::schema().map_err(failed)?);
        let properties = Arc::new(layout::properties().map_err(failed)?);
        Ok(Writer {
            file: SerializedFileWriter::new(Held::new(out), schema, properties).map_err(failed)?,
            checksums: Checksums::default(),
            columns: (0..COLUMNS).map(|index| Cells::new(layout::column(index).1)).collect(),
            pending: 0,
            pending_bytes: 0,
            games: 0,
            rules: None,
            rest: Vec::new(),
            maker: EntryMaker::new(None, watch.clone()),
            watch,
        })
    }

    /// The same database, to which only games of a variant are added, if one is named.
    #[must_use]
    pub fn of_variant(self, variant: Option<Variant>) -> Writer<W> {
        Writer {
            maker: EntryMaker::new(variant, self.watch.clone()),
            ..self
        }
    }

    /// The games of another database, to which more can be added, unless nobody wants them any more.
    ///
    /// # Errors
    /// When it cannot be read, is no database of this version, when the output cannot be written, or nobody wants it.
    pub fn append(path: &Path, watch: Watch, out: W) -> io::Result<Writer<W>> {
        let old = ParquetFile::open(Storage::open(path)?)?;
        if !old.is_database() {
            return Err(damaged("not a database of skewer"));
        }
        let mut writer = Writer::until(watch, out)?;
        writer.rules = Some(old.rules()?);
        for group in 0..old.metadata.num_row_groups() {
            writer.copy_group(&old, group)?;
        }
        if let Some(rest) = old.metadata_value(REST_KEY) {
            writer.rest = warnings::from_text(rest.as_bytes())?;
        }
        Ok(writer)
    }

    fn copy_group(&mut self, old: &ParquetFile, group: usize) -> io::Result<()> {
        let games = old.group_games(group) as u64;
        let mut copy = self.file.next_row_group().map_err(failed)?;
        for column in 0..COLUMNS {
            self.watch.check()?;
            let metadata = old.metadata.row_group(group).column(column).clone();
            let range = byte_range(&metadata).ok_or_else(|| damaged("a column without a place"))?;
            let chunk = old.chunk(group, column)?;
            let result = ColumnCloseResult {
                bytes_written: range.end - range.start,
                rows_written: games,
                metadata,
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            copy.append_column(&chunk, result).map_err(failed)?;
        }
        copy.close().map_err(failed)?;
        self.games += games;
        self.sum_up()
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the games of a batch; their numbers go on from [`games`](Writer::games). What was wrong with their text is kept, too, with
    /// these numbers, and shown to `warn`, with those of the batch.
    ///
    /// # Errors
    /// When the output cannot be written, or the games are read by other rules than those before.
    pub fn add(&mut self, batch: &Batch, warn: &mut dyn FnMut(&Warning)) -> io::Result<()> {
        let entries = self.maker.entries(batch)?;
        self.put(entries, warn)
    }

    /// What makes entries of batches for this database, on another thread perhaps.
    #[cfg_attr(
        not(feature = "cli"),
        allow(dead_code, reason = "`skewer index` makes entries on all threads")
    )]
    pub(crate) fn maker(&self) -> EntryMaker {
        self.maker.another()
    }

    /// Adds the games of a batch that were made ready; else as [`add`](Writer::add).
    ///
    /// # Errors
    /// Those of [`add`](Writer::add).
    pub fn put(&mut self, entries: Entries, warn: &mut dyn FnMut(&Warning)) -> io::Result<()> {
        if *self.rules.get_or_insert(entries.rules) != entries.rules {
            let message = "the games of the database were read by other rules";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let source = ByteArray::from(entries.source.as_bytes().to_vec());
        for entry in entries.games {
            entry.warnings.iter().chain(&entry.in_game).for_each(&mut *warn);
            let Some(record) = entry.record else {
                continue;
            };
            let number = self.games + 1;
            let shown = |warning: &Warning| number - u64::from(warning.game < entry.number);
            let mut kept = mem::take(&mut self.rest);
            let before = entry.warnings.iter();
            kept.extend(before.map(|warning| Kept::new(warning, shown(warning), false)));
            let of_game = entry.in_game.iter();
            kept.extend(of_game.map(|warning| Kept::new(warning, number, warning.is_in_moves())));
            self.push(record, &source, &kept)?;
        }
        entries.rest.iter().for_each(warn);
        let games = self.games;
        let rest = entries.rest.iter();
        self.rest.extend(rest.map(|warning| Kept::new(warning, games, false)));
        Ok(())
    }

    fn push(&mut self, record: Record, source: &ByteArray, kept: &[Kept]) -> io::Result<()> {
        self.pending_bytes += record.bytes();
        for (index, tag) in record.tags.into_iter().enumerate() {
            match tag {
                Some(TagValue::Number(number)) => self.columns[index].small(Some(number)),
                Some(TagValue::Text(text)) => self.columns[index].bytes(Some(ByteArray::from(text.into_bytes()))),
                None => self.columns[index].none(),
            }
        }
        let number = |number: u64| i64::from_ne_bytes(number.to_ne_bytes());
        let facts = &record.facts;
        self.text(Column::OtherTags, record.other_tags);
        self.text(Column::TagOrder, Some(record.tag_order));
        self.text(Column::Movetext, Some(record.movetext));
        self.bytes(Column::Movedata, record.movedata);
        self.bytes(Column::Line, record.line);
        self.bytes(Column::Variations, record.variations);
        self.cells(Column::Outcome).small(Some(record.outcome));
        self.cells(Column::Plies)
            .small(Some(i32::try_from(facts.plies).unwrap_or(i32::MAX)));
        self.cells(Column::Events)
            .small(Some(i32::from_ne_bytes(facts.events.0.to_ne_bytes())));
        self.cells(Column::PiecesLeast).large(Some(number(facts.least.0)));
        self.cells(Column::PiecesMost).large(Some(number(facts.most.0)));
        self.cells(Column::Source).bytes(Some(source.clone()));
        self.cells(Column::SourceLine).large(Some(number(record.source_line)));
        self.text(Column::Warnings, warnings::to_text(kept)?);
        self.bytes(Column::Pgn, record.pgn);
        self.games += 1;
        self.pending += 1;
        if self.pending >= GROUP_GAMES || self.pending_bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn cells(&mut self, column: Column) -> &mut Cells {
        &mut self.columns[column.index()]
    }

    fn bytes(&mut self, column: Column, value: Option<Vec<u8>>) {
        self.cells(column).bytes(value.map(ByteArray::from));
    }

    fn text(&mut self, column: Column, value: Option<String>) {
        self.bytes(column, value.map(String::into_bytes));
    }

    fn end_group(&mut self) -> io::Result<()> {
        if self.pending == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group().map_err(failed)?;
        for (index, cells) in self.columns.iter_mut().enumerate() {
            self.watch.check()?;
            cells.write(&mut group, !layout::column(index).2).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        self.pending = 0;
        self.pending_bytes = 0;
        self.sum_up()
    }

    /// Notes the checksums of the row group that was written last.
    fn sum_up(&mut self) -> io::Result<()> {
        self.file.flush()?;
        let group = self.file.flushed_row_groups().last().cloned();
        let group = group.ok_or_else(|| io::Error::other("no row group was written"))?;
        self.file.inner_mut().end_group(&group, &mut self.checksums)
    }

    /// Writes what is left and the end of the file, and gives the output back.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_group()?;
        if let Some(rest) = warnings::to_text(&self.rest)? {
            self.file
                .append_key_value_metadata(KeyValue::new(REST_KEY.to_owned(), rest));
        }
        if self.rules == Some(Rules::Cql) {
            let rules = KeyValue::new(RULES_KEY.to_owned(), CQL_RULES.to_owned());
            self.file.append_key_value_metadata(rules);
        }
        let checksums = KeyValue::new(CHECKSUMS_KEY.to_owned(), self.checksums.to_text());
        self.file.append_key_value_metadata(checksums);
        let sum = KeyValue::new(FOOTER_KEY.to_owned(), footer::NO_CHECKSUM.to_owned());
        self.file.append_key_value_metadata(sum);
        self.file.into_inner().map_err(failed)?.finish()
    }
}

/// An error of the output as it came from there.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// The values of a column in the row group that is being filled, and where there are none.
enum Cells {
    Bytes(Values<ByteArrayType>),
    Small(Values<Int32Type>),
    Large(Values<Int64Type>),
}

struct Values<T: DataType> {
    values: Vec<T::T>,
    /// For each game 1 if it has a value, else 0.
    levels: Vec<i16>,
}

impl<T: DataType> Default for Values<T> {
    fn default() -> Values<T> {
        Values {
            values: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl<T: DataType> Values<T> {
    fn push(&mut self, value: Option<T::T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        optional: bool,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("more columns than the schema has".to_owned()));
        };
        let levels = optional.then_some(self.levels.as_slice());
        column.typed::<T>().write_batch(&self.values, levels, None)?;
        self.values.clear();
        self.levels.clear();
        column.close()
    }
}

impl Cells {
    fn new(kind: Kind) -> Cells {
        match kind {
            Kind::Text | Kind::Bytes => Cells::Bytes(Values::default()),
            Kind::Small => Cells::Small(Values::default()),
            Kind::Large => Cells::Large(Values::default()),
        }
    }

    fn none(&mut self) {
        match self {
            Cells::Bytes(values) => values.push(None),
            Cells::Small(values) => values.push(None),
            Cells::Large(values) => values.push(None),
        }
    }

    fn bytes(&mut self, value: Option<ByteArray>) {
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

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        optional: bool,
    ) -> Result<(), ParquetError> {
        match self {
            Cells::Bytes(values) => values.write(group, optional),
            Cells::Small(values) => values.write(group, optional),
            Cells::Large(values) => values.write(group, optional),
        }
    }
}
