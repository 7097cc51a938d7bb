//! The numbers of pieces of a kind, by which moves name them.
//!
//! Pieces are counted at the start, file by file. When one is captured, the later ones of its kind move up. A pawn keeps its number.

use shakmaty::{ByColor, ByRole, Color, Role, Square};

use crate::board::Board;

/// The most pieces of a kind that a side may have, including those that eight pawns become.
const MOST: usize = 10;

/// The squares of the pieces of both sides, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    /// The pieces whose numbers move up.
    others: ByColor<ByRole<[Option<Square>; MOST]>>,
    pawns: ByColor<[Option<Square>; 8]>,
}

impl Pieces {
    /// Returns the pieces of a board, or `None` if a side has too many of a kind.
    pub(super) fn of(board: &Board) -> Option<Pieces> {
        let mut pieces = Pieces {
            others: ByColor::default(),
            pawns: ByColor::default(),
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
        match role {
            Role::Pawn => self.pawns.get_mut(color),
            role => self.others.get_mut(color).get_mut(role),
        }
    }

    fn add(&mut self, color: Color, role: Role, square: Square) -> Option<()> {
        let free = self.places(color, role).iter_mut().find(|place| place.is_none())?;
        *free = Some(square);
        Some(())
    }

    /// Returns the square of the piece of a kind, other than a pawn, with this number.
    pub(super) fn piece(&self, color: Color, role: Role, number: usize) -> Option<Square> {
        *self.others.get(color).get(role).get(number)?
    }

    /// Returns the square of the pawn with this number.
    pub(super) fn pawn(&self, color: Color, number: usize) -> Option<Square> {
        *self.pawns.get(color).get(number)?
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
