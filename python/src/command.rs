//! The command `skewer`, which the package installs, too.

use std::ffi::OsString;
use std::io::{self, Write};

use pyo3::prelude::*;

use crate::error::guarded;

/// Runs the command with its arguments, the name of the program first; the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    guarded(|| {
        Ok(py.detach(|| {
            let exit = skewer::cli::run(arguments);
            // Rust does this at the end of its own programs only. Who reads it may be gone.
            let _ = io::stdout().flush();
            exit
        }))
    })
}
