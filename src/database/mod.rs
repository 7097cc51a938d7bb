//! The database: a Parquet file with one row per game, made once and searched again and again without reading PGN.
//!
//! ```text
//!  PGN ──► game ──► record ──► writer ──► file
//!  file ──► block (a page) ──► reader (tags, then facts, then moves) ──► Game
//! ```
//!
//! The columns are those of public archives where these have some, so that other programs read the file, too:
//! `docs/database.md` describes them all.

mod block;
mod checksums;
mod columns;
mod contained;
mod delta;
mod external;
mod facts;
mod file;
mod footer;
mod layout;
mod pages;
mod parts;
mod reader;
mod record;
mod rows;
mod shape;
mod storage;
mod text;
mod thrift;
mod warnings;
mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use crate::game::{DATABASE, Source};
use file::ParquetFile;
use storage::Storage;

pub use block::{Block, Blocks};
pub use external::{ExternalBlock, ExternalBlocks};
pub use reader::{Reader, Wanted};
pub use writer::Writer;

/// A Parquet file that is open: a database, or an archive that somebody else has made.
pub struct Archive(ParquetFile);

/// The games of an archive, cut into blocks.
pub enum Games {
    /// Those of a database of a version that is read.
    Database(Box<Blocks>),
    /// Those of somebody else's file.
    External(Box<ExternalBlocks>),
}

impl Archive {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is no complete Parquet file, or is a database that is damaged or of an unknown version.
    pub fn open(path: &Path) -> io::Result<Archive> {
        Ok(Archive(ParquetFile::open(Storage::open(path)?)?))
    }

    /// Opens a file whose bytes are in memory.
    ///
    /// # Errors
    /// As those of [`open`](Archive::open).
    pub fn from_bytes(bytes: Bytes) -> io::Result<Archive> {
        Ok(Archive(ParquetFile::open(Storage::Memory(bytes))?))
    }

    /// Opens a source of games, if it is a Parquet file: one whose name ends in `.parquet`, or that begins or ends as such
    /// files do. Pipes are not asked, as their bytes would be lost.
    ///
    /// # Errors
    /// As those of [`open`](Archive::open).
    pub fn of_source(source: &Source) -> io::Result<Option<Archive>> {
        let storage = match (source.file(), source.bytes()) {
            (Some(path), _) => Storage::open(path)?,
            (None, Some(bytes)) => Storage::Memory(Bytes::from_owner(bytes.clone())),
            (None, None) => return Ok(None),
        };
        let length = DATABASE.len() as u64;
        let is_parquet =
            source.is_named_parquet() || storage.head(length)? == DATABASE[..] || storage.tail(length)? == DATABASE[..];
        is_parquet.then(|| ParquetFile::open(storage).map(Archive)).transpose()
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.0.games()
    }

    /// Its games. Messages call it `name`; the numbers of the games follow `last_number`.
    ///
    /// # Errors
    /// When it is somebody else's and has no column of moves, or a database made by unknown rules.
    pub fn into_games(self, name: Arc<str>, last_number: u64) -> io::Result<Games> {
        if self.0.is_database() {
            return Ok(Games::Database(Box::new(Blocks::new(self.0, &name, last_number)?)));
        }
        Ok(Games::External(Box::new(ExternalBlocks::new(
            self.0,
            name,
            last_number,
        )?)))
    }
}

/// The error of a file that is not as it should be.
fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
