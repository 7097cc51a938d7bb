//! The items of `message`, `comment` and `str`.

use super::node::Filter;
use super::variables::{DictionaryId, Variable};

/// An item of `message`, `comment`, `str`.
#[derive(Clone, Debug)]
pub(crate) enum TextItem {
    /// A filter: its value.
    Filter(Filter),
    /// A variable by itself, which may be unbound.
    Variable(Variable, String),
    /// A dictionary by itself: its entries.
    Dictionary(DictionaryId),
}
