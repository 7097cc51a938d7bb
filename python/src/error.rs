//! Errors and warnings for Python.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_schema::ArrowError;
use pyo3::import_exception;
use pyo3::prelude::*;

// These are defined in Python, because Rust cannot define exceptions with fields for all versions of Python at once.
import_exception!(skewer._errors, Error);
import_exception!(skewer._errors, QueryError);
import_exception!(skewer._errors, InputError);
import_exception!(skewer._errors, FenError);
import_exception!(skewer._errors, PgnWarning);

/// What messages say about options of the command, and what to say in Python instead.
const IN_PYTHON: [(&str, &str); 9] = [
    ("`--max-memory` allows more", "`max_memory=` allows more"),
    ("`--max-rounds` allows more", "`max_rounds=` allows more"),
    (
        "`cql(variations …)` or `--variations`",
        "`cql(variations …)` or `variations=True`",
    ),
    (
        "files are allowed by `--allow-files DIR` only",
        "only the command `skewer search` runs queries that read or write files",
    ),
    (
        "`--tablebase DIR` names a folder",
        "`tablebase=` of `skewer.compile` names a folder",
    ),
    (
        "`--long` allows up to 2 GB, which takes as much memory",
        "unpack it first",
    ),
    ("; --language says which one", ""),
    ("`skewer search --limit N` ends", "`limit=N` ends"),
    ("`skewer library --find WORD`", "`skewer.library()`"),
];

/// Replaces the options of the command in a message.
pub(crate) fn in_python(message: &str) -> String {
    let mut message = message.to_owned();
    if message.contains("--") {
        for (command, python) in IN_PYTHON {
            message = message.replace(command, python);
        }
        // These phrases also contain the name of a file or a word.
        for (begin, python) in [
            ("`skewer index --append ", "`skewer.index`"),
            ("`skewer library --find ", "`skewer.library()`"),
        ] {
            while let Some((before, rest)) = message.split_once(begin) {
                message = format!(
                    "{before}{python}{}",
                    rest.split_once('`').map_or("", |(_, after)| after)
                );
            }
        }
    }
    message
}

/// Runs code that Python calls. Turns a panic into an exception that programs can catch.
pub(crate) fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(bug(&*payload)))
}

/// Returns the exception for a panic.
pub(crate) fn bug(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    Error::new_err(format!(
        "this is a bug in skewer, please report it with your query: {text}"
    ))
}

/// Returns the exception for an error in a query.
pub(crate) fn of_query(error: &skewer::QueryError) -> PyErr {
    QueryError::new_err((
        in_python(error.drawn()),
        in_python(error.message()),
        error.line(),
        error.column(),
        error.hints().map(in_python).collect::<Vec<_>>(),
    ))
}

/// Returns the exception for a search that failed.
pub(crate) fn of_search(error: skewer::Error) -> PyErr {
    match error {
        skewer::Error::Evaluation(error) => of_query(&error),
        skewer::Error::Input { name, error } => Python::attach(|py| of_input(py, &name, &error)),
        error @ skewer::Error::Fen { .. } => FenError::new_err(error.to_string()),
        error => Error::new_err(in_python(&error.to_string())),
    }
}

/// Returns the exception for an unreadable input. An exception of the user's own stream is passed on unchanged.
fn of_input(py: Python<'_>, name: &str, error: &std::io::Error) -> PyErr {
    let mut cause = error.get_ref().map(|cause| cause as &(dyn std::error::Error + 'static));
    while let Some(known) = cause {
        if let Some(raised) = known.downcast_ref::<PyErr>() {
            return raised.clone_ref(py);
        }
        cause = known.source();
    }
    InputError::new_err(in_python(&format!("cannot read {name}: {error}")))
}

/// Returns the exception for a table that cannot be made or stored.
pub(crate) fn of_table(error: &ArrowError) -> PyErr {
    Error::new_err(format!("cannot keep what was found: {error}"))
}

/// Panics. A test uses it to check that panics become exceptions.
#[pyfunction]
pub(crate) fn panic() -> PyResult<()> {
    guarded(|| panic!("as asked"))
}
