//! The compiled part of the Python package `skewer`: `skewer._skewer`. What users see is in `source/skewer`.

mod bytes;
mod columns;
mod command;
mod counts;
mod error;
mod games;
mod library;
mod matched;
mod notebook;
mod options;
mod parts;
mod positions;
mod progress;
mod query;
mod result;
mod rows;
mod run;
mod store;
mod texts;
mod write;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _skewer {
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::counts::Counts;
    #[pymodule_export]
    use crate::error::panic;
    #[pymodule_export]
    use crate::library::{library_names, library_text};
    #[pymodule_export]
    use crate::matched::Match;
    #[pymodule_export]
    use crate::options::tags_and_columns;
    #[pymodule_export]
    use crate::parts::{
        Found, Parts, added_columns, columns_read, obstacles, row_groups, search_batch, search_pgn, search_row_groups,
        sort_columns, spark_condition,
    };
    #[pymodule_export]
    use crate::positions::match_fens;
    #[pymodule_export]
    use crate::progress::Progress;
    #[pymodule_export]
    use crate::query::{Query, search_many};
    #[pymodule_export]
    use crate::result::{Result, result_of};
    #[pymodule_export]
    use crate::texts::{check, explain, format};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
