//! Parquet files of other programs as PGN: archives with a column `movetext`, such as those of Lichess, and those of Aix with a column `movedata`.
//! The other columns are tags.
//!
//! When the file is cut into blocks, only its pages are unpacked. The worker that gets a block makes text and moves from the values.
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

/// The most bytes of values, roughly, in a block of more than one game.
const BLOCK_BYTES: usize = 4 << 20;
/// The most games in a block.
const BLOCK_GAMES: usize = PAGE_GAMES;
/// The most bytes of the values of a row.
const MOST_ROW_BYTES: usize = 64 << 20;

/// The games of another program's file, cut into blocks. Each row is a game.
pub struct ExternalBlocks {
    source: RowSource,
    /// The file, or `None` if the games are rows in memory.
    file: Option<ParquetFile>,
    columns: Arc<[Column]>,
    /// The columns of the current row group as streams of values.
    streams: Vec<Box<dyn Stream>>,
    /// The number of games of the row group whose values have not been read.
    left: usize,
    /// The values that have been read, and the range of those not handed out yet.
    read: (Arc<[Box<dyn Values>]>, Range<usize>),
    /// The complaints about the columns that are not reported yet.
    complaints: Vec<String>,
    /// The indices of the row groups after the current one.
    next: Range<usize>,
    /// The number of rows that have been handed out.
    rows: u64,
    last_number: u64,
    /// The bytes of row groups up to the current one that no block has counted yet.
    bytes: u64,
    /// The memory that the pages of all columns may take.
    memory: Arc<Memory>,
}

/// Successive games of another program's file.
struct ExternalBlock {
    head: BlockHead,
    columns: Arc<[Column]>,
    /// The values of each column.
    values: Arc<[Box<dyn Values>]>,
    /// The range of the games within these values.
    games: Range<usize>,
    /// The row of the first game in the file, from 1.
    row: u64,
}

/// The next part of another program's file.
pub enum ExternalGames {
    /// Games that can be read.
    Rows(Box<dyn RowBlock>),
    /// Games that cannot be read because the file is damaged there, usually the rest of a row group.
    Damaged(Box<Block>),
}

impl ExternalBlocks {
    /// Creates the blocks of these row groups of a file. Games are numbered from `last_number + 1`, including those before the row groups.
    ///
    /// # Errors
    /// Returns an error if the file has no column of movetext or of encoded moves, or if such a column has another type.
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

    /// Creates the blocks of rows in memory. Games are numbered from `last_number + 1`.
    ///
    /// # Errors
    /// Returns the errors of [`new`](ExternalBlocks::new), and an error if a text is too long or not UTF-8.
    pub(super) fn of_table(table: &GameTable, source: RowSource, last_number: u64) -> io::Result<ExternalBlocks> {
        let mut blocks = ExternalBlocks {
            last_number,
            ..ExternalBlocks::of_columns(source, row::columns_of_table(table)?)
        };
        let values = blocks.columns.iter().map(|column| values::of_table(table, column.leaf));
        blocks.take(values.collect(), table.rows())?;
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

    /// Sets the memory for the pages.
    #[must_use]
    pub fn within(self, memory: &Arc<Memory>) -> ExternalBlocks {
        ExternalBlocks {
            memory: Arc::clone(memory),
            ..self
        }
    }

    /// Returns the next games, if there are any.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn next_games(&mut self) -> io::Result<Option<ExternalGames>> {
        let mut damage = None;
        while self.read.1.is_empty() {
            if self.left == 0 && !self.next_group() {
                return Ok(None);
            }
            let left = self.left;
            match self.read_values() {
                Err(error) if is_damage(&error) => {
                    // All values that were read belong to the lost games.
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

    /// Takes the values of the next games, for each column.
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

    /// Returns how many games of the current row group are read at once.
    fn partition_games(&self) -> usize {
        let (Some(file), Some(group)) = (&self.file, self.next.start.checked_sub(1)) else {
            return 1;
        };
        partition_games(file.games(), file.group_games(group) as u64, file.decoded_bytes(group))
    }

    /// Continues with the next row group. Returns `false` if there is none.
    fn next_group(&mut self) -> bool {
        let (Some(file), Some(next)) = (&self.file, self.next.next()) else {
            return false;
        };
        self.streams.clear();
        self.left = file.group_games(next);
        self.bytes = self.bytes.saturating_add(file.group_bytes(next));
        true
    }

    /// Opens the columns of the current row group.
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

/// The lines are rows of the file.
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

/// Returns the bytes of the values of a row.
fn row_bytes(values: &[Box<dyn Values>], index: usize) -> usize {
    let lengths = values.iter().map(|values| values.size(index));
    lengths.sum()
}

/// Returns the end of the block that begins with the first of these games.
fn end_of_block(values: &[Box<dyn Values>], games: Range<usize>) -> usize {
    let mut bytes = 0;
    let is_too_much = |index: &usize| {
        bytes += row_bytes(values, *index);
        bytes > BLOCK_BYTES && *index > games.start
    };
    let most = games.end.min(games.start.saturating_add(BLOCK_GAMES));
    (games.start..most).find(is_too_much).unwrap_or(most)
}
