//! Counts in parts of the games, which Spark adds up.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BinaryBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::ArrowError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer::{CountOptions, Games, GroupCounts, GroupValue, Interrupt, Options, PartCounts, Warning, WarningKind};

use crate::columns;
use crate::error::{self, Error, InputError, guarded, in_python, of_search};
use crate::games::{GivenGames, positive};
use crate::options::{Asked, texts};
use crate::parts::{Found, damage_of, obstacles_of};
use crate::query::Query;
use crate::run;

/// What is counted, for queries with names; tasks of Spark have it from a pickle.
#[pyclass(frozen, module = "skewer._skewer")]
pub(crate) struct Counts {
    counts: skewer::Counts,
    names: Vec<String>,
    queries: Vec<skewer::Query>,
    options: Options,
    /// The arguments that it was made from.
    given: (Vec<(String, Py<Query>)>, Py<PyDict>),
}

/// Options that exist for searches but not for counts in parts, and the reasons.
const REFUSED: [(&str, &str); 8] = [
    (
        "numbers",
        "games have numbers in their files only: filter a DataFrame instead",
    ),
    (
        "sample",
        "it is drawn from all games: take a sample of a DataFrame instead",
    ),
    ("seed", "no sample is drawn"),
    ("columns", "groups have the values of keys, as in `by=[\"pawns=#P\"]`"),
    ("sort", "use `orderBy` of the DataFrame"),
    ("top", "use `orderBy` and `limit` of the DataFrame"),
    ("min", "use `filter` of the DataFrame, as in `filter(\"games >= 50\")`"),
    ("threads", "each task of Spark has one"),
];

#[pymethods]
impl Counts {
    #[new]
    fn new(queries: Vec<(String, Py<Query>)>, options: &Bound<'_, PyDict>) -> PyResult<Counts> {
        guarded(|| {
            let rest = options.copy()?;
            for (name, instead) in REFUSED {
                if rest.contains(name)? {
                    return Err(PyTypeError::new_err(format!(
                        "counts on Spark have no option `{name}`: {instead}"
                    )));
                }
            }
            let counts =
                skewer::Counts::new(&count_options(&rest)?).map_err(|error| Error::new_err(error.to_string()))?;
            let (options_of_search, reading) = Asked::of_dictionary(&rest)?;
            let compiled = queries.iter().map(|(_, query)| query.get().counted(&counts, &reading));
            Ok(Counts {
                queries: compiled.collect::<PyResult<_>>()?,
                names: queries.iter().map(|(name, _)| name.clone()).collect(),
                counts,
                options: options_of_search,
                given: (queries, options.clone().unbind()),
            })
        })
    }

    /// What makes the same again.
    fn __getnewargs__(&self, py: Python<'_>) -> (Vec<(String, Py<Query>)>, Py<PyDict>) {
        let (queries, options) = &self.given;
        let queries = queries.iter().map(|(name, query)| (name.clone(), query.clone_ref(py)));
        (queries.collect(), options.clone_ref(py))
    }

    /// Why the games cannot be counted in parts: of each query.
    fn obstacles(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        guarded(|| {
            // The order of games does not matter for counts.
            let obstacles = self.queries.iter().map(|query| obstacles_of(query, true));
            let named = self.names.iter().zip(obstacles);
            named.map(|(name, obstacles)| Ok((name.clone(), obstacles?))).collect()
        })
    }

    /// Whether some key differs from position to position.
    fn is_of_positions(&self) -> bool {
        self.counts.is_of_positions()
    }

    /// Whether a value is measured.
    fn is_measured(&self) -> bool {
        self.counts.is_measured()
    }

    /// Whether the input is a key.
    fn asks_for_source(&self) -> bool {
        self.counts.asks_for_source()
    }

