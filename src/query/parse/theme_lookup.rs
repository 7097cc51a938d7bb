//! Where the queries come from that `theme` names. The compiler reads no files and knows no library; whoever calls it does.

use std::fmt;

use crate::syntax::Source;

/// Finds the queries that `theme "NAME"` names.
pub trait ThemeLookup: fmt::Debug + Send + Sync {
    /// The query of a name. `asking` is the [name](NamedQuery::name) of the query that asks for it, if that is a theme itself.
    ///
    /// # Errors
    /// When there is no such query, or when it cannot be read.
    fn find(&self, name: &str, asking: Option<&str>) -> Result<NamedQuery, NotFound>;
}

/// A query that was found.
#[derive(Clone, Debug)]
pub struct NamedQuery {
    /// The one name that no other query has.
    pub name: String,
    /// Its text.
    pub source: Source,
}

/// Why no query was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NotFound {
    /// What is wrong with the name, for the place under it.
    pub reason: String,
    /// Names that were probably meant.
    pub near: Vec<String>,
}
