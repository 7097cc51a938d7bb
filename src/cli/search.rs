//! A search that is ready to run: queries, games, format and limits in one value, all of which are checked.

use std::collections::BTreeSet;
use std::io;
use std::iter;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::outputs;
use crate::cli::progress::Progress;
use crate::cli::queries::compiled::Query;
use crate::eval::{Folder, Settings};
use crate::limits::locked;
use crate::output::{Destination, FormatName, Guard, Look, Placed, Totals};
use crate::pgn::Source;
use crate::search::{self, Draw, Error, MatchSample, Options, RunError, TextSink, in_parallel};

/// A search for queries in games, in one pass.
pub(super) struct Search {
    pub(super) tasks: Vec<Task>,
    pub(super) games: Inputs,
    /// The numbers of the games to look at, if games were drawn.
    pub(super) drawn: Option<Arc<BTreeSet<u64>>>,
    /// The draw of matches, if only a sample of them is written.
    pub(super) sample: Option<Draw>,
    pub(super) format: FormatName,
    pub(super) look: Look,
    pub(super) settings: Settings,
    pub(super) options: Options,
    /// Decides which files the queries may write.
    pub(super) guard: Guard,
    /// Whether errors have colours.
    pub(super) color: bool,
}

/// One of the queries, and the destination of its results.
pub(super) struct Task {
    pub(super) query: Query,
    /// The prefix of its messages, if it is one of many.
    pub(super) name: Option<String>,
    pub(super) output: Destination,
    /// The folder whose files it may use.
    pub(super) files: Option<Arc<Folder>>,
}

/// The result of a query.
pub(super) struct Found {
    pub(super) query: Query,
    pub(super) totals: Totals,
    /// The size of the output before packing.
    pub(super) bytes: u64,
    /// The files of the result: those that the query has written, then the output.
    pub(super) placed: Vec<Placed>,
}

/// The number of outputs that are written to the disk at once. Together they take less time than one after another.
const AT_ONCE: NonZeroUsize = NonZeroUsize::new(8).unwrap();

impl Search {
    /// Searches, and gives all files their names. If the search was ended early, they are only a part of what was to be written. If one
    /// query fails, the others go on.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read or a thread cannot be started. No file is written then.
    pub(super) fn run(self, progress: &mut Progress<'_>) -> Result<Vec<Result<Found, Failure>>, Failure> {
        let mut tasks = self.tasks;
        let searches = tasks.iter_mut().map(|task| search::Task {
            name: task.name.as_deref(),
            query: task.query.compiled(),
            games: self.drawn.clone(),
            files: task.files.clone(),
            sink: TextSink::new(self.format, &mut task.output)
                .looking(self.look.clone())
                .about(task.query.about()),
        });
        let inputs: Vec<Arc<str>> = self.games.sources().iter().map(Source::name).cloned().collect();
        let sources = self.games.into_sources();
        let (settings, options) = (&self.settings, &self.options);
        let outcomes = match self.sample {
            None => search::search_all(searches, sources, settings, options, progress),
            Some(draw) => {
                let searches = searches.map(|task| task.map_sink(|text| MatchSample::new(text, draw)));
                search::search_all(searches, sources, settings, options, progress)
            }
        };
        let outcomes = outcomes.map_err(|error| cut_short(error, &inputs))?;
        let is_part = self.options.interrupt.was_acknowledged();
        // If two queries wrote the same file, the later one wins.
        let searched = iter::zip(tasks, outcomes).map(|(task, outcome)| {
            let found = outcome.and_then(|totals| {
                let placed = outputs::place_written(&self.guard, task.files.as_deref(), is_part)?;
                Ok((totals, placed))
            });
            Mutex::new(Some((task, found)))
        });
        let searched: Vec<_> = searched.collect();
        let finished = in_parallel(&searched, AT_ONCE, |_, searched| {
            let (task, found) = locked(searched).take()?;
            Some(task.finish(found, is_part, self.color))
        });
        Ok(finished.into_iter().flatten().collect())
    }
}

/// Returns the failure of a search that did not reach the end of its inputs, with the number of inputs that were not searched. Earlier results
/// may be printed already.
fn cut_short(error: RunError, inputs: &[Arc<str>]) -> Failure {
    let left = match &error {
        RunError::Input { name, .. } => {
            // For a file in an archive, the name of the archive is followed by that of the file.
            let is_it = |input: &Arc<str>| {
                let rest = name.strip_prefix(&**input);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            inputs.iter().skip_while(|input| !is_it(input)).skip(1).count()
        }
        RunError::Thread(_) => 0,
    };
    let error = Error::from(error);
    match left {
        0 => Failure::new(error),
        1 => Failure::with_note(error, "the input after it is not searched"),
        left => Failure::with_note(error, format_args!("{left} inputs after it are not searched")),
    }
}

impl Task {
    /// Gives the output its name. The reader of a pipe may stop at any time.
    fn finish(self, found: Result<(Totals, Vec<Placed>), Error>, is_part: bool, color: bool) -> Result<Found, Failure> {
        let bytes = self.output.bytes();
        let committed = found.and_then(|(totals, mut placed)| {
            match self.output.commit_all_or_part(is_part) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                committed => placed.push(committed.map_err(Error::Output)?),
            }
            Ok((totals, placed))
        });
        match committed {
            Ok((totals, placed)) => Ok(Found {
                query: self.query,
                totals,
                bytes,
                placed,
            }),
            Err(error) => Err(self.query.failed(error, color)),
        }
    }
}
