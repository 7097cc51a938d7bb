//! Scratch memory that queries share.

use super::bitset::{Words, are_empty};
use super::compaction::Compacted;

/// What is selected of several games, and the boards that are gathered of them. Queries that ask the same games one after the other share it:
/// if each had its own, the caches of a processor would not hold it.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// What is selected of games that wait, by their places.
    pub(super) waiting: Vec<Words>,
    /// Where boards of several blocks are gathered: halves of blocks, and single positions. Each query leaves both empty.
    pub(super) halves: Compacted,
    pub(super) single: Compacted,
}

impl Workspace {
    /// Whether something is selected of the game that waits at a place, of which some might be.
    pub(crate) fn has_waiting(&self, place: usize) -> bool {
        self.waiting.get(place).is_some_and(|words| !are_empty(words))
    }
}
