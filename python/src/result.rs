//! The results of a search.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::exceptions::{PyImportError, PyIndexError, PyModuleNotFoundError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple};
use skewer::{TextFormat, Totals};

use crate::error::{PgnWarning, guarded, of_table};
use crate::games::{GivenGames, PickledStamp};
use crate::matched::Match;
use crate::notebook;
use crate::options::{Asked, Reading};
use crate::query::Query;
use crate::rows::HIDDEN;
use crate::run::{Haul, Outcome};
use crate::store::Table;
use crate::write::Text;

/// The matches of a search, and what else came of it.
///
/// It is an Arrow table: `to_polars`, `to_pandas` and `to_arrow` give a frame or table, `polars.DataFrame(result)`, `pyarrow.table(result)` and
/// queries of DuckDB take it as it is. It has the columns of the command's csv: `file`, `game`, `positionid`, `ply`, `movenumber`, `side`, `fen`, `white`, `black`,
/// `white_elo`, `black_elo`, `event`, `site`, `date`, `year`, `result`, `eco`, `move`, `uci`, `comments`, `query_side`, then those that `columns` adds, then one for each `sort` of the query.
/// Iteration gives a `Match` for each row, and `result[:10]` a list of the first ones.
///
/// Up to 256 MB of matches are kept in memory, more in a temporary file; the environment variable `SKEWER_RESULT_MEGABYTES` changes that.
///
/// >>> import skewer
/// >>> result = skewer.compile("check").search("1. f3 e5 2. g4 Qh4# 0-1\n")
/// >>> len(result), result[0].move, [found.ply for found in result]
/// (1, 'Qh4#', [4])
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Result {
    query: Query,
    reading: Reading,
    /// The options for reading the query, as the user gave them.
    options: Arc<Py<PyDict>>,
    games: Arc<GivenGames>,
    haul: Arc<Haul>,
}

/// The numbers of a result in a pickle: games, unreadable games, whether it is complete, warnings and messages.
type Counts = (u64, u64, bool, u64, u64);

/// Returns the results of a run, or the exception that ended it, with the results as an attribute.
pub(crate) fn of_outcome(
    py: Python<'_>,
    queries: &[Bound<'_, Query>],
    (reading, options): (&Reading, Py<PyDict>),
    games: GivenGames,
    outcome: Outcome,
) -> PyResult<Vec<Py<Result>>> {
    let (games, options) = (Arc::new(games), Arc::new(options));
    let mut results = Vec::new();
    for (query, haul) in queries.iter().zip(outcome.hauls) {
        let result = Result {
            query: query.get().clone(),
            reading: reading.clone(),
            options: Arc::clone(&options),
            games: Arc::clone(&games),
            haul: Arc::new(haul),
        };
        results.push(Py::new(py, result)?);
    }
    if let Some(error) = outcome.error {
        // An exception of the user may not accept attributes.
        let _ = match &*results {
            [result] => error.value(py).setattr("result", result),
            results => error.value(py).setattr(
                "results",
                results.iter().map(|result| result.clone_ref(py)).collect::<Vec<_>>(),
            ),
        };
        return Err(error);
    }
    // The games and their faults are the same for all queries, so one warning is enough.
    if let Some(result) = results.first() {
        result.get().warn(py)?;
    }
    Ok(results)
}

impl Result {
    /// Warns if something is wrong with the games.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let haul = &self.haul;
        let Some(first) = haul.warnings.first() else {
            return Ok(());
        };
        let more = match haul.warning_count {
            1 => String::new(),
            count => format!(" ({} more in `warnings` of the result)", count - 1),
        };
        let category = py.get_type::<PgnWarning>();
        let text = std::ffi::CString::new(format!("{first}{more}")).unwrap_or_default();
        // The warning must point to a line of the user, not of this package.
        let caller = py.import("sys")?.call_method0("_getframe")?.getattr("f_globals")?;
        let is_ours = caller.call_method1("get", ("__name__",))?.eq("skewer._search")?;
        PyErr::warn(py, &category, &text, if is_ours { 2 } else { 1 })
    }

    fn table(&self) -> &Table {
        &self.haul.table
    }

    /// Returns the columns that users see.
    fn shown(schema: &SchemaRef) -> std::result::Result<SchemaRef, ArrowError> {
        let columns: Vec<usize> = (0..schema.fields().len() - HIDDEN).collect();
        Ok(Arc::new(schema.project(&columns)?))
    }

    /// Returns what is needed to write the result as text.
    fn text(&self, py: Python<'_>, format: TextFormat) -> PyResult<Text> {
        Ok(Text {
            query: self.query.under(&self.reading)?,
            games: self.games.games_again(py)?,
            format,
            numbers: Arc::clone(&self.haul.numbers),
            limit: self.haul.limit,
        })
    }

    fn written(
        &self,
        py: Python<'_>,
        format: TextFormat,
        path: Option<PathBuf>,
        force: bool,
    ) -> PyResult<Option<String>> {
        guarded(|| {
            let text = self.text(py, format)?;
            match path {
                None => text.text(py).map(Some),
                Some(path) => text.save(py, path, force, &self.games).map(|()| None),
            }
        })
    }

    fn found(&self, row: usize) -> PyResult<Match> {
        let (batch, within) = self.table().row(row).map_err(|error| of_table(&error))?;
        Ok(Match::new(&batch, within))
    }
}

