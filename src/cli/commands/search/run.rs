//! Runs a search and reports its results.

use std::path::PathBuf;
use std::sync::Arc;

use indicatif::HumanCount;

use super::notes;
use super::request::NamedQuery;
use super::results_folder::ResultsFolder;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::options::narrowing::Narrowing;
use crate::cli::outputs;
use crate::cli::pager::Pages;
use crate::cli::progress::{Progress, Show, Warnings};
use crate::cli::search::{Found, Search};
use crate::cli::signal;
use crate::output::Totals;

/// A search whose options are all resolved and checked.
pub(super) struct SearchCommand {
    pub(super) search: Search,
    pub(super) queries: Vec<NamedQuery>,
    /// For each query, the failure that keeps it from being searched with, if there is one.
    pub(super) broken: Vec<Option<Failure>>,
    /// The files of the results, or none for standard output.
    pub(super) outputs: Vec<PathBuf>,
    /// The folder of the results, if they go to one.
    pub(super) results_folder: Option<ResultsFolder>,
    /// The pager of standard output.
    pub(super) pages: Pages,
    pub(super) show: Show,
    pub(super) warnings: Warnings,
    pub(super) quiet: bool,
    pub(super) narrowing: Narrowing,
}

impl SearchCommand {
    /// Runs the search. If the only query fails, the command fails; of several queries, the others go on.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let (search, folder, pages) = (self.search, self.results_folder, self.pages);
        let interrupt = Arc::clone(&search.options.interrupt);
        let format = search.format;
        let files = search.games.files();
        for failure in self.broken.iter().flatten() {
            fail(failure);
        }
        let mut log = pages.log();
        let mut progress = Progress::new(&mut log, self.show).with_warnings(self.warnings);
        let found = search.run(&mut progress);
        pages.finish();
        let mut found = found?;
        if let Some(folder) = &folder {
            drop(progress);
            folder.sync();
            for failure in found.iter().filter_map(|found| found.as_ref().err()) {
                fail(failure);
            }
        } else {
            found = found.into_iter().map(|found| found.map(Ok)).collect::<Result<_, _>>()?;
            let totals = found.iter().flatten().map(|found| found.totals).next();
            progress.finish(totals.unwrap_or_default());
        }
        let mut found = found.into_iter();
        let outcomes = self.broken.into_iter().filter_map(|broken| match broken {
            Some(failure) => Some(Err(failure)),
            None => found.next(),
        });
        let outcomes: Vec<Result<Found, Failure>> = outcomes.collect();

        let is_part = interrupt.was_acknowledged();
        let is_cut_short = is_part && !pages.were_left();
        if !self.quiet && !is_cut_short {
            if let (None, Some(path)) = (&folder, self.outputs.first())
                && self.show != Show::Nothing
            {
                outputs::say_written(path, None);
            }
            for (index, outcome) in outcomes.iter().enumerate() {
                if let Ok(found) = outcome {
                    let path = self.outputs.get(index).map(PathBuf::as_path);
                    outputs::advise_on_size(path, format, found.bytes, found.totals);
                }
            }
            let found: Vec<&Found> = outcomes.iter().flatten().collect();
            let is_watched = self.show != Show::Nothing;
            notes::hint(&found, folder.is_none(), is_watched, &self.narrowing, &files);
        }
        let found = || outcomes.iter().flatten().map(|found| found.totals);
        let is_damaged = !is_cut_short && tell_of_gaps(found());
        // The table of many queries is printed last.
        let mut placed: Vec<_> = outcomes
            .iter()
            .flatten()
            .flat_map(|found| found.placed.clone())
            .collect();
        if let Some(folder) = folder {
            placed.push(folder.summarize(&self.queries, &self.outputs, &outcomes, is_part)?);
        }
        let games = found().map(|totals| totals.games).max();
        if is_cut_short && let Some(exit) = signal::ended_early(&interrupt, games.unwrap_or(0), &placed) {
            return Ok(exit);
        }
        Ok(if is_damaged || outcomes.iter().any(Result::is_err) {
            Exit::Error
        } else if found().any(|totals| totals.matches > 0) {
            Exit::Success
        } else {
            Exit::NoMatch
        })
    }
}

/// Says how many games were not searched because their database is damaged, and how many files could not be read. Returns whether there are any.
pub(crate) fn tell_of_gaps(searches: impl Iterator<Item = Totals>) -> bool {
    let (games, files) = searches.fold((0, 0), |(games, files), totals| {
        (totals.unreadable.max(games), totals.unread_files.max(files))
    });
    let say = |count: u64, what: &str, gap: &str| match count {
        0 => {}
        1 => signal::say(&format!("note: 1 {what} was not {gap}")),
        count => signal::say(&format!("note: {} {what}s were not {gap}", HumanCount(count))),
    };
    say(games, "game", "searched, as the database is damaged there");
    say(files, "file", "read, or not to the end");
    games > 0 || files > 0
}
