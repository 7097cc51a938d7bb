//! The keys of `sort`, and the values that options ask for at each match.

/// A key by which matching games are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The title, under which the value is shown.
    pub title: Vec<u8>,
    /// The smallest value is the best.
    pub ascending: bool,
    /// Title and value are not shown.
    pub quiet: bool,
    /// The values are strings, otherwise numbers.
    pub text: bool,
}

/// The place of a key among the [`SortKey`]s of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SortId(pub u32);

/// The place of a value among those that are kept of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ColumnId(pub u32);
