//! An opened database: its footer, and the bytes of its columns.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArrayType, DataType, Int32Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ColumnChunkMetaData, FileMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::statistics::Statistics;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use roaring::RoaringBitmap;

use super::board_filter::{self, BLOCK, BoardFilter};
use super::dictionary::{Dictionary, NumberedPages};
use super::error::damaged;
use super::footer::Footer;
use super::hexadecimal::{self, Digits};
use super::layout::{
    self, BOARDS_KEY, CHECKSUMS_KEY, CQL_RULES, Column, GROUPS_KEY, OLDEST_VERSION, PAGES_KEY, READ_VERSION, RULES_KEY,
    SQUARES_KEY, SUMMED_VERSION, THEMES_KEY, VERSION, VERSION_KEY,
};
use super::move_pages::{GroupPages, MovePages};
use super::pages::Pages;
use super::row_groups::{self, Entry, RowGroups};
use super::squares::{self, GroupSquares, PackedSquares};
use super::storage::{Storage, Stretch};
use super::summary::Summary;
use super::themes::Themes;
use super::{panic_guard, validation};
use crate::board::BoardKey;
use crate::game::Rules;
use crate::limits::{Memory, Share};
use crate::query::{NamedTheme, ThemeDigest};

/// A Parquet file that is open for reading from any number of threads.
pub(crate) struct ParquetFile {
    storage: Arc<Storage>,
    metadata: FileMetaData,
    groups: RowGroups,
    /// The number of games before each row group.
    games_before: Vec<u64>,
    /// The end of the columns.
    end: u64,
    /// Whether the footer has a checksum.
    is_summed: bool,
    /// The CRC-32 of each column of each row group, if skewer has written the file.
    checksums: Option<Vec<u32>>,
    /// The summaries of the row groups, if the file has them.
    summaries: Vec<Summary>,
    /// The places of the pages of moves, if the file has them.
    pages: MovePages,
    /// The number of blocks in the board filter after each row group, if the file has them.
    boards: Vec<usize>,
    /// The number of bytes of the squares after each filter and their checksum, if the file has them.
    squares: Vec<(usize, u32)>,
    themes: Themes,
}

impl ParquetFile {
    /// Reads the footer of a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or if the file is a damaged database or one of another version.
    pub(super) fn open(storage: Storage) -> io::Result<ParquetFile> {
        let footer = Footer::read(&storage)?;
        let (metadata, groups) = RowGroups::read(&footer)?;
        let mut file = ParquetFile {
            storage: Arc::new(storage),
            end: footer.start,
            is_summed: footer.is_summed,
            checksums: None,
            summaries: Vec::new(),
            pages: MovePages::default(),
            boards: Vec::new(),
            squares: Vec::new(),
            themes: Themes::default(),
            games_before: Vec::new(),
            metadata,
            groups,
        };
        let mut before = 0_u64;
        for entry in file.groups.entries() {
            file.games_before.push(before);
            before = before.saturating_add(entry.games as u64);
        }
        if footer.is_ours {
            file.check_version()?;
            file.check_database()?;
        }
        Ok(file)
    }

    /// Returns whether skewer has written the file.
    pub(super) fn is_database(&self) -> bool {
        self.checksums.is_some()
    }

    /// Returns whether the file is a database without a checksum of its footer, as older versions made them.
    pub(super) fn lacks_checksum(&self) -> bool {
        self.is_database() && !self.is_summed
    }

    fn check_database(&mut self) -> io::Result<()> {
        let sums = self.metadata_value(CHECKSUMS_KEY);
        let sums = sums.ok_or_else(|| damaged("a damaged database: it has no checksums"))?;
        let groups = self.groups();
        let sum = |digits: &mut Digits<'_>| digits.number(8);
        let sums = hexadecimal::of_groups(sums, 8, groups.saturating_mul(self.columns()), sum, "its checksums")?;
        if let Some(text) = self.metadata_value(GROUPS_KEY) {
            self.summaries = Summary::from_text(text, groups)?;
            if !self.is_read_as_now() {
                self.summaries.iter_mut().for_each(Summary::forget_years);
            }
        }
        self.groups.check_described()?;
        self.checksums = Some(sums);
        if let Some(pages) = self.metadata_value(PAGES_KEY) {
            self.pages = MovePages::from_text(pages, groups)?;
        }
        if let Some(boards) = self.metadata_value(BOARDS_KEY) {
            let blocks = |digits: &mut Digits<'_>| digits.number(board_filter::DIGITS);
            self.boards = hexadecimal::of_groups(boards, board_filter::DIGITS, groups, blocks, "its boards")?;
        }
        if let Some(squares) = self.metadata_value(SQUARES_KEY) {
            self.squares = squares::lengths_from_text(squares, groups)?;
        }
        if let Some(themes) = self.metadata_value(THEMES_KEY) {
            self.themes = Themes::from_text(themes, self.end)?;
        }
        Ok(())
    }

