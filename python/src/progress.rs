//! Reports the progress of a search.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::error::Error;

/// How far a search has come.
#[pyclass(frozen, get_all, module = "skewer")]
pub(crate) struct Progress {
    /// How many bytes of the games have been read, after unpacking.
    bytes: u64,
    /// How many games have been read.
    games: u64,
    /// How many of them match, each counted once for each query.
    matching_games: u64,
    /// How many positions match.
    positions: u64,
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        format!(
            "Progress(bytes={}, games={}, matching_games={}, positions={})",
            self.bytes, self.games, self.matching_games, self.positions
        )
    }
}

/// The counters that the threads of a search share.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) bytes: AtomicU64,
    pub(crate) games: AtomicU64,
    pub(crate) matching_games: AtomicU64,
    pub(crate) positions: AtomicU64,
}

impl Tally {
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            bytes: self.bytes.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            matching_games: self.matching_games.load(Ordering::Relaxed),
            positions: self.positions.load(Ordering::Relaxed),
        }
    }
}

/// Who receives the progress.
pub(crate) enum Watcher<'py> {
    Nobody,
    /// A function that takes a [`Progress`].
    Call(Bound<'py, PyAny>),
    /// A progress bar with the interface of tqdm that counts games, the count until now, and whether this package made the bar.
    Bar {
        bar: Bound<'py, PyAny>,
        counted: u64,
        is_ours: bool,
    },
}

impl<'py> Watcher<'py> {
    /// Returns the receiver that the user wants.
    ///
    /// # Errors
    /// Returns an error if it cannot receive progress, or if tqdm is missing.
    pub(crate) fn of(py: Python<'py>, given: Option<&Bound<'py, PyAny>>) -> PyResult<Watcher<'py>> {
        let Some(given) = given else {
            return Ok(Watcher::Nobody);
        };
        if let Ok(wanted) = given.cast::<PyBool>() {
            return match wanted.is_true() {
                true => Watcher::our_bar(py),
                false => Ok(Watcher::Nobody),
            };
        }
        if given.hasattr("update")? && !given.is_callable() {
            return Ok(Watcher::Bar {
                bar: given.clone(),
                counted: 0,
                is_ours: false,
            });
        }
        if given.is_callable() {
            return Ok(Watcher::Call(given.clone()));
        }
        let kind = given.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "progress is True, a bar of tqdm, or a function that takes a skewer.Progress, not {kind}"
        )))
    }

    fn our_bar(py: Python<'py>) -> PyResult<Watcher<'py>> {
        let tqdm = py.import("tqdm.auto").map_err(|_| {
            Error::new_err("progress=True shows a bar of tqdm, which is not installed: pip install tqdm")
        })?;
        let options = PyDict::new(py);
        options.set_item("unit", " games")?;
        let bar = tqdm.getattr("tqdm")?.call((), Some(&options))?;
        Ok(Watcher::Bar {
            bar,
            counted: 0,
            is_ours: true,
        })
    }

    /// Reports progress.
    pub(crate) fn tell(&mut self, progress: Progress) -> PyResult<()> {
        match self {
            Watcher::Nobody => Ok(()),
            Watcher::Call(call) => call.call1((progress,)).map(drop),
            Watcher::Bar { bar, counted, .. } => {
                let more = progress.games - std::mem::replace(counted, progress.games);
                if bar.hasattr("set_postfix_str")? {
                    bar.call_method1("set_postfix_str", (format!("{} positions", progress.positions), false))?;
                }
                bar.call_method1("update", (more,)).map(drop)
            }
        }
    }

    /// Closes a progress bar that this package has made.
    pub(crate) fn close(self) -> PyResult<()> {
        match self {
            Watcher::Bar { bar, is_ours: true, .. } => bar.call_method0("close").map(drop),
            _ => Ok(()),
        }
    }
}
