//! The games that the user gives to a search.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use skewer::Games;

use crate::bytes::PyReader;
use crate::error::Error;

/// The length of a file and the time of its last change, if they are known.
type Stamp = Option<(u64, SystemTime)>;

/// The games that were given: paths, file objects, bytes, texts. They can be searched again if their streams can be rewound.
pub(crate) struct GivenGames(Vec<Part>);

enum Part {
    /// A file or folder, with its length and time when it was given.
    Path(PathBuf, Stamp),
    /// Games in memory.
    Games(Games),
    /// Games of an unpickled result that were in memory or in a stream.
    Gone,
    /// A file object, and its start position if it can be rewound.
    Stream {
        stream: Py<PyAny>,
        name: String,
        start: Option<Py<PyAny>>,
    },
}

impl GivenGames {
    /// Reads what a user gave.
    ///
    /// # Errors
    /// Returns an error if games cannot be read from it.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<GivenGames> {
        if let Some(parts) = Part::all_of(given)? {
            return Ok(GivenGames(parts));
        }
        if given.hasattr("__arrow_c_stream__")? || given.hasattr("__arrow_c_array__")? {
            return Err(PyTypeError::new_err(
                "games in a table are for `filter`, not for `search`",
            ));
        }
        let mut parts = Vec::new();
        for given in given.try_iter().map_err(|_| no_games(given))? {
            let given = given?;
            parts.extend(Part::all_of(&given)?.ok_or_else(|| no_games(&given))?);
        }
        Ok(GivenGames(parts))
    }

    /// Returns what a pickled result keeps: the paths of files, with their lengths and times.
    pub(crate) fn pickled(&self) -> Vec<Option<(PathBuf, PickledStamp)>> {
        let parts = self.0.iter().map(|part| match part {
            Part::Path(path, stamp) => Some((path.clone(), pickled(*stamp))),
            _ => None,
        });
        parts.collect()
    }

    /// Returns the games of an unpickled result.
    pub(crate) fn unpickled(parts: Vec<Option<(PathBuf, PickledStamp)>>) -> GivenGames {
        let parts = parts.into_iter().map(|part| match part {
            Some((path, stamp)) => Part::Path(path, unpickled(stamp)),
            None => Part::Gone,
        });
        GivenGames(parts.collect())
    }

    /// Returns games that are in memory.
    pub(crate) fn in_memory(games: Games) -> GivenGames {
        GivenGames(vec![Part::Games(games)])
    }

    /// Names the file objects `of_stream`.
    pub(crate) fn with_name(mut self, of_stream: &str) -> GivenGames {
        for part in &mut self.0 {
            if let Part::Stream { name, .. } = part {
                of_stream.clone_into(name);
            }
        }
        self
    }

    /// Returns the games for a search.
    pub(crate) fn games(&self, py: Python<'_>) -> Games {
        self.0.iter().map(|part| part.games(py)).collect()
    }

    /// Returns the paths of the files and folders.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter_map(|part| match part {
            Part::Path(path, _) => Some(&**path),
            _ => None,
        })
    }

    /// Returns the games for another search.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read again.
    pub(crate) fn games_again(&self, py: Python<'_>) -> PyResult<Games> {
        for part in &self.0 {
            part.rewind(py)?;
        }
        Ok(self.games(py))
    }
}

impl Part {
    /// Returns the files at a path, or at the paths that fit a pattern.
    fn at(path: &Bound<'_, PyAny>) -> PyResult<Vec<Part>> {
        let paths = path.py().import("skewer._paths")?.call_method1("of_games", (path,))?;
        let paths: Vec<PathBuf> = paths.extract()?;
        let part = |path: PathBuf| {
            let stamp = stamp(&path);
            Part::Path(path, stamp)
        };
        Ok(paths.into_iter().map(part).collect())
    }

    /// Returns the parts of what was given, or `None` if it is a collection or nothing that has games.
    fn all_of(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Part>>> {
        if let Ok(text) = given.cast::<PyString>() {
            // In Python texts, bytes that are not UTF-8 are encoded by `surrogateescape`.
            let bytes = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            return match is_pgn(bytes) {
                true => Ok(Some(vec![Part::Games(Games::of_bytes("<text>", bytes))])),
                false => Part::at(given).map(Some),
            };
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Some(vec![Part::Games(Games::of_bytes("<bytes>", bytes.as_bytes()))]));
        }
        if given.is_instance_of::<PyByteArray>() || given.is_instance_of::<PyMemoryView>() {
            let bytes = PyBytes::type_object(given.py()).call1((given,))?;
            return Part::all_of(&bytes);
        }
        if given.hasattr("read")? {
            let tell = given.call_method0("seekable").and_then(|is| is.is_truthy());
            let start = match tell {
                Ok(true) => Some(given.call_method0("tell")?.unbind()),
                _ => None,
            };
            let name = given.getattr("name").and_then(|name| name.extract::<String>());
            return Ok(Some(vec![Part::Stream {
                stream: given.clone().unbind(),
                name: name.unwrap_or_else(|_| "<stream>".to_owned()),
                start,
            }]));
        }
        match given.hasattr("__fspath__")? {
            true => Part::at(given).map(Some),
            false => Ok(None),
        }
    }

    fn games(&self, py: Python<'_>) -> Games {
        match self {
            Part::Path(path, _) => Games::at(path),
            Part::Games(games) => games.clone(),
            Part::Gone => Games::default(),
            Part::Stream { stream, name, .. } => Games::of_reader(name.as_str(), PyReader::new(stream.clone_ref(py))),
        }
    }

    /// Moves a stream back to its start position. Returns an error if the games cannot be read again.
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
            Part::Gone => Err(Error::new_err(
                "games that were in memory do not come with a result that was pickled, and games are read again for this",
            )),
            Part::Path(..) | Part::Games(_) => Ok(()),
        }
    }
}

/// Returns the error for an object without games.
fn no_games(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!(
        "games are a path, a list of paths, a file object, bytes or PGN text, not {kind}"
    ))
}

/// A stamp as numbers: bytes, seconds and nanoseconds.
pub(crate) type PickledStamp = Option<(u64, u64, u32)>;

fn pickled(stamp: Stamp) -> PickledStamp {
    let (length, written) = stamp?;
    let written = written.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some((length, written.as_secs(), written.subsec_nanos()))
}

fn unpickled(stamp: PickledStamp) -> Stamp {
    let (length, seconds, nanoseconds) = stamp?;
    Some((length, SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)))
}

fn stamp(path: &Path) -> Stamp {
    let metadata = path.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// Returns whether a text is PGN rather than a path.
fn is_pgn(text: &[u8]) -> bool {
    text.contains(&b'\n') || text.trim_ascii_start().starts_with(b"[")
}

/// Reads a positive number. Numbers that are too large become the largest possible one.
pub(crate) fn positive(name: &str, number: &Bound<'_, PyAny>) -> PyResult<NonZeroU64> {
    let number = number.py().import("operator")?.call_method1("index", (number,))?;
    let positive = match number.gt(u64::MAX)? {
        true => Some(NonZeroU64::MAX),
        false => number.extract().ok().and_then(NonZeroU64::new),
    };
    positive.ok_or_else(|| PyValueError::new_err(format!("{name} is a number above 0, not {number}")))
}
