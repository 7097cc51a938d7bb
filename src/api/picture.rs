//! Drawings of positions.

use shakmaty::fen::Fen;

use super::error::Error;
use crate::board::Board;
use crate::output::Picture;

impl Picture {
    /// Creates the drawing of a position, seen by White. The position may be impossible.
    ///
    /// # Errors
    /// Returns [`Error::Fen`] if the text is not the FEN of a position.
    pub fn of_fen(fen: &str) -> Result<Picture, Error> {
        let setup = fen.parse::<Fen>().map(Fen::into_setup).map_err(|error| Error::Fen {
            fen: fen.to_owned(),
            message: error.to_string(),
        })?;
        Ok(Picture::of_board(&Board::from(&setup.board), setup.turn))
    }
}
