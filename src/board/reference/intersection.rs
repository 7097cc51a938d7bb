//! A form of [`intersection`](crate::board::intersection::intersection).

use shakmaty::{Bitboard, Square};

use crate::board::intersection::Line;
use crate::board::rays::ray;

/// Where two lines cross, as the intersection of their bitboards.
///
/// Source: chessprogramming wiki, "Intersection Squares": the set-wise form that it mentions.
///
/// ```
/// use skewer::board::{Line, Square, reference::intersection::intersection_of_bitboards};
///
/// let crossing = intersection_of_bitboards(Line::Rank, Square::D2, Line::Diagonal, Square::G7);
/// assert_eq!(crossing, Some(Square::B2));
/// ```
#[inline]
pub fn intersection_of_bitboards(line_a: Line, a: Square, line_b: Line, b: Square) -> Option<Square> {
    if line_a == line_b {
        return None;
    }
    (line_through(line_a, a) & line_through(line_b, b)).first()
}

#[inline]
fn line_through(line: Line, square: Square) -> Bitboard {
    let [forward, back] = line.directions();
    ray(forward, square) | ray(back, square) | square
}
