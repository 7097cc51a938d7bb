//! What databases of all programs have in common.

use std::io;
use std::ops::Range;

use super::{Damage, GameText};

/// What a record of a database is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    /// A game that takes about this many bytes.
    Game { bytes: usize },
    /// A game that is marked as deleted.
    Deleted,
    /// Something else, such as a text that stands between games.
    #[cfg(feature = "chessbase")]
    NoGame,
}

/// A database of another program.
pub(crate) trait Database: Send + Sync {
    /// How many records there are.
    fn records(&self) -> u32;

    /// How many bytes a record takes in the file that is named.
    fn record_bytes(&self) -> usize;

    /// What is wrong with the database as a whole.
    fn complaints(&self) -> &[String];

    /// Replaces the content of `heads` by what some records are.
    ///
    /// # Errors
    /// When they cannot be read.
    fn heads(&self, records: Range<u32>, heads: &mut Vec<Head>) -> io::Result<()>;

    /// Writes the game of a record, as far as it can be read.
    ///
    /// # Errors
    /// When nothing of it can be read.
    fn write_game(&self, record: u32, text: &mut GameText) -> Result<(), Damage>;
}
