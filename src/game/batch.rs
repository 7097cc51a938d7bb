//! A run of games as canonical PGN text.

use std::ops::Range;
use std::sync::Arc;

/// Consecutive games of one file, cut apart and made canonical.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The canonical text: of each game its tags, its movetext and its terminator, if any, then a blank line.
    pub text: Vec<u8>,
    /// The games, in the order of the file.
    pub games: Vec<GameText>,
    /// The name of the file.
    pub source: Arc<str>,
}

/// One game of a [`Batch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameText {
    /// Where in the text of the batch the game stands.
    pub range: Range<usize>,
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// The line of the file on which the game begins, from 1.
    pub line: u64,
}
