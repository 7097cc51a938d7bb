//! The library of queries.

use pyo3::prelude::*;
use skewer::library;

use crate::error::guarded;

/// Returns the names of all queries, in order.
#[pyfunction]
pub(crate) fn library_names() -> PyResult<Vec<&'static str>> {
    guarded(|| Ok(library::queries().map(|query| query.name()).collect()))
}

/// Returns the names and texts of the queries with a name, which may include the section.
#[pyfunction]
pub(crate) fn library_text(name: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    guarded(|| {
        let queries = library::named(name).into_iter();
        Ok(queries.map(|query| (query.name(), query.text())).collect())
    })
}
