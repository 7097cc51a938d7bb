//! A run of games as canonical PGN text.

use std::ops::Range;
use std::sync::Arc;

/// Consecutive games of one source as canonical PGN: each game is its tags, its movetext and its terminator; an empty
/// line follows.
///
/// A comment that begins with [`ODD_MOVE`] is no comment but a word of the movetext that has to be read as a move
/// although it is not in SAN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The source, as messages name it.
    pub source: Arc<str>,
    /// The games.
    pub text: Vec<u8>,
    /// Where the games are in `text`, in order.
    pub games: Vec<GameText>,
    /// Length in bytes of the longest line of a tag pair; readers size their buffers by it.
    pub longest_tag_line: usize,
}

/// First byte of a comment that carries a move not written in SAN.
pub const ODD_MOVE: u8 = 0x01;
/// Stands for `"` inside a tag value.
pub const INNER_QUOTE: u8 = 0x02;
/// Stands for `\` inside a tag value.
pub const BACKSLASH: u8 = 0x03;

/// One game of a [`Batch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// Its place in the text of the batch, from the first tag to the terminator.
    pub range: Range<usize>,
    /// Its number, from 1.
    pub number: u64,
    /// The line of the source where it begins, from 1.
    pub line: u64,
}
