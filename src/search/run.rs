//! Where query, games and output meet.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::ops::{ControlFlow, RangeInclusive};
use std::slice;
use std::sync::Arc;

use super::collector::Collector;
use super::examiner::{Examiner, Part, Terms};
use super::pipeline::{Cancelled, Pipeline};
use super::progress::Progress;
use super::ranking::Ranking;
use super::spool::Room;
use super::{Error, Options};
use crate::eval::report::{Compiled, Evaluate, Extras};
use crate::game::Warning;
use crate::limits::Interrupt;
use crate::output::{About, Format, GameFacts, Totals};

/// Some successive games of an input, not yet parsed.
pub trait Batch: Default + Send {
    /// How many games there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of a game; numbers grow over all inputs of a run.
    fn number(&self, index: usize) -> u64;
    /// What is wrong with the input, in the order of the games.
    fn warnings(&self) -> &[Warning];
}

/// The input of a search: all its games, cut into batches.
pub trait Games: Send {
    /// What they are cut into.
    type Batch: Batch;
    /// Refills a batch with the next games; `false` when there are none.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn next(&mut self, batch: &mut Self::Batch) -> Result<bool, Error>;
    /// The number of the last game, at most the last that is wanted, without changing what [`next`](Games::next) gives; `None`
    /// when that would need an input that can be read twice.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn last_number(&self, _last_wanted: u64) -> Result<Option<u64>, Error> {
        Ok(None)
    }
    /// How many bytes have been read, of the total that a progress bar was given.
    fn bytes_read(&self) -> u64;
}

/// Makes games of their text, on one thread.
pub trait ReadGames {
    /// Where the text is.
    type Batch: Batch;
    /// What becomes of it.
    type Game;
    /// Reads the games of a batch, with as much of each as the query needs, and shows them to `visitor` in order until it
    /// breaks.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read(&mut self, batch: &Self::Batch, visitor: &mut dyn VisitGames<Self::Game>) -> Result<(), Error>;
    /// Reads one game with all that is in it, variations and comments too. Positions of the main line have the same numbers.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read_whole(batch: &Self::Batch, index: usize) -> Result<Self::Game, Error>;
    /// What was wrong with the text of a game.
    fn warnings(game: &Self::Game) -> &[Warning];
    /// What the formats ask of a game.
    fn facts<'a>(batch: &'a Self::Batch, game: &'a Self::Game) -> impl GameFacts + 'a;
}

/// Sees the games of a batch.
pub trait VisitGames<Game> {
    /// Whether the moves of a game shall be read. It has its number, tags and result, but no positions.
    fn wants(&mut self, game: &Game) -> bool;
    /// The game with this index in the batch. Its moves are read unless nobody wanted it, or nothing can be found in it.
    fn visit(&mut self, index: usize, game: &Game, is_read: bool) -> ControlFlow<()>;
    /// The game with this index cannot be read from its beginning; nobody was asked whether it was wanted.
    fn leave_out(&mut self, index: usize, game: &Game) -> ControlFlow<()>;
}

/// A query of a run, where its output goes, and what comes of it.
pub struct Search<'s, Q> {
    query: &'s Q,
    name: Option<&'s str>,
    about: About,
    out: &'s mut dyn Write,
    outcome: Result<Totals, Error>,
}

impl<'s, Q> Search<'s, Q> {
    /// A search for the only query of a run.
    pub fn new(query: &'s Q, out: &'s mut dyn Write) -> Search<'s, Q> {
        Search {
            query,
            name: None,
            about: About::default(),
            out,
            outcome: Ok(Totals::default()),
        }
    }

    /// A search for one of several queries. Its name stands before its messages.
    pub fn named(name: &'s str, query: &'s Q, out: &'s mut dyn Write) -> Search<'s, Q> {
        Search {
            name: Some(name),
            ..Search::new(query, out)
        }
    }

    /// With what the output says about the query.
    pub fn about(self, about: About) -> Search<'s, Q> {
        Search { about, ..self }
    }

    /// How much was found.
    ///
    /// # Errors
    /// When output or evaluation failed.
    pub fn outcome(self) -> Result<Totals, Error> {
        self.outcome
    }
}

