//! Brings queries, games and outputs together.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::batch_results::BatchResults;
use super::collector::Collector;
use super::context::{SearchContext, WantedGames};
use super::error::{Error, RunError};
use super::games::{Batch, Games, ReadGames, wanted_numbers};
use super::in_flight::{Collecting, InFlight, USUAL_BATCH};
use super::listener::Listener;
use super::options::Options;
use super::pipeline::{Cancelled, Pipeline};
use super::sink::{ItemOf, Recorder, Sink, SinkContext};
use super::spool;
use super::worker::Worker;
use crate::eval::report::{Compiled, Evaluate, Extras};
use crate::limits::Interrupt;
use crate::output::{SpoolSpace, Totals};

/// A query of a run and the sink for what it finds.
pub(crate) struct Search<'s, Q, S> {
    /// The query.
    pub(crate) query: &'s Q,
    /// The prefix of its messages, if it is one of many.
    pub(crate) name: Option<&'s str>,
    /// The numbers of the games to look at, if they were chosen.
    pub(crate) games: Option<Arc<BTreeSet<u64>>>,
    /// Takes what it finds.
    pub(crate) sink: S,
}

/// Searches that need the same parts of each game, which is read once for all of them.
pub(crate) struct Group<'s, Q, S, MakeReader> {
    /// Makes what reads the games, once on each thread that evaluates.
    pub(crate) make_reader: MakeReader,
    /// The searches.
    pub(crate) searches: Vec<Search<'s, Q, S>>,
}

/// The outcome of a search.
pub(crate) type Outcome = Result<Totals, Error>;

/// Evaluates a query on all games.
///
/// # Errors
/// Returns the errors of [`run_all`] and of the search.
pub(crate) fn run<Q, S, G, R>(
    search: Search<'_, Q, S>,
    games: G,
    make_reader: impl Fn() -> R + Sync,
    options: &Options,
    listener: &mut dyn Listener,
) -> Outcome
where
    Q: Compiled,
    S: Sink,
    G: Games,
    R: ReadGames<Batch = G::Batch, Game = Q::Game>,
{
    let group = Group {
        make_reader,
        searches: vec![search],
    };
    let outcomes = run_all(vec![group], games, options, listener)?;
    outcomes.into_iter().next().unwrap_or_else(|| Ok(Totals::default()))
}

/// Evaluates several queries on all games, which are cut into batches once and read once for each group. The sink of each query takes what it
/// would take if the query were the only one. A query that fails does not stop the others. Returns the outcomes in the order of the groups. A
/// search whose output is no longer read ends without an error.
///
/// Serial queries are evaluated on the calling thread, the others on all threads.
///
/// # Errors
/// Returns an error if an input cannot be read or a thread cannot be started. Then no output is complete.
pub(crate) fn run_all<Q, S, G, R, M>(
    groups: Vec<Group<'_, Q, S, M>>,
    games: G,
    options: &Options,
    listener: &mut dyn Listener,
) -> Result<Vec<Outcome>, RunError>
where
    Q: Compiled,
    S: Sink,
    G: Games,
    R: ReadGames<Batch = G::Batch, Game = Q::Game>,
    M: Fn() -> R + Sync,
{
    let Ready {
        make_readers,
        plans,
        tracks,
        refused,
    } = ready(groups, &games, options)?;
    let (parallel, serial) = plans.split_at(plans.partition_point(|plan| !plan.is_serial()));
    let mut serial_workers = workers(serial, &make_readers, &options.interrupt);
    let mut serial_outcomes: Vec<BatchResults<ItemOf<S>>> = serial.iter().map(|_| BatchResults::default()).collect();
    let mut merger = Merger {
        tracks,
        context: plans.iter().map(|plan| &plan.context).collect(),
        listener,
        interrupt: &options.interrupt,
        failure: None,
    };
    if !merger.is_over() {
        let last_wanted = plans.iter().map(|plan| plan.context.wanted.last()).max();
        let in_flight = InFlight::default();
        let pipeline = Pipeline {
            fill: filler(games, last_wanted.unwrap_or(0), &in_flight),
            make_worker: || {
                let mut workers = workers(parallel, &make_readers, &options.interrupt);
                move |load: &mut Load<G::Batch, ItemOf<S>>| {
                    load.parts.resize_with(parallel.len(), BatchResults::default);
                    examine(&mut workers, &load.batch, &mut load.failure, &mut load.parts);
                }
            },
            collect: {
                let collecting = Collecting(&in_flight);
                let (merger, parts) = (&mut merger, &mut serial_outcomes);
                move |load: &mut Load<G::Batch, ItemOf<S>>| {
                    // Serial queries keep state between games, so they see the games in order here.
                    examine(&mut serial_workers, &load.batch, &mut load.failure, parts);
                    let flow = merger.take(load, parts);
                    if load.bytes > USUAL_BATCH {
                        load.batch = G::Batch::default();
                    }
                    collecting.remove(load.bytes);
                    flow
                }
            },
        };
        match options.threads.get() {
            1 => pipeline.run_here(),
            _ if parallel.is_empty() => pipeline.run_on(1).map_err(RunError::Thread)?,
            threads => pipeline.run_on(threads).map_err(RunError::Thread)?,
        }
    }
    let mut outcomes = merger.finish()?;
    outcomes.extend(refused);
    outcomes.sort_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// A search as seen by the threads that evaluate it.
struct Plan<'s, Q: Compiled, K> {
    query: &'s Q,
    prepared: Q::Prepared,
    /// The index of its group.
    group: usize,
    /// Its index in the group.
    place: usize,
    context: SearchContext<K>,
}