    /// The columns of the table of all groups, with their types in the words of Spark.
    fn columns(&self) -> Vec<(String, &'static str)> {
        let columns = self.counts.columns(&self.queries, &self.names).into_iter();
        let typed = columns.map(|(name, value)| match value {
            GroupValue::Integer(_) => (name, "bigint"),
            GroupValue::Real(_) => (name, "double"),
            GroupValue::Text(_) | GroupValue::Unknown => (name, "string"),
        });
        typed.collect()
    }

    /// Which of the columns of a table are read.
    fn columns_read(&self, columns: Vec<String>) -> Vec<String> {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        self.read(&columns).into_iter().map(str::to_owned).collect()
    }

    /// The condition on the rows of a database that count.
    fn spark_condition(&self) -> Option<String> {
        // Shares are shares of all games, including those that cannot match.
        match self.counts.is_of_positions() {
            true => skewer::spark_condition(&self.queries.iter().collect::<Vec<_>>()),
            false => None,
        }
    }

    /// Counts row groups of a file, from one up to another.
    fn count_row_groups(
        &self,
        py: Python<'_>,
        path: PathBuf,
        start: usize,
        end: usize,
        is_strict: bool,
    ) -> PyResult<Found> {
        guarded(|| {
            let games = Games::of_row_groups(path, start..end);
            self.count(py, games, true, is_strict)
        })
    }

    /// Counts the games of a path or of a file object of this name.
    fn count_pgn(&self, py: Python<'_>, games: &Bound<'_, PyAny>, name: String, is_strict: bool) -> PyResult<Found> {
        guarded(|| {
            let games = GivenGames::of(games)?.with_name(&name).games(py);
            self.count(py, games, true, is_strict)
        })
    }

    /// Counts rows.
    fn count_batch(&self, py: Python<'_>, batch: &Bound<'_, PyAny>, is_strict: bool) -> PyResult<Found> {
        guarded(|| {
            let games = columns::games_of(batch, &|columns| self.read(columns))?;
            self.count(py, games, false, is_strict)
        })
    }

    /// The table of groups whose counts have been added up.
    fn table(&self, sums: &Bound<'_, PyAny>) -> PyResult<Found> {
        guarded(|| {
            let sums = RecordBatch::from_pyarrow_bound(sums)?;
            let table = self.rows(&sums).map_err(|error| error::of_table(&error))?;
            Ok(Found::of(table))
        })
    }
}

