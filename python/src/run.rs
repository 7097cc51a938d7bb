//! Runs searches on their own threads, while Python may do other things.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use arrow_schema::ArrowError;
use pyo3::prelude::*;
use skewer::{FoundGame, Games, Interrupt, Options, Sink, SortKeyValue, Totals, Warning};

use crate::error::{self, Error};
use crate::progress::{Tally, Watcher};
use crate::rows::Rows;
use crate::store::{Store, Table};

/// How often to ask Python for signals, and to report progress.
const TICK: Duration = Duration::from_millis(100);

/// How many warnings and messages are kept.
const MOST_LINES: usize = 100_000;

/// The results of a search for one query.
pub(crate) struct Haul {
    pub(crate) table: Table,
    pub(crate) totals: Totals,
    /// Whether all games were searched that should be searched.
    pub(crate) is_complete: bool,
    pub(crate) warnings: Vec<String>,
    pub(crate) warning_count: u64,
    pub(crate) messages: Vec<String>,
    pub(crate) message_count: u64,
    /// The numbers of the matching games that are kept.
    pub(crate) numbers: Arc<BTreeSet<u64>>,
    /// How many games the user wants, if there is a limit.
    pub(crate) limit: Option<u64>,
}

/// The outcome of a run.
pub(crate) struct Outcome {
    /// The results of each query in order. Empty if the run did not end when interrupted and was left alone.
    pub(crate) hauls: Vec<Haul>,
    /// The error that ended the run early: from a signal, a callback, unreadable games, or a query that cannot be evaluated.
    pub(crate) error: Option<PyErr>,
}

/// Searches for queries. `limit` is the number of games that the user wants.
pub(crate) fn run(
    py: Python<'_>,
    queries: Vec<skewer::Query>,
    games: Games,
    mut options: Options,
    limit: Option<u64>,
    mut watcher: Watcher<'_>,
) -> PyResult<Outcome> {
    let interrupt = Arc::new(Interrupt::default());
    options.interrupt = Some(Arc::clone(&interrupt));
    options.comments = false;
    options.remarks = true;
    let tally = Arc::new(Tally::default());
    let mut takers: Vec<Taker> = queries.iter().map(|query| Taker::new(query, &tally)).collect();
    // For a query that sorts, the best games may come last.
    let is_sorted = queries.iter().any(|query| query.sort_keys().next().is_some());
    options.limit = limit.filter(|_| !is_sorted);

    let search = move || {
        let searches = queries.iter().zip(&mut takers);
        let searches = searches.map(|(query, taker)| (query, taker as &mut dyn Sink));
        let found = skewer::run_all(searches, games, &options);
        (takers, found)
    };
    let tick = || watcher.tell(tally.progress());
    let (searched, stopped) = in_background(py, &interrupt, tick, search)?;
    watcher.close()?;
    let Some((takers, found)) = searched else {
        return Ok(Outcome {
            hauls: Vec::new(),
            error: stopped,
        });
    };
    let was_ended = stopped.is_some();
    let games = tally.games.load(Ordering::Relaxed);
    let (totals, failure) = settled(found, takers.len(), games);
    let hauls = py.detach(|| hauls(takers, totals, limit, was_ended || failure.is_some()));
    Ok(Outcome {
        hauls: hauls.map_err(|error| error::of_table(&error))?,
        error: stopped.or_else(|| failure.map(error::of_search)),
    })
}

/// Does `work` on its own thread. Meanwhile, asks Python for signals and calls `tick`; an error of either interrupts the work.
/// Returns the result of the work and the error that interrupted it. After a second interrupt, this does not wait for the work and
/// returns no result.
pub(crate) fn in_background<T: Send + 'static>(
    py: Python<'_>,
    interrupt: &Interrupt,
    mut tick: impl FnMut() -> PyResult<()>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<(Option<T>, Option<PyErr>)> {
    let (done, mut wait) = sync_channel::<()>(0);
    let working = thread::Builder::new().name("skewer".to_owned()).spawn(move || {
        let _dropped_at_the_end = done;
        work()
    });
    let working = working.map_err(|error| Error::new_err(format!("cannot start a thread: {error}")))?;
    let mut stopped: Option<PyErr> = None;
    loop {
        // A receiver may be used by one thread at a time.
        let wait = &mut wait;
        let is_over = py.detach(move || wait.recv_timeout(TICK)) == Err(RecvTimeoutError::Disconnected);
        let wish = py.check_signals();
        if wish.is_err() && stopped.is_some() && !is_over {
            return Ok((None, wish.err()));
        }
        let wish = match stopped {
            None => wish.and_then(|()| tick()),
            Some(_) => wish,
        };
        if let Err(error) = wish {
            interrupt.raise();
            stopped.get_or_insert(error);
        }
        if is_over {
            break;
        }
    }
    let worked = py.detach(|| working.join()).map_err(|payload| error::bug(&*payload))?;
    Ok((Some(worked), stopped))
}