/// Searches that have to see the same of each game, which is read once for all of them.
pub struct Group<'g, 's, Q, MakeReader> {
    /// Makes what reads the games, on each thread that evaluates.
    pub make_reader: &'g MakeReader,
    /// The searches.
    pub searches: &'g mut [Search<'s, Q>],
}

/// Evaluates a query on all games and writes what it finds.
///
/// `make_reader` is called once on each thread that evaluates. When whoever reads the output closes it, the search ends
/// without an error.
///
/// # Errors
/// When input, output or evaluation fail; see [`Error`].
pub fn run<Q, G, R>(
    mut search: Search<'_, Q>,
    games: G,
    make_reader: impl Fn() -> R + Sync,
    options: &Options,
    progress: &mut Progress<'_>,
) -> Result<Totals, Error>
where
    Q: Compiled,
    G: Games,
    R: ReadGames<Batch = G::Batch, Game = Q::Game>,
{
    let group = Group {
        make_reader: &make_reader,
        searches: slice::from_mut(&mut search),
    };
    run_all([group], games, options, progress)?;
    search.outcome()
}

/// Evaluates several queries on all games, which are cut into batches once and read once for each group. Each query writes
/// what it writes when it is alone; one that fails does not keep the others from going on.
///
/// Queries that are serial are evaluated on the calling thread, the others on all threads.
///
/// # Errors
/// When an input cannot be read or a thread cannot be started; then no output is complete. What else happens to a search is
/// its own [`outcome`](Search::outcome).
pub fn run_all<'g, 's: 'g, Q, G, R, M>(
    groups: impl IntoIterator<Item = Group<'g, 's, Q, M>>,
    games: G,
    options: &Options,
    progress: &mut Progress<'_>,
) -> Result<(), Error>
where
    Q: Compiled + 's,
    G: Games,
    R: ReadGames<Batch = G::Batch, Game = Q::Game>,
    M: Fn() -> R + Sync + 'g,
{
    let (plans, tracks): (Vec<_>, Vec<_>) = ready(groups, &games, options)?.into_iter().unzip();
    let (parallel, serial) = plans.split_at(plans.partition_point(|plan| !plan.is_serial()));
    let mut serial_examiners = examiners(serial, &options.interrupt);
    let mut serial_parts: Vec<Part> = serial.iter().map(|_| Part::default()).collect();
    let mut merger = Merger {
        tracks,
        terms: plans.iter().map(|plan| &plan.terms).collect(),
        progress,
        interrupt: &options.interrupt,
        failure: None,
    };
    if !merger.is_over() {
        let last_wanted = plans.iter().map(|plan| *plan.terms.wanted.end()).max();
        let pipeline = Pipeline {
            fill: filler(games, last_wanted.unwrap_or(0)),
            make_worker: || {
                let mut examiners = examiners(parallel, &options.interrupt);
                move |load: &mut Load<G::Batch>| {
                    load.parts.resize_with(parallel.len(), Part::default);
                    examine(&mut examiners, &load.batch, &mut load.failure, &mut load.parts);
                }
            },
            collect: |load: &mut Load<G::Batch>| {
                // What outlasts a game sees the games one after the other here.
                examine(&mut serial_examiners, &load.batch, &mut load.failure, &mut serial_parts);
                merger.take(load, &mut serial_parts)
            },
        };
        match options.threads.get() {
            1 => pipeline.run_here(),
            _ if parallel.is_empty() => pipeline.run_on(1).map_err(Error::Thread)?,
            threads => pipeline.run_on(threads).map_err(Error::Thread)?,
        }
    }
    merger.finish()
}

/// A search as the threads see it that evaluate it.
struct Plan<'g, Q: Compiled, M> {
    query: &'g Q,
    prepared: Q::Prepared,
    make_reader: &'g M,
    /// The number of its group.
    group: usize,
    terms: Terms,
}

