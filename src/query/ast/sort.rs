//! The keys of `sort`, and the values that options keep for each match.

/// A key by which matching games are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The title under which the value is shown.
    pub title: Vec<u8>,
    /// Whether the smallest value is the best.
    pub ascending: bool,
    /// Whether title and value are hidden.
    pub quiet: bool,
    /// Whether the values are strings, not numbers.
    pub text: bool,
}

/// The index of a key among the [`SortKey`]s of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SortId(pub u32);

/// The index of a value among the values that are kept for a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ColumnId(pub u32);
