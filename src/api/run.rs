//! Searches that hand each game they find to a sink.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::error::Error;
use super::found::{FoundGame, Keep};
use super::games::Games;
use super::options::Options;
use super::query::Query;
use crate::game::Warning;
use crate::limits::Interrupt;
use crate::output::Totals;
use crate::pgn::Source;
use crate::query::SortKey;
use crate::query::tags::TagUse;
use crate::search::{self, Listener, SinkBatch, Task, on_deep_stack};

/// Takes what a search finds, in the order of the input. It is called on one thread while other threads go on searching.
///
/// A closure that takes a [`FoundGame`] is a sink:
///
/// ```
/// use std::ops::ControlFlow;
/// use skewer::{FoundGame, Games, Options, Query};
///
/// let query = Query::compile("cql() mate")?;
/// let games = Games::of_bytes("fool.pgn", "1. f3 e5 2. g4 Qh4# 0-1");
/// let mut fens = Vec::new();
/// let totals = query.run(games, &Options::default(), &mut |game: FoundGame| {
///     fens.extend(game.matches().iter().map(|m| m.fen().to_owned()));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(fens, ["rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"]);
/// assert_eq!((totals.games, totals.matches, totals.positions), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sink: Send {
    /// Takes a game that matches. Return `Break` to end the search for this query.
    fn game(&mut self, game: FoundGame) -> ControlFlow<()>;

    /// Receives a warning about a game: the file, the line, the game, what is wrong and what is lost. The search goes on with the rest.
    fn warning(&mut self, _warning: &Warning) {}

    /// Receives what the query prints with `message`, in complete lines, also for games that do not match.
    fn message(&mut self, _lines: &[u8]) {}

    /// Receives the progress of the search after each batch of games. Return `Break` to end the search for all of its queries.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(FoundGame) -> ControlFlow<()> + Send> Sink for F {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        self(game)
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The number of bytes of the input read so far, after unpacking.
    pub bytes: u64,
    /// The number of games read so far.
    pub games: u64,
}

impl Query {
    /// Searches games on all threads and hands each game that matches to `sink`. This is the fastest way to search. Returns how much was
    /// found until the input ended or the sink wanted no more.
    ///
    /// The sink is called on a thread of the search, one call after another. The calling thread waits.
    ///
    /// # Errors
    /// Returns an error if games cannot be read, the query asks for something that cannot be done, or a thread cannot be started. The games
    /// found before the error have been handed over.
    pub fn run(&self, games: impl Into<Games>, options: &Options, sink: &mut dyn Sink) -> Result<Totals, Error> {
        let outcomes = run_all([(self, &mut *sink as &mut dyn Sink)], games, options)?;
        outcomes.into_iter().next().unwrap_or_else(|| Ok(Totals::default()))
    }
}

/// Searches games for several queries in one pass. A game is read once for all queries that need the same parts of it. Returns the outcome
/// of each query, in their order. If one query fails, the others go on.
///
/// ```
/// use std::ops::ControlFlow;
/// use skewer::{FoundGame, Games, Options, Query, Sink};
///
/// let queries = [Query::compile("mate")?, Query::compile("cql() stalemate")?];
/// let games = Games::of_bytes("fool.pgn", "1. f3 e5 2. g4 Qh4# 0-1");
/// let mut sinks = [Vec::new(), Vec::new()].map(Numbers);
/// struct Numbers(Vec<u64>);
/// impl Sink for Numbers {
///     fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
///         self.0.push(game.number());
///         ControlFlow::Continue(())
///     }
/// }
/// let searches = queries.iter().zip(&mut sinks).map(|(query, sink)| (query, sink as &mut dyn Sink));
/// for outcome in skewer::run_all(searches, games, &Options::default())? {
///     outcome?;
/// }
/// assert_eq!(sinks.map(|sink| sink.0), [vec![1], vec![]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if games cannot be read or a thread cannot be started.
pub fn run_all<'q>(
    searches: impl IntoIterator<Item = (&'q Query, &'q mut dyn Sink)>,
    games: impl Into<Games>,
    options: &Options,
) -> Result<Vec<Result<Totals, Error>>, Error> {
    let sources = games.into().sources()?;
    let searches: Vec<_> = searches.into_iter().collect();
    let interrupt = options.interrupt();
    on_deep_stack(|| run_here(searches, sources, options, &interrupt)).map_err(Error::Thread)?
}