impl<Q: Compiled, M> Plan<'_, Q, M> {
    fn is_serial(&self) -> bool {
        self.query.is_serial()
    }
}

/// A search as the thread sees it that writes what is found.
struct Track<'g> {
    name: Option<&'g str>,
    collector: Collector<'g>,
    closing: Vec<u8>,
    /// Why it takes no more findings.
    ending: Option<Ending>,
    outcome: &'g mut Result<Totals, Error>,
}

/// A search that is ready to begin.
type Ready<'g, Q, M> = (Plan<'g, Q, M>, Track<'g>);

/// Prepares all searches: first those that may be evaluated on several threads, then the serial ones, each group together.
/// Those that cannot be prepared have their outcome already.
fn ready<'g, 's: 'g, Q: Compiled + 's, G: Games, M>(
    groups: impl IntoIterator<Item = Group<'g, 's, Q, M>>,
    games: &G,
    options: &Options,
) -> Result<Vec<Ready<'g, Q, M>>, Error> {
    let groups: Vec<_> = groups.into_iter().collect();
    let count: usize = groups.iter().map(|group| group.searches.len()).sum();
    let room = Room::new(count);
    let mut last_numbers = LastNumbers {
        games,
        interrupt: &options.interrupt,
        known: BTreeMap::new(),
    };
    let mut searches = Vec::with_capacity(count);
    for (
        number,
        Group {
            make_reader,
            searches: group,
        },
    ) in groups.into_iter().enumerate()
    {
        for search in group {
            let wanted = wanted_numbers(search.query.game_numbers());
            let last_game = if search.query.needs_last_game() {
                last_numbers.up_to(*wanted.end())?
            } else {
                None
            };
            let prepared = match search.query.prepare(last_game, &options.interrupt) {
                Ok(prepared) => prepared,
                Err(stop) => {
                    search.outcome = Err(Error::Evaluation(stop));
                    continue;
                }
            };
            let plan = Plan {
                query: search.query,
                prepared,
                make_reader,
                group: number,
                terms: terms(search.query, wanted, options),
            };
            let track = Track::begin(search, &plan, options.limit, &room);
            searches.push((plan, track));
        }
    }
    searches.sort_by_key(|(plan, _)| (plan.is_serial(), plan.group));
    Ok(searches)
}

/// What an examiner has to know of a query.
fn terms(query: &impl Compiled, wanted: RangeInclusive<u64>, options: &Options) -> Terms {
    let format = options.format.format(query.sort_keys());
    let is_ranked = is_ranked(query, format.as_ref());
    Terms {
        format,
        wanted,
        // What lives through a run must not see games beyond the last one that is written.
        limit: options.limit.filter(|_| query.is_serial() && !is_ranked),
        quiet: options.quiet,
        over: Cancelled::default(),
        memory: Arc::clone(query.memory()),
        span: query.span(),
    }
}

/// Whether games are written in the order of the query's sort keys.
fn is_ranked(query: &impl Compiled, format: &dyn Format) -> bool {
    format.is_sorted() && !query.sort_keys().is_empty()
}

/// The number of the last game, for which the input is read.
struct LastNumbers<'g, G> {
    games: &'g G,
    interrupt: &'g Interrupt,
    /// What it is among so many games.
    known: BTreeMap<u64, Option<u64>>,
}

impl<G: Games> LastNumbers<'_, G> {
    fn up_to(&mut self, last_wanted: u64) -> Result<Option<u64>, Error> {
        if let Some(number) = self.known.get(&last_wanted) {
            return Ok(*number);
        }
        let number = match self.games.last_number(last_wanted) {
            // Then no game is looked at.
            Err(_) if self.interrupt.is_raised() => Some(0),
            number => number?,
        };
        self.known.insert(last_wanted, number);
        Ok(number)
    }
}

