//! Successive games of a row group, which several threads read at once.

use std::io;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::error::{damaged, is_damage};
use super::file::{Chunk, ParquetFile};
use super::layout::{COLUMNS, Column};
use super::partition::partition_games;
use super::squares::GroupSquares;
use crate::game::GameTable;

/// A row group of a file, each column of which is read once by the first thread that needs it, or all rows of a table in memory.
pub(super) enum RowGroup {
    File(FileGroup),
    Table(GameTable),
}

/// A row group of a file.
pub(super) struct FileGroup {
    pub(super) file: Arc<ParquetFile>,
    pub(super) index: usize,
    /// The bytes of each column, or the error that occurred.
    chunks: Vec<OnceLock<Result<Arc<Chunk>, io::Error>>>,
    /// Where kings and pawns have been, if it is known.
    squares: OnceLock<Option<Arc<GroupSquares>>>,
}

impl RowGroup {
    /// Creates a row group of a database, by its index.
    pub(super) fn new(file: &Arc<ParquetFile>, index: usize) -> RowGroup {
        RowGroup::File(FileGroup::new(file, index))
    }

    /// Returns it as a row group of a file, if it is one.
    pub(super) fn of_file(&self) -> Option<&FileGroup> {
        match self {
            RowGroup::File(group) => Some(group),
            RowGroup::Table(_) => None,
        }
    }

    /// Returns the number of its games.
    pub(super) fn games(&self) -> usize {
        match self {
            RowGroup::File(group) => group.file.group_games(group.index),
            RowGroup::Table(table) => table.rows(),
        }
    }

    /// Returns how many games a thread takes at once.
    pub(super) fn partition_games(&self) -> usize {
        match self {
            RowGroup::File(group) => {
                let text_bytes = group.file.text_bytes(group.index);
                partition_games(group.file.games(), self.games() as u64, text_bytes)
            }
            RowGroup::Table(table) => partition_games(table.rows() as u64, table.rows() as u64, 0),
        }
    }

    /// Returns the text that all games have in a column, if it is known that they have the same.
    pub(super) fn sole_text(&self, column: usize) -> Option<&[u8]> {
        let group = self.of_file()?;
        group.file.sole_text(group.index, column)
    }

    /// Returns where kings and pawns have been in each game, if it is known.
    pub(super) fn squares(&self) -> Option<Arc<GroupSquares>> {
        let group = self.of_file()?;
        let squares = || group.file.squares(group.index).map(Arc::new);
        group.squares.get_or_init(squares).clone()
    }

    /// Returns roughly how many bytes of the file this many of its games take.
    pub(super) fn bytes_of(&self, games: usize) -> u64 {
        let Some(group) = self.of_file() else {
            return games as u64;
        };
        let bytes = u128::from(group.file.group_bytes(group.index)) * games as u128 / self.games().max(1) as u128;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

impl FileGroup {
    /// Creates a row group of a database, by its index.
    pub(super) fn new(file: &Arc<ParquetFile>, index: usize) -> FileGroup {
        FileGroup {
            file: Arc::clone(file),
            index,
            chunks: iter::repeat_with(OnceLock::new).take(COLUMNS).collect(),
            squares: OnceLock::new(),
        }
    }

    /// Returns the page with the moves of a game. Reads the whole column first if `reads_column` is set. If the column is neither read nor to be
    /// read, or is damaged, only the page is read.
    pub(super) fn moves_of_page(&self, game: usize, reads_column: bool) -> io::Result<Chunk> {
        const COLUMN: usize = Column::Movedata.index();
        let column = (reads_column || self.chunks[COLUMN].get().is_some()).then(|| self.chunk(COLUMN));
        let column = match column.transpose() {
            Err(error) if !is_damage(&error) => return Err(error),
            // Other pages of a damaged column may be intact, as their checksums show.
            column => column.unwrap_or_default(),
        };
        self.file.moves_of_page(self.index, game, column.as_deref())
    }

    /// Returns the bytes of a column.
    pub(super) fn chunk(&self, column: usize) -> io::Result<Arc<Chunk>> {
        let chunk = self.chunks.get(column).ok_or_else(|| damaged("a column too many"))?;
        let chunk = chunk.get_or_init(|| self.file.chunk(self.index, column).map(Arc::new));
        match chunk {
            Ok(chunk) => Ok(Arc::clone(chunk)),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// Successive games of a row group.
pub(super) struct Rows {
    group: Arc<RowGroup>,
    games: Range<usize>,
}

impl Rows {
    /// Creates the rows with these indices, which must be in the row group.
    pub(super) fn new(group: &Arc<RowGroup>, games: Range<usize>) -> Rows {
        Rows {
            group: Arc::clone(group),
            games,
        }
    }

    /// Returns a part of the rows, by their indices among these.
    pub(super) fn part(&self, games: Range<usize>) -> Rows {
        let start = self.games.start;
        let end = self.games.end.min(start + games.end);
        Rows::new(&self.group, (start + games.start).min(end)..end)
    }

    /// Returns their row group.
    pub(super) fn group(&self) -> &Arc<RowGroup> {
        &self.group
    }

    /// Returns their indices in the row group.
    pub(super) fn games(&self) -> Range<usize> {
        self.games.clone()
    }

    /// Returns whether they are rows of a table in memory.
    pub(super) fn are_in_memory(&self) -> bool {
        self.group.of_file().is_none()
    }

    /// Returns whether the columns of evaluations and clocks are reliable.
    pub(super) fn tell_commands(&self) -> bool {
        self.group.of_file().is_some_and(|group| group.file.is_read_as_now())
    }

    /// Returns the number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }
}
