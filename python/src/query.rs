//! Queries.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use skewer::{Column, Options, QueryOptions};

use crate::columns;
use crate::error::{FenError, guarded, of_query, of_search};
use crate::games::GivenGames;
use crate::options::{self, Asked, Reading};
use crate::progress::Watcher;
use crate::result::{self, Result};
use crate::run;

/// A compiled query. `skewer.compile` makes one; threads may share it, and it can be pickled.
///
/// >>> import skewer
/// >>> query = skewer.compile("xray (R a k)")
/// >>> query
/// <skewer.Query xray (R a k)>
#[pyclass(frozen, skip_from_py_object, module = "skewer")]
#[derive(Clone)]
pub(crate) struct Query {
    query: skewer::Query,
    /// The name that errors show.
    name: String,
    /// The folders of endgame tablebases.
    tablebase: Vec<PathBuf>,
    /// The columns to compute for each match, as a pickle has them. Only queries in tasks of Spark have columns.
    columns: Vec<PickledColumn>,
}

/// A column that a user has added, as a pickle has it: its name, and its filter unless it is predefined.
pub(crate) type PickledColumn = (String, Option<String>);

impl Query {
    fn read(text: &[u8], name: &str, tablebase: &[PathBuf], reading: &Reading) -> PyResult<skewer::Query> {
        let options = query_options(name, tablebase, reading);
        skewer::Query::compile_with(text, &options).map_err(|error| of_query(&error))
    }

    /// Returns the values that decide whether two queries are equal.
    fn identity(&self) -> (&[u8], &[PathBuf]) {
        (self.query.text(), &self.tablebase)
    }

    /// Returns the query compiled for counting.
    pub(crate) fn counted(&self, counts: &skewer::Counts, reading: &Reading) -> PyResult<skewer::Query> {
        let options = query_options(&self.name, &self.tablebase, reading);
        let counted = counts.compile(self.query.text(), &options);
        counted.map_err(|error| of_query(&error))
    }

    /// Returns the query compiled for a search.
    pub(crate) fn under(&self, reading: &Reading) -> PyResult<skewer::Query> {
        match *reading == Reading::default() {
            true => Ok(self.query.clone()),
            false => Query::read(self.query.text(), &self.name, &self.tablebase, reading),
        }
    }
}

#[pymethods]
impl Query {
    #[new]
    #[pyo3(signature = (text, name, tablebase=Vec::new(), columns=Vec::new()))]
    fn new(text: &[u8], name: &str, tablebase: Vec<PathBuf>, columns: Vec<PickledColumn>) -> PyResult<Query> {
        guarded(|| {
            let reading = Reading {
                columns: columns.iter().map(unpickled).collect::<PyResult<_>>()?,
                ..Reading::default()
            };
            Ok(Query {
                query: Query::read(text, name, &tablebase, &reading)?,
                name: name.to_owned(),
                tablebase,
                columns,
            })
        })
    }

    /// The same query, of whose matches more is found out: columns as Python holds them.
    fn _with_columns(&self, columns: Vec<PickledColumn>) -> PyResult<Query> {
        Query::new(self.query.text(), &self.name, self.tablebase.clone(), columns)
    }

    /// The text of the query.
    #[getter]
    fn text(&self) -> String {
        String::from_utf8_lossy(self.query.text()).into_owned()
    }

    /// Whether the text is a whole query, as files have to have it, and not filters alone.
    #[getter]
    fn _has_header(&self) -> bool {
        skewer::query::has_header(&self.text())
    }

    /// The file that the text is from, or `query`.
    #[getter(name)]
    fn shown_name(&self) -> &str {
        &self.name
    }

