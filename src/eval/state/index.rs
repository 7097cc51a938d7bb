//! An index of the positions of a game by values that must equal others.

use std::ops::Range;

/// Positions by the hash of their values.
#[derive(Clone, Debug)]
pub(crate) struct Index(Vec<(u64, u32)>);

impl Index {
    /// The bytes that a position takes.
    pub(crate) const BYTES: usize = size_of::<(u64, u32)>();

    /// Creates the index from hashes and the ids of their positions.
    pub(crate) fn new(mut keys: Vec<(u64, u32)>) -> Index {
        keys.sort_unstable();
        Index(keys)
    }

    /// Returns the positions of a range that have this hash, in order.
    pub(crate) fn with(&self, key: u64, ids: Range<u32>) -> impl DoubleEndedIterator<Item = u32> {
        let place = |id| self.0.partition_point(|entry| *entry < (key, id));
        let found = self.0.get(place(ids.start)..place(ids.end)).unwrap_or_default();
        found.iter().map(|(_, id)| *id)
    }
}
