//! One bit for each position of a game.

use smallvec::SmallVec;

/// The number of words processed together, which need no allocation. Most games have no more.
pub(super) const TOGETHER: usize = 4;

/// A bit for each position of a game, by their ids. The number of words is a multiple of [`TOGETHER`], so no branch depends on whether there are one,
/// two or three of them.
pub(super) type Words = SmallVec<[u64; TOGETHER]>;

/// Returns whether no bit is set.
pub(super) fn are_empty(words: &[u64]) -> bool {
    let (words, rest) = words.as_chunks::<TOGETHER>();
    debug_assert!(rest.is_empty());
    words
        .iter()
        .all(|words| words.iter().fold(0, |all, word| all | word) == 0)
}