#[pymethods]
impl Result {
    fn __len__(&self) -> usize {
        self.table().rows()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        guarded(|| {
            let rows = self.table().rows();
            if let Ok(slice) = index.cast::<PySlice>() {
                let places = slice.indices(isize::try_from(rows)?)?;
                let row = |step: usize| {
                    places
                        .start
                        .checked_add(places.step.checked_mul(step.try_into().ok()?)?)
                };
                let found = (0..places.slicelength).filter_map(|step| usize::try_from(row(step)?).ok());
                let found = found.map(|row| self.found(row)).collect::<PyResult<Vec<Match>>>()?;
                return Ok(PyList::new(py, found)?.into_any());
            }
            let index: isize = index.extract()?;
            let row = match index < 0 {
                true => rows.checked_add_signed(index),
                false => usize::try_from(index).ok(),
            };
            match row.filter(|row| *row < rows) {
                Some(row) => Ok(Bound::new(py, self.found(row)?)?.into_any()),
                None => Err(PyIndexError::new_err(format!(
                    "there are {rows} matches, and none is number {index}"
                ))),
            }
        })
    }

    fn __iter__(slf: Bound<'_, Result>) -> Matches {
        Matches {
            haul: Arc::clone(&slf.get().haul),
            next: Mutex::new((0, None)),
        }
    }

    /// How many games were searched.
    #[getter]
    fn games(&self) -> u64 {
        self.haul.totals.games
    }

    /// How many games could not be searched, because the database is damaged where they stand: warnings name them.
    #[getter]
    fn unreadable_games(&self) -> u64 {
        self.haul.totals.unreadable
    }

    /// How many games match.
    #[getter]
    fn matching_games(&self) -> usize {
        self.haul.numbers.len()
    }

    /// Whether all games were searched: nobody ended the search before its end, and all games could be read.
    #[getter]
    fn complete(&self) -> bool {
        self.haul.is_complete
    }

