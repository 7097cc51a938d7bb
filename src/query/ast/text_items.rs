//! The items of `message`, `comment` and `str`.

use super::node::Filter;
use super::variables::{DictionaryId, Variable};

/// An item of `message`, `comment`, `str`.
#[derive(Clone, Debug)]
pub(crate) enum TextItem {
    /// A filter: its value.
    Filter(Filter),
    /// A variable on its own, which may be unbound.
    Variable(Variable, String),
    /// A dictionary on its own: its entries.
    Dictionary(DictionaryId),
}
