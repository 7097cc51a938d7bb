//! The numbers of pieces of a kind, by which moves name them.
//!
//! Pieces are counted at the start, file by file. When one is captured, the later ones of its kind move up. A pawn keeps its number.

use shakmaty::{Color, Role, Square};

use crate::board::Board;

/// The kinds whose numbers move up.
pub(super) const KINDS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// The most pieces of a kind that a side may have, including those that eight pawns become.
const MOST: usize = 10;

/// The squares of the pieces of both sides, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    kinds: [[[Option<Square>; MOST]; 4]; 2],
    pawns: [[Option<Square>; 8]; 2],
}

impl Pieces {
    /// Returns the pieces of a board, or `None` if a side has too many of a kind.
    pub(super) fn of(board: &Board) -> Option<Pieces> {
        let mut pieces = Pieces {
            kinds: [[[None; MOST]; 4]; 2],
            pawns: [[None; 8]; 2],
        };
        for number in 0..64 {
            let square = square(number)?;
            if let Some(piece) = board.piece_at(square)
                && piece.role != Role::King
            {
                pieces.add(piece.color, piece.role, square)?;
            }
        }
        Some(pieces)
    }

    /// Returns the squares of a kind.
    fn places(&mut self, color: Color, role: Role) -> &mut [Option<Square>] {
        let kind = KINDS.iter().position(|kind| *kind == role);
        match kind {
            Some(kind) => self
                .kinds
                .get_mut(color as usize)
                .and_then(|kinds| kinds.get_mut(kind))
                .map_or(&mut [], |places| places),
            None => self.pawns.get_mut(color as usize).map_or(&mut [], |places| places),
        }
    }

    fn add(&mut self, color: Color, role: Role, square: Square) -> Option<()> {
        let free = self.places(color, role).iter_mut().find(|place| place.is_none())?;
        *free = Some(square);
        Some(())
    }

    /// Returns the square of the piece of a kind with this number.
    pub(super) fn piece(&self, color: Color, kind: usize, number: usize) -> Option<Square> {
        *self.kinds.get(color as usize)?.get(kind)?.get(number)?
    }

    /// Returns the square of the pawn with this number.
    pub(super) fn pawn(&self, color: Color, number: usize) -> Option<Square> {
        *self.pawns.get(color as usize)?.get(number)?
    }

    /// Removes a piece from the board.
    pub(super) fn take(&mut self, color: Color, role: Role, square: Square) {
        let places = self.places(color, role);
        let Some(number) = places.iter().position(|place| *place == Some(square)) else {
            return;
        };
        if role == Role::Pawn {
            if let Some(place) = places.get_mut(number) {
                *place = None;
            }
        } else if let Some(behind) = places.get_mut(number..) {
            behind.rotate_left(1);
            if let Some(last) = behind.last_mut() {
                *last = None;
            }
        }
    }

    /// Moves a piece.
    pub(super) fn go(&mut self, color: Color, role: Role, from: Square, to: Square) {
        let place = self.places(color, role).iter_mut().find(|place| **place == Some(from));
        if let Some(place) = place {
            *place = Some(to);
        }
    }

    /// Turns a pawn into another piece. Returns `None` if there are too many of its kind.
    pub(super) fn promote(&mut self, color: Color, from: Square, role: Role, to: Square) -> Option<()> {
        self.take(color, Role::Pawn, from);
        self.add(color, role, to)
    }
}

/// Returns the square with this number, counted file by file from a1.
pub(super) fn square(number: u32) -> Option<Square> {
    (number < 64).then(|| Square::new((number % 8) * 8 + number / 8))
}