    /// What is wrong with the games, a line each; the first hundred thousand are kept.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.haul.warnings.clone()
    }

    /// How many warnings there were.
    #[getter]
    fn warning_count(&self) -> u64 {
        self.haul.warning_count
    }

    /// What the query printed with `message`, a line each; the first hundred thousand are kept.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.haul.messages.clone()
    }

    /// How many lines of messages there were.
    #[getter]
    fn message_count(&self) -> u64 {
        self.haul.message_count
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows this: the caller converts the columns if other types are wanted.
        drop(requested_schema);
        guarded(|| {
            let reader = Reader {
                schema: Result::shown(self.table().schema()).map_err(|error| of_table(&error))?,
                haul: Arc::clone(&self.haul),
                next: 0,
            };
            let stream = FFI_ArrowArrayStream::new(Box::new(reader));
            PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
        })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(|| {
            let schema = Result::shown(self.table().schema());
            let schema = schema.and_then(|schema| FFI_ArrowSchema::try_from(&*schema));
            PyCapsule::new_with_value(py, schema.map_err(|error| of_table(&error))?, c"arrow_schema")
        })
    }

    /// The matches as a frame of pandas, which has to be installed, with pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Result>) -> PyResult<Bound<'py, PyAny>> {
        let frame = module(slf.py(), "pandas")?.getattr("DataFrame")?;
        // Pandas before version 3 only accepts tables of pyarrow.
        match frame.hasattr("from_arrow")? {
            true => frame.call_method1("from_arrow", (slf,)),
            false => Result::to_arrow(slf)?.call_method0("to_pandas"),
        }
    }

    /// The matches as a frame of Polars, which has to be installed.
    fn to_polars<'py>(slf: &Bound<'py, Result>) -> PyResult<Bound<'py, PyAny>> {
        module(slf.py(), "polars")?.call_method1("DataFrame", (slf,))
    }

    /// The matches as a table of pyarrow, which has to be installed.
    fn to_arrow<'py>(slf: &Bound<'py, Result>) -> PyResult<Bound<'py, PyAny>> {
        module(slf.py(), "pyarrow")?.call_method1("table", (slf,))
    }

    /// What libraries that exchange frames ask for; it needs pyarrow.
    #[pyo3(signature = (nan_as_null=false, allow_copy=true))]
    fn __dataframe__<'py>(
        slf: &Bound<'py, Result>,
        nan_as_null: bool,
        allow_copy: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        Result::to_arrow(slf)?.call_method1("__dataframe__", (nan_as_null, allow_copy))
    }

    /// Two results are equal that found the same in the same games.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Result>() else {
            return Ok(false);
        };
        let (ours, theirs) = (&self.haul, &other.get().haul);
        guarded(|| {
            let same = ours.totals.games == theirs.totals.games
                && ours.is_complete == theirs.is_complete
                && ours.numbers == theirs.numbers;
            Ok(same && ours.table.equals(&theirs.table).map_err(|error| of_table(&error))?)
        })
    }

    /// What makes the same result again: pickles hold its rows, and of the games the paths of files.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        guarded(|| {
            let haul = &self.haul;
            let rows = haul.table.packed().map_err(|error| of_table(&error))?;
            let counts: Counts = (
                haul.totals.games,
                haul.totals.unreadable,
                haul.is_complete,
                haul.warning_count,
                haul.message_count,
            );
            let numbers: Vec<u64> = haul.numbers.iter().copied().collect();
            let parts = (
                self.query.clone().into_pyobject(py)?,
                self.options.clone_ref(py),
                self.games.pickled(),
                PyBytes::new(py, &rows),
                counts,
                (haul.warnings.clone(), haul.messages.clone()),
                (numbers, haul.limit),
            );
            Ok((
                py.import("skewer._skewer")?.getattr("result_of")?,
                parts.into_pyobject(py)?,
            ))
        })
    }

    /// The games that match, with the comments of the query, as text; or into a file, if there is a path.
    ///
    /// The games are read once more for it, so files must not have changed, and a stream must be one that can go back. A file that skewer
    /// did not write is replaced only with `force`.
    #[pyo3(signature = (path=None, *, force=false))]
    fn to_pgn(&self, py: Python<'_>, path: Option<PathBuf>, force: bool) -> PyResult<Option<String>> {
        self.written(py, TextFormat::Pgn, path, force)
    }

    /// A page for the browser with the matches, their boards and their games, as text or into a file, as with `to_pgn`.
    #[pyo3(signature = (path=None, *, force=false))]
    fn to_html(&self, py: Python<'_>, path: Option<PathBuf>, force: bool) -> PyResult<Option<String>> {
        self.written(py, TextFormat::Html, path, force)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        guarded(|| {
            let shown = (0..self.table().rows().min(notebook::SHOWN)).map(|row| self.found(row));
            let shown = shown.collect::<PyResult<Vec<Match>>>()?;
            notebook::table(&self.__repr__(), &shown, self.table().rows())
        })
    }

    fn __repr__(&self) -> String {
        let end = if self.haul.is_complete { "" } else { ", ended early" };
        format!(
            "<skewer.Result: {} in {} of {}{end}>",
            counted(self.table().rows() as u64, "position"),
            counted(self.haul.numbers.len() as u64, "matching game"),
            counted(self.haul.totals.games, "game"),
        )
    }
}

