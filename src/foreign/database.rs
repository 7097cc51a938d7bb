//! The common interface of databases of other programs.

use std::io;
use std::ops::Range;

use super::{Damage, GameText};

/// The kind of a record of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    /// A game that takes roughly this many bytes.
    Game { bytes: usize },
    /// A game that is marked as deleted.
    Deleted,
    /// Something else, such as a text between games.
    NoGame,
}

/// A database of another program.
pub(crate) trait Database: Send + Sync {
    /// Returns the number of records.
    fn records(&self) -> u32;

    /// Returns the bytes that a record takes in the file that the user names.
    fn record_bytes(&self) -> usize;

    /// Returns the complaints about the database as a whole.
    fn complaints(&self) -> &[String];

    /// Returns the kinds of these records, which are few.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn heads(&self, records: Range<u32>) -> io::Result<Vec<Head>>;

    /// Writes the game of a record, as far as it can be read.
    ///
    /// # Errors
    /// Returns an error if nothing of it can be read.
    fn write_game(&self, record: u32, text: &mut GameText) -> Result<(), Damage>;
}
