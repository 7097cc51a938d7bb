//! The sides of a dash, and the moves that fit them.

use super::steps::steps;
use crate::board::{Bitboard, Square};
use crate::game::{Game, Position};

/// The part of a castling move to which a dash refers, as seen from its target.
#[derive(Clone, Copy)]
pub(crate) struct Narrowed {
    /// The position after the move.
    pub(crate) position: u32,
    pub(crate) from: Bitboard,
    pub(crate) to: Bitboard,
}

/// The sides of a dash at the position where it is evaluated.
pub(crate) struct Sides {
    pub(crate) left: Bitboard,
    pub(crate) right: Bitboard,
}

impl Sides {
    /// Returns the squares to which `from` and `to` are narrowed for the target if the move that led to `after` fits. With `movers`, only
    /// their steps of a castling move count.
    pub(crate) fn admit(
        &self,
        game: &Game,
        capture: bool,
        movers: Option<Bitboard>,
        after: &Position,
    ) -> Option<Narrowed> {
        let narrowed = |from: Bitboard, to: Bitboard| Narrowed {
            position: after.id,
            from,
            to,
        };
        let steps = steps(game, after);
        let (from, to) = steps.king_or_piece;
        if capture {
            let fits =
                self.left.contains(from) && after.arrival.captured.is_some_and(|taken| self.right.contains(taken));
            return fits.then(|| narrowed(from.into(), to.into()));
        }
        let fits = |(from, to): (Square, Square)| self.left.contains(from) && self.right.contains(to);
        let mut found = narrowed(Bitboard::EMPTY, Bitboard::EMPTY);
        let moves = |from: Square| steps.rook.is_none() || movers.is_none_or(|movers| movers.contains(from));
        for step in steps.all().filter(|step| moves(step.0) && fits(*step)) {
            found.from.add(step.0);
            found.to.add(step.1);
        }
        found.from.any().then_some(found)
    }
}
