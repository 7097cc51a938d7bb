//! The command `skewer`, which the package also installs.

use std::ffi::OsString;
use std::io::{self, Write};

use pyo3::prelude::*;

use crate::error::guarded;

/// Runs the command. The first of the arguments is the name of the program. Returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    guarded(|| {
        Ok(py.detach(|| {
            let exit = skewer::cli::run(arguments);
            // Rust only does this at the end of Rust programs. The reader may be gone.
            let _ = io::stdout().flush();
            exit
        }))
    })
}