    /// Checks the version of a database.
    ///
    /// # Errors
    /// Returns an error if the version is not supported, or the file does not have what its version requires.
    fn check_version(&self) -> io::Result<()> {
        let version = self.metadata_value(VERSION_KEY);
        let version = version.ok_or_else(|| damaged("a damaged database: it has no version"))?;
        let number: u32 = version
            .parse()
            .map_err(|_| damaged(&format!("a database of an unknown version, `{version}`")))?;
        let refusal = |what: &str| {
            let message = format!(
                "a database of version {number}, {what}; this program reads versions {OLDEST_VERSION} to {VERSION}"
            );
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        match number {
            ..OLDEST_VERSION => return Err(refusal("too old: index the games again")),
            OLDEST_VERSION..SUMMED_VERSION => {}
            SUMMED_VERSION..=VERSION if self.is_summed => {}
            SUMMED_VERSION..=VERSION => return Err(damaged("a damaged database: its end has no checksum")),
            _ => return Err(refusal("written by a newer skewer")),
        }
        let expected = layout::schema().map_err(io::Error::other)?;
        let found = self.metadata.schema();
        if Some(found.get_fields()) != expected.get_fields().get(..layout::columns_of(number)) {
            return Err(damaged("the columns are not those of a database"));
        }
        Ok(())
    }

    /// Returns whether years, evaluations and clocks were read as they are now.
    pub(super) fn is_read_as_now(&self) -> bool {
        let version = self
            .metadata_value(VERSION_KEY)
            .and_then(|version| version.parse().ok());
        version >= Some(READ_VERSION)
    }

    /// Returns the number of columns.
    pub(super) fn columns(&self) -> usize {
        self.schema().num_columns()
    }

    /// Returns the schema.
    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.schema_descr()
    }

    /// Returns the number of games.
    pub(super) fn games(&self) -> u64 {
        u64::try_from(self.metadata.num_rows()).unwrap_or(0)
    }

    /// Returns the number of row groups.
    pub(super) fn groups(&self) -> usize {
        self.groups.entries().len()
    }

    /// Returns the value of a metadata key.
    pub(super) fn metadata_value(&self, key: &str) -> Option<&str> {
        value(&self.metadata, key)
    }

    /// Returns the rules by which the games were read.
    ///
    /// # Errors
    /// Returns an error if this version does not know the rules.
    pub(super) fn rules(&self) -> io::Result<Rules> {
        match self.metadata_value(RULES_KEY) {
            None => Ok(Rules::Full),
            Some(CQL_RULES) => Ok(Rules::Cql),
            Some(other) => Err(damaged(&format!("games read by unknown rules, `{other}`"))),
        }
    }

    /// Returns the metadata of a row group.
    ///
    /// # Errors
    /// Returns an error if it is not valid.
    pub(super) fn described(&self, group: usize) -> io::Result<&RowGroupMetaData> {
        self.groups.get(group)
    }

    /// Returns the metadata of a column of a row group, if it can be read.
    fn description(&self, group: usize, column: usize) -> Option<&ColumnChunkMetaData> {
        self.described(group).ok()?.columns().get(column)
    }

    fn entry(&self, group: usize) -> Option<&Entry> {
        self.groups.entries().get(group)
    }

    /// Returns the number of games before a row group.
    pub(super) fn games_before(&self, group: usize) -> u64 {
        let known = self.games_before.get(group);
        known.copied().unwrap_or_else(|| self.games())
    }

    /// Returns the number of games of a row group.
    pub(super) fn group_games(&self, group: usize) -> usize {
        self.entry(group).map_or(0, |entry| entry.games)
    }

