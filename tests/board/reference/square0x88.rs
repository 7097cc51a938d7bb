//! Differences of 0x88 coordinates.
//!
//! With sixteen numbers a rank, the difference of two squares tells their distance in files and in ranks apart, so a table
//! indexed by it serves all pairs of squares that lie alike. Source: chessprogramming wiki, "0x88" and "Square Attacked By".

/// How many entries a table by 0x88 difference has: the least power of two, so that indexes need no bounds check.
pub(crate) const DIFFERENCES: usize = 256;

/// The index of the pair in a table by difference, 0 to 239; 120 when the squares are equal.
#[inline]
pub(crate) const fn difference(from: usize, to: usize) -> usize {
    // Adding the index with all file bits set doubles the rank's weight, up to a constant that falls out.
    (120 + to + (to | 7) - from - (from | 7)) % DIFFERENCES
}
