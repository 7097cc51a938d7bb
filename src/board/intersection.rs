//! Intersection squares: where a line through one square crosses a line through another.
//!
//! Four kinds of lines have six pairs, and either square may have either line, so there are twelve combinations. [`intersection_squares`]
//! is the filter `intersection`. It crosses all lines of two sets at once. The arithmetic on 0x88 coordinates, which finds the crossing of
//! two lines without a bitboard, is slower. It is in `tests/board/reference`.
//!
//! Source: chessprogramming wiki, "Intersection Squares".

use shakmaty::Bitboard;

use super::directions::{Direction, DirectionSet};
use super::fill::{beyond, files_through, ranks_through};
use super::rays::ray;

/// The four kinds of lines through a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Line {
    /// West to east.
    Rank,
    /// South to north.
    File,
    /// South-west to north-east, parallel to a1-h8.
    Diagonal,
    /// North-west to south-east, parallel to a8-h1.
    AntiDiagonal,
}

impl Line {
    /// All kinds of lines.
    pub const ALL: [Line; 4] = [Line::Rank, Line::File, Line::Diagonal, Line::AntiDiagonal];

    /// Returns the two directions of the line, with the direction of growing square indices first.
    #[inline]
    pub const fn directions(self) -> [Direction; 2] {
        match self {
            Line::Rank => [Direction::East, Direction::West],
            Line::File => [Direction::North, Direction::South],
            Line::Diagonal => [Direction::NorthEast, Direction::SouthWest],
            Line::AntiDiagonal => [Direction::NorthWest, Direction::SouthEast],
        }
    }

    /// Returns all squares on lines of this kind through the squares of a set, including the set itself.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Line, Square};
    ///
    /// let squares = Line::Diagonal.through(Bitboard::from_iter([Square::B1, Square::C6]));
    /// assert_eq!(format!("{squares:?}"), "\
    /// . . . . 1 . . .
    /// . . . 1 . . . 1
    /// . . 1 . . . 1 .
    /// . 1 . . . 1 . .
    /// 1 . . . 1 . . .
    /// . . . 1 . . . .
    /// . . 1 . . . . .
    /// . 1 . . . . . .
    /// ");
    /// ```
    #[inline]
    pub fn through(self, set: Bitboard) -> Bitboard {
        let [forward, back] = self.directions();
        match (self, set.single_square()) {
            (Line::Rank, _) => ranks_through(set),
            (Line::File, _) => files_through(set),
            (_, Some(square)) => set | ray(forward, square) | ray(back, square),
            (_, None) => set | beyond(set, forward) | beyond(set, back),
        }
    }

    /// Returns [`Line::through`] if `directions` contains both directions of the line, otherwise no squares.
    #[inline]
    fn through_if(self, directions: DirectionSet, set: Bitboard) -> Bitboard {
        if self
            .directions()
            .into_iter()
            .all(|direction| directions.contains(direction))
        {
            self.through(set)
        } else {
            Bitboard::EMPTY
        }
    }
}

/// Returns the squares where a line through a square of one set crosses a line of another kind through a square of the other set. A
/// kind of line counts if both its directions are given. Pieces do not block lines.
///
/// Source: chessprogramming wiki, "Intersection Squares", the set-wise form mentioned there.
///
/// ```
/// use skewer::board::{Bitboard, DirectionSet, Square, intersection::intersection_squares};
///
/// let (rook, bishop) = (Bitboard::from(Square::C2), Bitboard::from(Square::E6));
/// let squares = intersection_squares(DirectionSet::ORTHOGONAL, rook, DirectionSet::DIAGONAL, bishop);
/// assert_eq!(format!("{squares:?}"), "\
/// . . 1 . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . 1 . . . . .
/// . . . . . . . .
/// 1 . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn intersection_squares(kinds_a: DirectionSet, a: Bitboard, kinds_b: DirectionSet, b: Bitboard) -> Bitboard {
    let lines_a = Line::ALL.map(|line| line.through_if(kinds_a, a));
    let lines_b = Line::ALL.map(|line| line.through_if(kinds_b, b));
    let mut squares = Bitboard::EMPTY;
    for (kind_a, through_a) in lines_a.into_iter().enumerate() {
        for (kind_b, through_b) in lines_b.into_iter().enumerate() {
            if kind_a != kind_b {
                squares |= through_a & through_b;
            }
        }
    }
    squares
}