    /// Returns the bytes of the file that a row group takes.
    pub(super) fn group_bytes(&self, group: usize) -> u64 {
        self.entry(group)
            .map_or(0, |entry| entry.columns.end - entry.columns.start)
    }

    /// Returns the bytes of a row group when it is unpacked.
    pub(super) fn decoded_bytes(&self, group: usize) -> u64 {
        let described = self.groups.get(group).ok();
        described.map_or(0, |group| u64::try_from(group.total_byte_size()).unwrap_or(0))
    }

    /// Returns the summary of a row group, if the file has one.
    pub(super) fn summary(&self, group: usize) -> Option<&Summary> {
        self.summaries.get(group)
    }

    /// Returns the start of the board filter after a row group and its number of blocks, if there is one.
    fn boards_of(&self, group: usize) -> Option<(u64, usize)> {
        let blocks = *self.boards.get(group)?;
        (blocks > 0).then_some((self.entry(group)?.columns.end, blocks))
    }

    /// Returns whether a board with this key may occur in a main line of a row group. Without a readable filter, nothing is ruled out.
    pub(super) fn may_have_board(&self, group: usize, key: BoardKey) -> bool {
        let Some((start, blocks)) = self.boards_of(group) else {
            return true;
        };
        let start = start + (board_filter::place(key, blocks) * BLOCK) as u64;
        let block = self.storage.read(start..start + BLOCK as u64);
        block.map_or(true, |block| board_filter::may_have(&block, key))
    }

