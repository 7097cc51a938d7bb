//! Endgame tablebases: what perfect play makes of a position with few men.
//!
//! The tables are [Syzygy's](https://www.chessprogramming.org/Syzygy_Bases), read by `shakmaty-syzygy`. A [`Tablebase`] is folders that
//! have them, which are looked at when a query needs them. Two tables belong to each material: `.rtbw` says who wins (WDL, with the
//! fifty-move rule: cursed wins, blessed losses), `.rtbz` how many plies it takes until a pawn moves or something is captured (DTZ₅₀″).
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

/// The most men that any Syzygy table has.
pub(crate) const MOST_MEN: u32 = 7;

/// A position to look up: one in which nobody may castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endgame {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The square that a pawn's double step has just passed over.
    pub passed: Option<Square>,
}

/// A number of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Metric {
    /// From -2, a loss, to 2, a win, for the side to move.
    Wdl,
    /// Plies to the next capture or pawn move, negative for the side that loses, by 100 more where the fifty-move rule saves it.
    Dtz,
}

/// Why a position has no number.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(feature = "tablebase"),
    allow(dead_code, reason = "without tables nothing is asked of them")
)]
pub(crate) enum Unknown {
    /// Tables have no such positions: too many men, a king too few, the side that has moved in check.
    NotCovered,
    /// This file, which would have it, is in none of the folders.
    Missing(Box<str>),
    /// What is read of a file makes no sense, or cannot be read.
    Unreadable(Unreadable),
}

/// What is wrong with a tablebase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The file or the folder.
    pub path: PathBuf,
    /// Why it cannot be used.
    pub reason: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot use the tablebase {}: {}", shown(&self.path), self.reason)
    }
}
