//! The database: a Parquet file with one row per game, made once and searched again and again without reading PGN.
//!
//! ```text
//!  PGN ──► game ──► record ──► writer ──► file
//!  file ──► block (a page) ──► reader (tags, then facts, then moves) ──► Game
//! ```
//!
//! Where public archives have a column for something, it is named as there, so that other programs can read the file. `docs/database.md` describes
//! all columns.
//!
//! Each part uses only those before it: `error`, `hexadecimal`, `layout`, `storage`, `thrift`, `footer`, `delta`, `unpack`, `pages`, `dictionary`,
//! `move_pages`, `plain_values`, `panic_guard`, `squares`, `themes`, `facts`, `summary`, `validation`, `row_groups`, `board_filter`, `file`, `partition`, `rows`, `columns`, `commands`,
//! `tag_order`, `record`, `pushdown`, `text`, `warnings`, `block`, `decoded`, `board_keys`, `external`, `fact_filter`, `tag_filter`, `group`,
//! `footer_writer`, `merge`, `moves`, `packing`, `reader`, `row_batch`, `writer`, `duplicates`, `unique`.

mod block;
mod board_filter;
mod board_keys;
mod columns;
mod commands;
mod decoded;
mod delta;
mod dictionary;
#[cfg(feature = "cli")]
mod duplicates;
mod error;
mod external;
mod fact_filter;
mod facts;
mod file;
mod footer;
mod footer_writer;
mod group;
mod hexadecimal;
mod layout;
mod merge;
mod move_pages;
mod moves;
mod packing;
mod pages;
mod panic_guard;
mod partition;
mod plain_values;
mod pushdown;
mod reader;
mod record;
mod row_batch;
mod row_groups;
mod rows;
mod squares;
mod storage;
mod summary;
mod tag_filter;
mod tag_order;
mod text;
mod themes;
mod thrift;
#[cfg(feature = "cli")]
mod unique;
mod unpack;
mod validation;
mod warnings;
mod writer;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use roaring::RoaringBitmap;

use crate::game::GameTable;
use crate::pgn::{DATABASE, RowSource, Source};
use crate::query::NamedTheme;
use file::ParquetFile;
use storage::Storage;

pub use block::{Block, Blocks};
pub(crate) use error::is_damage;
pub(crate) use external::columns_read as external_columns_read;
pub use external::{ExternalBlocks, ExternalGames};
pub(crate) use layout::is_database;
pub(crate) use merge::{Group, GroupRows, Groups};
pub(crate) use pushdown::{GroupFilter, spark_condition};
pub use reader::{Reader, Wanted};
pub use row_batch::{RowBatch, RowMaker};
pub(crate) use themes::ThemeGames;
#[cfg(feature = "cli")]
pub(crate) use unique::Unique;
pub use writer::Writer;

/// Games in columns: an open Parquet file, which is a database or an archive of another program, or rows in memory.
pub struct Archive(Content);

enum Content {
    /// A file with its selected row groups.
    File(Box<ParquetFile>, Range<usize>),
    /// Rows in memory.
    Table(GameTable),
}

/// The size of a row group of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GroupSize {
    /// The number of games.
    pub games: u64,
    /// The bytes of the file that it takes.
    pub bytes: u64,
}

/// The games of an archive, cut into blocks.
pub enum Games {
    /// The games of a database.
    Database(Box<Blocks>),
    /// The games of another program's file.
    External(Box<ExternalBlocks>),
}

impl Archive {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, if it is not a complete Parquet file, or if it is a database that is damaged or of an unknown version.
    pub fn open(path: &Path) -> io::Result<Archive> {
        Archive::of_storage(Storage::open(path)?, None)
    }

    /// Opens a file whose bytes are in memory.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Archive::open).
    pub fn from_bytes(bytes: Bytes) -> io::Result<Archive> {
        Archive::of_storage(Storage::Memory(bytes), None)
    }

    /// Creates an archive from an open file.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Archive::open).
    pub(crate) fn of_file(file: File) -> io::Result<Archive> {
        Archive::of_storage(Storage::of_file(file)?, None)
    }

