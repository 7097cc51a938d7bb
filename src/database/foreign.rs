//! Parquet files that others have made, as PGN: archives with a column `movetext`, as those of Lichess, and those of Aix with a
//! column `movedata`. The other columns are tags.
//!
//! Whoever cuts the file into blocks only unpacks its pages; text and moves are made of the values where the block goes.

mod row;
mod values;

use std::io;
use std::sync::{Arc, OnceLock};

use super::damaged;
use super::file::ParquetFile;
use super::parts::part_games;
use crate::game::{Batch, Gatherer, Rules};
use row::{Column, MOVEDATA, MOVETEXT};
use values::{Stream, Values};

/// The games of somebody else's file, cut into blocks. Each row is a game.
pub struct ForeignBlocks {
    name: Arc<str>,
    file: ParquetFile,
    columns: Arc<[Column]>,
    /// The values of the columns in the row group that is being cut.
    streams: Vec<Box<dyn Stream>>,
    /// Games of the row group that are still to come.
    left: usize,
    /// The index of the row group after it.
    next: usize,
    /// Rows of the file that have been handed out.
    rows: u64,
    last_number: u64,
    rules: Rules,
    /// Bytes of the row groups before the one after.
    bytes: u64,
}

/// Successive games of somebody else's file.
#[derive(Default)]
pub struct ForeignBlock {
    name: Arc<str>,
    columns: Arc<[Column]>,
    /// Of each column, for each game.
    values: Vec<Box<dyn Values>>,
    games: usize,
    /// The number of the first game.
    first: u64,
    /// Its row in the file, from 1.
    row: u64,
    rules: Rules,
    /// The games as text, once somebody has asked for it.
    text: OnceLock<Batch>,
}

impl ForeignBlocks {
    /// The games of a file that messages call `name`. Their numbers follow `last_number`.
    ///
    /// # Errors
    /// When it has neither a column of movetext nor one of encoded moves.
    pub(super) fn new(file: ParquetFile, name: Arc<str>, last_number: u64) -> io::Result<ForeignBlocks> {
        let columns = row::columns(file.metadata.file_metadata().schema_descr());
        if !columns.iter().any(Column::has_moves) {
            let message = format!("a Parquet file that has no column `{MOVETEXT}` or `{MOVEDATA}`");
            return Err(damaged(&message));
        }
        Ok(ForeignBlocks {
            name,
            file,
            columns: columns.into(),
            streams: Vec::new(),
            left: 0,
            next: 0,
            rows: 0,
            last_number,
            rules: Rules::default(),
            bytes: 0,
        })
    }

    /// The same games, read by these rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> ForeignBlocks {
        ForeignBlocks { rules, ..self }
    }

    /// The number of the last game that was handed out.
    pub fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Bytes of the file up to the next block, rounded up to whole row groups.
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// Refills a block with the next games; `false` when there are none.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_block(&mut self, block: &mut ForeignBlock) -> io::Result<bool> {
        while self.left == 0 {
            if !self.next_group()? {
                return Ok(false);
            }
        }
        let games = self.left.min(self.part_games());
        let values = self.streams.iter_mut().map(|stream| stream.next(games));
        *block = ForeignBlock {
            name: Arc::clone(&self.name),
            columns: Arc::clone(&self.columns),
            values: values.collect::<io::Result<_>>()?,
            games,
            first: self.last_number.saturating_add(1),
            row: self.rows.saturating_add(1),
            rules: self.rules,
            text: OnceLock::new(),
        };
        self.left -= games;
        self.rows = self.rows.saturating_add(games as u64);
        self.last_number = self.last_number.saturating_add(games as u64);
        Ok(true)
    }

    /// How many games of the row group that is being cut a block has.
    fn part_games(&self) -> usize {
        let metadata = &self.file.metadata;
        let games = |games: i64| u64::try_from(games).unwrap_or(0);
        let group = self.next.checked_sub(1).map(|group| metadata.row_group(group));
        group.map_or(1, |group| {
            let bytes = u64::try_from(group.total_byte_size()).unwrap_or(0);
            part_games(
                games(metadata.file_metadata().num_rows()),
                games(group.num_rows()),
                bytes,
            )
        })
    }

    /// Begins with the next row group; `false` when there is none.
    fn next_group(&mut self) -> io::Result<bool> {
        if self.next >= self.file.metadata.num_row_groups() {
            return Ok(false);
        }
        let group = self.file.metadata.row_group(self.next);
        let stream = |column: &Column| {
            let reader = self.file.stream(self.next, column.leaf)?;
            values::stream(reader, group.column(column.leaf).column_descr_ptr())
        };
        self.streams = self.columns.iter().map(stream).collect::<io::Result<_>>()?;
        let games = group.num_rows();
        self.left = usize::try_from(games).map_err(|_| damaged("a row group without a number of games"))?;
        let bytes = u64::try_from(group.compressed_size()).unwrap_or(0);
        self.bytes = self.bytes.saturating_add(bytes);
        self.next += 1;
        Ok(true)
    }
}

impl ForeignBlock {
    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The number of a game.
    pub fn number(&self, index: usize) -> u64 {
        self.first.saturating_add(index as u64)
    }

    /// The games as canonical PGN, made by the first who asks. Lines are rows of the file.
    pub fn text(&self) -> &Batch {
        self.text.get_or_init(|| self.read_text())
    }

    /// The same, for the only one who asks.
    pub fn into_text(mut self) -> Batch {
        self.text.take().unwrap_or_else(|| self.read_text())
    }

    fn read_text(&self) -> Batch {
        let mut games = Gatherer::new(&self.name, self.rules);
        let mut text = Vec::new();
        for index in 0..self.games {
            text.clear();
            row::write(&self.columns, &self.values, index, &mut text);
            games.add(&text, self.number(index), self.row.saturating_add(index as u64));
        }
        games.finish()
    }
}
