//! Searches of parts of large sets of games, one for each task of Spark.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use arrow_array::builder::{ArrayBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use skewer::game::WarningKind;
use skewer::{ColumnType, FoundGame, Games, Interrupt, Obstacle, Options, QuerySide, Sink, Warning};

use crate::columns;
use crate::error::{self, Error, InputError, guarded, in_python, of_query, of_search};
use crate::games::GivenGames;
use crate::options::Reading;
use crate::query::Query;
use crate::rows::{ColumnBuilder, KeyBuilder, type_of_column};

/// A batch is complete when it has this many rows. Its last game may add more.
const BATCH_ROWS: usize = 8192;
/// How many batches a search may be ahead of the reader.
const AHEAD: usize = 4;

/// Returns the columns of results before the columns of tags.
fn fixed_fields() -> Vec<Field> {
    vec![
        Field::new("query", DataType::Utf8, true),
        Field::new("file", DataType::Utf8, true),
        Field::new("row", DataType::Int64, true),
        Field::new("positionid", DataType::Int32, true),
        Field::new("ply", DataType::Int32, true),
        Field::new("fen", DataType::Utf8, true),
        Field::new("move", DataType::Utf8, true),
        Field::new("query_side", DataType::Utf8, true),
        Field::new("warning", DataType::Utf8, true),
    ]
}

/// Returns whether the values of a tag are numbers.
fn is_rating(tag: &str) -> bool {
    matches!(tag, "WhiteElo" | "BlackElo")
}

/// What is wanted in addition to the positions: tags, whether the sort keys of the queries become columns, and whether damage ends the search.
type Wanted = (Vec<String>, bool, bool);

/// The titles of the sort keys of the queries, each once, and whether their values are texts.
type SortColumns = Vec<(String, bool)>;

/// The names and types of the columns that users have added.
type AddedColumns = Vec<(String, ColumnType)>;

fn schema(tags: &[String], added: &[(String, ColumnType)], keys: &[(String, bool)]) -> SchemaRef {
    let mut fields = fixed_fields();
    fields.extend(tags.iter().map(|tag| {
        let kind = if is_rating(tag) {
            DataType::Int32
        } else {
            DataType::Utf8
        };
        Field::new(tag, kind, true)
    }));
    let added = added.iter();
    fields.extend(added.map(|(name, kind)| Field::new(name, type_of_column(*kind), true)));
    fields.extend(keys.iter().map(|(title, is_text)| {
        let kind = if *is_text { DataType::Utf8 } else { DataType::Int64 };
        Field::new(title, kind, true)
    }));
    Arc::new(Schema::new(fields))
}

/// Returns the options for searching a part: on one thread, because a cluster runs a task for each, and only for what the rows have.
fn options(tags: &[String]) -> Options {
    let mut options = Options::default();
    options.threads = NonZeroUsize::MIN;
    options.comments = false;
    options.remarks = false;
    options.squares = false;
    options.tags = Some(tags.to_vec());
    options
}

/// Returns which of the columns of a table a search reads if it keeps these tags.
#[pyfunction]
pub(crate) fn columns_read(
    queries: Vec<PyRef<'_, Query>>,
    columns: Vec<String>,
    tags: Vec<String>,
) -> PyResult<Vec<String>> {
    guarded(|| {
        let queries = compiled(&queries)?;
        let queries: Vec<&skewer::Query> = queries.iter().collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let read = skewer::columns_read(&queries, &columns, &options(&tags));
        Ok(read.into_iter().map(str::to_owned).collect())
    })
}

/// Returns a condition on the rows of a database that holds for all rows that can match.
#[pyfunction]
pub(crate) fn spark_condition(queries: Vec<PyRef<'_, Query>>) -> PyResult<Option<String>> {
    guarded(|| {
        let queries = compiled(&queries)?;
        Ok(skewer::spark_condition(&queries.iter().collect::<Vec<_>>()))
    })
}