impl<Q: Compiled, K> Plan<'_, Q, K> {
    fn is_serial(&self) -> bool {
        self.query.is_serial()
    }
}

/// A search as seen by the thread that collects its results.
struct Track<'s, S> {
    /// Its index among all searches.
    place: usize,
    name: Option<&'s str>,
    collector: Collector<S>,
    closing: Vec<u8>,
    /// Why it takes no more results.
    ending: Option<Ending>,
}

/// A run that is ready to begin.
struct Ready<'s, Q: Compiled, S: Sink, M> {
    /// The functions that make the readers of each group.
    make_readers: Vec<M>,
    /// The searches that may be evaluated on several threads, then the serial ones. Searches of a group are adjacent.
    plans: Vec<Plan<'s, Q, S::Recorder>>,
    /// The track of each plan.
    tracks: Vec<Track<'s, S>>,
    /// The outcomes of searches that cannot begin, with their indices.
    refused: Vec<(usize, Outcome)>,
}

/// Prepares all searches.
fn ready<'s, Q: Compiled, S: Sink, G: Games, M>(
    groups: Vec<Group<'s, Q, S, M>>,
    games: &G,
    options: &Options,
) -> Result<Ready<'s, Q, S, M>, RunError> {
    let room = spool::space(groups.iter().map(|group| group.searches.len()).sum());
    let mut last_numbers = LastNumbers {
        games,
        interrupt: &options.interrupt,
        known: BTreeMap::new(),
    };
    let mut make_readers = Vec::with_capacity(groups.len());
    let mut searches = Vec::new();
    let mut refused = Vec::new();
    let mut places = 0..;
    for (number, group) in groups.into_iter().enumerate() {
        make_readers.push(group.make_reader);
        for (place_in_group, (search, place)) in group.searches.into_iter().zip(&mut places).enumerate() {
            let wanted = WantedGames {
                numbers: wanted_numbers(search.query.game_numbers()),
                chosen: search.games.clone(),
            };
            let last_game = if search.query.needs_last_game() {
                last_numbers.up_to(*wanted.numbers.end())?
            } else {
                None
            };
            let prepared = match search.query.prepare(last_game, &options.interrupt) {
                Ok(prepared) => prepared,
                Err(stop) => {
                    refused.push((place, Err(Error::Evaluation(stop))));
                    continue;
                }
            };
            let plan = Plan {
                query: search.query,
                prepared,
                group: number,
                place: place_in_group,
                context: context(search.query, &search.sink, wanted, options),
            };
            let track = Track::begin(search, place, &plan, options.limit, &room);
            searches.push((plan, track));
        }
    }
    searches.sort_by_key(|(plan, _)| (plan.is_serial(), plan.group));
    let (plans, tracks) = searches.into_iter().unzip();
    Ok(Ready {
        make_readers,
        plans,
        tracks,
        refused,
    })
}

/// Returns what a worker has to know about a query.
fn context<S: Sink>(
    query: &impl Compiled,
    sink: &S,
    wanted: WantedGames,
    options: &Options,
) -> SearchContext<S::Recorder> {
    let keys = query.sort_keys();
    SearchContext {
        recorder: sink.recorder(keys),
        sees_all: sink.sees_all(),
        wanted,
        // A query that keeps state through a run must not see games beyond the last one that is taken.
        limit: options.limit.filter(|_| query.is_serial() && !sink.is_ranked(keys)),
        quiet: options.quiet,
        over: Cancelled::default(),
        memory: Arc::clone(query.memory()),
        span: query.span(),
    }
}

/// Finds the number of the last game, which requires a pass over the input.
struct LastNumbers<'g, G> {
    games: &'g G,
    interrupt: &'g Interrupt,
    /// The result for each upper limit that was asked for.
    known: BTreeMap<u64, Option<u64>>,
}