    /// Search games. Returns what was found when all games have been searched; other threads of Python go on meanwhile.
    ///
    /// `games` is a path of a PGN file, a database or a folder, a pattern such as `2024-*.pgn`, a file object, bytes, or PGN as text: a string
    /// is a text if it has a line end or begins with `[`, else a path. A list, a set or a generator of these will do, too.
    ///
    /// `threads` says how many threads search, one for each processor if you say nothing. `variations` says whether variations are searched,
    /// whatever the query says. With `limit` the search ends after so many games that match; a query that sorts gives the best ones.
    /// With `first` only the first match of each game is kept. `progress` is called about ten times a second, and once at the end, with a
    /// `Progress`; what it raises ends the search. `progress=True` shows a bar of tqdm, and a bar that you have made counts games.
    ///
    /// These say which games are searched, as the options of the command do: `player`, `white`, `black`, `event`, `site`, `eco` and `result`
    /// are texts, `year`, `elo` and `numbers` a number or a pair such as `(1990, 1999)` or `(2500, None)`; `variant`, `sample` and `seed`.
    /// `max_memory` and `max_rounds` are for queries that take very much.
    ///
    /// `columns` adds columns to the result: names with filters, whose values at each match they hold, or a list as the command has them after
    /// `--column`, such as `["next", "pawns=#P"]`; `next` is the move that was played next, and
    /// `solution` the first move that the query tries with success.
    ///
    /// >>> import skewer
    /// >>> skewer.compile("mate").search("1. f3 e5 2. g4 Qh4# 0-1\n", columns={"men": "#A"})[0]["men"]
    /// 16
    ///
    /// >>> import skewer
    /// >>> pgn = '[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    /// >>> for found in skewer.compile("mate").search(pgn):
    /// ...     print(found.white, found.move, found.fen)
    /// A Qh4# rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
    ///
    /// Ctrl-C and exceptions of `progress` end a search at once; what was found by then is in the attribute `result` of the exception.
    #[allow(clippy::too_many_arguments, reason = "the options of Python")]
    #[pyo3(signature = (games, *, threads=None, variations=None, limit=None, first=false, progress=None, **others))]
    fn search(
        slf: &Bound<'_, Query>,
        games: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        variations: Option<bool>,
        limit: Option<&Bound<'_, PyAny>>,
        first: bool,
        progress: Option<&Bound<'_, PyAny>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Result>> {
        let asked = Asked {
            threads,
            variations,
            limit,
            first,
            progress,
            others,
        };
        search_one(slf, &asked, |_, _| GivenGames::of(games))
    }

    /// Search games that are rows of a table: of a database of skewer, of a set of Lichess (a column `movetext`), of an Aix archive (a column
    /// `movedata`) or of positions (a column `fen` or `FEN`). The `game` of a match is the number of its row, counted from 1 over all batches.
    ///
    /// `batches` is a table or stream of Arrow, such as a frame of Polars, a table of pyarrow or a relation of DuckDB, or a list or an
    /// iterator of record batches. Columns that the search does not read may be missing; those that it reads are kept in memory. The other
    /// arguments are those of `search`.
    ///
    /// >>> import pyarrow, skewer
    /// >>> games = pyarrow.table({"White": ["A", "B"], "movetext": ["1. e4 e5 *", "1. f3 e5 2. g4 Qh4# 0-1"]})
    /// >>> for found in skewer.compile("mate").filter(games):
    /// ...     print(found.game, found.white, found.move)
    /// 2 B Qh4#
    #[allow(clippy::too_many_arguments, reason = "the options of Python")]
    #[pyo3(signature = (batches, *, threads=None, variations=None, limit=None, first=false, progress=None, **others))]
    fn filter(
        slf: &Bound<'_, Query>,
        batches: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        variations: Option<bool>,
        limit: Option<&Bound<'_, PyAny>>,
        first: bool,
        progress: Option<&Bound<'_, PyAny>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Result>> {
        let asked = Asked {
            threads,
            variations,
            limit,
            first,
            progress,
            others,
        };
        search_one(slf, &asked, |queries, options| {
            columns::games(batches, queries, options).map(GivenGames::in_memory)
        })
    }

