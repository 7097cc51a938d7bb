//! Positions and squares in questions.

use super::error::Error;
use crate::board::Square;
use crate::chess::Start;

/// Parses the position of a FEN. It may be impossible. Castling rights and the fields after them may be missing.
///
/// # Errors
/// Returns an error if it is not a FEN.
pub(crate) fn start(fen: &str) -> Result<Start, Error> {
    Start::from_fen(fen.trim().as_bytes()).map_err(|error| Error {
        hint: Some(error.fault.advice().to_owned()),
        ..Error::new(format!("the position cannot be read: {}", error.fault))
    })
}

/// Parses the name of a square.
///
/// # Errors
/// Returns an error if there is no such square.
pub(crate) fn square(name: &str) -> Result<Square, Error> {
    name.parse().map_err(|_| Error {
        hint: Some("squares are written `a1` to `h8`".to_owned()),
        ..Error::new(format!("`{name}` is not a square"))
    })
}
