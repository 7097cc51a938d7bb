//! Row groups of a database on their way into another one.
//!
//! They are copied unchanged, except for the warnings of games that get other numbers. Small row groups, those of older versions, and those of which
//! not all games are wanted are decoded and become a part of the row group that is being filled.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::{io, mem};

use parquet::column::writer::ColumnCloseResult;

use super::block;
use super::board_filter::BoardFilter;
use super::board_keys::BoardKeys;
use super::columns::Texts;
use super::decoded::Decoded;
use super::facts::Events;
use super::file::{ParquetFile, in_column};
use super::group::{EncodedColumn, EncodedGroup};
use super::layout::{COLUMNS, Column, DATE, PAGE_GAMES, REST_KEY, UTC_DATE, tag_column};
use super::rows::{FileGroup, RowGroup, Rows};
use super::squares::PackedSquares;
use super::summary::Summary;
use super::warnings::{self, Kept};
use crate::chess::Variant;
use crate::game::{Rules, Warning, WarningKind};

/// The columns from which a summary is made.
const SUMMARIZED: [usize; 8] = [
    DATE,
    UTC_DATE,
    Column::Events.index(),
    Column::Plies.index(),
    Column::PiecesLeast.index(),
    Column::PiecesMost.index(),
    Column::Variations.index(),
    Column::Pgn.index(),
];

/// The row groups of a database, in order, followed by the warnings about text after the last game.
pub(crate) struct Groups {
    file: Arc<ParquetFile>,
    rules: Rules,
    next: Range<usize>,
    has_ended: bool,
    /// The warnings about the file that have not been given yet.
    pub(crate) notices: Vec<Warning>,
}

impl Groups {
    /// Creates the groups of a database. One of an older version gets a warning if messages have a `name` for it.
    ///
    /// # Errors
    /// Returns an error if the games were read by unknown rules.
    pub(super) fn new(file: Arc<ParquetFile>, groups: Range<usize>, name: Option<&Arc<str>>) -> io::Result<Groups> {
        let name = name.filter(|_| file.lacks_checksum());
        Ok(Groups {
            rules: file.rules()?,
            notices: name.map(block::old).into_iter().collect(),
            file,
            next: groups,
            has_ended: false,
        })
    }

    /// Returns the number of games of the database.
    pub(crate) fn games(&self) -> u64 {
        self.file.games()
    }
}

impl Iterator for Groups {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let index = self.next.next();
        let is_end = index.is_none();
        let group = (!self.has_ended).then(|| Group {
            file: Arc::clone(&self.file),
            rules: self.rules,
            index,
            notices: mem::take(&mut self.notices),
        });
        self.has_ended |= is_end;
        group
    }
}

/// A row group of a database on its way into another one, or the end of the database.
pub(crate) struct Group {
    file: Arc<ParquetFile>,
    rules: Rules,
    /// Its index, or `None` for the end.
    index: Option<usize>,
    notices: Vec<Warning>,
}

impl Group {
    /// Returns the number of its games.
    pub(crate) fn games(&self) -> usize {
        self.index.map_or(0, |index| self.file.group_games(index))
    }

    /// Returns the bytes of the file that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.index.map_or(0, |index| self.file.group_bytes(index))
    }

    /// Returns roughly how many bytes it takes in memory. A small group is decoded as a whole, a larger one by a column or two.
    pub(crate) fn weight(&self) -> usize {
        let decoded = self.index.map_or(0, |index| self.file.decoded_bytes(index));
        let share = if self.games() < PAGE_GAMES { 1 } else { 8 };
        usize::try_from(self.bytes().max(decoded / share)).unwrap_or(usize::MAX)
    }

    /// Returns the warnings about its file, which only one group has.
    pub(crate) fn notices(&self) -> &[Warning] {
        &self.notices
    }

    /// Reads the part of it that goes into the other database: all games, or those of a variant.
    ///
    /// # Errors
    /// Returns an error if it is damaged or cannot be read.
    pub(super) fn read(&self, variant: Option<Variant>) -> io::Result<GroupRows> {
        let mut group = self.read_rows(variant.is_none())?;
        if let Some(variant) = variant {
            group.keep(variant);
        }
        Ok(group)
    }

    /// Reads it without the games of certain rows of its database.
    ///
    /// # Errors
    /// Returns an error if it is damaged or cannot be read.
    pub(super) fn read_without(&self, is_left_out: impl Fn(u64) -> bool) -> io::Result<GroupRows> {
        let first = self.index.map_or(0, |index| self.file.games_before(index));
        let is_whole = !(first..first + self.games() as u64).any(&is_left_out);
        let mut group = self.read_rows(is_whole)?;
        group.retain(|index, _| !is_left_out(first + index as u64));
        Ok(group)
    }

    /// Reads all of it. It may be copied only if `is_whole`.
    fn read_rows(&self, is_whole: bool) -> io::Result<GroupRows> {
        let Some(index) = self.index else {
            let rest = self.file.metadata_value(REST_KEY);
            let rest = rest.map_or(Ok(Vec::new()), |rest| warnings::from_text(rest.as_bytes()))?;
            return Ok(GroupRows {
                rules: self.rules,
                before: self.file.games(),
                warnings: VecDeque::new(),
                content: Content::End(rest),
            });
        };
        let group = Arc::new(RowGroup::new(&self.file, index));
        let rows = Rows::new(&group, 0..self.games());
        let content = match is_whole && self.games() >= PAGE_GAMES && self.file.is_read_as_now() {
            true => Content::Whole(self.games(), self.encoded(index, &rows)?),
            false => Content::Single(Decoded::read(&rows, 0..COLUMNS)?),
        };
        Ok(GroupRows {
            rules: self.rules,
            before: self.file.games_before(index),
            warnings: read_warnings(&rows)?,
            content,
        })
    }

    /// Returns a row group as written in the file.
    fn encoded(&self, index: usize, rows: &Rows) -> io::Result<EncodedGroup> {
        let group = FileGroup::new(&self.file, index);
        let described = self.file.described(index)?;
        let column = |column: usize| {
            let chunk = group.chunk(column).map_err(|error| in_column(column, &error))?;
            let result = ColumnCloseResult {
                bytes_written: chunk.bytes().len() as u64,
                rows_written: self.games() as u64,
                metadata: described.column(column).clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            Ok(EncodedColumn { chunk, result })
        };
        let known = self.file.board_filter(index)?.zip(self.file.packed_squares(index));
        let (boards, squares) = known.map_or_else(|| boards_of(rows, self.rules), Ok)?;
        Ok(EncodedGroup {
            columns: (0..COLUMNS).map(column).collect::<io::Result<_>>()?,
            summary: match self.file.summary(index) {
                Some(summary) => summary.clone(),
                None => summarized(rows)?,
            },
            boards,
            squares,
        })
    }
}

