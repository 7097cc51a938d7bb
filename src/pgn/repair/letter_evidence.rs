//! What the words of a game say about the meaning of its letters.

use crate::pgn::notation::Letters;

/// What the words of a game say about the meaning of its letters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LetterEvidence {
    /// All letters for pieces.
    pub(crate) letters: Letters,
    /// The letters of the main line.
    pub(crate) main: Letters,
    /// Whether there are pieces with small letters, and with capitals.
    pub(crate) small: bool,
    pub(crate) capital: bool,
    /// Whether there are pawn moves that could be a bishop's.
    pub(crate) bishops: bool,
    /// The number of words in the main line that may be moves in digits, and the number of its other moves.
    pub(crate) numeric: usize,
    pub(crate) moves: usize,
}
