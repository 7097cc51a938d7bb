//! The failure of an example.

use shakmaty::Bitboard;

use crate::board::Board;
use crate::syntax::Diagnostic;

/// The failure of an example.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, and where in the query.
    pub diagnostic: Diagnostic,
    /// The position that it is about.
    pub scene: Option<MarkedBoard>,
    /// What was found instead, in one line.
    pub note: Option<String>,
}

/// A position to show.
#[derive(Debug)]
pub struct MarkedBoard {
    /// The pieces.
    pub board: Board,
    /// The squares of the last move.
    pub marks: Bitboard,
    /// The side to move, and the moves before.
    pub caption: String,
}
