//! Queries over inputs: one or many, in one pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::RunError;
use super::inputs::{InputGames, readers, scope};
use super::listener::Listener;
use super::options::Options;
use super::run::{Group, Outcome, Search, run_all};
use super::sink::Sink;
use crate::eval::{Evaluation, Folder, Settings};
use crate::pgn::{Scope, Source};
use crate::query::Query;
use crate::query::tags::TagUse;

/// A query of a run over inputs.
pub(crate) struct Task<'t, S> {
    /// The prefix of its messages, if it is one of many.
    pub(crate) name: Option<&'t str>,
    /// The query.
    pub(crate) query: &'t Query,
    /// The only games to look at, of those that the query wants. `None` stands for all of them.
    pub(crate) games: Option<Arc<BTreeSet<u64>>>,
    /// The folder where it may read and write files, if it is not that of the settings.
    pub(crate) files: Option<Arc<Folder>>,
    /// Takes what it finds.
    pub(crate) sink: S,
}

impl<'t, S> Task<'t, S> {
    /// Returns the same task with a sink that `map` makes from its own.
    pub(crate) fn map_sink<T>(self, map: impl FnOnce(S) -> T) -> Task<'t, T> {
        Task {
            name: self.name,
            query: self.query,
            games: self.games,
            files: self.files,
            sink: map(self.sink),
        }
    }
}

/// Searches inputs for all queries in one pass. Queries that need the same parts of a game read it together. Returns the outcomes in the order of
/// the tasks.
///
/// # Errors
/// Returns an error if an input cannot be read or a thread cannot be started. Then no output is complete.
pub(crate) fn search_all<'t, S: Sink>(
    tasks: impl IntoIterator<Item = Task<'t, S>>,
    inputs: impl IntoIterator<Item = Source>,
    settings: &Settings,
    options: &Options,
    listener: &mut dyn Listener,
) -> Result<Vec<Outcome>, RunError> {
    search_games(tasks, InputGames::new(inputs), settings, options, listener)
}

/// Does the same for games that come from inputs.
///
/// # Errors
/// Returns the errors of [`search_all`].
pub(super) fn search_games<'t, S: Sink>(
    tasks: impl IntoIterator<Item = Task<'t, S>>,
    games: InputGames,
    settings: &Settings,
    options: &Options,
    listener: &mut dyn Listener,
) -> Result<Vec<Outcome>, RunError> {
    let mut tasks: Vec<(usize, Task<'t, S>)> = tasks.into_iter().enumerate().collect();
    tasks.sort_by_key(|(_, task)| scope(task.query));
    for (_, task) in &mut tasks {
        task.sink.meet(task.query);
    }
    let places: Vec<usize> = tasks.iter().map(|(place, _)| *place).collect();
    let evaluations: Vec<Evaluation<'_>> = tasks
        .iter()
        .map(|(_, task)| {
            let settings = Settings {
                files: task.files.clone().or_else(|| settings.files.clone()),
                ..settings.clone()
            };
            Evaluation::new(task.query, settings)
        })
        .collect();
    #[cfg(feature = "database")]
    let queries: Vec<&Query> = tasks.iter().map(|(_, task)| task.query).collect();
    let shown = tasks.iter().map(|(_, task)| task.sink.tags());
    let shown = shown.fold(TagUse::default(), TagUse::union);
    #[cfg(feature = "database")]
    let sees_all = tasks.iter().any(|(_, task)| task.sink.sees_all());
    // Queries that see the same parts of each game, and their searches.
    let mut groups: Vec<(Scope, Vec<&Query>, Vec<_>)> = Vec::new();
    for ((_, task), evaluation) in tasks.into_iter().zip(&evaluations) {
        let search = Search {
            query: evaluation,
            name: task.name,
            games: task.games,
            sink: task.sink,
        };
        match groups.last_mut() {
            Some((known, queries, searches)) if *known == scope(task.query) => {
                queries.push(task.query);
                searches.push(search);
            }
            _ => groups.push((scope(task.query), vec![task.query], vec![search])),
        }
    }
    let groups = groups.into_iter().map(|(_, queries, searches)| Group {
        make_reader: readers(&queries, &shown),
        searches,
    });
    let games = games
        .with_rules(options.rules)
        .within(&settings.memory)
        .until(&options.interrupt);
    #[cfg(feature = "database")]
    // No sink sees the games of a row group that is skipped.
    let games = if sees_all { games } else { games.for_queries(&queries) };
    let outcomes = run_all(groups.collect(), games, options, listener)?;
    let mut outcomes: Vec<(usize, Outcome)> = places.into_iter().zip(outcomes).collect();
    outcomes.sort_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Searches inputs for one query.
///
/// # Errors
/// Returns the errors of [`search_all`] and of the search.
pub(crate) fn search_one<S: Sink>(
    task: Task<'_, S>,
    inputs: impl IntoIterator<Item = Source>,
    settings: &Settings,
    options: &Options,
    listener: &mut dyn Listener,
) -> Outcome {
    let outcomes = search_all([task], inputs, settings, options, listener)?;
    outcomes.into_iter().next().unwrap_or_else(|| Ok(Default::default()))
}
