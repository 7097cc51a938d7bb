//! Reads streams of Python.

use std::io::{self, Read};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A reader of a Python file object, binary or text, on any thread.
pub(crate) struct PyReader {
    stream: Py<PyAny>,
    /// Bytes that were read but did not fit the caller's buffer.
    rest: Vec<u8>,
    read: usize,
}

impl PyReader {
    pub(crate) fn new(stream: Py<PyAny>) -> PyReader {
        PyReader {
            stream,
            rest: Vec::new(),
            read: 0,
        }
    }

    /// Reads more from the stream.
    fn fill(&mut self, length: usize) -> PyResult<()> {
        // After Python has shut down, nothing more can be read.
        let filled = Python::try_attach(|py| {
            let chunk = self.stream.bind(py).call_method1("read", (length,))?;
            self.rest.clear();
            self.read = 0;
            if let Ok(text) = chunk.cast::<PyString>() {
                self.rest.extend_from_slice(text.to_cow()?.as_bytes());
            } else if let Ok(bytes) = chunk.cast::<PyBytes>() {
                self.rest.extend_from_slice(bytes.as_bytes());
            } else if !chunk.is_none() {
                let kind = chunk.get_type().name()?;
                return Err(PyTypeError::new_err(format!("read() gave {kind}, not bytes or str")));
            }
            Ok(())
        });
        filled.unwrap_or(Ok(()))
    }
}

impl Read for PyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.rest.len() {
            self.fill(buffer.len().max(1 << 16)).map_err(io::Error::other)?;
        }
        let read = (&self.rest[self.read..]).read(buffer)?;
        self.read += read;
        Ok(read)
    }
}
