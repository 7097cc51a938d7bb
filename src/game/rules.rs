//! By which rules imperfect PGN is read.

use crate::chess::{FenError, Start};

/// What is done about text that is not as the standard wants it.
///
/// The rules belong to a batch: whoever cuts a source into games says which ones, and all who read the games see the same
/// tree, comments and tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Rules {
    /// Nothing is lost in silence: what is written in an unusual way is understood, what cannot be read ends its line or
    /// leaves out its game with a warning, and the output gives back what was there.
    #[default]
    Full,
    /// What CQL 6.2 does, for `skewer cql`: words without meaning are passed over, the last comment of a position replaces
    /// those before it, a wrong move ends the game and leaves a comment, tags are written in their normal form.
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
