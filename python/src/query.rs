//! Queries.

use std::num::NonZeroUsize;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer::{Options, QueryOptions};

use crate::error::{FenError, guarded, of_query, of_search};
use crate::games::{GivenGames, positive};
use crate::result::{self, Result};
use crate::run;

/// A compiled query.
#[pyclass(frozen, skip_from_py_object, module = "skewer")]
#[derive(Clone)]
pub(crate) struct Query {
    query: skewer::Query,
    /// The name for errors.
    name: String,
}

/// What decides how a query is read, beside its text.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reading {
    pub(crate) variations: Option<bool>,
    pub(crate) first: bool,
}

impl Query {
    pub(crate) fn read(text: &[u8], name: &str, reading: Reading) -> PyResult<skewer::Query> {
        let mut options = QueryOptions::default();
        options.name = name.to_owned();
        options.variations = reading.variations;
        if reading.first {
            options.narrowing = options.narrowing.first();
        }
        skewer::Query::compile_with(text, &options).map_err(|error| of_query(&error))
    }

    /// The query as it is searched for.
    pub(crate) fn under(&self, reading: Reading) -> PyResult<skewer::Query> {
        match reading == Reading::default() {
            true => Ok(self.query.clone()),
            false => Query::read(self.query.text(), &self.name, reading),
        }
    }
}

#[pymethods]
impl Query {
    #[new]
    fn new(text: &[u8], name: &str) -> PyResult<Query> {
        guarded(|| {
            Ok(Query {
                query: Query::read(text, name, Reading::default())?,
                name: name.to_owned(),
            })
        })
    }

    /// The text of the query.
    #[getter]
    fn text(&self) -> String {
        String::from_utf8_lossy(self.query.text()).into_owned()
    }

    /// The file that the text is from, or `query`.
    #[getter(name)]
    fn shown_name(&self) -> &str {
        &self.name
    }

    #[pyo3(signature = (games, *, threads=None, variations=None, limit=None, first=false, progress=None))]
    fn search(
        slf: &Bound<'_, Query>,
        games: &Bound<'_, PyAny>,
        threads: Option<i64>,
        variations: Option<bool>,
        limit: Option<i64>,
        first: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Result>> {
        let results = search_all(
            vec![slf.clone()],
            games,
            threads,
            Reading { variations, first },
            limit,
            progress,
        )?;
        results
            .into_iter()
            .next()
            .ok_or_else(|| crate::error::bug(&"a search without a result"))
    }

    fn matches(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(|| {
            let fen = fen_of(position)?;
            py.detach(|| self.query.matches_fen(&fen)).map_err(of_search)
        })
    }

    fn __repr__(&self) -> String {
        let text = self.text();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(60).collect();
        let rest = if shown.len() < words.len() { "…" } else { "" };
        format!("<skewer.Query {}{rest}>", shown)
    }

    /// What makes the same query again: pickles hold its text.
    fn __getnewargs__(&self) -> (Vec<u8>, &str) {
        (self.query.text().to_vec(), &self.name)
    }
}

/// The FEN of what is one, or of a board of python-chess.
fn fen_of(position: &Bound<'_, PyAny>) -> PyResult<String> {
    if !position.hasattr("fen")? {
        return position.extract();
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

/// Searches for several queries in one pass over the games.
#[pyfunction]
#[pyo3(signature = (queries, games, *, threads=None, variations=None, limit=None, first=false, progress=None))]
pub(crate) fn search_many<'py>(
    queries: &Bound<'py, PyDict>,
    games: &Bound<'py, PyAny>,
    threads: Option<i64>,
    variations: Option<bool>,
    limit: Option<i64>,
    first: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let searched = queries.values().iter().map(|query| Ok(query.cast_into::<Query>()?));
    let searched = searched.collect::<PyResult<Vec<_>>>()?;
    let results = search_all(searched, games, threads, Reading { variations, first }, limit, progress)?;
    let named = PyDict::new(queries.py());
    for (name, result) in queries.keys().iter().zip(results) {
        named.set_item(name, result)?;
    }
    Ok(named)
}

fn search_all(
    queries: Vec<Bound<'_, Query>>,
    games: &Bound<'_, PyAny>,
    threads: Option<i64>,
    reading: Reading,
    limit: Option<i64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Py<Result>>> {
    guarded(|| {
        let py = games.py();
        let mut options = Options::default();
        if let Some(threads) = threads {
            options.threads = positive::<NonZeroUsize, usize>("threads", threads)?;
        }
        let limit = limit.map(|limit| positive::<u64, u64>("limit", limit)).transpose()?;
        let given = GivenGames::of(games)?;
        let compiled = queries.iter().map(|query| query.get().under(reading));
        let compiled = compiled.collect::<PyResult<Vec<_>>>()?;
        let outcome = run::run(py, compiled, given.games(py), options, limit, progress)?;
        result::of_outcome(py, &queries, reading, given, outcome)
    })
}
