//! Endgame tablebases: the result of perfect play in a position with few men.
//!
//! The tables are [Syzygy's](https://www.chessprogramming.org/Syzygy_Bases), read by `shakmaty-syzygy`. A [`Tablebase`] is a list of folders with
//! tables, which are opened when a query needs them. Each material has two tables: `.rtbw` says who wins (WDL, with the
//! fifty-move rule: cursed wins, blessed losses), and `.rtbz` gives the number of plies until a pawn moves or a piece is captured (DTZ₅₀″).
//!
//! Each part uses only those before it: `files`, `self`, `syzygy`, `cache`.

use std::path::PathBuf;

use crate::board::{Board, Color, Square};
use crate::terminal::shown;

mod cache;
#[cfg(feature = "tablebase")]
mod files;
#[cfg(feature = "tablebase")]
mod syzygy;
#[cfg(not(feature = "tablebase"))]
#[path = "no_tables.rs"]
mod syzygy;
#[cfg(all(test, feature = "tablebase", feature = "cli"))]
mod tests;

pub(crate) use cache::Cache;
pub use syzygy::Tablebase;

/// The most men in any Syzygy table.
pub(crate) const MOST_MEN: u32 = 7;

/// A position to look up. Neither side may castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endgame {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The square that a pawn's double step has just passed.
    pub passed: Option<Square>,
}

/// A kind of number in a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Metric {
    /// From -2, a loss, to 2, a win, for the side to move.
    Wdl,
    /// Plies to the next capture or pawn move, negative for the losing side. The absolute value is 100 more if the fifty-move rule saves that side.
    Dtz,
}

/// Why a position has no number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unknown {
    /// Tables do not have such positions: too many men, a missing king, or a check on the side that has just moved.
    NotCovered,
    /// The file that would have it is in none of the folders.
    Missing(Box<str>),
    /// A file is damaged or cannot be read.
    Unreadable(Unreadable),
}

/// An error of a tablebase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The file or the folder.
    pub path: PathBuf,
    /// The reason why it cannot be used.
    pub reason: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot use the tablebase {}: {}", shown(&self.path), self.reason)
    }
}