impl Counts {
    fn read<'a>(&self, columns: &[&'a str]) -> Vec<&'a str> {
        let queries: Vec<&skewer::Query> = self.queries.iter().collect();
        self.counts.columns_read(&queries, columns)
    }

    /// Counts the games of a file or of rows.
    fn count(&self, py: Python<'_>, games: Games, is_file: bool, is_strict: bool) -> PyResult<Found> {
        let shown: fn(&Warning) -> String = match is_file {
            true => Warning::to_string,
            // The number of a game within a batch of rows means nothing to the user.
            false => |warning| warning.message.clone(),
        };
        let interrupt = Arc::new(Interrupt::default());
        let mut options = self.options.clone();
        options.interrupt = Some(Arc::clone(&interrupt));
        let (counts, queries) = (self.counts.clone(), self.queries.clone());
        let raised = Arc::clone(&interrupt);
        let count = move || {
            let mut heard = Heard::default();
            let counted = counts.count(&queries, games, &options, &mut |warning| {
                heard.hear(warning, shown);
                if is_strict && warning.kind == WarningKind::BadRow {
                    heard.damage.get_or_insert_with(|| warning.to_string());
                    raised.raise();
                }
            });
            (counted, heard)
        };
        let (done, stopped) = run::in_background(py, &interrupt, || Ok(()), count)?;
        let Some((counted, mut heard)) = done.filter(|_| stopped.is_none()) else {
            return Err(stopped.unwrap_or_else(|| error::bug(&"a count without a result")));
        };
        if let Some(damage) = heard.damage.take() {
            return Err(InputError::new_err(damage));
        }
        let counted = counted.unwrap_or_else(|error| PartCounts {
            groups: Vec::new(),
            is_overfull: false,
            failure: Some(error),
        });
        if counted.is_overfull {
            return Err(Error::new_err(
                "a part of the games has more groups than there may be: group more coarsely, such as by `year:10` or `eco:1`, or allow more with \
                 `max_groups`",
            ));
        }
        if let Some(failure) = counted.failure {
            // Rows that lack a column are not damaged: all other rows lack it, too.
            match damage_of(&failure).filter(|_| is_file && !is_strict) {
                None => return Err(of_search(failure)),
                Some(damage) => heard.tell(WarningKind::BadRow, || damage),
            }
        }
        let part = sums(&counted.groups, heard.said()).map_err(|error| error::of_table(&error))?;
        Ok(Found::of(part))
    }

    /// Returns the rows of the table for sums as Spark computes them.
    fn rows(&self, sums: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = self.counts.columns(&self.queries, &self.names);
        let mut builders: Vec<ValueBuilder> = columns.iter().map(|(_, kind)| ValueBuilder::of(kind)).collect();
        let groups = groups(sums)?;
        for row in groups {
            // A warning has no values.
            let values = match row {
                Some(group) => self.counts.rows(&self.queries, &self.names, &[group]).pop(),
                None => None,
            };
            let values = values.unwrap_or_else(|| vec![GroupValue::Unknown; builders.len()]);
            for (builder, value) in builders.iter_mut().zip(values) {
                builder.append(value);
            }
        }
        let names = columns.into_iter().map(|(name, _)| name);
        let arrays = names.zip(builders.iter_mut().map(ValueBuilder::finish));
        let warnings = sums.column_by_name(WARNING).cloned();
        let warnings = warnings.ok_or_else(|| ArrowError::SchemaError(WARNING.to_owned()))?;
        RecordBatch::try_from_iter_with_nullable(arrays.map(|(name, array)| (name, array, true)).chain([(
            WARNING.to_owned(),
            warnings,
            true,
        )]))
    }
}

/// Takes the options that say what is counted out of `rest`.
fn count_options(rest: &Bound<'_, PyDict>) -> PyResult<CountOptions> {
    let taken = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        let value = rest.get_item(name)?;
        if value.is_some() {
            rest.del_item(name)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    };
    let text = |name: &str| -> PyResult<Option<String>> { taken(name)?.map(|value| value.extract()).transpose() };
    let flag = |name: &str| -> PyResult<bool> { taken(name)?.map_or(Ok(false), |value| value.is_truthy()) };
    let by = taken("by")?.map(|by| texts("by", &by)).transpose()?;
    let player = rest.get_item("player")?.filter(|player| !player.is_none());
    let player = player.map(|player| texts("player", &player)).transpose()?;
    let most = taken("max_groups")?
        .map(|most| positive("max_groups", &most))
        .transpose()?;
    let most = most.and_then(|most| NonZeroUsize::try_from(most).ok());
    Ok(CountOptions {
        by: by.unwrap_or_default(),
        next: flag("next")?,
        value: text("value")?,
        histogram: flag("histogram")?,
        for_whom: text("for_whom")?,
        player: player.and_then(|players| players.into_iter().next()),
        by_player: text("by_player")?,
        max_groups: most.unwrap_or(NonZeroUsize::MAX),
    })
}

/// The warnings about a part.
#[derive(Default)]
struct Heard {
    /// The worst warning. Among equally bad ones, this is the first.
    worst: Option<(WarningKind, String)>,
    count: u64,
    /// The damage, if none may be left out.
    damage: Option<String>,
}

impl Heard {
    fn hear(&mut self, warning: &Warning, shown: fn(&Warning) -> String) {
        self.tell(warning.kind, || shown(warning));
    }

