//! Queries of the library, compiled.

use super::error::QueryError;
use super::query::{Query, QueryOptions};
use crate::library;

impl library::Query {
    /// The query, ready to search.
    ///
    /// # Errors
    /// None today: all queries of the library compile.
    pub fn compile(&self) -> Result<Query, QueryError> {
        let options = QueryOptions {
            name: self.name().to_owned(),
            ..QueryOptions::default()
        };
        Query::compile_with(self.text(), &options)
    }
}
