//! Differences of 0x88 coordinates.
//!
//! With sixteen numbers for each rank, the difference of two squares gives their distance in files and in ranks. So a table that is
//! indexed by the difference serves all pairs of squares with the same distance. Source: chessprogramming wiki, "0x88" and "Square
//! Attacked By".

/// The length of a table by 0x88 difference: a power of two, so that indexes need no bounds check.
pub(crate) const DIFFERENCES: usize = 256;

/// Returns the index of a pair in a table by difference, 0 to 239. It is 120 if the squares are equal.
#[inline]
pub(crate) const fn difference(from: usize, to: usize) -> usize {
    // Adding the index with all file bits set doubles the weight of the rank, up to a constant that cancels out.
    (120 + to + (to | 7) - from - (from | 7)) % DIFFERENCES
}
