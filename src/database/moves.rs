//! The moves of the games of a block, read for all games at once or by page.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::Range;

use parquet::data_type::{ByteArray, ByteArrayType};

use super::columns::{Cells, Texts};
use super::error::is_damage;
use super::file::in_column;
use super::layout::Column;
use super::rows::{FileGroup, RowGroup, Rows};

const COLUMN: usize = Column::Movedata.index();

/// Reads the moves of the games of one block after another.
#[derive(Default)]
pub(super) struct Moves {
    /// The moves of all games of the block, if they have been read.
    all: Texts,
    has_all: bool,
    /// The column for games that are read one by one, and the moves of those that have been read, by their indices in the block.
    single: Texts,
    read_singly: BTreeMap<usize, Option<ByteArray>>,
    /// The moves of the games of a page, and their indices in the row group.
    page: Cells<ByteArrayType>,
    in_page: Range<usize>,
    /// How many pages of the block have been wanted so far, and the games of the last one.
    wanted: usize,
    last_wanted: Range<usize>,
    /// How many games of the block have been wanted so far.
    games_wanted: usize,
    /// Predictions: whether few pages of a block are wanted, and whether few games of a page are.
    are_few: bool,
    are_single: bool,
}

impl Moves {
    /// Creates a reader of moves. `are_few` says whether most moves are probably not wanted. Later predictions follow the previous block.
    pub(super) fn new(are_few: bool) -> Moves {
        Moves {
            are_few,
            are_single: are_few,
            ..Moves::default()
        }
    }

    /// Starts another block, after one of this many games.
    pub(super) fn begin(&mut self, games_before: usize) {
        if games_before > 0 {
            let of_page = self.last_wanted.len().max(1);
            self.are_few = self.wanted * of_page * 4 <= games_before * 3;
            self.are_single = self.games_wanted * 2 <= games_before;
        }
        self.has_all = false;
        self.read_singly.clear();
        self.games_wanted = 0;
        self.in_page = 0..0;
        self.wanted = 0;
        self.last_wanted = 0..0;
    }

    /// Returns the moves of a game of a block, if it has any in this column.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub(super) fn get(&mut self, rows: &Rows, index: usize) -> io::Result<Option<&[u8]>> {
        let game = rows.games().start + index;
        self.games_wanted += 1;
        let page = match &**rows.group() {
            RowGroup::File(group) => group.page_of_moves(game).map(|page| (group, page)),
            RowGroup::Table(_) => None,
        };
        if let Some((group, page)) = &page {
            if self.last_wanted != *page {
                self.wanted += 1;
                self.last_wanted = page.clone();
            }
            if self.are_few && !self.has_all && !group.has_bytes(COLUMN) {
                return self.in_page(group, page.clone(), game);
            }
        }
        if !self.has_all {
            let read = match self.are_single {
                true => self.read_single(rows, index),
                false => self.all.read(rows, COLUMN),
            };
            match (read, page) {
                (Ok(()), _) => self.has_all = !self.are_single,
                // The checksums of pages tell which ones are undamaged.
                (Err(error), Some((group, page))) if is_damage(&error) => return self.in_page(group, page, game),
                (Err(error), _) => return Err(error),
            }
        }
        Ok(match self.has_all {
            true => self.all.get(index),
            false => self
                .read_singly
                .get(&index)
                .and_then(|moves| Some(moves.as_ref()?.data())),
        })
    }

    /// Reads only the moves of one game and skips those before it.
    fn read_single(&mut self, rows: &Rows, index: usize) -> io::Result<()> {
        if let Entry::Vacant(place) = self.read_singly.entry(index) {
            self.single.read(&rows.part(index..index + 1), COLUMN)?;
            place.insert(self.single.shared(0));
        }
        Ok(())
    }

    /// Returns the moves of a game that is in this page of its row group.
    fn in_page(&mut self, group: &FileGroup, page: Range<usize>, game: usize) -> io::Result<Option<&[u8]>> {
        if self.in_page != page {
            self.in_page = 0..0;
            let filled = group
                .moves_of_page(game, page.len())
                .and_then(|mut reader| self.page.fill(&mut reader, page.len()));
            filled.map_err(|error| in_column(COLUMN, &error))?;
            self.in_page = page;
        }
        let value = self.page.value(game - self.in_page.start);
        Ok(value.map(|moves| moves.data()))
    }
}