/// What reads and evaluates for plans, one for each group.
fn examiners<'p, Q, R, M>(plans: &'p [Plan<'_, Q, M>], interrupt: &'p Interrupt) -> Examiners<'p, R, Q>
where
    Q: Compiled,
    R: ReadGames<Game = Q::Game>,
    M: Fn() -> R,
{
    let groups = plans.chunk_by(|a, b| a.group == b.group);
    let examiner = |plans: &'p [Plan<'_, Q, M>]| {
        let searches = plans.iter().map(|plan| {
            let extras = plan.terms.format.extras();
            (plan.query.evaluator(&plan.prepared, extras), &plan.terms)
        });
        let make_reader = plans.first()?.make_reader;
        Some(Examiner::new(make_reader(), searches, interrupt))
    };
    groups.filter_map(examiner).collect()
}

/// What examines a batch on one thread.
type Examiners<'p, R, Q> = Vec<Examiner<'p, R, <Q as Compiled>::Evaluator<'p>>>;

/// Examines the games of a batch, unless its input has failed; one part for each search. The first failure of the input stays.
fn examine<R, E>(
    examiners: &mut [Examiner<'_, R, E>],
    batch: &R::Batch,
    failure: &mut Option<Error>,
    parts: &mut [Part],
) where
    R: ReadGames,
    E: Evaluate<R::Game>,
{
    let is_cut_short = failure.is_some();
    let mut rest = parts;
    for examiner in examiners {
        let (parts, others) = rest.split_at_mut(examiner.len());
        let examined = examiner.examine(batch, is_cut_short, parts);
        *failure = failure.take().or(examined.err());
        rest = others;
    }
}

/// Takes what came of the batches, in order.
struct Merger<'g, 'r, 'w> {
    tracks: Vec<Track<'g>>,
    /// Of each of them.
    terms: Vec<&'r Terms>,
    progress: &'r mut Progress<'w>,
    interrupt: &'r Interrupt,
    /// Why no search has come to its end.
    failure: Option<Error>,
}

impl Merger<'_, '_, '_> {
    /// Takes what came of a batch; `serial` are the parts of the searches at the end.
    fn take<B>(&mut self, load: &mut Load<B>, serial: &mut [Part]) -> ControlFlow<()> {
        self.progress.begin_games();
        let parts = load.parts.iter_mut().chain(serial);
        for ((track, terms), part) in self.tracks.iter_mut().zip(&self.terms).zip(parts) {
            if track.ending.is_none() {
                track.take(part, terms, self.progress);
            }
            if track.ending.is_some() {
                terms.over.set();
            }
        }
        self.progress.advance(load.bytes_read, load.games_read, self.totals());
        if !self.is_over() {
            // An input that fails after an interrupt fails because of it.
            if self.interrupt.is_raised() {
                self.interrupt.heed();
            } else if let Some(failure) = load.failure.take() {
                self.failure = Some(failure);
            } else {
                return ControlFlow::Continue(());
            }
        }
        self.terms.iter().for_each(|terms| terms.over.set());
        ControlFlow::Break(())
    }

    /// Whether no search wants more.
    fn is_over(&self) -> bool {
        self.tracks.iter().all(|track| track.ending.is_some())
    }

    /// What all searches together have found.
    fn totals(&self) -> Totals {
        let each = self.tracks.iter().map(|track| track.collector.totals());
        each.fold(Totals::default(), |all, totals| Totals {
            games: all.games + totals.games,
            matches: all.matches + totals.matches,
            positions: all.positions + totals.positions,
        })
    }

    /// Writes what comes after the last game, and says what came of each search.
    fn finish(self) -> Result<(), Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        for (track, terms) in self.tracks.into_iter().zip(self.terms) {
            track.finish(terms.format.as_ref(), self.progress, self.interrupt);
        }
        Ok(())
    }
}

