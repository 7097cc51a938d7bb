//! The keys by which queries sort games.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::eval::report::SortValue;
use crate::output::decoded_text;
use crate::query;

/// A key by which a query sorts games: one of its `sort` filters.
///
/// ```
/// let query = skewer::Query::compile("sort min \"material\" power A")?;
/// let keys: Vec<_> = query.sort_keys().collect();
/// assert_eq!((keys[0].title(), keys[0].is_text(), keys[0].is_ascending()), ("material", false, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "service", derive(serde::Serialize))]
pub struct SortKey {
    title: String,
    text: bool,
    ascending: bool,
}

impl SortKey {
    pub(super) fn of(key: &query::SortKey) -> SortKey {
        SortKey {
            title: decoded_text(Cow::Borrowed(&key.title)).into_owned(),
            text: key.text,
            ascending: key.ascending,
        }
    }

    /// Returns the title under which values are shown.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns whether the values are texts. Otherwise they are numbers.
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// Returns whether the smallest value is the best.
    pub fn is_ascending(&self) -> bool {
        self.ascending
    }

    /// Compares two games by their values, as the command orders them: better values first, games without a value last.
    pub fn order(&self, a: Option<&SortKeyValue<'_>>, b: Option<&SortKeyValue<'_>>) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) if self.ascending => a.cmp(b),
            (Some(a), Some(b)) => b.cmp(a),
            _ => b.is_some().cmp(&a.is_some()),
        }
    }
}

/// The value of a game for a sort key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum SortKeyValue<'k> {
    /// The value of a number, or the number of squares of a set.
    Number(i32),
    /// The value of a string.
    Text(Cow<'k, str>),
}

impl SortKeyValue<'_> {
    pub(super) fn of(value: &SortValue) -> SortKeyValue<'_> {
        match value {
            SortValue::Number(number) => SortKeyValue::Number(*number),
            SortValue::Text(text) => SortKeyValue::Text(decoded_text(Cow::Borrowed(text))),
        }
    }

    /// Converts to a value that borrows nothing.
    pub fn into_owned(self) -> SortKeyValue<'static> {
        match self {
            SortKeyValue::Number(number) => SortKeyValue::Number(number),
            SortKeyValue::Text(text) => SortKeyValue::Text(Cow::Owned(text.into_owned())),
        }
    }
}
