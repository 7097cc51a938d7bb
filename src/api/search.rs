//! Searches as iterators.

use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::panic;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::error::Error;
use super::found::FoundGame;
use super::games::Games;
use super::options::Options;
use super::query::Query;
use super::run::{Sink, run_here};
use crate::game::Warning;
use crate::limits::Interrupt;
use crate::output::Totals;
use crate::search::STACK_BYTES;

/// The number of games and warnings that the search may be ahead of its reader.
const AHEAD: usize = 64;

/// The number of warnings that are kept.
const MOST_WARNINGS: usize = 1000;

/// An iterator over the games that match, in the order of the input. An error is the last item.
///
/// The search runs on threads of its own, a few games ahead, and ends soon after this is dropped. Its memory does not grow with the input.
/// For many games, [`Query::run`] is faster.
#[derive(Debug)]
pub struct Search {
    /// The mutex is never locked. It makes the receiver `Sync`, so that threads may share a search.
    events: Mutex<Receiver<Event>>,
    /// `None` once the thread has been joined.
    thread: Option<JoinHandle<()>>,
    interrupt: Arc<Interrupt>,
    totals: Option<Totals>,
    warnings: Vec<Warning>,
    warning_count: u64,
}

/// A message from the search.
#[derive(Debug)]
enum Event {
    Game(Box<FoundGame>),
    Warning(Warning),
    End(Result<Totals, Error>),
}

impl Query {
    /// Searches games. The iterator returns those that match, in the order of the input, while the search goes on. It runs on threads of its
    /// own, one for each processor, stays a few games ahead and ends when the iterator is dropped.
    ///
    /// # Errors
    /// Returns an error if a file does not exist or a thread cannot be started. Later errors are items.
    pub fn search(&self, games: impl Into<Games>) -> Result<Search, Error> {
        self.search_with(games, &Options::default())
    }

    /// Searches games as [`search`](Query::search) does, with options.
    ///
    /// # Errors
    /// Returns the same errors as [`search`](Query::search).
    pub fn search_with(&self, games: impl Into<Games>, options: &Options) -> Result<Search, Error> {
        Search::begin(self, games.into(), options)
    }
}

impl Search {
    fn begin(query: &Query, games: Games, options: &Options) -> Result<Search, Error> {
        let sources = games.sources()?;
        let interrupt = options.interrupt();
        let (sender, events) = sync_channel(AHEAD);
        let (query, options, raised) = (query.clone(), options.clone(), Arc::clone(&interrupt));
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let mut ahead = ChannelSink { sender };
                let outcomes = run_here(vec![(&query, &mut ahead)], sources, &options, &raised);
                let outcome =
                    outcomes.and_then(|outcomes| outcomes.into_iter().next().unwrap_or(Ok(Totals::default())));
                // Nobody may be waiting for it.
                let _ = ahead.sender.send(Event::End(outcome));
            })
            .map_err(Error::Thread)?;
        Ok(Search {
            events: Mutex::new(events),
            thread: Some(thread),
            interrupt,
            totals: None,
            warnings: Vec::new(),
            warning_count: 0,
        })
    }

    /// Returns how much was found in all. It is `None` until there are no more games, and after an error.
    pub fn totals(&self) -> Option<Totals> {
        self.totals
    }

    /// Returns the warnings about the games read so far, at most the first thousand.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the number of warnings so far.
    pub fn warning_count(&self) -> u64 {
        self.warning_count
    }
}

impl Iterator for Search {
    type Item = Result<FoundGame, Error>;

    fn next(&mut self) -> Option<Result<FoundGame, Error>> {
        loop {
            let events = self.events.get_mut().unwrap_or_else(PoisonError::into_inner);
            match events.recv() {
                Ok(Event::Game(game)) => return Some(Ok(*game)),
                Ok(Event::Warning(warning)) => {
                    self.warning_count += 1;
                    if self.warnings.len() < MOST_WARNINGS {
                        self.warnings.push(warning);
                    }
                }
                Ok(Event::End(Ok(totals))) => self.totals = Some(totals),
                Ok(Event::End(Err(error))) => return Some(Err(error)),
                Err(_) => {
                    if let Some(Err(panicked)) = self.thread.take().map(JoinHandle::join) {
                        panic::resume_unwind(panicked);
                    }
                    return None;
                }
            }
        }
    }
}

impl FusedIterator for Search {}

impl Drop for Search {
    /// Ends the search, if it is still running.
    fn drop(&mut self) {
        if self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            self.interrupt.raise();
        }
    }
}

/// Sends what is found to the iterator.
struct ChannelSink {
    sender: SyncSender<Event>,
}

impl Sink for ChannelSink {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        match self.sender.send(Event::Game(Box::new(game))) {
            Ok(()) => ControlFlow::Continue(()),
            // The iterator was dropped.
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn warning(&mut self, warning: &Warning) {
        let _ = self.sender.send(Event::Warning(warning.clone()));
    }
}
