//! The files that expectations name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf, absolute};
use std::sync::Arc;
use std::{fs, io, iter};

use super::expectation::Counts;
use super::places::{nearest_file, no_such_file};
use super::text::Text;
use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;
use crate::output::FormatName;
use crate::pgn::{Input, Language, Source};
use crate::query::Query;
use crate::search::{
    self, Batch, Error, Games, InputBatch, InputGames, InputReader, Log, Options, ReadGames, Task, TextSink,
};
use crate::syntax::Diagnostic;

/// Which files self-tests may read: those below the folder of their query, or below one of the folders that the user works in.
#[derive(Debug, Default)]
pub(super) struct Reach {
    folders: Vec<PathBuf>,
}

impl Reach {
    /// Below the working folder and the folders that the user names.
    pub(super) fn new(named: &[PathBuf]) -> Reach {
        let working = PathBuf::from(".");
        let folders = iter::once(&working).chain(named);
        Reach {
            folders: folders.filter_map(|folder| absolute(folder).ok()).map(plain).collect(),
        }
    }

    /// The file that an expectation of a query names: beside the query, or in the nearest folder above that has it.
    ///
    /// # Errors
    /// When there is none, or none that may be read.
    pub(super) fn find(&self, query: &Path, name: &Text) -> Result<PathBuf, Diagnostic> {
        let found = nearest_file(query, &name.value).ok_or_else(|| no_such_file(name))?;
        let query = absolute(query).unwrap_or_else(|_| query.to_owned());
        self.require(&query, &found).map_err(|reason| {
            Diagnostic::new(name.span, format!("`{}` is not read: {reason}", name.value))
                .hint("run `skewer test` in a folder that has both, or name such a folder")
        })?;
        Ok(found)
    }

    /// Refuses what is out of reach, and what may have no end: devices and pipes.
    pub(super) fn require(&self, query: &Path, file: &Path) -> Result<(), String> {
        let metadata = fs::metadata(file).map_err(|error| error.to_string())?;
        if metadata.is_dir() {
            let sources = Input::from(file).sources().map_err(|error| error.to_string())?;
            let mut files = sources.iter().filter_map(Source::file);
            return files.try_for_each(|file| self.require(query, file));
        }
        if !metadata.is_file() {
            return Err("it is neither a file nor a folder".to_owned());
        }
        let file = absolute(file).map_err(|error| error.to_string())?;
        let is_below = |folder: &PathBuf| {
            // What leads out of a folder of the user's is the user's own link.
            let is_named_below =
                file.starts_with(folder) && !file.components().any(|part| part == Component::ParentDir);
            is_named_below || is_really_below(&file, folder)
        };
        let beside = query.parent().map(|folder| {
            if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            }
        });
        if self.folders.iter().any(is_below) || beside.is_some_and(|folder| is_really_below(&file, folder)) {
            Ok(())
        } else {
            Err("it is neither below the folder of the query nor below the working folder".to_owned())
        }
    }
}

/// A path without `.`.
fn plain(path: PathBuf) -> PathBuf {
    path.components().collect()
}

/// Whether a file is in a folder, or in one inside, wherever links lead.
fn is_really_below(file: &Path, folder: &Path) -> bool {
    match (fs::canonicalize(file), fs::canonicalize(folder)) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

/// Some games of files, each file read once.
#[derive(Default)]
pub(super) struct Library {
    files: HashMap<PathBuf, Shelf>,
    letters: Option<Language>,
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
    /// A library without games, of files with the letters of a language for pieces, if there is one.
    pub(super) fn in_language(letters: Option<Language>) -> Library {
        Library {
            letters,
            ..Library::default()
        }
    }

    /// Makes a note of a game that will be wanted.
    pub(super) fn want(&mut self, file: PathBuf, number: u64) {
        self.files.entry(file).or_default().wanted.insert(number);
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// Reads what is wanted.
    pub(super) fn read(&mut self, interrupt: &Arc<Interrupt>) {
        for (path, shelf) in &mut self.files {
            if let Err(error) = shelf.read(path, self.letters, interrupt) {
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
    fn read(&mut self, path: &Path, letters: Option<Language>, interrupt: &Arc<Interrupt>) -> Result<(), Error> {
        let mut games = InputGames::new(sources(path, letters)?).until(interrupt);
        let mut batch = InputBatch::default();
        while self.games.len() < self.wanted.len() && games.next(&mut batch)? {
            for index in 0..batch.len() {
                let number = batch.number(index);
                if self.wanted.contains(&number) {
                    self.games.insert(number, InputReader::read_whole(&batch, index, None)?);
                }
                self.count = number;
            }
        }
        Ok(())
    }
}

/// What is to be read of a file or a folder.
fn sources(path: &Path, letters: Option<Language>) -> Result<impl Iterator<Item = Source>, Error> {
    let sources = Input::from(path).sources()?.into_iter();
    Ok(sources.map(move |source| source.in_language(letters)))
}

/// Searches a file for several queries in one pass: how much each of them finds, or why it found out nothing.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn count(
    path: &Path,
    letters: Option<Language>,
    queries: &[&Query],
    settings: &Settings,
    options: &Options,
) -> Result<Vec<Result<Counts, Arc<Error>>>, Error> {
    let mut sinks = vec![io::sink(); queries.len()];
    let tasks = queries.iter().zip(&mut sinks).map(|(query, sink)| Task {
        name: Some(""),
        query,
        games: None,
        files: None,
        sink: TextSink::new(FormatName::Count, sink),
    });
    let mut log = io::sink();
    let outcomes = search::search_all(
        tasks,
        sources(path, letters)?,
        settings,
        options,
        &mut Log::new(&mut log),
    )?;
    let counts = outcomes.into_iter().map(|outcome| match outcome {
        Ok(totals) if totals.unreadable > 0 => Err(Arc::new(Error::Input {
            name: path.display().to_string(),
            error: io::Error::new(
                io::ErrorKind::InvalidData,
                "games of a damaged database are not searched",
            ),
        })),
        Ok(totals) => Ok(Counts {
            games: totals.matches,
            positions: totals.positions,
        }),
        Err(error) => Err(Arc::new(error)),
    });
    Ok(counts.collect())
}