    /// Returns the filter of the boards of a row group, if there is one.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub(super) fn board_filter(&self, group: usize) -> io::Result<Option<BoardFilter>> {
        let place = self.boards_of(group);
        let bytes = place.map(|(start, blocks)| self.storage.read(start..start + (blocks * BLOCK) as u64));
        Ok(bytes.transpose()?.map(|bytes| BoardFilter { bytes }))
    }

    /// Returns the packed squares on which kings and pawns have been in the games of a row group. Returns `None` if they are unknown or damaged.
    pub(super) fn packed_squares(&self, group: usize) -> Option<PackedSquares> {
        let (length, sum) = self.squares.get(group).copied().filter(|(length, _)| *length > 0)?;
        let start = self.entry(group)?.columns.end + (self.boards.get(group)? * BLOCK) as u64;
        let bytes = self.storage.read(start..start + length as u64).ok()?;
        (crc32fast::hash(&bytes) == sum).then_some(PackedSquares { bytes })
    }

    /// Returns the same for each game.
    pub(super) fn squares(&self, group: usize) -> Option<GroupSquares> {
        Some(GroupSquares::new(self.packed_squares(group)?, self.group_games(group)))
    }

    /// Returns the rows of the games in which a theme holds, if they are known.
    pub(super) fn theme_rows(&self, theme: ThemeDigest) -> Option<&Arc<RoaringBitmap>> {
        self.themes.rows(theme, &self.storage)
    }

    /// Returns whether a theme may hold in one of these games of a row group.
    pub(super) fn may_have_theme(&self, group: usize, games: Range<usize>, theme: ThemeDigest) -> bool {
        let Some(rows) = self.theme_rows(theme) else {
            return true;
        };
        let first = self.games_before(group);
        let row = |index: usize| u32::try_from(first + index as u64).ok();
        match (row(games.start), row(games.end)) {
            (Some(first), Some(end)) => rows.range_cardinality(first..end) > 0,
            _ => true,
        }
    }

    /// Returns the themes of the file, each with the rows of the games in which it holds, unless they cannot be read.
    pub(super) fn themes(&self) -> Vec<(NamedTheme, Option<Arc<RoaringBitmap>>)> {
        self.themes.all(&self.storage)
    }

    /// Returns the least and the greatest value of a column of small numbers in a row group: `None` if they are unknown, `Some(None)` if there are no
    /// values.
    pub(super) fn bounds(&self, group: usize, column: usize) -> Option<Option<(i32, i32)>> {
        if self.is_empty(group, column) {
            return Some(None);
        }
        match self.description(group, column)?.statistics()? {
            Statistics::Int32(bounds) => Some(Some((*bounds.min_opt()?, *bounds.max_opt()?))),
            _ => None,
        }
    }

    /// Returns whether no game of a row group has a value in a column, according to the statistics or because the file lacks the column.
    pub(super) fn is_empty(&self, group: usize, column: usize) -> bool {
        column >= self.columns()
            || self
                .groups
                .get(group)
                .is_ok_and(|group| row_groups::is_empty(group, column))
    }

    /// Returns whether a game of a row group may have warnings.
    pub(super) fn has_warnings(&self, group: usize) -> bool {
        self.entry(group).is_none_or(|entry| entry.has_warnings)
    }

    /// Returns the text that all games of a row group have in a column, if the statistics show that there is only one.
    pub(super) fn sole_text(&self, group: usize, column: usize) -> Option<&[u8]> {
        let Statistics::ByteArray(texts) = self.description(group, column)?.statistics()? else {
            return None;
        };
        let is_exact = texts.min_is_exact() && texts.max_is_exact() && texts.null_count_opt() == Some(0);
        let text = texts.min_opt()?;
        (is_exact && texts.max_opt()? == text).then(|| text.data())
    }

    /// Returns the bytes of the movetext of a row group, according to the metadata.
    pub(super) fn text_bytes(&self, group: usize) -> u64 {
        let movetext = self.description(group, Column::Movetext.index());
        movetext.map_or(0, |movetext| u64::try_from(movetext.uncompressed_size()).unwrap_or(0))
    }

    /// Returns a reader of a column of a row group, given its [bytes](ParquetFile::chunk).
    pub(super) fn column<T: DataType>(
        &self,
        group: usize,
        column: usize,
        chunk: Arc<Chunk>,
    ) -> io::Result<ColumnReaderImpl<T>> {
        let (descriptor, pages) = self.column_pages::<T>(group, column, chunk)?;
        Ok(ColumnReaderImpl::new(descriptor, Box::new(pages)))
    }

    /// Returns the dictionary of a column of texts and a reader of the numbers of its texts, if the column begins with a dictionary.
    pub(super) fn numbered_texts(
        &self,
        group: usize,
        column: usize,
        chunk: Arc<Chunk>,
    ) -> io::Result<Option<(Dictionary, ColumnReaderImpl<Int32Type>)>> {
        let (descriptor, pages) = self.column_pages::<ByteArrayType>(group, column, chunk)?;
        let numbered = panic_guard::decode(|| NumberedPages::of_texts(pages))?;
        Ok(numbered.map(|(dictionary, pages)| (dictionary, ColumnReaderImpl::new(descriptor, Box::new(pages)))))
    }

    fn column_pages<T: DataType>(
        &self,
        group: usize,
        column: usize,
        chunk: Arc<Chunk>,
    ) -> io::Result<(ColumnDescPtr, Pages<Chunk>)> {
        let metadata = self.described(group)?.column(column);
        let descriptor = metadata.column_descr_ptr();
        if descriptor.physical_type() != T::get_physical_type() {
            return Err(damaged("a column of the wrong type"));
        }
        let pages = panic_guard::decode(|| Pages::new(chunk, metadata, self.group_games(group)))?;
        Ok((descriptor, pages))
    }

    /// Returns the bytes of a column of a row group.
    pub(super) fn chunk(&self, group: usize, column: usize) -> io::Result<Chunk> {
        let place = validation::place(self.described(group)?, column, self.end)?;
        let start = place.start;
        let bytes = self.storage.read(place)?;
        let fits = |sums: &Vec<u32>| sums.get(group * self.columns() + column) == Some(&crc32fast::hash(&bytes));
        if !self.checksums.as_ref().is_none_or(fits) {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(Chunk { start, bytes })
    }

    /// Returns the games whose moves are in the same page as those of `game`, by their indices in the row group, or `None` if the file does not say
    /// it.
    pub(super) fn page_of_moves(&self, group: usize, game: usize) -> Option<Range<usize>> {
        let games = self.group_games(group);
        Some(self.pages_of_moves(group)?.games_beside(game, games))
    }

    /// Returns the pages of the moves of a row group, if the file has their places.
    fn pages_of_moves(&self, group: usize) -> Option<&GroupPages> {
        let moves = self.description(group, Column::Movedata.index())?;
        self.pages.get(group, self.group_games(group), moves.byte_range().1)
    }

    /// Returns the page with the moves of a game. It is cut from `column`, if that is given, or else read from the file.
    pub(super) fn moves_of_page(&self, group: usize, game: usize, column: Option<&Chunk>) -> io::Result<Chunk> {
        let place = validation::place(self.described(group)?, Column::Movedata.index(), self.end)?;
        let pages = self.pages_of_moves(group);
        let in_column = pages.and_then(|pages| pages.bytes(game));
        let in_column = in_column.ok_or_else(|| damaged("a page that is not there"))?;
        let (start, end) = (place.start + in_column.start, place.start + in_column.end);
        if let Some(column) = column {
            let bytes = column.from(start)?;
            let length = bytes.len().min(usize::try_from(end - start).unwrap_or(usize::MAX));
            let bytes = bytes.slice(..length);
            return Ok(Chunk { start, bytes });
        }
        let bytes = self.storage.read(start..end)?;
        if !pages.is_some_and(|pages| pages.have_written(game, &bytes)) {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(Chunk { start, bytes })
    }

    /// Returns whether the moves of a row group are stored unpacked.
    pub(super) fn has_plain_moves(&self, group: usize) -> bool {
        let moves = self.description(group, Column::Movedata.index());
        moves.is_some_and(|moves| moves.compression() == Compression::UNCOMPRESSED)
    }

    /// Returns a reader of a page with the moves of this many games.
    pub(super) fn moves_in_page(
        &self,
        group: usize,
        page: Chunk,
        games: usize,
    ) -> io::Result<ColumnReaderImpl<ByteArrayType>> {
        let metadata = self.described(group)?.column(Column::Movedata.index());
        // The page is described as the whole column.
        let of_page = metadata.clone().into_builder();
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let of_page = of_page
            .set_data_page_offset(number(page.start))
            .set_total_compressed_size(number(page.bytes.len() as u64))
            .set_num_values(number(games as u64));
        let pages = panic_guard::decode(|| Pages::new(Arc::new(page), &of_page.build()?, games))?;
        Ok(ColumnReaderImpl::new(metadata.column_descr_ptr(), Box::new(pages)))
    }

    /// Returns a reader of a column of a row group that fetches page by page and reserves its memory from `memory`.
    pub(super) fn stream(&self, group: usize, column: usize, memory: &Arc<Memory>) -> io::Result<ColumnReader> {
        let described = self.described(group)?;
        let place = validation::place(described, column, self.end)?;
        let metadata = described.column(column);
        let bytes = Arc::new(Stretch::new(&self.storage, place));
        let pages = panic_guard::decode(|| Pages::new(bytes, metadata, self.group_games(group)))?;
        let pages = pages.within(Share::of(memory));
        Ok(get_column_reader(metadata.column_descr_ptr(), Box::new(pages)))
    }
}

/// Returns an error of a column of a database.
pub(super) fn in_column(column: usize, error: &io::Error) -> io::Error {
    let (name, ..) = layout::column(column);
    super::error::in_column(name, error)
}

fn value<'a>(metadata: &'a FileMetaData, key: &str) -> Option<&'a str> {
    let values = metadata.key_value_metadata()?;
    values.iter().find(|value| value.key == key)?.value.as_deref()
}

/// The bytes of a column of a row group, and where they begin in the file.
pub(super) struct Chunk {
    start: u64,
    bytes: Bytes,
}

impl Chunk {
    /// Creates a chunk from the bytes of a column and their start in the file.
    pub(super) fn new(start: u64, bytes: Bytes) -> Chunk {
        Chunk { start, bytes }
    }

    /// Returns all bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes all bytes out.
    pub(super) fn into_bytes(self) -> Bytes {
        self.bytes
    }

    fn from(&self, start: u64) -> ParquetResult<Bytes> {
        let place = start
            .checked_sub(self.start)
            .and_then(|place| usize::try_from(place).ok());
        match place.filter(|place| *place <= self.bytes.len()) {
            Some(place) => Ok(self.bytes.slice(place..)),
            None => Err(ParquetError::EOF("a page outside of its column".to_owned())),
        }
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let rest = self.from(start)?;
        if length > rest.len() {
            return Err(ParquetError::EOF("a page beyond the end of its column".to_owned()));
        }
        Ok(rest.slice(..length))
    }
}