/// Searches sources on this thread, which needs a deep stack, and on the threads that it starts.
pub(super) fn run_here(
    searches: Vec<(&Query, &mut dyn Sink)>,
    sources: Vec<Source>,
    options: &Options,
    interrupt: &Arc<Interrupt>,
) -> Result<Vec<Result<Totals, Error>>, Error> {
    let (queries, sinks): (Vec<&Query>, Vec<&mut dyn Sink>) = searches.into_iter().unzip();
    let sinks: Vec<RefCell<&mut dyn Sink>> = sinks.into_iter().map(RefCell::new).collect();
    let deliveries = queries.iter().zip(&sinks).map(|(query, sink)| {
        let query: &Query = query;
        (query, Delivery { query, sink, options })
    });
    let mut audience = Listeners::new(&sinks, interrupt);
    run_sinks(deliveries, sources, options, interrupt, &mut audience)
}

/// Searches like [`run_here`], with sinks of the pipeline and a `listener`.
pub(crate) fn run_sinks<'q, S: search::Sink>(
    searches: impl IntoIterator<Item = (&'q Query, S)>,
    sources: Vec<Source>,
    options: &Options,
    interrupt: &Arc<Interrupt>,
    listener: &mut dyn Listener,
) -> Result<Vec<Result<Totals, Error>>, Error> {
    let options_of_search = options.of_search(interrupt);
    let settings = options.settings();
    let tasks = searches.into_iter().map(|(query, sink)| {
        let games = query.drawn(options.games.as_ref(), &sources, &settings, &options_of_search)?;
        let task = Task {
            name: None,
            query: query.compiled(),
            games,
            files: None,
            sink,
        };
        Ok((query, task))
    });
    let (queries, tasks): (Vec<&Query>, Vec<Task<'_, S>>) =
        tasks.collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    let outcomes = search::search_all(tasks, sources, &settings, &options_of_search, listener);
    let outcomes = outcomes.map_err(Error::of_run)?;
    let outcomes = queries.iter().zip(outcomes);
    Ok(outcomes
        .map(|(query, outcome)| outcome.map_err(|error| Error::of_search(error, query.source(), query.options())))
        .collect())
}

/// Hands what is found to a sink.
pub(super) struct Delivery<'d, 's> {
    pub(super) query: &'d Query,
    pub(super) sink: &'d RefCell<&'s mut dyn Sink>,
    pub(super) options: &'d Options,
}

impl search::Sink for Delivery<'_, '_> {
    type Recorder = Keep;

    fn recorder(&self, keys: &[SortKey]) -> Keep {
        Keep::new(keys, self.query, self.options)
    }

    fn tags(&self) -> TagUse {
        // For comments, games are read completely.
        match self.options.comments || self.options.pgn {
            true => TagUse::default(),
            false => self.options.shown_tags(),
        }
    }

    fn take(&mut self, batch: SinkBatch<'_, FoundGame>) -> io::Result<ControlFlow<usize>> {
        let mut sink = self.sink.borrow_mut();
        for (count, game) in batch.counted() {
            if sink.game(game).is_break() {
                return Ok(ControlFlow::Break(count));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The sinks, as listeners of a search.
pub(super) struct Listeners<'a, 's> {
    sinks: &'a [RefCell<&'s mut dyn Sink>],
    /// The index of the search that the next messages are about.
    current: usize,
    interrupt: &'a Interrupt,
}

impl<'a, 's> Listeners<'a, 's> {
    pub(super) fn new(sinks: &'a [RefCell<&'s mut dyn Sink>], interrupt: &'a Interrupt) -> Listeners<'a, 's> {
        Listeners {
            sinks,
            current: 0,
            interrupt,
        }
    }

    fn tell(&self, tell: impl FnOnce(&mut dyn Sink)) {
        if let Some(sink) = self.sinks.get(self.current) {
            tell(&mut **sink.borrow_mut());
        }
    }
}

impl Listener for Listeners<'_, '_> {
    fn begin_search(&mut self, place: usize, _name: Option<&str>) {
        self.current = place;
    }

    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        for (warnings, lines) in games {
            self.tell(|sink| {
                warnings.iter().for_each(|warning| sink.warning(warning));
                if !lines.is_empty() {
                    sink.message(lines);
                }
            });
        }
    }

    fn close(&mut self, lines: &[u8]) {
        if !lines.is_empty() {
            self.tell(|sink| sink.message(lines));
        }
    }

    fn advance(&mut self, bytes: u64, games: u64, _totals: Totals) {
        let progress = Progress { bytes, games };
        let flows = self.sinks.iter().map(|sink| sink.borrow_mut().progress(&progress));
        // All sinks are called: `count` does not stop early.
        if flows.filter(ControlFlow::is_break).count() > 0 {
            self.interrupt.raise();
        }
    }
}