/// Imports a library that the user must have installed.
fn module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(name)
        .map_err(|error| match error.is_instance_of::<PyModuleNotFoundError>(py) {
            true => PyImportError::new_err(format!("{name} is not installed: pip install {name}")),
            false => error,
        })
}

/// Restores a result from a pickle.
#[pyfunction]
pub(crate) fn result_of(
    query: &Bound<'_, Query>,
    options: &Bound<'_, PyDict>,
    games: Vec<Option<(PathBuf, PickledStamp)>>,
    rows: &[u8],
    counts: Counts,
    said: (Vec<String>, Vec<String>),
    wanted: (Vec<u64>, Option<u64>),
) -> PyResult<Result> {
    guarded(|| {
        let (searched, unreadable, is_complete, warning_count, message_count) = counts;
        let ((warnings, messages), (numbers, limit)) = (said, wanted);
        let reading = Asked::of_dictionary(options)?.1;
        let mut totals = Totals::default();
        (totals.games, totals.unreadable) = (searched, unreadable);
        Ok(Result {
            query: query.get().clone(),
            reading,
            options: Arc::new(options.clone().unbind()),
            games: Arc::new(GivenGames::unpickled(games)),
            haul: Arc::new(Haul {
                table: Table::unpacked(rows).map_err(|error| of_table(&error))?,
                totals,
                is_complete,
                warnings,
                warning_count,
                messages,
                message_count,
                numbers: Arc::new(numbers.into_iter().collect()),
                limit,
            }),
        })
    })
}

/// Returns a number with its noun.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Passes batches to other programs.
struct Reader {
    schema: SchemaRef,
    haul: Arc<Haul>,
    next: usize,
}

impl Iterator for Reader {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let table = &self.haul.table;
        if self.next == table.batch_count() {
            return None;
        }
        self.next += 1;
        let shown: Vec<usize> = (0..self.schema.fields().len()).collect();
        Some(table.batch(self.next - 1).and_then(|batch| batch.project(&shown)))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Matches one by one.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Matches {
    haul: Arc<Haul>,
    /// The next row, and the batch of the last row with its first row.
    next: Mutex<(usize, Option<(usize, RecordBatch)>)>,
}

#[pymethods]
impl Matches {
    fn __iter__(slf: Py<Matches>) -> Py<Matches> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<Match>> {
        guarded(|| {
            let mut next = self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (row, current) = &mut *next;
            if *row == self.haul.table.rows() {
                return Ok(None);
            }
            let (first, batch) = match current.take() {
                Some((first, batch)) if *row < first + batch.num_rows() => (first, batch),
                _ => {
                    let (batch, within) = self.haul.table.row(*row).map_err(|error| of_table(&error))?;
                    (*row - within, batch)
                }
            };
            let found = Match::new(&batch, *row - first);
            *current = Some((first, batch));
            *row += 1;
            Ok(Some(found))
        })
    }
}
