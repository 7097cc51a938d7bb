//! Reads the moves of the games of a block, page by page if the file lists its pages.

use std::io;
use std::ops::Range;

use bytes::Bytes;

use super::columns::{Cells, Texts};
use super::file::in_column;
use super::layout::Column;
use super::plain_values;
use super::rows::{FileGroup, Rows};

const COLUMN: usize = Column::Movedata.index();

/// Reads the moves of the games of one block after another.
#[derive(Default)]
pub(super) struct Moves {
    /// The moves of all games of the block, if they have been read.
    all: Texts,
    has_all: bool,
    /// The moves of the page that was read last, if there is one.
    page: Option<MovesOfPage>,
    /// How many pages of the block have been wanted so far, and the games of the last one.
    wanted: usize,
    last_wanted: Range<usize>,
    /// Whether few pages of the block will probably be wanted.
    are_few: bool,
}

/// The moves of a page.
struct MovesOfPage {
    /// The games of the page, by their indices in the row group.
    games: Range<usize>,
    bytes: Bytes,
    /// The place of each game's moves in the bytes, if it has any in this column.
    places: Vec<Option<Range<usize>>>,
}

impl Moves {
    /// Creates a reader of moves. `are_few` says whether most moves are probably not wanted. Later predictions follow the previous block.
    pub(super) fn new(are_few: bool) -> Moves {
        Moves {
            are_few,
            ..Moves::default()
        }
    }

    /// Starts another block, after one of this many games.
    pub(super) fn begin(&mut self, games_before: usize) {
        if games_before > 0 {
            let of_page = self.last_wanted.len().max(1);
            self.are_few = self.wanted * of_page * 4 <= games_before * 3;
        }
        self.has_all = false;
        self.page = None;
        self.wanted = 0;
        self.last_wanted = 0..0;
    }

    /// Returns the moves of a game of a block, if it has any in this column.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub(super) fn get(&mut self, rows: &Rows, index: usize) -> io::Result<Option<&[u8]>> {
        let game = rows.games().start + index;
        if let Some(group) = rows.group().of_file()
            && let Some(games) = group.file.page_of_moves(group.index, game)
        {
            if self.last_wanted != games {
                self.wanted += 1;
                self.last_wanted = games.clone();
                self.page = None;
            }
            let page = match &mut self.page {
                Some(page) => page,
                page => {
                    let read = MovesOfPage::read(group, game, games, !self.are_few);
                    page.insert(read.map_err(|error| in_column(COLUMN, &error))?)
                }
            };
            return Ok(page.get(game));
        }
        if !self.has_all {
            self.all.read(rows, COLUMN)?;
            self.has_all = true;
        }
        Ok(self.all.get(index))
    }
}

impl MovesOfPage {
    /// Reads the page with the moves of `game`. The page has the moves of `games`.
    fn read(group: &FileGroup, game: usize, games: Range<usize>, reads_column: bool) -> io::Result<MovesOfPage> {
        let page = group.moves_of_page(game, reads_column)?;
        let places = group
            .file
            .has_plain_moves(group.index)
            .then(|| plain_values::places(page.bytes(), games.len()))
            .flatten();
        if let Some(places) = places {
            return Ok(MovesOfPage {
                games,
                bytes: page.into_bytes(),
                places,
            });
        }
        let mut cells = Cells::default();
        let mut reader = group.file.moves_in_page(group.index, page, games.len())?;
        cells.fill(&mut reader, games.len())?;
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for game in 0..games.len() {
            places.push(cells.value(game).map(|moves| {
                bytes.extend_from_slice(moves.data());
                bytes.len() - moves.len()..bytes.len()
            }));
        }
        Ok(MovesOfPage {
            games,
            bytes: bytes.into(),
            places,
        })
    }

    /// Returns the moves of a game, if it has any in this column. `game` is its index in the row group and must be in this page.
    fn get(&self, game: usize) -> Option<&[u8]> {
        let place = self.places.get(game - self.games.start)?.clone()?;
        self.bytes.get(place)
    }
}
