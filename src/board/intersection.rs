//! Intersection squares: where a line through one square crosses a line through another.
//!
//! Of the four kinds of lines there are six pairs, and as either square may own either line, twelve combinations. The filter
//! `intersection` is [`intersection_squares`], which crosses all lines of two sets at once. The arithmetic on 0x88 coordinates, which
//! finds the crossing of two lines without a bitboard, takes longer: it is in
//! `tests/board/reference`.
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

    /// The two directions of the line, the one of growing square indexes first.
    #[inline]
    pub const fn directions(self) -> [Direction; 2] {
        match self {
            Line::Rank => [Direction::East, Direction::West],
            Line::File => [Direction::North, Direction::South],
            Line::Diagonal => [Direction::NorthEast, Direction::SouthWest],
            Line::AntiDiagonal => [Direction::NorthWest, Direction::SouthEast],
        }
    }

    /// All squares on lines of this kind through the squares of a set, these included.
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

    /// [`Line::through`], if both directions of the line are among those given.
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

/// The squares where a line through a square of one set crosses a line of another kind through a square of the other set, for
/// the kinds of lines that have both their directions among those given. Pieces do not stop lines.
///
/// Source: chessprogramming wiki, "Intersection Squares", the set-wise form that it mentions.
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
