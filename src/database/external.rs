//! Parquet files that others have made, as PGN: archives with a column `movetext`, as those of Lichess, and those of Aix with a
//! column `movedata`. The other columns are tags.
//!
//! Whoever cuts the file into blocks only unpacks its pages; text and moves are made of the values where the block goes.
//!
//! Each part uses only those before it: `copy`, `values`, `row`.

mod copy;
mod row;
mod values;

use std::ops::Range;
use std::sync::Arc;
use std::{io, mem, str};

use super::block::Block;
use super::error::{damaged, is_damage};
use super::file::ParquetFile;
use super::layout::PAGE_GAMES;
use super::partition::partition_games;
use crate::game::{GameTable, WarningKind};
use crate::limits::Memory;
use crate::pgn::{BlockHead, RowBatcher, RowBlock, RowSource};
use row::Column;
pub(crate) use row::columns_read;
use values::{Stream, Values};

/// A block of more than one game has about this many bytes of values at most.
const BLOCK_BYTES: usize = 4 << 20;
/// A block has this many games at most.
const BLOCK_GAMES: usize = PAGE_GAMES;
/// The most bytes of the values of a row.
const MOST_ROW_BYTES: usize = 64 << 20;

/// The games of someone else's file, cut into blocks. Each row is a game.
pub struct ExternalBlocks {
    source: RowSource,
    /// None if the games are rows in memory.
    file: Option<ParquetFile>,
    columns: Arc<[Column]>,
    /// The values of the columns in the row group that is being cut.
    streams: Vec<Box<dyn Stream>>,
    /// Games of the row group whose values have not been read.
    left: usize,
    /// Values that have been read, and the games of them that have not been handed out.
    read: (Arc<[Box<dyn Values>]>, Range<usize>),
    /// What there is to say about the columns, until it has been said.
    complaints: Vec<String>,
    /// The indices of the row groups after it.
    next: Range<usize>,
    /// Rows of the file that have been handed out.
    rows: u64,
    last_number: u64,
    /// Bytes of the row groups before the one after that no block has counted.
    bytes: u64,
    /// What the pages of all columns may take.
    memory: Arc<Memory>,
}

/// Successive games of someone else's file.
struct ExternalBlock {
    head: BlockHead,
    columns: Arc<[Column]>,
    /// Of each column.
    values: Arc<[Box<dyn Values>]>,
    /// Whose values are those of the games.
    games: Range<usize>,
    /// The row of the first game in the file, from 1.
    row: u64,
}

/// What comes next of someone else's file.
pub enum ExternalGames {
    /// Games that can be read.
    Rows(Box<dyn RowBlock>),
    /// Games that cannot be read because the file is damaged where they stand, mostly the rest of a row group.
    Damaged(Box<Block>),
}

impl ExternalBlocks {
    /// The games of these row groups of a file. The numbers of its games follow `last_number`, also of those that come before the row
    /// groups.
    ///
    /// # Errors
    /// When it has neither a column of movetext nor one of encoded moves, or one of another type.
    pub(super) fn new(
        file: ParquetFile,
        groups: Range<usize>,
        source: RowSource,
        last_number: u64,
    ) -> io::Result<ExternalBlocks> {
        let columns = row::columns_of_file(file.schema())?;
        let rows = file.games_before(groups.start);
        Ok(ExternalBlocks {
            file: Some(file),
            next: groups,
            rows,
            last_number: last_number.saturating_add(rows),
            ..ExternalBlocks::of_columns(source, columns)
        })
    }

    /// The games of rows in memory. Their numbers follow `last_number`.
    ///
    /// # Errors
    /// As those of [`new`](ExternalBlocks::new), and when a text is too long or none.
    pub(super) fn of_table(table: &GameTable, source: RowSource, last_number: u64) -> io::Result<ExternalBlocks> {
        let columns = row::columns_of_table(table)?;
        let values = columns.0.iter().map(|column| values::of_table(table, column.leaf));
        let mut blocks = ExternalBlocks {
            last_number,
            ..ExternalBlocks::of_columns(source, (Vec::new(), Vec::new()))
        };
        let values = values.collect();
        blocks.columns = columns.0.into();
        blocks.complaints = columns.1;
        blocks.take(values, table.rows())?;
        Ok(blocks)
    }

    fn of_columns(source: RowSource, (columns, complaints): (Vec<Column>, Vec<String>)) -> ExternalBlocks {
        ExternalBlocks {
            source,
            file: None,
            columns: columns.into(),
            streams: Vec::new(),
            left: 0,
            read: Default::default(),
            complaints,
            next: 0..0,
            rows: 0,
            last_number: 0,
            bytes: 0,
            memory: Arc::default(),
        }
    }

    /// The same games, for whose pages there is this much memory.
    #[must_use]
    pub fn within(self, memory: &Arc<Memory>) -> ExternalBlocks {
        ExternalBlocks {
            memory: Arc::clone(memory),
            ..self
        }
    }

