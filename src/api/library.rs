//! Queries of the library, compiled.

use super::error::QueryError;
use super::query::{Query, QueryOptions};
use crate::library;

impl library::Query {
    /// Compiles the query.
    ///
    /// # Errors
    /// Returns no error today: all queries of the library compile.
    pub fn compile(&self) -> Result<Query, QueryError> {
        let options = QueryOptions {
            name: self.name().to_owned(),
            ..QueryOptions::default()
        };
        Query::compile_with(self.text(), &options)
    }
}
