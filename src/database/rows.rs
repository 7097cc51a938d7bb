//! Successive games of a row group, which several threads read at once.

use std::io;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, Int32Type};
use roaring::RoaringBitmap;

use super::dictionary::Dictionary;
use super::error::{damaged, is_damage};
use super::file::{Chunk, ParquetFile};
use super::layout::{COLUMNS, Column};
use super::partition::partition_games;
use super::squares::GroupSquares;
use crate::game::GameTable;
use crate::query::ThemeDigest;

/// A row group of a file, each column of which is read once by the first thread that needs it, or all rows of a table in memory.
pub(super) enum RowGroup {
    File(FileGroup),
    Table(GameTable),
}

/// A row group of a file.
pub(super) struct FileGroup {
    file: Arc<ParquetFile>,
    index: usize,
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

    /// Returns the number of its games.
    pub(super) fn games(&self) -> usize {
        match self {
            RowGroup::File(group) => group.games(),
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
        match self {
            RowGroup::File(group) => group.file.sole_text(group.index, column),
            RowGroup::Table(_) => None,
        }
    }

    /// Returns where kings and pawns have been in each game, if it is known.
    pub(super) fn squares(&self) -> Option<Arc<GroupSquares>> {
        match self {
            RowGroup::File(group) => group
                .squares
                .get_or_init(|| group.file.squares(group.index).map(Arc::new))
                .clone(),
            RowGroup::Table(_) => None,
        }
    }

    /// Returns the rows of the games of its file in which a theme holds, if they are known.
    pub(super) fn theme_rows(&self, theme: ThemeDigest) -> Option<&Arc<RoaringBitmap>> {
        match self {
            RowGroup::File(group) => group.file.theme_rows(theme),
            RowGroup::Table(_) => None,
        }
    }

    /// Returns roughly how many bytes of the file this many of its games take.
    pub(super) fn bytes_of(&self, games: usize) -> u64 {
        match self {
            RowGroup::File(group) => group.bytes_of(games),
            RowGroup::Table(_) => games as u64,
        }
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

    fn games(&self) -> usize {
        self.file.group_games(self.index)
    }

    fn bytes_of(&self, games: usize) -> u64 {
        let bytes = u128::from(self.file.group_bytes(self.index)) * games as u128 / self.games().max(1) as u128;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// Returns whether no game has a value in a column.
    pub(super) fn is_empty(&self, column: usize) -> bool {
        self.file.is_empty(self.index, column)
    }

    /// Returns a reader of a column from the first game on.
    pub(super) fn column<T: DataType>(&self, column: usize) -> io::Result<ColumnReaderImpl<T>> {
        self.file.column(self.index, column, self.chunk(column)?)
    }

    /// Returns the dictionary of a column of texts and a reader of the numbers of its texts, if the column begins with a dictionary.
    pub(super) fn numbered_texts(
        &self,
        column: usize,
    ) -> io::Result<Option<(Dictionary, ColumnReaderImpl<Int32Type>)>> {
        self.file.numbered_texts(self.index, column, self.chunk(column)?)
    }

    /// Returns whether the bytes of a column have been read.
    pub(super) fn has_bytes(&self, column: usize) -> bool {
        self.chunks.get(column).is_some_and(|chunk| chunk.get().is_some())
    }

    /// Returns the games whose moves are in the same page as those of `game`, or `None` if the file does not say it.
    pub(super) fn page_of_moves(&self, game: usize) -> Option<Range<usize>> {
        self.file.page_of_moves(self.index, game)
    }

    /// Returns the page with the moves of a game. Reads the whole column first if `reads_column` is set. If the column is neither read nor to be
    /// read, or is damaged, only the page is read.
    pub(super) fn moves_of_page(&self, game: usize, reads_column: bool) -> io::Result<Chunk> {
        const COLUMN: usize = Column::Movedata.index();
        let column = (reads_column || self.has_bytes(COLUMN)).then(|| self.chunk(COLUMN));
        let column = match column.transpose() {
            Err(error) if !is_damage(&error) => return Err(error),
            // Other pages of a damaged column may be intact, as their checksums show.
            column => column.unwrap_or_default(),
        };
        self.file.moves_of_page(self.index, game, column.as_deref())
    }

    /// Returns whether the moves are stored unpacked.
    pub(super) fn has_plain_moves(&self) -> bool {
        self.file.has_plain_moves(self.index)
    }

    /// Returns a reader of a page with the moves of this many games.
    pub(super) fn moves_in_page(&self, page: Chunk, games: usize) -> io::Result<ColumnReaderImpl<ByteArrayType>> {
        self.file.moves_in_page(self.index, page, games)
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
        matches!(*self.group, RowGroup::Table(_))
    }

    /// Returns whether the columns of evaluations and clocks are reliable.
    pub(super) fn tell_commands(&self) -> bool {
        match &*self.group {
            RowGroup::File(group) => group.file.is_read_as_now(),
            RowGroup::Table(_) => false,
        }
    }

    /// Returns the number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }
}
