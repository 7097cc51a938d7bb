//! An example that is not as expected.

use shakmaty::Bitboard;

use crate::board::Board;
use crate::syntax::Diagnostic;

/// What is not as expected.
#[derive(Debug)]
pub struct Failure {
    /// What, and where in the query.
    pub diagnostic: Diagnostic,
    /// The position that it is about.
    pub scene: Option<Scene>,
    /// What was found instead, in a line.
    pub note: Option<String>,
}

/// A position to look at.
#[derive(Debug)]
pub struct Scene {
    /// The pieces.
    pub board: Board,
    /// The squares of the last move.
    pub marks: Bitboard,
    /// Who is to move after which moves.
    pub caption: String,
}
