//! Writes the file, row group by row group.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, RowGroupMetaData};

use super::board_filter;
use super::decoded::Decoded;
use super::error::damaged;
use super::file::ParquetFile;
use super::footer;
use super::footer_writer::FooterWriter;
use super::group::{Cells, EncodedGroup, Format, GroupValues, failed, of_warnings};
use super::layout::{
    self, BOARDS_KEY, CHECKSUMS_KEY, CQL_RULES, Column, DIRECTORY_KEY, FOOTER_KEY, GROUP_BYTES, GROUP_GAMES,
    GROUPS_KEY, Kind, PAGES_KEY, REST_KEY, RULES_KEY, SQUARES_KEY, THEMES_KEY, VERSION, VERSION_KEY,
};
use super::merge::{Content, GroupRows, Groups};
use super::move_pages;
use super::packing::{Packing, Queue};
use super::row_batch::{RowBatch, RowMaker};
use super::row_groups::Entry;
use super::storage::Storage;
use super::summary::Summary;
use super::themes::{self, ThemeGames};
use super::warnings::{self, Kept};
use crate::chess::Variant;
use crate::game::{Rules, Warning};
use crate::limits::InterruptHandle;
use crate::pgn::{Batch, DATABASE};

/// Writes games to a database, in order.
pub struct Writer<W: Write + Send> {
    out: W,
    /// The bytes that have been written.
    written: u64,
    footer: FooterWriter,
    format: Format,
    /// The complete row groups.
    queue: Queue,
    /// The checksums of the columns that have been written.
    checksums: String,
    /// The summaries of the row groups that have been written.
    summaries: Vec<Summary>,
    /// The words for the pages of their moves.
    pages: Vec<String>,
    /// The numbers of blocks in their board filters.
    boards: Vec<usize>,
    /// The lengths and checksums of their squares.
    squares: String,
    /// The games in which themes hold.
    themes: Vec<ThemeGames>,
    /// The row group that is being filled.
    pending: GroupValues,
    games: u64,
    /// The rules by which the games are read, once there are any.
    rules: Option<Rules>,
    /// Warnings about text before the next game or after the last one.
    rest: Vec<Kept>,
    /// Makes rows of the batches that are added.
    maker: RowMaker,
    watch: InterruptHandle,
}

