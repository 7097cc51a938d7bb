//! The games that a search is given.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyMemoryView, PyString, PyTuple};
use skewer::Games;

use crate::bytes::PyReader;
use crate::error::Error;

/// How long a file is and when it was written last, if that is known.
type Stamp = Option<(u64, SystemTime)>;

/// What was given: paths, file objects, bytes, texts. It can be searched again, as far as its streams can.
pub(crate) struct GivenGames(Vec<Part>);

enum Part {
    /// A file or folder, and what it was like when it was given.
    Path(PathBuf, Stamp),
    /// Games in memory.
    Games(Games),
    /// A file object, and where it stood, if it can go back there.
    Stream {
        stream: Py<PyAny>,
        name: String,
        start: Option<Py<PyAny>>,
    },
}

impl GivenGames {
    /// What a user gave.
    ///
    /// # Errors
    /// If it is nothing that games can be read from.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<GivenGames> {
        let mut parts = Vec::new();
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            for given in given.try_iter()? {
                parts.push(Part::of(&given?)?);
            }
        } else {
            parts.push(Part::of(given)?);
        }
        Ok(GivenGames(parts))
    }

    /// Games that are in memory.
    pub(crate) fn in_memory(games: Games) -> GivenGames {
        GivenGames(vec![Part::Games(games)])
    }

    /// The games for a search.
    pub(crate) fn games(&self, py: Python<'_>) -> Games {
        self.0.iter().map(|part| part.games(py)).collect()
    }

    /// The files and folders among them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter_map(|part| match part {
            Part::Path(path, _) => Some(&**path),
            _ => None,
        })
    }

    /// The games once more.
    ///
    /// # Errors
    /// If a stream cannot be read again.
    pub(crate) fn games_again(&self, py: Python<'_>) -> PyResult<Games> {
        for part in &self.0 {
            part.rewind(py)?;
        }
        Ok(self.games(py))
    }
}

impl Part {
    fn at(path: PathBuf) -> Part {
        let stamp = stamp(&path);
        Part::Path(path, stamp)
    }

    fn of(given: &Bound<'_, PyAny>) -> PyResult<Part> {
        if let Ok(text) = given.cast::<PyString>() {
            // Bytes that are not UTF-8 are in texts of Python as `surrogateescape` has them.
            let bytes = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            return Ok(match is_pgn(bytes) {
                true => Part::Games(Games::of_bytes("<text>", bytes)),
                false => Part::at(text.extract()?),
            });
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Part::Games(Games::of_bytes("<bytes>", bytes.as_bytes())));
        }
        if given.is_instance_of::<PyByteArray>() || given.is_instance_of::<PyMemoryView>() {
            let bytes = PyBytes::type_object(given.py()).call1((given,))?;
            return Part::of(&bytes);
        }
        if given.hasattr("read")? {
            let tell = given.call_method0("seekable").and_then(|is| is.is_truthy());
            let start = match tell {
                Ok(true) => Some(given.call_method0("tell")?.unbind()),
                _ => None,
            };
            let name = given.getattr("name").and_then(|name| name.extract::<String>());
            return Ok(Part::Stream {
                stream: given.clone().unbind(),
                name: name.unwrap_or_else(|_| "<stream>".to_owned()),
                start,
            });
        }
        if given.hasattr("__fspath__")? {
            return Ok(Part::at(given.extract()?));
        }
        let kind = given.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "games are a path, a list of paths, a file object, bytes or PGN text, not {kind}"
        )))
    }

    fn games(&self, py: Python<'_>) -> Games {
        match self {
            Part::Path(path, _) => Games::at(path),
            Part::Games(games) => games.clone(),
            Part::Stream { stream, name, .. } => Games::of_reader(name.as_str(), PyReader::new(stream.clone_ref(py))),
        }
    }

    /// Goes back to where a stream stood.
    fn rewind(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Part::Stream {
                stream,
                start: Some(start),
                ..
            } => stream.call_method1(py, "seek", (start,)).map(drop),
            Part::Stream { name, start: None, .. } => Err(Error::new_err(format!(
                "{name} is a stream that cannot be read twice, and games are read again for this: search a path or bytes instead"
            ))),
            Part::Path(path, before) if stamp(path) != *before => Err(Error::new_err(format!(
                "{} has changed since it was searched, and games are read again for this",
                path.display()
            ))),
            Part::Path(..) | Part::Games(_) => Ok(()),
        }
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// Whether a text is PGN and not a path.
fn is_pgn(text: &[u8]) -> bool {
    text.contains(&b'\n') || text.trim_ascii_start().starts_with(b"[")
}

/// A number above 0 that was asked for; the largest there is for larger ones.
pub(crate) fn positive(name: &str, number: &Bound<'_, PyAny>) -> PyResult<NonZeroU64> {
    let number = number.py().import("operator")?.call_method1("index", (number,))?;
    let positive = match number.gt(u64::MAX)? {
        true => Some(NonZeroU64::MAX),
        false => number.extract().ok().and_then(NonZeroU64::new),
    };
    positive.ok_or_else(|| PyValueError::new_err(format!("{name} is a number above 0, not {number}")))
}
