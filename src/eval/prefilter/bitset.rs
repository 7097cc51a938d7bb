//! One bit for each position of a game.

use smallvec::SmallVec;

/// This many words are looked at together, and take no memory of their own: most games have no more.
pub(super) const TOGETHER: usize = 4;

/// A bit for each position of a game, by their ids. The words are a multiple of [`TOGETHER`], so that whether there are one, two or three of
/// them is nothing to branch on.
pub(super) type Words = SmallVec<[u64; TOGETHER]>;

/// Whether no bit is set.
pub(super) fn are_empty(words: &[u64]) -> bool {
    let (words, rest) = words.as_chunks::<TOGETHER>();
    debug_assert!(rest.is_empty());
    words
        .iter()
        .all(|words| words.iter().fold(0, |all, word| all | word) == 0)
}
