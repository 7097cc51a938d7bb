//! The interface to the queries that `theme` names. The compiler reads no files and knows no library; its callers do.

use std::fmt;

use crate::syntax::Source;

/// Finds the queries that `theme "NAME"` names.
pub trait ThemeLookup: fmt::Debug + Send + Sync {
    /// Returns the query with this name. `asking` is the [name](NamedQuery::name) of the query that names it, if that is itself a theme.
    ///
    /// # Errors
    /// Returns an error if there is no such query or it cannot be read.
    fn find(&self, name: &str, asking: Option<&str>) -> Result<NamedQuery, NotFound>;
}

/// A query that was found.
#[derive(Clone, Debug)]
pub struct NamedQuery {
    /// The name, which no other query has.
    pub name: String,
    /// Its text.
    pub source: Source,
}

/// The reason why no query was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NotFound {
    /// What is wrong with the name, for the label under it.
    pub reason: String,
    /// Names that were probably meant.
    pub near: Vec<String>,
}