    fn of_storage(storage: Storage, groups: Option<Range<usize>>) -> io::Result<Archive> {
        let file = ParquetFile::open(storage)?;
        let known = file.groups();
        let groups = groups.unwrap_or(0..known);
        if groups.start > groups.end || groups.end > known {
            let message = format!(
                "it has {known} row groups, not those from {} up to {}: it may have changed",
                groups.start, groups.end
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Archive(Content::File(Box::new(file), groups)))
    }

    /// Opens a source of games, if it is a table or a Parquet file: one whose name ends in `.parquet`, or that begins or ends as such files do. Pipes
    /// are not examined, as their bytes would be lost.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Archive::open).
    pub fn of_source(source: &Source) -> io::Result<Option<Archive>> {
        if let Some(table) = source.table() {
            return Ok(Some(Archive(Content::Table(table.clone()))));
        }
        let storage = match (source.file(), source.bytes()) {
            (Some(path), _) => Storage::open(path)?,
            (None, Some(bytes)) => Storage::Memory(Bytes::from_owner(bytes.clone())),
            (None, None) => return Ok(None),
        };
        let length = DATABASE.len() as u64;
        let is_parquet =
            source.is_named_parquet() || storage.head(length)? == DATABASE[..] || storage.tail(length)? == DATABASE[..];
        is_parquet
            .then(|| Archive::of_storage(storage, source.row_groups()))
            .transpose()
    }

    /// Returns its row groups, which can become a part of another database, or the unchanged archive if it is not a database file.
    ///
    /// # Errors
    /// Returns an error if the games of the database were read by unknown rules.
    pub(crate) fn into_groups(self, name: &Arc<str>) -> io::Result<Result<Groups, Archive>> {
        match self.0 {
            Content::File(file, groups) if file.is_database() => {
                Groups::new(Arc::from(file), groups, Some(name)).map(Ok)
            }
            content => Ok(Err(Archive(content))),
        }
    }

    /// Returns the themes that were searched when the database was made, each with the rows of the games in which it holds, unless they cannot be
    /// read.
    pub(crate) fn themes(&self) -> Vec<(NamedTheme, Option<Arc<RoaringBitmap>>)> {
        match &self.0 {
            Content::File(file, _) => file.themes(),
            Content::Table(_) => Vec::new(),
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        match &self.0 {
            Content::File(file, _) => file.games(),
            Content::Table(table) => table.rows() as u64,
        }
    }

    /// Returns the sizes of the row groups of the file.
    pub fn groups(&self) -> Vec<GroupSize> {
        match &self.0 {
            Content::File(file, groups) => groups
                .clone()
                .map(|group| GroupSize {
                    games: file.group_games(group) as u64,
                    bytes: file.group_bytes(group),
                })
                .collect(),
            Content::Table(_) => Vec::new(),
        }
    }

    /// Returns whether any game has variations that a search by main lines does not see. Returns `false` for another program's archive, whose
    /// variations are seen when it is read.
    ///
    /// # Errors
    /// Returns an error if the archive cannot be read.
    pub fn has_variations(self) -> io::Result<bool> {
        match self.into_games(RowSource::default(), 0)? {
            Games::Database(blocks) => blocks.have_variations(),
            Games::External(_) => Ok(false),
        }
    }

    /// Returns whether `is_known` returns true for the files of all games. Returns `false` if the archive does not record these files.
    ///
    /// # Errors
    /// Returns an error if the archive cannot be read.
    pub(crate) fn comes_from(self, is_known: impl Fn(&str) -> bool) -> io::Result<bool> {
        match self.into_games(RowSource::default(), 0)? {
            Games::Database(blocks) => blocks.come_from(is_known),
            Games::External(_) => Ok(false),
        }
    }

    /// Returns its games, read as those of `source` and numbered from `last_number + 1`.
    ///
    /// # Errors
    /// Returns an error if it belongs to another program and has no column of moves, or if the games of a database were read by unknown rules.
    pub fn into_games(self, source: RowSource, last_number: u64) -> io::Result<Games> {
        Ok(match self.0 {
            Content::File(file, groups) if file.is_database() => {
                Games::Database(Box::new(Blocks::new(*file, groups, source, last_number)?))
            }
            Content::File(file, groups) => {
                Games::External(Box::new(ExternalBlocks::new(*file, groups, source, last_number)?))
            }
            Content::Table(table) if layout::is_database(&table) => {
                Games::Database(Box::new(Blocks::of_table(table, source, last_number)))
            }
            Content::Table(table) => Games::External(Box::new(ExternalBlocks::of_table(&table, source, last_number)?)),
        })
    }
}
