//! Positions that a game does not have: after a tried move, after a null move, or with pieces removed.

use shakmaty::Role;

use super::tree::Game;
use crate::board::Bitboard;
use crate::chess::{Arrival, PlayableMove, Position, make_move, remove_pieces};

impl Game {
    /// Returns the position after a move of the piece `role`, with the given id.
    pub(crate) fn after(&self, before: &Position, role: Role, arrival: Arrival, id: u32) -> Position {
        let mut next = Position {
            board: before.board,
            turn: !before.turn,
            arrival,
            id,
            parent: before.id,
            last: id,
            ply: before.ply.saturating_add(1),
            depth: before.depth,
            choice: 0,
        };
        let played = PlayableMove { role, arrival };
        make_move(&mut next.board, before.turn, self.start.as_ref(), &played);
        next
    }
}

impl Position {
    /// Returns the position after a null move, with the given id; `None` for a side without pieces.
    pub(crate) fn passed(&self, id: u32) -> Option<Position> {
        let king = self.board.pieces(self.turn, Role::King).first();
        Some(Position {
            turn: !self.turn,
            arrival: Arrival::null(king.or(self.board.colors.get(self.turn).first())?),
            id,
            parent: self.id,
            last: id,
            ply: self.ply.saturating_add(1),
            choice: 0,
            ..*self
        })
    }

    /// Returns the position without the pieces on `squares`, with the given id.
    pub(crate) fn without(&self, squares: Bitboard, id: u32) -> Position {
        let mut without = Position { id, last: id, ..*self };
        remove_pieces(&mut without.board, squares);
        without
    }
}