    /// What comes next, if there is something.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_games(&mut self) -> io::Result<Option<ExternalGames>> {
        let mut damage = None;
        while self.read.1.is_empty() {
            if self.left == 0 && !self.next_group() {
                return Ok(None);
            }
            let left = self.left;
            match self.read_values() {
                Err(error) if is_damage(&error) => {
                    // Values that have been read were of these games alone.
                    let lost = match left - self.left {
                        0 => mem::take(&mut self.left),
                        lost => lost,
                    };
                    self.read = (Arc::default(), 0..lost);
                    damage = Some(error);
                }
                read => read?,
            }
        }
        let (values, unread) = &mut self.read;
        let end = match &damage {
            Some(_) => unread.end,
            None => end_of_block(values, unread.clone()),
        };
        let games = unread.start..end;
        unread.start = end;
        let row = self.rows.saturating_add(1);
        let mut head = BlockHead {
            source: self.source.clone(),
            first: self.last_number.saturating_add(1),
            games: games.len(),
            source_bytes: mem::take(&mut self.bytes),
            ..BlockHead::default()
        };
        self.rows = self.rows.saturating_add(games.len() as u64);
        self.last_number = self.last_number.saturating_add(games.len() as u64);
        if let Some(damage) = damage {
            let block = Block::damaged(head, row, damage);
            return Ok(Some(ExternalGames::Damaged(Box::new(block))));
        }
        let complaints = mem::take(&mut self.complaints).into_iter();
        let warning = |message| self.source.warning(WarningKind::BadColumn, 0, 0, message);
        head.warnings.extend(complaints.map(warning));
        Ok(Some(ExternalGames::Rows(Box::new(ExternalBlock {
            head,
            columns: Arc::clone(&self.columns),
            values: Arc::clone(values),
            games,
            row,
        }))))
    }

    /// Reads the values of the next games of the row group.
    fn read_values(&mut self) -> io::Result<()> {
        if self.streams.is_empty() {
            self.open_group()?;
        }
        let games = self.left.min(self.partition_games());
        let values = self
            .columns
            .iter()
            .zip(&mut self.streams)
            .map(|(column, stream)| stream.next(games).map_err(|error| column.damaged(&error)));
        let values: Arc<[_]> = values.collect::<io::Result<_>>()?;
        self.left -= games;
        self.take(values, games)
    }

    /// Takes the values of the next games, of each column.
    fn take(&mut self, values: Arc<[Box<dyn Values>]>, games: usize) -> io::Result<()> {
        for (column, values) in self.columns.iter().zip(&*values) {
            let is_no_text = |index: &usize| values.bytes(*index).is_some_and(|text| str::from_utf8(text).is_err());
            let wrong = column.is_movetext().then(|| (0..games).find(is_no_text)).flatten();
            if let Some(index) = wrong {
                let row = self.rows.saturating_add(index as u64 + 1);
                return Err(damaged(&format!(
                    "the column `{}` is not text (UTF-8) in row {row}",
                    column.name
                )));
            }
        }
        let longest = (0..games).map(|index| row_bytes(&values, index)).max();
        if longest > Some(MOST_ROW_BYTES) {
            return Err(damaged("a row of more than 64 MB"));
        }
        self.read = (values, 0..games);
        Ok(())
    }

    /// How many games of the row group that is being cut a block has.
    fn partition_games(&self) -> usize {
        let (Some(file), Some(group)) = (&self.file, self.next.start.checked_sub(1)) else {
            return 1;
        };
        partition_games(file.games(), file.group_games(group) as u64, file.decoded_bytes(group))
    }

    /// Continues to the next row group; `false` when there is none.
    fn next_group(&mut self) -> bool {
        let (Some(file), Some(next)) = (&self.file, self.next.next()) else {
            return false;
        };
        self.streams.clear();
        self.left = file.group_games(next);
        self.bytes = self.bytes.saturating_add(file.group_bytes(next));
        true
    }

    /// Opens the columns of the row group that is to be cut.
    fn open_group(&mut self) -> io::Result<()> {
        let (Some(file), Some(next)) = (&self.file, self.next.start.checked_sub(1)) else {
            return Ok(());
        };
        let group = file.described(next)?;
        let stream = |column: &Column| {
            let reader = file.stream(next, column.leaf, &self.memory);
            let reader = reader.map_err(|error| column.damaged(&error))?;
            Ok(values::stream(reader, group.column(column.leaf)))
        };
        self.streams = self.columns.iter().map(stream).collect::<io::Result<_>>()?;
        Ok(())
    }
}

/// Lines are rows of the file.
impl RowBlock for ExternalBlock {
    fn head(&self) -> &BlockHead {
        &self.head
    }

    fn write(&self, games: &mut RowBatcher) {
        let mut text = Vec::new();
        for (offset, index) in self.games.clone().enumerate() {
            if self.head.source.watch.is_over() {
                break;
            }
            let (number, row) = (self.head.number(offset), self.row.saturating_add(offset as u64));
            text.clear();
            if let Some(lost) = row::write(&self.columns, &self.values, index, &mut text) {
                games.warn(WarningKind::BadColumn, row, number, &lost);
            }
            games.add(&text, number, row);
        }
    }
}

/// How many bytes the values of a row have.
fn row_bytes(values: &[Box<dyn Values>], index: usize) -> usize {
    let lengths = values.iter().map(|values| values.size(index));
    lengths.sum()
}

/// The end of the block that begins with the first of these games.
fn end_of_block(values: &[Box<dyn Values>], games: Range<usize>) -> usize {
    let mut bytes = 0;
    let is_too_much = |index: &usize| {
        bytes += row_bytes(values, *index);
        bytes > BLOCK_BYTES && *index > games.start
    };
    let most = games.end.min(games.start.saturating_add(BLOCK_GAMES));
    (games.start..most).find(is_too_much).unwrap_or(most)
}