/// Returns why the games of a query cannot be searched in parts. With `sort_keys`, sorting is no obstacle, because the keys become columns.
#[pyfunction]
pub(crate) fn obstacles(query: PyRef<'_, Query>, sort_keys: bool) -> PyResult<Vec<String>> {
    guarded(|| {
        let query = query.under(&Reading::default())?;
        obstacles_of(&query, sort_keys)
    })
}

/// Does the same for a query of the Rust library.
pub(crate) fn obstacles_of(query: &skewer::Query, sort_keys: bool) -> PyResult<Vec<String>> {
    if let Some(error) = query.lacks_tablebase() {
        return Err(of_query(&error));
    }
    let is_order = |obstacle: &Obstacle| matches!(obstacle, Obstacle::Sort | Obstacle::SortMatchCount);
    let obstacles = query.obstacles().into_iter();
    let obstacles = obstacles.filter(|obstacle| !(sort_keys && is_order(obstacle)));
    Ok(obstacles.map(|obstacle| obstacle.to_string()).collect())
}

/// Returns a warning if a search failed because the file is damaged: the rest of the file is left out, and the job continues.
pub(crate) fn damage_of(failure: &skewer::Error) -> Option<String> {
    let skewer::Error::Input { name, error } = failure else {
        return None;
    };
    let is_damaged = matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof);
    is_damaged.then(|| format!("{name}: {error}: this part of the file is not searched to its end"))
}

/// Returns the titles of the sort keys of the queries, and whether their values are texts.
#[pyfunction]
pub(crate) fn sort_columns(queries: Vec<PyRef<'_, Query>>) -> PyResult<SortColumns> {
    guarded(|| sort_columns_of(&compiled(&queries)?))
}

fn sort_columns_of(queries: &[skewer::Query]) -> PyResult<SortColumns> {
    let mut columns = SortColumns::new();
    for key in queries.iter().flat_map(skewer::Query::sort_keys) {
        match columns.iter().find(|(title, _)| title == key.title()) {
            None => columns.push((key.title().to_owned(), key.is_text())),
            Some((_, is_text)) if *is_text == key.is_text() => {}
            Some((title, _)) => {
                return Err(Error::new_err(format!(
                    "one query sorts by the numbers `{title}` and another by texts of the same title: give them different titles"
                )));
            }
        }
    }
    Ok(columns)
}

/// Returns the columns that have been added to the queries, with their types as Spark names them.
#[pyfunction]
pub(crate) fn added_columns(queries: Vec<PyRef<'_, Query>>) -> PyResult<Vec<(String, &'static str)>> {
    guarded(|| {
        let added = added_columns_of(&compiled(&queries)?)?;
        let named = added.into_iter().map(|(name, kind)| match kind {
            ColumnType::Number => (name, "int"),
            ColumnType::Truth => (name, "boolean"),
            _ => (name, "string"),
        });
        Ok(named.collect())
    })
}

/// Returns the columns that have been added to the queries. These must be the same for all queries.
fn added_columns_of(queries: &[skewer::Query]) -> PyResult<AddedColumns> {
    let mut columns = AddedColumns::new();
    for (name, kind) in queries.iter().flat_map(skewer::Query::columns) {
        match columns.iter().find(|(known, _)| known == name) {
            None => columns.push((name.to_owned(), kind)),
            Some((_, known)) if *known == kind => {}
            Some((name, _)) => {
                return Err(Error::new_err(format!(
                    "the column `{name}` has values of another type in one query than in another: search for these queries one by one"
                )));
            }
        }
    }
    Ok(columns)
}

/// Returns the numbers of games and bytes of each row group of a file, or `None` if it is not a Parquet file.
#[pyfunction]
pub(crate) fn row_groups(py: Python<'_>, path: PathBuf) -> PyResult<Option<Vec<(u64, u64)>>> {
    guarded(|| {
        let groups = py.detach(|| skewer::row_groups(&path)).map_err(of_search)?;
        Ok(groups.map(|groups| groups.iter().map(|group| (group.games, group.bytes)).collect()))
    })
}

