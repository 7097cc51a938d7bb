//! The options of a search.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Bound::{self as End, Excluded, Included, Unbounded};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyRange, PyString, PyTuple};
use skewer::{Column, ColumnError, Narrowing, Options};

use crate::games::positive;
use crate::query::PickledColumn;
use crate::rows::{HIDDEN_NAMES, NAMES};

/// The options that change how a query is compiled: whether variations are searched, which games, and the columns to compute.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Reading {
    pub(crate) variations: Option<bool>,
    pub(crate) narrowing: Narrowing,
    pub(crate) columns: Vec<Column>,
}

/// The options of a search, as Python gives them.
pub(crate) struct Asked<'a, 'py> {
    pub(crate) threads: Option<&'a Bound<'py, PyAny>>,
    pub(crate) variations: Option<bool>,
    pub(crate) limit: Option<&'a Bound<'py, PyAny>>,
    pub(crate) first: bool,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
    /// The other options, by their names.
    pub(crate) others: Option<&'a Bound<'py, PyDict>>,
}

/// Options that narrow a search by a text.
type ByText = (&'static str, fn(Narrowing, String) -> Narrowing);

const BY_TEXT: [ByText; 7] = [
    ("player", Narrowing::player),
    ("white", Narrowing::white),
    ("black", Narrowing::black),
    ("event", Narrowing::event),
    ("site", Narrowing::site),
    ("eco", Narrowing::eco),
    ("result", Narrowing::result),
];

impl Asked<'_, '_> {
    /// Reads options from a dictionary. The search runs on one thread.
    pub(crate) fn of_dictionary(options: &Bound<'_, PyDict>) -> PyResult<(Options, Reading)> {
        let others = options.copy()?;
        let taken = |name: &str| -> PyResult<Option<bool>> {
            let value = others.get_item(name)?.map(|value| value.extract()).transpose()?;
            if value.is_some() {
                others.del_item(name)?;
            }
            Ok(value)
        };
        let (variations, first) = (taken("variations")?, taken("first")?);
        let asked = Asked {
            threads: None,
            variations,
            limit: None,
            first: first.unwrap_or(false),
            progress: None,
            others: Some(&others),
        };
        let (mut options, _, reading) = asked.read()?;
        options.threads = NonZeroUsize::MIN;
        Ok((options, reading))
    }

    /// Returns the options for reading the query, for a pickle.
    pub(crate) fn of_pickle(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let options = match self.others {
            Some(others) => others.copy()?,
            None => PyDict::new(py),
        };
        if let Some(variations) = self.variations {
            options.set_item("variations", variations)?;
        }
        options.set_item("first", self.first)?;
        Ok(options.unbind())
    }

    /// Reads the options. Returns the options of the search, the number of games that the user wants, and the options for reading the query.
    ///
    /// # Errors
    /// Returns an error if an option is unknown or has an invalid value.
    pub(crate) fn read(&self) -> PyResult<(Options, Option<u64>, Reading)> {
        let mut options = Options::default();
        if let Some(threads) = self.threads {
            options.threads = positive("threads", threads)?.try_into().unwrap_or(NonZeroUsize::MAX);
        }
        let limit = self.limit.map(|limit| positive("limit", limit)).transpose()?;
        let mut narrowing = Narrowing::new();
        if self.first {
            narrowing = narrowing.first();
        }
        let (mut sample, mut seed) = (None, 0);
        let mut columns = Vec::new();
        for (name, value) in self.others.iter().flat_map(|others| others.iter()) {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            if let Some((name, narrow)) = BY_TEXT.iter().find(|(known, _)| *known == name) {
                narrowing = texts(name, &value)?.into_iter().fold(narrowing, narrow);
                continue;
            }
            match &*name {
                "year" => narrowing = narrowing.years(span("year", &value)?),
                "elo" => narrowing = narrowing.elo(span("elo", &value)?),
                "numbers" => narrowing = narrowing.games(span("numbers", &value)?),
                "variant" => narrowing = narrowing.variant(text("variant", &value)?),
                "columns" => columns = columns_of(&value)?,
                "sample" => sample = Some(positive("sample", &value)?),
                "seed" => seed = value.extract()?,
                "max_memory" => {
                    let bytes = positive("max_memory", &value)?;
                    options.max_memory = usize::try_from(bytes.get()).unwrap_or(usize::MAX);
                }
                "max_rounds" => options.max_rounds = positive("max_rounds", &value)?.get(),
                unknown => {
                    return Err(PyTypeError::new_err(format!(
                        "a search has no option `{unknown}`; those that say which games are searched are player, white, black, event, site, \
                         eco, result, year, elo, numbers, variant, sample and seed; `columns` adds columns"
                    )));
                }
            }
        }
        if let Some(count) = sample {
            narrowing = narrowing.sample(count, seed);
        }
        let reading = Reading {
            variations: self.variations,
            narrowing,
            columns,
        };
        Ok((options, limit.map(NonZeroU64::get), reading))
    }
}

/// Returns the added columns: names with filters, or columns in the form of the command.
fn columns_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    let given: Vec<Column> = match filters_of(value)? {
        Some(columns) => columns,
        None => {
            let texts = texts("columns", value)?;
            texts.iter().map(|text| column(text)).collect::<PyResult<_>>()?
        }
    };
    // Results have the position in any case.
    let added: Vec<Column> = given.into_iter().filter(|column| *column != Column::fen()).collect();
    for (place, column) in added.iter().enumerate() {
        let name = column.name();
        let is_taken = NAMES.contains(&name) || HIDDEN_NAMES.contains(&name);
        if is_taken || added.iter().take(place).any(|other| other.name() == name) {
            let message = format!("`{name}` is the name of another column; give this one a name of its own");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(added)
}

/// Returns the columns of a dictionary of names and filters, or `None` if the value is no dictionary.
fn filters_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Column>>> {
    let Ok(filters) = value.cast::<PyMapping>() else {
        return Ok(None);
    };
    let column = |item: Bound<'_, PyAny>| {
        let (name, filter) = item
            .extract::<(String, String)>()
            .map_err(|_| PyTypeError::new_err("columns are names with filters, as in {\"pawns\": \"#P\"}"))?;
        Ok(Column::of_filter(name, filter))
    };
    filters.items()?.iter().map(column).collect::<PyResult<_>>().map(Some)
}

/// Reads a column in the form of the command.
pub(crate) fn column(text: &str) -> PyResult<Column> {
    text.parse()
        .map_err(|error: ColumnError| PyValueError::new_err(error.to_string()))
}

/// Reads the columns of a search on Spark. Returns the names of tags, and the added columns as pickles have them. In a list, a text
/// that is not a column names a tag.
#[pyfunction]
pub(crate) fn tags_and_columns(value: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Vec<PickledColumn>)> {
    let (mut tags, mut columns) = (Vec::new(), Vec::new());
    match filters_of(value)? {
        Some(filters) => columns = filters,
        None => {
            for text in texts("columns", value)? {
                match column(&text) {
                    Ok(column) => columns.push(column),
                    Err(error) if text.contains('=') => return Err(error),
                    Err(_) => tags.push(text),
                }
            }
        }
    }
    // Results have the position in any case.
    columns.retain(|column| *column != Column::fen());
    let pickled = |column: &Column| (column.name().to_owned(), column.filter().map(str::to_owned));
    Ok((tags, columns.iter().map(pickled).collect()))
}

fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| {
        let kind = value.get_type();
        PyTypeError::new_err(format!("{name} is a text, not {kind}"))
    })
}

/// Returns one text, or several that must all hold.
pub(crate) fn texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    let Ok(values) = value.try_iter() else {
        return text(name, value).map(|text| vec![text]);
    };
    values.map(|value| text(name, &value?)).collect()
}

/// The first and the last number, both inclusive.
type Span = (End<i32>, End<i32>);

/// Reads a range of numbers from a number, a range, or a pair of the first and the last number. Either of the pair may be `None`.
fn span(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Span> {
    if let Ok(number) = value.extract::<i32>() {
        return Ok((Included(number), Included(number)));
    }
    if value.is_instance_of::<PyRange>() && value.getattr("step")?.eq(1)? {
        let (start, stop) = (value.getattr("start")?.extract()?, value.getattr("stop")?.extract()?);
        return Ok((Included(start), Excluded(stop)));
    }
    if let Ok(pair) = value.cast::<PyTuple>()
        && let Ok((first, last)) = pair.extract::<(Option<i32>, Option<i32>)>()
    {
        let bound = |number: Option<i32>| number.map_or(Unbounded, Included);
        return Ok((bound(first), bound(last)));
    }
    Err(PyValueError::new_err(format!(
        "{name} is a number or a pair of the first and the last, such as (1990, 1999) or (2500, None)"
    )))
}