    fn tell(&mut self, kind: WarningKind, said: impl FnOnce() -> String) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|(worst, _)| kind < *worst) {
            self.worst = Some((kind, said()));
        }
    }

    /// Returns one warning that stands for all.
    fn said(self) -> Option<String> {
        let (_, said) = self.worst?;
        let said = in_python(&said);
        Some(match self.count - 1 {
            0 => said,
            1 => format!("{said} (and 1 more warning)"),
            more => format!("{said} (and {more} more warnings)"),
        })
    }
}

/// The name of a count, and where it is in a group.
type Count = (&'static str, fn(&GroupCounts) -> u64);

/// The counts of a group, in the order of their columns.
const COUNTS: [Count; 8] = [
    ("base", |group| group.base),
    ("games", |group| group.games),
    ("positions", |group| group.positions),
    ("wins", |group| group.wins),
    ("draws", |group| group.draws),
    ("losses", |group| group.losses),
    ("rating_sum", |group| group.rating_sum),
    ("ratings", |group| group.ratings),
];

const WARNING: &str = "warning";

/// Returns the rows that Spark adds up: one for each group, one for each value of a group, and one for all warnings.
fn sums(groups: &[GroupCounts], warning: Option<String>) -> Result<RecordBatch, ArrowError> {
    let mut query = Int32Builder::new();
    let (mut of_game, mut key) = (BinaryBuilder::new(), BinaryBuilder::new());
    let mut counts = COUNTS.map(|_| Int64Builder::new());
    let [mut first, mut last, mut value] = [Int32Builder::new(), Int32Builder::new(), Int32Builder::new()];
    let mut count = Int64Builder::new();
    let mut warnings = StringBuilder::new();
    let mut row = |group: Option<&GroupCounts>, of_value: Option<(i32, u64)>, warning: Option<&str>| {
        query.append_option(group.and_then(|group| i32::try_from(group.query).ok()));
        of_game.append_option(group.map(|group| &group.of_game));
        key.append_option(group.and_then(|group| group.key.as_ref()));
        let counted = group.filter(|_| of_value.is_none());
        for (column, (_, number)) in counts.iter_mut().zip(COUNTS) {
            column.append_value(counted.map_or(0, |group| signed(number(group))));
        }
        let years = counted.map(|group| group.years).filter(|(first, _)| *first > 0);
        first.append_option(years.map(|(first, _)| i32::from(first)));
        last.append_option(years.map(|(_, last)| i32::from(last)));
        value.append_option(of_value.map(|(value, _)| value));
        count.append_option(of_value.map(|(_, count)| signed(count)));
        warnings.append_option(warning);
    };
    for group in groups {
        row(Some(group), None, None);
        for of_value in &group.values {
            row(Some(group), Some(*of_value), None);
        }
    }
    if let Some(warning) = &warning {
        row(None, None, Some(warning));
    }
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("query", Arc::new(query.finish())),
        ("of_game", Arc::new(of_game.finish())),
        ("key", Arc::new(key.finish())),
    ];
    for ((name, _), mut column) in COUNTS.into_iter().zip(counts) {
        columns.push((name, Arc::new(column.finish())));
    }
    columns.push(("first_year", Arc::new(first.finish())));
    columns.push(("last_year", Arc::new(last.finish())));
    columns.push(("value", Arc::new(value.finish())));
    columns.push(("count", Arc::new(count.finish())));
    columns.push((WARNING, Arc::new(warnings.finish())));
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
}

