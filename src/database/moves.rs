//! The moves of the games of a block: of all games at once, or of a page when a game of it is wanted.

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

/// Gives the moves of games of one block after the other.
#[derive(Default)]
pub(super) struct Moves {
    /// Those of all games of the block, if they have been read.
    all: Texts,
    has_all: bool,
    /// The way from one game that is read singly to the next, and the moves of those that have been, by their indices in the block.
    single: Texts,
    read_singly: BTreeMap<usize, Option<ByteArray>>,
    /// Those of the games of a page, by their indices in the row group.
    page: Cells<ByteArrayType>,
    in_page: Range<usize>,
    /// How many pages of the block have been wanted so far, and the games of the last one.
    wanted: usize,
    last_wanted: Range<usize>,
    /// How many games of the block have been wanted so far.
    games_wanted: usize,
    /// Few pages of a block are wanted, or few games of a page, as far as can be foreseen.
    are_few: bool,
    are_single: bool,
}

impl Moves {
    /// Moves of games, of which `are_few` says whether most are probably not wanted. What is wanted of a block says it of the next.
    pub(super) fn new(are_few: bool) -> Moves {
        Moves {
            are_few,
            are_single: are_few,
            ..Moves::default()
        }
    }

    /// Begins with another block, after one of this many games.
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

    /// The moves of a game of a block, if it has some in this column.
    ///
    /// # Errors
    /// When they cannot be read.
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
                // Pages that are not damaged have checksums that say so.
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

    /// Reads the moves of a game alone, and passes over those before it.
    fn read_single(&mut self, rows: &Rows, index: usize) -> io::Result<()> {
        if let Entry::Vacant(place) = self.read_singly.entry(index) {
            self.single.read(&rows.part(index..index + 1), COLUMN)?;
            place.insert(self.single.shared(0));
        }
        Ok(())
    }

    /// The moves of a game of a row group that is in this page.
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
