//! Drawings of positions.

use shakmaty::fen::Fen;

use super::error::Error;
use crate::board::{Bitboard, Board, Color, Square};
#[cfg(feature = "service")]
use crate::chess::{Position, Start};
use crate::eval::report::Highlights;
use crate::game::Shapes;
use crate::output;

/// A drawing of a position as SVG, with the squares, lines and moves that made a match highlighted. The command's formats `svg` and `html`
/// have the same boards.
///
/// ```
/// use skewer::{Picture, Query};
///
/// let found = Query::compile("xray (R a k)")?.search(skewer::Games::of_fens(["4k3/4p3/8/8/8/8/8/K3R3 w - - 0 1"])?)?;
/// for game in found {
///     for found in game?.matches() {
///         let picture = Picture::of_fen(found.fen())?.rays(found.rays().iter().copied());
///         let svg = picture.caption("A rook looks through a pawn", "").svg();
///         assert!(svg.starts_with("<svg") && svg.contains("A rook looks through a pawn"));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    board: Board,
    turn: Color,
    flipped: bool,
    last_move: Option<(Square, Square)>,
    highlights: Highlights,
    caption: [String; 2],
}

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
        Ok(Picture {
            board: Board::from(&setup.board),
            turn: setup.turn,
            flipped: false,
            last_move: None,
            highlights: Highlights::default(),
            caption: Default::default(),
        })
    }

    /// Creates the drawing of a start position; its FEN may have lacked the fields after the side to move.
    #[cfg(feature = "service")]
    pub(crate) fn of_start(start: &Start) -> Picture {
        Picture {
            board: start.board,
            turn: start.turn,
            flipped: false,
            last_move: None,
            highlights: Highlights::default(),
            caption: Default::default(),
        }
    }

    /// Creates the drawing of a position in a game, with what made a match.
    #[cfg(feature = "service")]
    pub(crate) fn of_position(position: &Position, highlights: Highlights) -> Picture {
        Picture {
            board: position.board,
            turn: position.turn,
            flipped: false,
            last_move: output::last_move(position),
            highlights,
            caption: Default::default(),
        }
    }

    /// Turns the board, so that Black sees it.
    #[must_use]
    pub fn flipped(self) -> Picture {
        Picture { flipped: true, ..self }
    }

    /// Marks the squares of the move that led to the position.
    #[must_use]
    pub fn last_move(self, from: Square, to: Square) -> Picture {
        Picture {
            last_move: Some((from, to)),
            ..self
        }
    }

    /// Highlights squares.
    #[must_use]
    pub fn squares(mut self, squares: Bitboard) -> Picture {
        self.highlights.squares = squares;
        self
    }

    /// Draws lines of sight, each from the piece that looks to the square it looks at.
    #[must_use]
    pub fn rays(mut self, rays: impl IntoIterator<Item = (Square, Square)>) -> Picture {
        self.highlights.rays = rays.into_iter().collect();
        self
    }

    /// Draws moves as pairs of squares (from, to).
    #[must_use]
    pub fn moves(mut self, moves: impl IntoIterator<Item = (Square, Square)>) -> Picture {
        self.highlights.moves = moves.into_iter().collect();
        self
    }

    /// Writes two lines below the board, of which the first is emphasised.
    #[must_use]
    pub fn caption(self, first: impl Into<String>, second: impl Into<String>) -> Picture {
        Picture {
            caption: [first.into(), second.into()],
            ..self
        }
    }

    /// Returns the drawing as an SVG document.
    pub fn svg(&self) -> String {
        let picture = output::Picture {
            board: &self.board,
            turn: self.turn,
            flipped: self.flipped,
            last_move: self.last_move,
            shapes: Shapes::NONE,
            highlights: &self.highlights,
            caption: self.caption.clone(),
        };
        picture.document()
    }
}