/// Returns the groups of sums, with `None` for a warning.
fn groups(sums: &RecordBatch) -> Result<Vec<Option<GroupCounts>>, ArrowError> {
    let query = numbers::<Int32Type>(sums, "query")?;
    let lacking = |name: &str| ArrowError::SchemaError(format!("no column `{name}`"));
    let key = sums
        .column_by_name("key")
        .and_then(|column| column.as_binary_opt::<i32>());
    let key = key.ok_or_else(|| lacking("key"))?;
    let counts = COUNTS.map(|(name, _)| numbers::<Int64Type>(sums, name));
    let [base, games, positions, wins, draws, losses, rating_sum, ratings] = counts;
    let (base, games, positions) = (base?, games?, positions?);
    let (wins, draws, losses) = (wins?, draws?, losses?);
    let (rating_sum, ratings) = (rating_sum?, ratings?);
    let (first, last) = (
        numbers::<Int32Type>(sums, "first_year")?,
        numbers::<Int32Type>(sums, "last_year")?,
    );
    let values = sums.column_by_name("values").map(|column| column.as_list::<i32>());
    let year = |years: &PrimitiveArray<Int32Type>, row: usize| match years.is_valid(row) {
        true => u16::try_from(years.value(row)).unwrap_or_default(),
        false => 0,
    };
    let group = |row: usize| -> Result<Option<GroupCounts>, ArrowError> {
        if query.is_null(row) {
            return Ok(None);
        }
        Ok(Some(GroupCounts {
            query: usize::try_from(query.value(row)).unwrap_or_default(),
            key: key.is_valid(row).then(|| key.value(row).to_vec()),
            base: base.value(row).unsigned_abs(),
            games: games.value(row).unsigned_abs(),
            positions: positions.value(row).unsigned_abs(),
            wins: wins.value(row).unsigned_abs(),
            draws: draws.value(row).unsigned_abs(),
            losses: losses.value(row).unsigned_abs(),
            rating_sum: rating_sum.value(row).unsigned_abs(),
            ratings: ratings.value(row).unsigned_abs(),
            years: (year(first, row), year(last, row)),
            values: match values.filter(|values| values.is_valid(row)) {
                Some(values) => counted_values(&values.value(row))?,
                None => Vec::new(),
            },
            ..GroupCounts::default()
        }))
    };
    (0..sums.num_rows()).map(group).collect()
}

/// Returns values and how often each occurs.
fn counted_values(pairs: &ArrayRef) -> Result<Vec<(i32, u64)>, ArrowError> {
    let pairs = RecordBatch::from(pairs.as_struct());
    let (values, counts) = (
        numbers::<Int32Type>(&pairs, "value")?,
        numbers::<Int64Type>(&pairs, "count")?,
    );
    let values = values.values().iter().copied();
    Ok(values
        .zip(counts.values().iter().map(|count| count.unsigned_abs()))
        .collect())
}

fn numbers<'b, T: ArrowPrimitiveType>(batch: &'b RecordBatch, name: &str) -> Result<&'b PrimitiveArray<T>, ArrowError> {
    let column = batch
        .column_by_name(name)
        .and_then(|column| column.as_primitive_opt::<T>());
    column.ok_or_else(|| ArrowError::SchemaError(format!("no column `{name}`")))
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Builds a column of the table.
enum ValueBuilder {
    Integers(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
}

impl ValueBuilder {
    /// Creates a builder for values like this one.
    fn of(kind: &GroupValue) -> ValueBuilder {
        match kind {
            GroupValue::Integer(_) => ValueBuilder::Integers(Int64Builder::new()),
            GroupValue::Real(_) => ValueBuilder::Reals(Float64Builder::new()),
            GroupValue::Text(_) | GroupValue::Unknown => ValueBuilder::Texts(StringBuilder::new()),
        }
    }

    fn append(&mut self, value: GroupValue) {
        match (self, value) {
            (ValueBuilder::Integers(column), GroupValue::Integer(number)) => column.append_value(number),
            (ValueBuilder::Integers(column), _) => column.append_null(),
            (ValueBuilder::Reals(column), GroupValue::Real(number)) => column.append_value(number),
            (ValueBuilder::Reals(column), _) => column.append_null(),
            (ValueBuilder::Texts(column), GroupValue::Text(text)) => column.append_value(text),
            (ValueBuilder::Texts(column), _) => column.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ValueBuilder::Integers(column) => ArrayBuilder::finish(column),
            ValueBuilder::Reals(column) => ArrayBuilder::finish(column),
            ValueBuilder::Texts(column) => ArrayBuilder::finish(column),
        }
    }
}