impl<G: Games> LastNumbers<'_, G> {
    fn up_to(&mut self, last_wanted: u64) -> Result<Option<u64>, RunError> {
        if let Some(number) = self.known.get(&last_wanted) {
            return Ok(*number);
        }
        let number = match self.games.last_number(last_wanted) {
            // After an interrupt no game is looked at.
            Err(_) if self.interrupt.is_raised() => Some(0),
            number => number?,
        };
        self.known.insert(last_wanted, number);
        Ok(number)
    }
}

/// Returns the workers that read and evaluate for the plans, one for each group.
fn workers<'p, Q, K, R, M>(
    plans: &'p [Plan<'_, Q, K>],
    make_readers: &[M],
    interrupt: &'p Interrupt,
) -> Workers<'p, R, Q, K>
where
    Q: Compiled,
    K: Recorder,
    R: ReadGames<Game = Q::Game>,
    M: Fn() -> R,
{
    let groups = plans.chunk_by(|a, b| a.group == b.group);
    let worker = |plans: &'p [Plan<'_, Q, K>]| {
        let searches = plans.iter().map(|plan| {
            let extras = plan.context.recorder.extras();
            let evaluator = plan.query.evaluator(&plan.prepared, extras);
            (evaluator, &plan.context, plan.place)
        });
        let make_reader = make_readers.get(plans.first()?.group)?;
        let may_wait = plans.iter().all(|plan| plan.query.may_wait());
        Some(Worker::new(make_reader(), searches, may_wait, interrupt))
    };
    groups.filter_map(worker).collect()
}

/// The workers that examine a batch on one thread.
type Workers<'p, R, Q, K> = Vec<Worker<'p, R, <Q as Compiled>::Evaluator<'p>, K>>;

/// Examines the games of a batch, unless its input has failed, and fills one part for each search. The first failure of the input is kept.
fn examine<R, E, K>(
    workers: &mut [Worker<'_, R, E, K>],
    batch: &R::Batch,
    failure: &mut Option<RunError>,
    parts: &mut [BatchResults<K::Item>],
) where
    R: ReadGames,
    E: Evaluate<R::Game>,
    K: Recorder,
{
    let is_cut_short = failure.is_some();
    let mut rest = parts;
    for worker in workers {
        let (parts, others) = rest.split_at_mut(worker.len());
        let examined = worker.examine(batch, is_cut_short, parts);
        *failure = failure.take().or(examined.err());
        rest = others;
    }
}

/// Takes the results of the batches, in order.
struct Merger<'s, 'r, S: Sink> {
    tracks: Vec<Track<'s, S>>,
    /// The context of each track.
    context: Vec<&'r SearchContext<S::Recorder>>,
    listener: &'r mut dyn Listener,
    interrupt: &'r Interrupt,
    /// Why the whole run fails.
    failure: Option<RunError>,
}

impl<S: Sink> Merger<'_, '_, S> {
    /// Takes the results of a batch. `serial` has the parts of the serial searches, which come last.
    fn take<B>(&mut self, load: &mut Load<B, ItemOf<S>>, serial: &mut [BatchResults<ItemOf<S>>]) -> ControlFlow<()> {
        self.listener.begin_games();
        let parts = load.parts.iter_mut().chain(serial);
        for ((track, context), part) in self.tracks.iter_mut().zip(&self.context).zip(parts) {
            if track.ending.is_none() {
                track.take(part, context, self.listener);
            }
            if track.ending.is_some() {
                context.over.set();
            }
        }
        self.listener.advance(load.bytes_read, load.games_read, self.totals());
        if !self.is_over() {
            // An input that fails after an interrupt fails because of it.
            if self.interrupt.is_raised() {
                self.interrupt.acknowledge();
            } else if let Some(failure) = load.failure.take() {
                self.failure = Some(failure);
            } else {
                return ControlFlow::Continue(());
            }
        }
        self.context.iter().for_each(|context| context.over.set());
        ControlFlow::Break(())
    }

    /// Returns whether no search wants more.
    fn is_over(&self) -> bool {
        self.tracks.iter().all(|track| track.ending.is_some())
    }

    /// Returns the totals of all searches together.
    fn totals(&self) -> Totals {
        let each = self.tracks.iter().map(|track| track.collector.totals());
        each.fold(Totals::default(), |all, totals| Totals {
            games: all.games + totals.games,
            matches: all.matches + totals.matches,
            positions: all.positions + totals.positions,
            with_variations: all.with_variations + totals.with_variations,
            left_alone: all.left_alone + totals.left_alone,
            unreadable: all.unreadable + totals.unreadable,
            unread_files: all.unread_files + totals.unread_files,
        })
    }

    /// Ends the output of the sinks. Returns the outcome of each search with its index.
    fn finish(mut self) -> Result<Vec<(usize, Outcome)>, RunError> {
        if let Some(error) = self.failure {
            // The failure of the input is reported; a write error now would add nothing.
            self.tracks
                .iter_mut()
                .for_each(|track| drop(track.collector.break_off()));
            return Err(error);
        }
        let tracks = self.tracks.into_iter();
        let outcomes = tracks.map(|track| (track.place, track.finish(self.listener, self.interrupt)));
        Ok(outcomes.collect())
    }
}

impl<'s, S: Sink> Track<'s, S> {
    /// Starts the output of the sink.
    fn begin<Q: Compiled>(
        search: Search<'s, Q, S>,
        place: usize,
        plan: &Plan<'_, Q, S::Recorder>,
        limit: Option<u64>,
        room: &SpoolSpace,
    ) -> Track<'s, S> {
        let Search {
            query, name, mut sink, ..
        } = search;
        let keys = query.sort_keys();
        let begun = sink.begin(&SinkContext {
            keys,
            limit,
            room,
            memory: &plan.context.memory,
        });
        let mut closing = Vec::new();
        let evaluator = query.evaluator(&plan.prepared, Extras::default());
        evaluator.closing(&mut closing);
        let limit = limit.filter(|_| !sink.is_ranked(keys));
        Track {
            place,
            name,
            collector: Collector::new(sink, limit),
            closing,
            ending: Ending::of(begun),
        }
    }

    /// Takes the results of a batch.
    fn take(
        &mut self,
        part: &mut BatchResults<ItemOf<S>>,
        context: &SearchContext<S::Recorder>,
        listener: &mut dyn Listener,
    ) {
        listener.begin_search(self.place, self.name);
        let taken = self.collector.take(part, listener);
        mem::swap(&mut self.closing, &mut part.closing);
        self.ending = match taken {
            Ok(ControlFlow::Break(())) => Some(Ending::Enough),
            Ok(ControlFlow::Continue(())) if !self.collector.has_room() => {
                Some(Ending::Failed(context.out_of_memory()))
            }
            Ok(ControlFlow::Continue(())) => part.failure.take().map(Ending::Failed),
            Err(error) => Ending::of(Err::<(), _>(error)),
        };
    }

    /// Ends the output of the sink.
    fn finish(mut self, listener: &mut dyn Listener, interrupt: &Interrupt) -> Outcome {
        let totals = self.collector.totals();
        match self.ending {
            Some(Ending::Failed(error)) => Err(error),
            Some(Ending::Closed) => Ok(totals),
            Some(Ending::Enough) | None => match Ending::of(self.collector.finish(interrupt)) {
                Some(Ending::Failed(error)) => Err(error),
                _ => {
                    listener.begin_search(self.place, self.name);
                    listener.close(&self.closing);
                    Ok(totals)
                }
            },
        }
    }
}

