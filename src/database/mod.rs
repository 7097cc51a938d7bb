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
mod facts;
mod file;
mod foreign;
mod layout;
mod parts;
mod reader;
mod record;
mod rows;
mod text;
mod warnings;
mod writer;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::game::DATABASE;
use file::ParquetFile;

pub use block::{Block, Blocks};
pub use foreign::{ForeignBlock, ForeignBlocks};
pub use reader::{Reader, Wanted};
pub use writer::Writer;

/// Whether a file begins as Parquet files do. Only files that can be read from anywhere may be asked: bytes of a pipe would be
/// lost.
///
/// # Errors
/// When it cannot be read.
pub fn is_parquet(path: &Path) -> io::Result<bool> {
    let mut magic = Vec::with_capacity(DATABASE.len());
    File::open(path)?.take(DATABASE.len() as u64).read_to_end(&mut magic)?;
    Ok(magic == DATABASE)
}

/// What a Parquet file is.
pub enum Kind {
    /// A database of this version.
    Database,
    /// A file of somebody else, perhaps with games.
    Foreign,
}

/// Finds out what a Parquet file is.
///
/// # Errors
/// When it cannot be read, or is a database of another version.
pub fn kind(path: &Path) -> io::Result<Kind> {
    let file = ParquetFile::open(path)?;
    if file.check_version()? {
        return Ok(Kind::Database);
    }
    Ok(Kind::Foreign)
}

/// How many games a Parquet file has.
///
/// # Errors
/// When it cannot be read.
pub fn count_games(path: &Path) -> io::Result<u64> {
    Ok(ParquetFile::open(path)?.games())
}

/// The error of a file that is not as it should be.
fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
