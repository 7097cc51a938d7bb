//! The steps of a move: a castling move has two.

use crate::board::Square;
use crate::game::{Game, Position};

/// The step of the piece that moves, and for castling that of the rook. Each is an origin and a destination.
pub(crate) struct Steps {
    pub(crate) king_or_piece: (Square, Square),
    pub(crate) rook: Option<(Square, Square)>,
}

impl Steps {
    /// Returns all steps, the rook's last.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Square, Square)> + use<> {
        [Some(self.king_or_piece), self.rook].into_iter().flatten()
    }
}

/// Returns the steps of the move that led to a position.
pub(crate) fn steps(game: &Game, position: &Position) -> Steps {
    Steps {
        king_or_piece: (position.arrival.from, position.arrival.to),
        rook: game.rook_step(position),
    }
}