/// Why a search ends before the others, or before the end of the input.
enum Ending {
    /// It has found enough.
    Enough,
    /// Its output is no longer read.
    Closed,
    Failed(Error),
}

impl Ending {
    /// Returns how the result of writing ends the search, or `None` if it does not.
    fn of<T>(written: io::Result<T>) -> Option<Ending> {
        match written {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Some(Ending::Closed),
            Err(error) => Some(Ending::Failed(Error::Output(error))),
        }
    }
}

/// What passes through the pipeline: games, and what was found in them.
struct Load<B, Item> {
    batch: B,
    /// The bytes of its text.
    bytes: usize,
    /// The results of each search that is evaluated on all threads.
    parts: Vec<BatchResults<Item>>,
    /// Why the batch is not complete.
    failure: Option<RunError>,
    /// The bytes of the input that were read when the batch was complete.
    bytes_read: u64,
    /// The number of games that were read when the batch was complete.
    games_read: u64,
}

impl<B: Default, Item> Default for Load<B, Item> {
    fn default() -> Load<B, Item> {
        Load {
            batch: B::default(),
            bytes: 0,
            parts: Vec::new(),
            failure: None,
            bytes_read: 0,
            games_read: 0,
        }
    }
}

/// Returns a function that cuts batches until the games end, the input fails, or the last wanted number is reached.
fn filler<G: Games, Item>(
    mut games: G,
    last_wanted: u64,
    in_flight: &InFlight,
) -> impl FnMut(&mut Load<G::Batch, Item>) -> bool + Send {
    let mut reached = 0;
    let mut failed = false;
    move |load| {
        if failed || reached >= last_wanted || !in_flight.wait() {
            return false;
        }
        match games.next(&mut load.batch) {
            Ok(false) => return false,
            Ok(true) => {}
            Err(error) => {
                load.failure = Some(error);
                failed = true;
            }
        }
        load.bytes = load.batch.bytes();
        in_flight.add(load.bytes);
        load.bytes_read = games.bytes_read();
        if let Some(last) = load.batch.len().checked_sub(1) {
            reached = load.batch.number(last);
        }
        // One more than the last wanted number shows that it was passed.
        load.games_read = reached.min(last_wanted.saturating_add(1));
        true
    }
}