    /// Whether a position matches: a FEN, or a board of python-chess.
    ///
    /// >>> import skewer
    /// >>> skewer.compile("mate").matches("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    /// True
    fn matches(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(|| {
            let fen = fen_of(position)?;
            py.detach(|| self.query.matches_fen(&fen)).map_err(of_search)
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Query>()
            .is_ok_and(|other| self.identity() == other.get().identity())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.identity().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let text = self.text();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(60).collect();
        let rest = if shown.len() < words.len() { "…" } else { "" };
        format!("<skewer.Query {}{rest}>", shown)
    }

    /// What makes the same query again: pickles hold its text.
    fn __getnewargs__(&self) -> (Vec<u8>, &str, &[PathBuf], &[PickledColumn]) {
        (self.query.text().to_vec(), &self.name, &self.tablebase, &self.columns)
    }
}

fn query_options(name: &str, tablebase: &[PathBuf], reading: &Reading) -> QueryOptions {
    let mut options = QueryOptions::default();
    options.name = name.to_owned();
    options.tablebase = tablebase.to_vec();
    options.variations = reading.variations;
    options.narrowing = reading.narrowing.clone();
    options.columns.clone_from(&reading.columns);
    options
}

/// Returns the column of a pickle.
fn unpickled((name, filter): &PickledColumn) -> PyResult<Column> {
    match filter {
        Some(filter) => Ok(Column::of_filter(name, filter)),
        None => options::column(name),
    }
}

/// Returns the FEN of a position, which is a FEN already or a board of python-chess.
fn fen_of(position: &Bound<'_, PyAny>) -> PyResult<String> {
    if !position.hasattr("fen")? {
        let Ok(fen) = position.cast::<PyString>() else {
            let kind = position.get_type().name()?;
            let message = format!("a position is a FEN or a board of python-chess, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        return fen.extract();
    }
    let variant = position
        .getattr("uci_variant")
        .and_then(|variant| variant.extract::<String>());
    if let Ok(variant) = variant
        && variant != "chess"
    {
        return Err(FenError::new_err(format!(
            "a position of {variant} cannot be told by its FEN; search a game with a `Variant` tag instead"
        )));
    }
    let is_chess960 = position
        .getattr("chess960")
        .and_then(|is| is.is_truthy())
        .unwrap_or(false);
    position
        .call_method0(if is_chess960 { "shredder_fen" } else { "fen" })?
        .extract()
}

/// Searches for several queries in one pass over the games: names with queries become names with results.
#[pyfunction]
#[pyo3(signature = (queries, games, *, threads=None, variations=None, limit=None, first=false, progress=None, **others))]
#[allow(clippy::too_many_arguments, reason = "the options of Python")]
pub(crate) fn search_many<'py>(
    queries: &Bound<'py, PyDict>,
    games: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    variations: Option<bool>,
    limit: Option<&Bound<'py, PyAny>>,
    first: bool,
    progress: Option<&Bound<'py, PyAny>>,
    others: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let searched = queries.values().iter().map(|query| Ok(query.cast_into::<Query>()?));
    let searched = searched.collect::<PyResult<Vec<_>>>()?;
    let asked = Asked {
        threads,
        variations,
        limit,
        first,
        progress,
        others,
    };
    let results = search_all(searched, &asked, |_, _| GivenGames::of(games))?;
    let named = PyDict::new(queries.py());
    for (name, result) in queries.keys().iter().zip(results) {
        named.set_item(name, result)?;
    }
    Ok(named)
}

fn search_one(
    query: &Bound<'_, Query>,
    asked: &Asked<'_, '_>,
    give: impl FnOnce(&[skewer::Query], &Options) -> PyResult<GivenGames>,
) -> PyResult<Py<Result>> {
    let results = search_all(vec![query.clone()], asked, give)?;
    results
        .into_iter()
        .next()
        .ok_or_else(|| crate::error::bug(&"a search without a result"))
}

/// Searches for queries in the games that `give` returns for them.
fn search_all(
    queries: Vec<Bound<'_, Query>>,
    asked: &Asked<'_, '_>,
    give: impl FnOnce(&[skewer::Query], &Options) -> PyResult<GivenGames>,
) -> PyResult<Vec<Py<Result>>> {
    let Some(py) = queries.first().map(Bound::py) else {
        return Ok(Vec::new());
    };
    guarded(|| {
        let (options, limit, reading) = asked.read()?;
        let compiled = queries.iter().map(|query| query.get().under(&reading));
        let compiled = compiled.collect::<PyResult<Vec<_>>>()?;
        let given = give(&compiled, &options)?;
        let watcher = Watcher::of(py, asked.progress)?;
        let outcome = run::run(py, compiled, given.games(py), options, limit, watcher)?;
        result::of_outcome(py, &queries, (&reading, asked.of_pickle(py)?), given, outcome)
    })
}
