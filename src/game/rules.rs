//! The rules by which imperfect PGN is read.

use crate::chess::{FenError, Start};

/// How text that does not follow the standard is handled.
///
/// The rules belong to a batch: they are set where a source is split into games, and all readers of the games see the same
/// tree, comments and tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Rules {
    /// Nothing is lost silently: unusual spellings are understood, a part that cannot be read ends its line or
    /// leaves out its game with a warning, and the output gives back the original text.
    #[default]
    Full,
    /// The behaviour of CQL 6.2, for `skewer cql`: words without meaning are skipped, the last comment of a position replaces
    /// earlier ones, a wrong move ends the game and leaves a comment, and tags are written in their normal form.
    Cql,
}

impl Rules {
    /// Reads the FEN with which a game begins.
    pub(crate) fn start(self, fen: &[u8]) -> Result<Start, FenError> {
        match self {
            Rules::Full => Start::from_fen(fen),
            Rules::Cql => Start::from_fen_of_cql(fen),
        }
    }
}
