//! Differences of 0x88 coordinates.
//!
//! With sixteen numbers a rank, the difference of two squares tells their distance in files and in ranks apart, so a table
//! indexed by it serves all pairs of squares that lie alike. Source: chessprogramming wiki, "0x88" and "Square Attacked By".

/// How many entries a table by 0x88 difference has: the least power of two, so that indexes need no bounds check.
pub(super) const DIFFERENCES: usize = 256;

/// The index of the pair in a table by difference, 0 to 239; 120 when the squares are equal.
#[inline]
pub(super) const fn difference(from: usize, to: usize) -> usize {
    // Adding the index with all file bits set doubles the rank's weight, up to a constant that falls out.
    (120 + to + (to | 7) - from - (from | 7)) % DIFFERENCES
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn equal_differences_are_equal_distances() {
        let distance = |from: usize, to: usize| (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
        let mut seen = [None; 240];
        for from in 0..64 {
            for to in 0..64 {
                let expected = *seen[difference(from, to)].get_or_insert(distance(from, to));
                assert_eq!(distance(from, to), expected);
            }
        }
        assert_eq!(seen.iter().flatten().count(), 225);
    }
}