impl<'g> Track<'g> {
    /// Writes what comes before the first game.
    fn begin<Q: Compiled, M>(
        search: &'g mut Search<'_, Q>,
        plan: &Plan<'_, Q, M>,
        limit: Option<u64>,
        room: &Room,
    ) -> Track<'g> {
        let format = plan.terms.format.as_ref();
        let mut frame = Vec::new();
        format.begin(&search.about, &mut frame);
        let ending = Ending::of(search.out.write_all(&frame));
        let mut closing = Vec::new();
        let evaluator = plan.query.evaluator(&plan.prepared, Extras::default());
        evaluator.closing(&mut closing);
        let unbound = format.is_bound().then(|| room.spool());
        let ranking = is_ranked(plan.query, format)
            .then(|| Ranking::new(plan.query.sort_keys(), room.spool(), &plan.terms.memory));
        Track {
            name: search.name,
            collector: Collector::new(&mut *search.out, ranking, unbound, limit),
            closing,
            ending,
            outcome: &mut search.outcome,
        }
    }

    /// Takes what came of a batch.
    fn take(&mut self, part: &mut Part, terms: &Terms, progress: &mut Progress<'_>) {
        progress.begin_search(self.name);
        let taken = self.collector.take(&mut part.findings, progress);
        mem::swap(&mut self.closing, &mut part.closing);
        self.ending = match taken {
            Ok(ControlFlow::Break(())) => Some(Ending::Enough),
            Ok(ControlFlow::Continue(())) if !self.collector.has_room() => Some(Ending::Failed(terms.out_of_memory())),
            Ok(ControlFlow::Continue(())) => part.failure.take().map(Ending::Failed),
            Err(error) => Ending::of(Err::<(), _>(error)),
        };
    }

    /// Writes what comes after the last game.
    fn finish(self, format: &dyn Format, progress: &mut Progress<'_>, interrupt: &Interrupt) {
        let totals = self.collector.totals();
        *self.outcome = match self.ending {
            Some(Ending::Failed(error)) => Err(error),
            Some(Ending::Closed) => Ok(totals),
            Some(Ending::Enough) | None => match Ending::of(self.collector.finish(format, interrupt)) {
                Some(Ending::Failed(error)) => Err(error),
                _ => {
                    progress.begin_search(self.name);
                    progress.close(&self.closing);
                    Ok(totals)
                }
            },
        };
    }
}

/// Why a search ends before the others, or before the end of the input.
enum Ending {
    /// Enough was found.
    Enough,
    /// Nobody reads the output any more.
    Closed,
    Failed(Error),
}

impl Ending {
    /// Whether what came of writing ends the search.
    fn of<T>(written: io::Result<T>) -> Option<Ending> {
        match written {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Some(Ending::Closed),
            Err(error) => Some(Ending::Failed(Error::Output(error))),
        }
    }
}

/// What goes through the pipeline: games, and what came of them.
#[derive(Default)]
struct Load<B> {
    batch: B,
    /// For each search that is evaluated on all threads.
    parts: Vec<Part>,
    /// Why the batch is not complete.
    failure: Option<Error>,
    /// How much of the input was read when the batch was complete.
    bytes_read: u64,
    /// How many games were read when the batch was complete.
    games_read: u64,
}

/// The range of a header as numbers of games, which begin with 1: an empty range is 0 alone.
fn wanted_numbers(range: Option<(i32, i32)>) -> RangeInclusive<u64> {
    let number = |n| u64::try_from(n).unwrap_or(0);
    match range {
        None => 1..=u64::MAX,
        Some((first, last)) if first <= last => number(first)..=number(last),
        Some(_) => 0..=0,
    }
}

/// Cuts batches until the games end, the input fails, or the last wanted number is reached.
fn filler<G: Games>(mut games: G, last_wanted: u64) -> impl FnMut(&mut Load<G::Batch>) -> bool + Send {
    let mut reached = 0;
    let mut failed = false;
    move |load| {
        if failed || reached >= last_wanted {
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
        load.bytes_read = games.bytes_read();
        if let Some(last) = load.batch.len().checked_sub(1) {
            reached = load.batch.number(last);
            // One more shows that the last wanted game is behind.
            load.games_read = reached.min(last_wanted.saturating_add(1));
        }
        true
    }
}
