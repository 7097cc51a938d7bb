//! A form of [`intersection`](crate::board::intersection::intersection).

use shakmaty::Square;

use crate::board::intersection::{
    Line, diagonal_antidiagonal, file_antidiagonal, file_diagonal, rank_antidiagonal, rank_diagonal, rank_file,
};

/// Where two lines cross, by arithmetic with 0x88 coordinates.
///
/// Source: chessprogramming wiki, "Intersection Squares".
///
/// ```
/// use skewer::board::{Line, Square, reference::intersection::intersection_by_0x88};
///
/// let crossing = intersection_by_0x88(Line::Rank, Square::D2, Line::Diagonal, Square::G7);
/// assert_eq!(crossing, Some(Square::B2));
/// ```
#[inline]
pub fn intersection_by_0x88(line_a: Line, a: Square, line_b: Line, b: Square) -> Option<Square> {
    use Line::{AntiDiagonal, Diagonal, File, Rank};
    match (line_a, line_b) {
        (Rank, File) => Some(rank_file(a, b)),
        (File, Rank) => Some(rank_file(b, a)),
        (Rank, Diagonal) => rank_diagonal(a, b),
        (Diagonal, Rank) => rank_diagonal(b, a),
        (File, Diagonal) => file_diagonal(a, b),
        (Diagonal, File) => file_diagonal(b, a),
        (Rank, AntiDiagonal) => rank_antidiagonal(a, b),
        (AntiDiagonal, Rank) => rank_antidiagonal(b, a),
        (File, AntiDiagonal) => file_antidiagonal(a, b),
        (AntiDiagonal, File) => file_antidiagonal(b, a),
        (Diagonal, AntiDiagonal) => diagonal_antidiagonal(a, b),
        (AntiDiagonal, Diagonal) => diagonal_antidiagonal(b, a),
        (Rank, Rank) | (File, File) | (Diagonal, Diagonal) | (AntiDiagonal, AntiDiagonal) => None,
    }
}
