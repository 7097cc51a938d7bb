//! The numbers of the pieces of a side, by which moves name them.
//!
//! Each side has up to sixteen pieces, with the king first. When a piece is captured, the one with the last number takes over its number.

use shakmaty::{ByColor, Color, Role, Square};

use crate::board::Board;

/// The mark of a square without a piece.
const NONE: u8 = u8::MAX;

/// The squares of the pieces by their numbers, and the numbers by squares.
#[derive(Clone, Copy)]
pub(super) struct PieceList {
    squares: ByColor<[Square; 16]>,
    counts: ByColor<usize>,
    numbers: [u8; 64],
}

impl PieceList {
    const EMPTY: PieceList = PieceList {
        squares: ByColor {
            black: [Square::A1; 16],
            white: [Square::A1; 16],
        },
        counts: ByColor { black: 0, white: 0 },
        numbers: [NONE; 64],
    };

    /// Returns the numbers at the usual start: king, the other pieces from the a-file on, pawns.
    pub(super) fn usual(board: &Board) -> Option<PieceList> {
        let mut list = PieceList::EMPTY;
        for color in Color::ALL {
            let (home, pawns) = color.fold_wb((0, 8), (56, 48));
            let king = [home + 4];
            let others = (home..home + 8).filter(|square| *square != home + 4);
            for square in king.into_iter().chain(others).chain(pawns..pawns + 8) {
                let square = Square::try_from(square as u32).ok()?;
                board.piece_at(square).filter(|piece| piece.color == color)?;
                list.add(color, square)?;
            }
        }
        Some(list)
    }

    /// Returns the numbers for a position of a FEN: in its order, except that the king changes places with the first piece. Returns `None` if a side
    /// has too many pieces.
    pub(super) fn of_setup(board: &Board) -> Option<PieceList> {
        let mut list = PieceList::EMPTY;
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::try_from(rank * 8 + file as u32).ok()?;
                let Some(piece) = board.piece_at(square) else { continue };
                list.add(piece.color, square)?;
                if piece.role == Role::King {
                    list.put_first(piece.color, square);
                }
            }
        }
        Some(list)
    }

    fn add(&mut self, color: Color, square: Square) -> Option<()> {
        let number = *self.counts.get(color);
        *self.squares.get_mut(color).get_mut(number)? = square;
        *self.counts.get_mut(color) += 1;
        self.set(square, number as u8);
        Some(())
    }

    /// Exchanges the numbers of the last and the first piece of a side.
    fn put_first(&mut self, color: Color, last: Square) {
        let number = self.number(last);
        let squares = self.squares.get_mut(color);
        let [first, ..] = *squares;
        squares.swap(0, usize::from(number));
        self.set(first, number);
        self.set(last, 0);
    }

    /// Sets the square of a piece.
    fn put(&mut self, color: Color, number: u8, square: Square) {
        self.set(square, number);
        if let Some(place) = self.squares.get_mut(color).get_mut(usize::from(number)) {
            *place = square;
        }
    }

    fn set(&mut self, square: Square, number: u8) {
        if let Some(place) = self.numbers.get_mut(square as usize) {
            *place = number;
        }
    }

    fn number(&self, square: Square) -> u8 {
        self.numbers.get(square as usize).copied().unwrap_or(NONE)
    }

    /// Returns the square of the piece with this number.
    pub(super) fn square(&self, color: Color, number: usize) -> Option<Square> {
        let square = self.squares.get(color).get(number).copied();
        square.filter(|_| number < *self.counts.get(color))
    }

    /// Moves a piece to an empty square.
    pub(super) fn go(&mut self, color: Color, from: Square, to: Square) {
        let number = self.number(from);
        self.set(from, NONE);
        self.put(color, number, to);
    }

    /// Removes a piece from the board.
    pub(super) fn take(&mut self, color: Color, square: Square) {
        let number = self.number(square);
        self.set(square, NONE);
        let count = self.counts.get_mut(color);
        *count = count.saturating_sub(1);
        let last = *count;
        if usize::from(number) < last
            && let Some(last) = self.squares.get(color).get(last).copied()
        {
            self.put(color, number, last);
        }
    }

    /// Castles. King and rook may go to squares that the other one leaves.
    pub(super) fn castle(&mut self, color: Color, king: (Square, Square), rook: (Square, Square)) {
        let numbers = (self.number(king.0), self.number(rook.0));
        self.set(king.0, NONE);
        self.set(rook.0, NONE);
        self.put(color, numbers.0, king.1);
        self.put(color, numbers.1, rook.1);
    }
}