/// Returns the totals of each query, and the first failure. The totals of a query that failed only have the number of games that had been searched.
fn settled(
    found: Result<Vec<Result<Totals, skewer::Error>>, skewer::Error>,
    queries: usize,
    games: u64,
) -> (Vec<Totals>, Option<skewer::Error>) {
    let mut searched = Totals::default();
    searched.games = games;
    match found {
        Err(error) => (vec![searched; queries], Some(error)),
        Ok(outcomes) => {
            let mut failure = None;
            let totals = outcomes.into_iter().map(|outcome| {
                outcome.unwrap_or_else(|error| {
                    failure.get_or_insert(error);
                    searched
                })
            });
            (totals.collect(), failure)
        }
    }
}

fn hauls(
    takers: Vec<Taker>,
    totals: Vec<Totals>,
    limit: Option<u64>,
    was_ended: bool,
) -> Result<Vec<Haul>, ArrowError> {
    let hauls = takers.into_iter().zip(totals);
    hauls
        .map(|(taker, totals)| taker.finish(totals, limit, !was_ended))
        .collect()
}

/// The sink of a query.
struct Taker {
    keys: Vec<skewer::SortKey>,
    rows: Rows,
    store: Store,
    /// The error that keeps more rows from being stored.
    full: Option<ArrowError>,
    numbers: Vec<u64>,
    /// The number of rows and the sort keys of each game, if the query sorts.
    places: Vec<(usize, Vec<Option<SortKeyValue<'static>>>)>,
    warnings: Vec<String>,
    warning_count: u64,
    messages: Vec<String>,
    message_count: u64,
    tally: Arc<Tally>,
}

impl Taker {
    fn new(query: &skewer::Query, tally: &Arc<Tally>) -> Taker {
        let keys: Vec<_> = query.sort_keys().collect();
        let columns: Vec<_> = query.columns().collect();
        let rows = Rows::new(&columns, &keys);
        Taker {
            store: Store::new(Arc::clone(rows.schema())),
            rows,
            keys,
            full: None,
            numbers: Vec::new(),
            places: Vec::new(),
            warnings: Vec::new(),
            warning_count: 0,
            messages: Vec::new(),
            message_count: 0,
            tally: Arc::clone(tally),
        }
    }

    fn flush(&mut self) -> Result<(), ArrowError> {
        let batch = self.rows.take()?;
        match batch.num_rows() {
            0 => Ok(()),
            _ => self.store.push(batch),
        }
    }

    fn finish(mut self, totals: Totals, limit: Option<u64>, is_complete: bool) -> Result<Haul, ArrowError> {
        if let Some(error) = self.full.take() {
            return Err(error);
        }
        self.flush()?;
        let mut table = self.store.finish()?;
        if !self.keys.is_empty() {
            let lengths: Vec<usize> = self.places.iter().map(|(rows, _)| *rows).collect();
            let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
            let (keys, places) = (&self.keys, &self.places);
            table = table.sorted(&lengths, limit, |a, b| {
                let values = places[a].1.iter().zip(&places[b].1);
                let orders = keys
                    .iter()
                    .zip(values)
                    .map(|(key, (a, b))| key.order(a.as_ref(), b.as_ref()));
                orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
            })?;
        }
        Ok(Haul {
            table,
            totals,
            is_complete: is_complete && !totals.has_gaps(),
            warnings: self.warnings,
            warning_count: self.warning_count,
            messages: self.messages,
            message_count: self.message_count,
            numbers: Arc::new(self.numbers.into_iter().collect()),
            limit,
        })
    }
}

impl Sink for Taker {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        let found = game.matches().len();
        self.tally.matching_games.fetch_add(1, Ordering::Relaxed);
        self.tally.positions.fetch_add(found as u64, Ordering::Relaxed);
        self.numbers.push(game.number());
        self.rows.add(&game);
        if !self.keys.is_empty() {
            let values = game.sort_keys().map(|(_, value)| value.map(SortKeyValue::into_owned));
            self.places.push((found, values.collect()));
        }
        if self.rows.are_many()
            && let Err(error) = self.flush()
        {
            self.full = Some(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn warning(&mut self, warning: &Warning) {
        self.warning_count += 1;
        if self.warnings.len() < MOST_LINES {
            self.warnings.push(error::in_python(&warning.to_string()));
        }
    }

    fn message(&mut self, lines: &[u8]) {
        for line in String::from_utf8_lossy(lines).lines() {
            self.message_count += 1;
            if self.messages.len() < MOST_LINES {
                self.messages.push(line.to_owned());
            }
        }
    }

    fn progress(&mut self, progress: &skewer::Progress) -> ControlFlow<()> {
        self.tally.bytes.store(progress.bytes, Ordering::Relaxed);
        self.tally.games.store(progress.games, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}
