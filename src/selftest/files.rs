//! The files that expectations name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::expectation::Counts;
use super::text::Text;
use crate::eval::{Program, Settings};
use crate::game::{Game, Input};
use crate::query::Query;
use crate::search::{
    self, Batch, Error, Games, Group, InputBatch, InputGames, InputReader, Options, Progress, ReadGames, Search, Show,
};
use crate::syntax::Diagnostic;

/// The file that an expectation of a query names: beside the query, or in the nearest folder above that has it.
///
/// # Errors
/// When there is none.
pub(super) fn find(query: &Path, name: &Text) -> Result<PathBuf, Diagnostic> {
    let query = absolute(query).unwrap_or_else(|_| query.to_owned());
    let folders = query.ancestors().skip(1);
    let mut candidates = folders.map(|folder| folder.join(&name.value));
    let found = candidates.find(|path| !name.value.is_empty() && path.exists());
    found.ok_or_else(|| {
        Diagnostic::new(name.span, format!("there is no file `{}`", name.value))
            .hint("files are looked for beside the query, then in each folder above it")
    })
}

/// Some games of files, each file read once.
#[derive(Default)]
pub(super) struct Library {
    files: HashMap<PathBuf, Shelf>,
}

/// What of a file is wanted.
#[derive(Default)]
struct Shelf {
    wanted: BTreeSet<u64>,
    games: BTreeMap<u64, Game>,
    /// How many games there are, if one that is wanted is not among them.
    count: u64,
    failure: Option<String>,
}

impl Library {
    /// Makes a note of a game that will be wanted.
    pub(super) fn want(&mut self, file: PathBuf, number: u64) {
        self.files.entry(file).or_default().wanted.insert(number);
    }

    /// Reads what is wanted.
    pub(super) fn read(&mut self) {
        for (path, shelf) in &mut self.files {
            if let Err(error) = shelf.read(path) {
                shelf.failure = Some(error.to_string());
            }
        }
    }

    /// A game that was wanted; else what is wrong with it.
    pub(super) fn game(&self, file: &Path, number: u64) -> Result<&Game, String> {
        let shelf = self.files.get(file);
        match shelf.and_then(|shelf| shelf.games.get(&number)) {
            Some(game) => match game.warnings.first() {
                None => Ok(game),
                Some(warning) => Err(format!(
                    "the game is broken: line {}: {}",
                    warning.line, warning.message
                )),
            },
            None => Err(
                shelf.map_or_else(String::new, |shelf| match (&shelf.failure, shelf.count) {
                    (Some(failure), _) => failure.clone(),
                    (None, 1) => "the file has only 1 game".to_owned(),
                    (None, count) => format!("the file has only {count} games"),
                }),
            ),
        }
    }
}

impl Shelf {
    fn read(&mut self, path: &Path) -> Result<(), Error> {
        let mut games = InputGames::new(Input::from(path).sources()?);
        let mut batch = InputBatch::default();
        while self.games.len() < self.wanted.len() && games.next(&mut batch)? {
            for index in 0..batch.len() {
                let number = batch.number(index);
                if self.wanted.contains(&number) {
                    self.games.insert(number, InputReader::read_whole(&batch, index)?);
                }
                self.count = number;
            }
        }
        Ok(())
    }
}

/// Searches a file for several queries in one pass: how much each of them finds, or why it found out nothing.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn count(
    path: &Path,
    queries: &[&Query],
    options: &Options,
) -> Result<Vec<Result<Counts, Arc<Error>>>, Error> {
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|index| search::scope(queries[*index]));
    let ordered: Vec<&Query> = order.iter().map(|index| queries[*index]).collect();
    let groups = ordered.chunk_by(|a, b| search::scope(a) == search::scope(b));
    let readers: Vec<_> = groups
        .map(|group| (group.len(), search::readers(group, options.format)))
        .collect();
    let programs: Vec<_> = ordered
        .iter()
        .map(|query| Program::new(query, Settings::default()))
        .collect();
    let mut sinks = vec![io::sink(); ordered.len()];
    let mut searches: Vec<_> = programs
        .iter()
        .zip(&mut sinks)
        .map(|(program, sink)| Search::named("", program, sink))
        .collect();
    let mut rest = &mut *searches;
    let groups = readers.iter().map(|(length, make_reader)| {
        let (searches, others) = std::mem::take(&mut rest).split_at_mut(*length);
        rest = others;
        Group { make_reader, searches }
    });
    let games = InputGames::new(Input::from(path).sources()?);
    let mut log = io::sink();
    search::run_all(groups, games, options, &mut Progress::new(&mut log, Show::Nothing))?;
    let mut outcomes: Vec<_> = order
        .into_iter()
        .zip(searches.into_iter().map(Search::outcome))
        .collect();
    outcomes.sort_by_key(|(index, _)| *index);
    let counts = outcomes.into_iter().map(|(_, outcome)| match outcome {
        Ok(totals) => Ok(Counts {
            games: totals.matches,
            positions: totals.positions,
        }),
        Err(error) => Err(Arc::new(error)),
    });
    Ok(counts.collect())
}
