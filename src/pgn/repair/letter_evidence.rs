//! What the words of a game say about how its letters are to be taken.

use crate::pgn::notation::Letters;

/// What the words of a game say about how its letters are to be taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LetterEvidence {
    /// The letters for pieces.
    pub(crate) letters: Letters,
    /// Those of the main line.
    pub(crate) main: Letters,
    /// There are pieces with small letters, and with capitals.
    pub(crate) small: bool,
    pub(crate) capital: bool,
    /// There are pawn's moves that could be a bishop's.
    pub(crate) bishops: bool,
    /// How many words of the main line may be moves in digits, and how many other moves it has.
    pub(crate) numeric: usize,
    pub(crate) moves: usize,
}