impl<W: Write + Send> Writer<W> {
    /// Creates a database without games.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn new(out: W) -> io::Result<Writer<W>> {
        Writer::until(InterruptHandle::default(), out)
    }

    /// Creates a database without games. Writing fails as soon as it is no longer wanted.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn until(watch: InterruptHandle, mut out: W) -> io::Result<Writer<W>> {
        let format = Format::new()?;
        out.write_all(&DATABASE)?;
        Ok(Writer {
            out,
            written: DATABASE.len() as u64,
            footer: FooterWriter::default(),
            queue: Queue::new(Packing::new(format.clone(), watch.clone()), 1),
            format,
            checksums: String::new(),
            summaries: Vec::new(),
            pages: Vec::new(),
            boards: Vec::new(),
            squares: String::new(),
            themes: Vec::new(),
            pending: GroupValues::new(),
            games: 0,
            rules: None,
            rest: Vec::new(),
            maker: RowMaker::new(None, watch.clone()),
            watch,
        })
    }

    /// Packs row groups on this many threads, with the help of those that [make rows](RowMaker).
    #[must_use]
    pub(crate) fn packed_by(self, threads: usize) -> Writer<W> {
        let packing = self.queue.packing().clone();
        Writer {
            maker: self.maker.helping(&packing),
            queue: Queue::new(packing, threads),
            ..self
        }
    }

    /// Adds only games of a variant, if one is given.
    #[must_use]
    pub fn of_variant(self, variant: Option<Variant>) -> Writer<W> {
        Writer {
            maker: RowMaker::new(variant, self.watch.clone()),
            ..self
        }
    }

    /// Creates a database with the games of another one, to which more can be added.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a database of a supported version, if the output cannot be written, or if it is no
    /// longer wanted.
    pub fn append(path: &Path, watch: InterruptHandle, out: W) -> io::Result<Writer<W>> {
        Writer::append_to(File::open(path)?, watch, out)
    }

    /// Does the same for an open file.
    ///
    /// # Errors
    /// Returns the errors of [`append`](Writer::append).
    pub(crate) fn append_to(old: File, watch: InterruptHandle, out: W) -> io::Result<Writer<W>> {
        let old = ParquetFile::open(Storage::of_file(old)?)?;
        if !old.is_database() {
            return Err(damaged("not a database of skewer"));
        }
        let mut writer = Writer::until(watch, out)?;
        let groups = 0..old.groups();
        for group in Groups::new(Arc::new(old), groups, None)? {
            writer.watch.check()?;
            writer.add_rows(group.read(None)?)?;
        }
        Ok(writer)
    }

    /// Records in which games of the database themes hold.
    #[must_use]
    pub(crate) fn with_themes(self, themes: Vec<ThemeGames>) -> Writer<W> {
        Writer { themes, ..self }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the games of a batch, numbered from [`games`](Writer::games) `+ 1`. The warnings about their text are stored with these numbers, and
    /// passed to `warn` with those of the batch.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written, or the games are read by other rules than earlier ones.
    pub fn add(&mut self, batch: &Batch, warn: &mut dyn FnMut(&Warning)) -> io::Result<()> {
        let entries = self.maker.entries(batch)?;
        self.put(entries, warn)
    }

    /// Returns a maker of rows for this database, which may be used on another thread.
    pub(crate) fn maker(&self) -> RowMaker {
        self.maker.another()
    }

    /// Adds the prepared games of a batch, like [`add`](Writer::add).
    ///
    /// # Errors
    /// Returns the errors of [`add`](Writer::add).
    pub fn put(&mut self, entries: RowBatch, warn: &mut dyn FnMut(&Warning)) -> io::Result<()> {
        self.accept(entries.rules)?;
        let source = ByteArray::from(entries.source.as_bytes().to_vec());
        let values = Bytes::from(entries.values);
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
            self.make_room(record.bytes())?;
            self.pending.push(record, &values, &source, &kept)?;
            self.games += 1;
            self.end_full_group()?;
        }
        entries.rest.iter().for_each(warn);
        let games = self.games;
        let rest = entries.rest.iter();
        self.rest.extend(rest.map(|warning| Kept::new(warning, games, false)));
        Ok(())
    }

    /// Accepts games that were read by these rules, unless there are games that were read by others.
    fn accept(&mut self, rules: Rules) -> io::Result<()> {
        if *self.rules.get_or_insert(rules) != rules {
            let message = "the games of the database were read by other rules";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(())
    }

    /// Adds games of another database, numbered from [`games`](Writer::games) `+ 1`.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written, or the games are read by other rules than earlier ones.
    pub(crate) fn add_rows(&mut self, mut rows: GroupRows) -> io::Result<()> {
        self.accept(rows.rules)?;
        match mem::replace(&mut rows.content, Content::End(Vec::new())) {
            Content::Whole(games, group) => self.copy(rows, games, group),
            Content::Single(decoded) => self.add_single(rows, &decoded),
            Content::End(rest) => {
                let games = self.games;
                self.rest
                    .extend(rest.into_iter().map(|kept| kept.renumbered(rows.games_before(), games)));
                Ok(())
            }
        }
    }

    /// Copies a row group of this many games.
    fn copy(&mut self, mut rows: GroupRows, games: usize, mut group: EncodedGroup) -> io::Result<()> {
        self.end_group()?;
        let is_as_before = rows.games_before() == self.games || !rows.have_warnings();
        if !is_as_before || !self.rest.is_empty() {
            let mut cells = Cells::with_room(Kind::Text, games);
            for (index, number) in (0..games).zip(self.games + 1..) {
                let kept = self.kept_of(&mut rows, index, number);
                cells.push(of_warnings(&kept)?);
            }
            let column = Column::Warnings.index();
            group.columns[column] = cells.encode(&self.format, column)?;
        }
        self.games += games as u64;
        self.queue.push_packed(group);
        self.write_packed()
    }

    /// Adds the wanted rows of a row group one by one.
    fn add_single(&mut self, mut rows: GroupRows, decoded: &Decoded) -> io::Result<()> {
        for index in &decoded.wanted {
            let number = self.games + 1;
            let kept = self.kept_of(&mut rows, *index, number);
            self.pending.push_row(decoded, *index, &kept, rows.rules)?;
            self.games += 1;
            self.end_full_group()?;
        }
        Ok(())
    }

    /// Returns the warnings of a game that is added. It has `index` in its row group and gets `number`.
    fn kept_of(&mut self, rows: &mut GroupRows, index: usize, number: u64) -> Vec<Kept> {
        let mut kept = mem::take(&mut self.rest);
        kept.extend(rows.warnings_of(index, number));
        kept
    }

    /// Ends the row group that is being filled, if it is full.
    fn end_full_group(&mut self) -> io::Result<()> {
        match self.pending.games() >= GROUP_GAMES || self.pending.bytes() >= GROUP_BYTES {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    /// Ends the row group that is being filled, if a game with texts of this many bytes would make it too large.
    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        match self.pending.bytes() + bytes > GROUP_BYTES {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    /// Ends the row group that is being filled.
    fn end_group(&mut self) -> io::Result<()> {
        if self.pending.games() == 0 {
            return Ok(());
        }
        let values = mem::replace(&mut self.pending, GroupValues::new());
        while !self.queue.has_room_for(&values) {
            match self.queue.take() {
                Some(group) => self.write_group(group?)?,
                None => break,
            }
        }
        self.queue.push(values);
        self.write_packed()
    }

    /// Packs and writes the row groups that wait, to free their memory before something large.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub(crate) fn write_waiting(&mut self) -> io::Result<()> {
        while let Some(group) = self.queue.take() {
            self.write_group(group?)?;
        }
        Ok(())
    }

    /// Writes the row groups that are packed.
    fn write_packed(&mut self) -> io::Result<()> {
        while let Some(group) = self.queue.next() {
            self.write_group(group?)?;
        }
        Ok(())
    }

    /// Writes a row group.
    fn write_group(&mut self, group: EncodedGroup) -> io::Result<()> {
        let start = self.written;
        let games = group.columns.first().map_or(0, |column| column.result.rows_written);
        let mut columns = Vec::with_capacity(group.columns.len());
        for (index, column) in group.columns.into_iter().enumerate() {
            self.watch.check()?;
            let bytes = column.chunk.bytes();
            self.checksums += &format!("{:08x}", crc32fast::hash(bytes));
            if index == Column::Movedata.index() {
                self.pages.push(move_pages::word_of(bytes));
            }
            columns.push(moved(column.result.metadata, self.written).map_err(failed)?);
            self.out.write_all(bytes)?;
            self.written += bytes.len() as u64;
        }
        let described = RowGroupMetaData::builder(self.format.schema())
            .set_total_byte_size(columns.iter().map(ColumnChunkMetaData::uncompressed_size).sum())
            .set_column_metadata(columns)
            .set_num_rows(number(games))
            .set_ordinal(i32::try_from(self.footer.entries().len()).unwrap_or(i32::MAX))
            .set_file_offset(number(start));
        self.footer.push(described.build().map_err(failed)?)?;
        self.summaries.push(group.summary);
        self.boards.push(group.boards.len());
        self.out.write_all(&group.boards.bytes)?;
        self.out.write_all(&group.squares.bytes)?;
        self.squares += &group.squares.to_text();
        self.written += (group.boards.bytes.len() + group.squares.bytes.len()) as u64;
        Ok(())
    }

    /// Writes the rest and the end of the file, and returns the output.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_group()?;
        while let Some(group) = self.queue.take_last() {
            self.write_group(group?)?;
        }
        let mut keys = vec![KeyValue::new(VERSION_KEY.to_owned(), VERSION.to_string())];
        let mut add = |key: &str, value| keys.push(KeyValue::new(key.to_owned(), value));
        if let Some(rest) = warnings::to_text(&self.rest)? {
            add(REST_KEY, rest);
        }
        if self.rules == Some(Rules::Cql) {
            add(RULES_KEY, CQL_RULES.to_owned());
        }
        add(CHECKSUMS_KEY, self.checksums);
        add(GROUPS_KEY, Summary::to_text(&self.summaries));
        add(PAGES_KEY, self.pages.join(" "));
        add(BOARDS_KEY, board_filter::lengths_to_text(&self.boards));
        add(SQUARES_KEY, self.squares);
        if !self.themes.is_empty() {
            let (bitmaps, list) = themes::pack(&self.themes)?;
            self.out.write_all(&bitmaps)?;
            add(THEMES_KEY, list);
        }
        add(DIRECTORY_KEY, Entry::to_text(self.footer.entries()));
        add(FOOTER_KEY, footer::NO_CHECKSUM.to_owned());
        let mut end = self.footer.into_bytes(self.format.schema(), layout::CREATOR, keys)?;
        footer::seal(&mut end)?;
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the metadata of a column whose bytes now begin at another place.
fn moved(column: ColumnChunkMetaData, start: u64) -> Result<ColumnChunkMetaData, ParquetError> {
    let dictionary = column.dictionary_page_offset();
    let by = number(start).saturating_sub(dictionary.unwrap_or(column.data_page_offset()));
    let data = column.data_page_offset().saturating_add(by);
    let moved = column.into_builder().set_data_page_offset(data);
    moved
        .set_dictionary_page_offset(dictionary.map(|place| place.saturating_add(by)))
        .build()
}

/// Returns a number in the type that Parquet uses.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
