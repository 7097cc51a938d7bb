//! The database: a Parquet file with one row per game, made once and searched again and again without reading PGN.
//!
//! ```text
//!  PGN ──► game ──► record ──► writer ──► file
//!  file ──► block (a page) ──► reader (tags, then facts, then moves) ──► Game
//! ```
//!
//! The columns are those of public archives where these have some, so that other programs read the file, too:
//! `docs/database.md` describes them all.
//!
//! Each part uses only those before it: `error`, `hexadecimal`, `checksums`, `layout`, `storage`, `thrift`, `footer`, `delta`, `unpack`, `pages`,
//! `move_pages`, `plain_values`, `panic_guard`, `squares`, `themes`, `facts`, `summary`, `validation`, `row_groups`, `board_filter`, `file`, `partition`, `rows`, `columns`, `commands`,
//! `tag_order`, `record`, `pushdown`, `text`, `warnings`, `block`, `decoded`, `board_keys`, `external`, `fact_filter`, `group`,
//! `footer_writer`, `merge`, `moves`, `packing`, `reader`, `row_batch`, `writer`, `duplicates`, `unique`.

mod block;
mod board_filter;
mod board_keys;
mod checksums;
mod columns;
mod commands;
mod decoded;
mod delta;
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
#[cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "only `skewer index` has several databases")
)]
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

#[cfg(feature = "cli")]
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
#[cfg(feature = "cli")]
use std::sync::Arc;

use bytes::Bytes;
#[cfg(feature = "cli")]
use roaring::RoaringBitmap;

use crate::game::GameTable;
use crate::pgn::{DATABASE, RowSource, Source};
#[cfg(feature = "cli")]
use crate::query::NamedTheme;
use file::ParquetFile;
use storage::Storage;

pub use block::{Block, Blocks};
pub(crate) use error::is_damage;
pub(crate) use external::columns_read as external_columns_read;
pub use external::{ExternalBlocks, ExternalGames};
pub(crate) use layout::is_database;
#[cfg(feature = "cli")]
pub(crate) use merge::{Group, GroupRows, Groups};
pub(crate) use pushdown::{GroupFilter, spark_condition};
pub use reader::{Reader, Wanted};
pub use row_batch::{RowBatch, RowMaker};
#[cfg(feature = "cli")]
pub(crate) use themes::ThemeGames;
#[cfg(feature = "cli")]
pub(crate) use unique::Unique;
pub use writer::Writer;

/// Games in columns: a Parquet file that is open, a database or an archive that someone else has made, or rows in memory.
pub struct Archive(Content);

enum Content {
    /// A file, with the row groups that are meant.
    File(Box<ParquetFile>, Range<usize>),
    /// Rows in memory.
    Table(GameTable),
}

/// A row group of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GroupSize {
    /// How many games it has.
    pub games: u64,
    /// How many bytes of the file it takes.
    pub bytes: u64,
}

/// The games of an archive, cut into blocks.
pub enum Games {
    /// Those of a database of a version that is read.
    Database(Box<Blocks>),
    /// Those of someone else's file.
    External(Box<ExternalBlocks>),
}

impl Archive {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is no complete Parquet file, or is a database that is damaged or of an unknown version.
    pub fn open(path: &Path) -> io::Result<Archive> {
        Archive::of_storage(Storage::open(path)?, None)
    }

    /// Opens a file whose bytes are in memory.
    ///
    /// # Errors
    /// As those of [`open`](Archive::open).
    pub fn from_bytes(bytes: Bytes) -> io::Result<Archive> {
        Archive::of_storage(Storage::Memory(bytes), None)
    }

    /// A file that is open.
    ///
    /// # Errors
    /// As those of [`open`](Archive::open).
    #[cfg(feature = "cli")]
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

    /// Opens a source of games, if it is a table or a Parquet file: one whose name ends in `.parquet`, or that begins or ends as such
    /// files do. Pipes are not asked, as their bytes would be lost.
    ///
    /// # Errors
    /// As those of [`open`](Archive::open).
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

    /// Its row groups, to make them a part of another database; if it is a file that is none, the archive as it was.
    ///
    /// # Errors
    /// When it is a database made by unknown rules.
    #[cfg(feature = "cli")]
    pub(crate) fn into_groups(self, name: &Arc<str>) -> io::Result<Result<Groups, Archive>> {
        match self.0 {
            Content::File(file, groups) if file.is_database() => {
                Groups::new(Arc::from(file), groups, Some(name)).map(Ok)
            }
            content => Ok(Err(Archive(content))),
        }
    }

    /// The themes whose games were found out when it was indexed, and of each the rows of the games in which it holds, unless that cannot be
    /// read.
    #[cfg(feature = "cli")]
    pub(crate) fn themes(&self) -> Vec<(NamedTheme, Option<Arc<RoaringBitmap>>)> {
        match &self.0 {
            Content::File(file, _) => file.themes(),
            Content::Table(_) => Vec::new(),
        }
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        match &self.0 {
            Content::File(file, _) => file.games(),
            Content::Table(table) => table.rows() as u64,
        }
    }

    /// How large the row groups of the file are.
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

    /// Whether some game has variations that a search by main lines does not see. Those of someone else's archive are seen when it is
    /// read.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn has_variations(self) -> io::Result<bool> {
        match self.into_games(RowSource::default(), 0)? {
            Games::Database(blocks) => blocks.have_variations(),
            Games::External(_) => Ok(false),
        }
    }

    /// Whether all its games come from files of which `is_known` says so, if it says of each where it is from.
    ///
    /// # Errors
    /// When it cannot be read.
    #[cfg(feature = "cli")]
    pub(crate) fn comes_from(self, is_known: impl Fn(&str) -> bool) -> io::Result<bool> {
        match self.into_games(RowSource::default(), 0)? {
            Games::Database(blocks) => blocks.come_from(is_known),
            Games::External(_) => Ok(false),
        }
    }

    /// Its games, read as those of `source`; their numbers follow `last_number`.
    ///
    /// # Errors
    /// When it is someone else's and has no column of moves, or a database made by unknown rules.
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
