//! Forms of `intersection_squares` for two squares, by arithmetic.
//!
//! A rank and a file always meet. Other lines may meet off the board; a diagonal and an antidiagonal meet between squares if their
//! colours differ. In 0x88 coordinates, which have a spare bit after each of file and rank, one mask detects both.
//!
//! Source of all: chessprogramming wiki, "Intersection Squares".

use shakmaty::Square;
use skewer::board::Line;

/// Returns the number of the file, 0 to 7.
#[inline]
fn file(square: Square) -> i32 {
    square.to_u32() as i32 & 7
}

/// Returns the number of the rank, 0 to 7.
#[inline]
fn rank(square: Square) -> i32 {
    square.to_u32() as i32 >> 3
}

/// Returns the square at 0x88 coordinates, if they are on the board.
#[inline]
fn from_0x88(square: i32) -> Option<Square> {
    if square & 0x88 == 0 {
        Square::try_from((square >> 1 & 56) + (square & 7)).ok()
    } else {
        None
    }
}

/// Returns the square on the rank of one square and the file of another. It always exists.
#[inline]
pub(crate) fn rank_file(of_rank: Square, of_file: Square) -> Square {
    Square::from_coords(of_file.file(), of_rank.rank())
}

/// Returns where the rank of one square crosses the diagonal of another.
#[inline]
pub(crate) fn rank_diagonal(of_rank: Square, of_diagonal: Square) -> Option<Square> {
    from_0x88(17 * rank(of_rank) - rank(of_diagonal) + file(of_diagonal))
}

/// Returns where the file of one square crosses the diagonal of another.
#[inline]
pub(crate) fn file_diagonal(of_file: Square, of_diagonal: Square) -> Option<Square> {
    from_0x88(17 * file(of_file) + 16 * (rank(of_diagonal) - file(of_diagonal)))
}

/// Returns where the rank of one square crosses the antidiagonal of another.
#[inline]
pub(crate) fn rank_antidiagonal(of_rank: Square, of_antidiagonal: Square) -> Option<Square> {
    from_0x88(15 * rank(of_rank) + rank(of_antidiagonal) + file(of_antidiagonal))
}

/// Returns where the file of one square crosses the antidiagonal of another.
#[inline]
pub(crate) fn file_antidiagonal(of_file: Square, of_antidiagonal: Square) -> Option<Square> {
    from_0x88(16 * (rank(of_antidiagonal) + file(of_antidiagonal)) - 15 * file(of_file))
}

/// Returns where the diagonal of one square crosses the antidiagonal of another, or `None` if the colours of the squares differ.
///
/// The computed coordinates are doubled: an odd one means a crossing between squares.
#[inline]
pub(crate) fn diagonal_antidiagonal(of_diagonal: Square, of_antidiagonal: Square) -> Option<Square> {
    let doubled = 17 * (rank(of_antidiagonal) + file(of_antidiagonal)) + 15 * (rank(of_diagonal) - file(of_diagonal));
    if doubled & 0x111 == 0 {
        from_0x88(doubled >> 1)
    } else {
        None
    }
}

/// Returns where a line of one kind through `a` crosses a line of another kind through `b`.
///
/// Lines of the same kind are parallel or equal, and do not cross.
#[inline]
pub(crate) fn intersection(line_a: Line, a: Square, line_b: Line, b: Square) -> Option<Square> {
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
