//! What Python is told when something goes wrong.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_schema::ArrowError;
use pyo3::import_exception;
use pyo3::prelude::*;

// In Python, as exceptions with fields cannot be written in Rust for all versions of Python at once.
import_exception!(skewer._errors, Error);
import_exception!(skewer._errors, QueryError);
import_exception!(skewer._errors, InputError);
import_exception!(skewer._errors, FenError);
import_exception!(skewer._errors, PgnWarning);

/// Runs what is called from Python. A panic becomes an exception that programs catch as any other.
pub(crate) fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(bug(&*payload)))
}

/// What a panic is to Python.
pub(crate) fn bug(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    Error::new_err(format!(
        "this is a bug in skewer, please report it with your query: {text}"
    ))
}

/// An error in a query.
pub(crate) fn of_query(error: &skewer::QueryError) -> PyErr {
    let hints: Vec<&str> = error.hints().collect();
    QueryError::new_err((
        error.drawn().to_owned(),
        error.message().to_owned(),
        error.line(),
        error.column(),
        hints.into_iter().map(str::to_owned).collect::<Vec<_>>(),
    ))
}

/// Why a search failed.
pub(crate) fn of_search(error: skewer::Error) -> PyErr {
    match error {
        skewer::Error::Evaluation(error) => of_query(&error),
        skewer::Error::Input { name, error } => Python::attach(|py| of_input(py, &name, &error)),
        error @ skewer::Error::Fen { .. } => FenError::new_err(error.to_string()),
        error => Error::new_err(error.to_string()),
    }
}

/// An input that cannot be read. What the user's own stream raised comes out as it was.
fn of_input(py: Python<'_>, name: &str, error: &std::io::Error) -> PyErr {
    let mut cause = error.get_ref().map(|cause| cause as &(dyn std::error::Error + 'static));
    while let Some(known) = cause {
        if let Some(raised) = known.downcast_ref::<PyErr>() {
            return raised.clone_ref(py);
        }
        cause = known.source();
    }
    InputError::new_err(format!("cannot read {name}: {error}"))
}

/// A table that cannot be made, or not be kept.
pub(crate) fn of_table(error: &ArrowError) -> PyErr {
    Error::new_err(format!("cannot keep what was found: {error}"))
}

/// What a bug does; for the test that it does not get through.
#[pyfunction]
pub(crate) fn panic() -> PyResult<()> {
    guarded(|| panic!("as asked"))
}