/// Returns the summary of a row group whose file has none.
fn summarized(rows: &Rows) -> io::Result<Summary> {
    let decoded = Decoded::read(rows, SUMMARIZED)?;
    let mut summary = Summary::default();
    (0..rows.len()).for_each(|index| decoded.summarize(index, &mut summary));
    Ok(summary)
}

/// Returns the boards of a row group whose file does not have them.
fn boards_of(rows: &Rows, rules: Rules) -> io::Result<(BoardFilter, PackedSquares)> {
    let columns = [Column::Events, Column::Movedata, Column::Line].map(Column::index);
    let decoded = Decoded::read(rows, columns.into_iter().chain(tag_column(b"FEN")))?;
    let mut keys = BoardKeys::default();
    (0..rows.len()).for_each(|index| keys.add_row(&decoded, index, rules));
    keys.finish()
}

/// Returns the warnings of games, with their indices.
fn read_warnings(rows: &Rows) -> io::Result<VecDeque<(usize, Vec<Kept>)>> {
    let mut texts = Texts::default();
    texts.read(rows, Column::Warnings.index())?;
    let of_game = |index| Some(warnings::from_text(texts.get(index)?).map(|kept| (index, kept)));
    (0..rows.len()).filter_map(of_game).collect()
}

/// The contents of a row group that has been read.
pub(crate) struct GroupRows {
    pub(super) rules: Rules,
    /// The number of games before them in their database.
    before: u64,
    /// The warnings of games, with their indices.
    warnings: VecDeque<(usize, Vec<Kept>)>,
    pub(super) content: Content,
}

/// The form of the games.
pub(super) enum Content {
    /// An unchanged row group of this many games.
    Whole(usize, EncodedGroup),
    /// Rows.
    Single(Decoded),
    /// Warnings about text after the last game.
    End(Vec<Kept>),
}

impl GroupRows {
    /// Returns whether any games have warnings.
    pub(super) fn have_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// Returns the number of games before them in their database.
    pub(super) fn games_before(&self) -> u64 {
        self.before
    }

    /// Returns the number in its database of the game with this index.
    fn number(&self, index: usize) -> u64 {
        self.before + index as u64 + 1
    }

    /// Returns the warnings of the game with this index, which gets a new number. Games must be asked for in order.
    pub(super) fn warnings_of(&mut self, index: usize, number: u64) -> impl Iterator<Item = Kept> + use<> {
        let old = self.number(index);
        let of_game = self.warnings.pop_front_if(|(game, _)| *game == index);
        let kept = of_game.into_iter().flat_map(|(_, kept)| kept);
        kept.map(move |kept| kept.renumbered(old, number))
    }

    /// Keeps only the games of a variant.
    fn keep(&mut self, variant: Variant) {
        let is_unknown = |kept: &Kept| kept.kind() == Some(WarningKind::UnknownVariant);
        let unknown = self.warnings.iter().filter(|(_, kept)| kept.iter().any(is_unknown));
        let unknown: Vec<usize> = unknown.map(|(index, _)| *index).collect();
        self.retain(|index, events| events.variant() == Some(variant) && unknown.binary_search(&index).is_err());
    }

    /// Keeps only the games for whose index and events `is_wanted` returns true. A row group that is copied keeps all of its games.
    fn retain(&mut self, is_wanted: impl Fn(usize, Events) -> bool) {
        let Content::Single(rows) = &mut self.content else {
            return;
        };
        let mut wanted = mem::take(&mut rows.wanted);
        wanted.retain(|index| is_wanted(*index, rows.events(*index)));
        self.warnings.retain(|(index, _)| wanted.binary_search(index).is_ok());
        rows.wanted = wanted;
    }
}