/// Searches the row groups of a file from `start` up to `end`, exclusive.
#[pyfunction]
pub(crate) fn search_row_groups(
    queries: Vec<(String, PyRef<'_, Query>)>,
    path: PathBuf,
    start: usize,
    end: usize,
    file: String,
    wanted: Wanted,
) -> PyResult<Parts> {
    guarded(|| begin(&queries, Games::of_row_groups(path, start..end), file, wanted))
}

/// Searches PGN, given as a path or a file object.
#[pyfunction]
pub(crate) fn search_pgn(
    py: Python<'_>,
    queries: Vec<(String, PyRef<'_, Query>)>,
    games: &Bound<'_, PyAny>,
    file: String,
    wanted: Wanted,
) -> PyResult<Parts> {
    guarded(|| begin(&queries, GivenGames::of(games)?.games(py), file, wanted))
}

/// Searches the rows of a batch.
#[pyfunction]
pub(crate) fn search_batch(
    queries: Vec<(String, PyRef<'_, Query>)>,
    batch: &Bound<'_, PyAny>,
    wanted: Wanted,
) -> PyResult<Parts> {
    guarded(|| {
        let of_queries: PyResult<Vec<_>> = queries
            .iter()
            .map(|(_, query)| query.under(&Reading::default()))
            .collect();
        let games = columns::games(batch, &of_queries?, &options(&wanted.0))?;
        begin(&queries, games, String::new(), wanted)
    })
}

fn compiled(queries: &[PyRef<'_, Query>]) -> PyResult<Vec<skewer::Query>> {
    queries.iter().map(|query| query.under(&Reading::default())).collect()
}

fn begin(
    queries: &[(String, PyRef<'_, Query>)],
    games: Games,
    file: String,
    (tags, sort_keys, is_strict): Wanted,
) -> PyResult<Parts> {
    let names: Vec<String> = queries.iter().map(|(name, _)| name.clone()).collect();
    let queries: PyResult<Vec<_>> = queries
        .iter()
        .map(|(_, query)| query.under(&Reading::default()))
        .collect();
    let queries = queries?;
    let keys = match sort_keys {
        true => sort_columns_of(&queries)?,
        false => SortColumns::new(),
    };
    let added = added_columns_of(&queries)?;
    let interrupt = Arc::new(Interrupt::default());
    let mut options = options(&tags);
    options.interrupt = Some(Arc::clone(&interrupt));
    let (sender, events) = sync_channel(AHEAD);
    let schema = schema(&tags, &added, &keys);
    let searching = thread::Builder::new().name("skewer".to_owned()).spawn(move || {
        let shared = Arc::new(Mutex::new(Shared {
            rows: Rows::new(schema, file, tags, &added, &keys),
            sender,
            told: HashSet::new(),
            is_strict,
            damage: None,
            failure: None,
        }));
        let mut takers: Vec<Taker> = names
            .into_iter()
            .map(|query| Taker {
                query,
                shared: Arc::clone(&shared),
            })
            .collect();
        let searches = queries.iter().zip(&mut takers);
        let searches = searches.map(|(query, taker)| (query, taker as &mut dyn Sink));
        let found = skewer::run_all(searches, games, &options);
        let failure = match found {
            Err(error) => Some(error),
            Ok(outcomes) => outcomes.into_iter().find_map(Result::err),
        };
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = failure.and_then(|failure| shared.weigh(failure));
        shared.flush();
        match (failure, shared.failure.take(), shared.damage.take()) {
            (Some(failure), ..) => Err(Failure::Search(failure)),
            (None, Some(failure), _) => Err(Failure::Table(failure)),
            (None, None, Some(damage)) => Err(Failure::Damage(damage)),
            (None, None, None) => Ok(()),
        }
    });
    Ok(Parts {
        state: Mutex::new(State {
            events: Some(events),
            searching: Some(searching.map_err(|error| Error::new_err(format!("cannot start a thread: {error}")))?),
        }),
        interrupt,
    })
}

/// The reason why the search of a part failed.
enum Failure {
    Search(skewer::Error),
    Table(ArrowError),
    /// Damage, if it may not be left out.
    Damage(String),
}

/// What is found in a part, batch by batch, while the search continues. It ends when nobody wants more.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Parts {
    state: Mutex<State>,
    interrupt: Arc<Interrupt>,
}

struct State {
    events: Option<Receiver<RecordBatch>>,
    searching: Option<JoinHandle<Result<(), Failure>>>,
}

impl State {
    /// Returns the next batch, `None` at the end, or the error that ended the search.
    fn next(&mut self) -> Result<Option<RecordBatch>, PyErr> {
        let batch = self.events.as_ref().and_then(|events| events.recv().ok());
        if batch.is_some() {
            return Ok(batch);
        }
        self.events = None;
        match self.searching.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(None),
            Some(Ok(Err(Failure::Search(failure)))) => Err(of_search(failure)),
            Some(Ok(Err(Failure::Table(failure)))) => Err(error::of_table(&failure)),
            Some(Ok(Err(Failure::Damage(damage)))) => Err(InputError::new_err(damage)),
            Some(Err(payload)) => Err(error::bug(&*payload)),
        }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.interrupt.raise();
    }
}

#[pymethods]
impl Parts {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        guarded(|| {
            let next = py.detach(|| self.state.lock().unwrap_or_else(PoisonError::into_inner).next())?;
            Ok(next.map(Found::of))
        })
    }
}

/// A batch of what is found, for Arrow.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Found(RecordBatch);

impl Found {
    /// Wraps a batch.
    pub(crate) fn of(batch: RecordBatch) -> Found {
        Found(batch)
    }
}

#[pymethods]
impl Found {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        guarded(|| {
            let reader = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
            PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
        })
    }
}

/// What the searches for all queries of a part share.
struct Shared {
    rows: Rows,
    sender: SyncSender<RecordBatch>,
    /// The warnings that have been written. Each query receives the same ones.
    told: HashSet<(u64, String)>,
    /// Whether damage ends the search.
    is_strict: bool,
    damage: Option<String>,
    failure: Option<ArrowError>,
}

impl Shared {
    /// Sends the rows that there are. Returns whether the reader wants more.
    fn flush(&mut self) -> bool {
        match self.rows.take() {
            Ok(batch) if batch.num_rows() == 0 => true,
            Ok(batch) => self.sender.send(batch).is_ok(),
            Err(error) => {
                self.failure = Some(error);
                false
            }
        }
    }

    fn warn(&mut self, game: u64, message: String) {
        if self.told.insert((game, message.clone())) {
            self.rows.warn(game, &message);
        }
    }

    /// Returns a failure, unless a warning can replace it: the rest of a damaged file is left out, and the job continues.
    fn weigh(&mut self, failure: skewer::Error) -> Option<skewer::Error> {
        match damage_of(&failure).filter(|_| !self.is_strict) {
            None => Some(failure),
            Some(damage) => {
                self.warn(0, damage);
                None
            }
        }
    }
}

/// The sink of a query.
struct Taker {
    query: String,
    shared: Arc<Mutex<Shared>>,
}

impl Sink for Taker {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.damage.is_some() {
            return ControlFlow::Break(());
        }
        shared.rows.add(&self.query, &game);
        if shared.rows.are_many() && !shared.flush() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &skewer::Progress) -> ControlFlow<()> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        match shared.damage {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn warning(&mut self, warning: &Warning) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.is_strict && warning.kind == WarningKind::BadRow {
            shared.damage.get_or_insert_with(|| warning.to_string());
        }
        shared.warn(warning.game, in_python(&warning.message));
    }
}

/// Collects rows of results.
struct Rows {
    schema: SchemaRef,
    /// The path of the file, if all rows come from the same one.
    path: String,
    tags: Vec<String>,
    query: StringBuilder,
    file: StringBuilder,
    row: Int64Builder,
    position_id: Int32Builder,
    ply: Int32Builder,
    fen: StringBuilder,
    san: StringBuilder,
    query_side: StringBuilder,
    warning: StringBuilder,
    of_tags: Vec<TagBuilder>,
    added: Vec<ColumnBuilder>,
    /// The sort keys of the games, with their titles.
    keys: Vec<(String, KeyBuilder)>,
}

enum TagBuilder {
    Rating(Int32Builder),
    Text(StringBuilder),
}

impl Rows {
    fn new(
        schema: SchemaRef,
        path: String,
        tags: Vec<String>,
        added: &[(String, ColumnType)],
        keys: &[(String, bool)],
    ) -> Rows {
        let builders = tags.iter().map(|tag| match is_rating(tag) {
            true => TagBuilder::Rating(Int32Builder::new()),
            false => TagBuilder::Text(StringBuilder::new()),
        });
        Rows {
            schema,
            path,
            of_tags: builders.collect(),
            added: added.iter().map(|(_, kind)| ColumnBuilder::new(*kind)).collect(),
            keys: keys
                .iter()
                .map(|(title, is_text)| (title.clone(), KeyBuilder::new(*is_text)))
                .collect(),
            tags,
            query: StringBuilder::new(),
            file: StringBuilder::new(),
            row: Int64Builder::new(),
            position_id: Int32Builder::new(),
            ply: Int32Builder::new(),
            fen: StringBuilder::new(),
            san: StringBuilder::new(),
            query_side: StringBuilder::new(),
            warning: StringBuilder::new(),
        }
    }

    fn are_many(&self) -> bool {
        self.row.len() >= BATCH_ROWS
    }

    fn add(&mut self, query: &str, game: &FoundGame) {
        let number = i64::try_from(game.number()).unwrap_or(i64::MAX);
        for found in game.matches() {
            self.query.append_value(query);
            self.file.append_value(&self.path);
            self.row.append_value(number);
            self.position_id.append_value(small(found.position_id()));
            self.ply.append_value(small(found.ply()));
            self.fen.append_value(found.fen());
            self.san.append_option(found.last_move_san());
            self.query_side.append_option(found.query_side().map(QuerySide::as_str));
            self.warning.append_null();
            for (tag, column) in self.tags.iter().zip(&mut self.of_tags) {
                let value = game.tag(tag);
                match column {
                    TagBuilder::Rating(column) => column.append_option(value.and_then(|value| value.parse().ok())),
                    TagBuilder::Text(column) => column.append_option(value),
                }
            }
            for (column, value) in self.added.iter_mut().zip(found.values()) {
                column.append(value.as_ref());
            }
            for (title, column) in &mut self.keys {
                let value = game.sort_keys().find(|(key, _)| *key == title.as_str());
                column.append(value.and_then(|(_, value)| value).as_ref());
            }
        }
    }

    fn warn(&mut self, game: u64, message: &str) {
        self.query.append_null();
        self.file.append_value(&self.path);
        self.row
            .append_option((game > 0).then(|| i64::try_from(game).unwrap_or(i64::MAX)));
        self.position_id.append_null();
        self.ply.append_null();
        self.fen.append_null();
        self.san.append_null();
        self.query_side.append_null();
        self.warning.append_value(message);
        for column in &mut self.of_tags {
            match column {
                TagBuilder::Rating(column) => column.append_null(),
                TagBuilder::Text(column) => column.append_null(),
            }
        }
        for column in &mut self.added {
            column.append(None);
        }
        for (_, column) in &mut self.keys {
            column.append(None);
        }
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let fixed: [&mut dyn ArrayBuilder; 9] = [
            &mut self.query,
            &mut self.file,
            &mut self.row,
            &mut self.position_id,
            &mut self.ply,
            &mut self.fen,
            &mut self.san,
            &mut self.query_side,
            &mut self.warning,
        ];
        let mut columns: Vec<ArrayRef> = fixed.map(ArrayBuilder::finish).into();
        columns.extend(self.of_tags.iter_mut().map(|column| match column {
            TagBuilder::Rating(column) => ArrayBuilder::finish(column),
            TagBuilder::Text(column) => ArrayBuilder::finish(column),
        }));
        columns.extend(self.added.iter_mut().map(ColumnBuilder::finish));
        columns.extend(self.keys.iter_mut().map(|(_, column)| column.finish()));
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

/// Converts a number of a position, which is small.
fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
