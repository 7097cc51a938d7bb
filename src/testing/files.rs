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
    self, Batch, Error, Games, InputBatch, InputGames, InputReader, Log, Options, ReadGames, RunError, Task, TextSink,
};
use crate::syntax::Diagnostic;

/// Decides which files self-tests may read: those below the folder of their query, or below a folder that the user works in.
#[derive(Debug, Default)]
pub(super) struct Reach {
    folders: Vec<PathBuf>,
}

impl Reach {
    /// Allows files below the working folder and the folders that the user names.
    pub(super) fn new(named: &[PathBuf]) -> Reach {
        let working = PathBuf::from(".");
        let folders = iter::once(&working).chain(named);
        Reach {
            folders: folders.filter_map(|folder| absolute(folder).ok()).map(plain).collect(),
        }
    }

    /// Returns the file that an expectation of a query names. It is in the folder of the query, or in the nearest folder above that has it.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or if it may not be read.
    pub(super) fn find(&self, query: &Path, name: &Text) -> Result<PathBuf, Diagnostic> {
        let found = nearest_file(query, &name.value).ok_or_else(|| no_such_file(name))?;
        let query = absolute(query).unwrap_or_else(|_| query.to_owned());
        self.require(&query, &found).map_err(|reason| {
            Diagnostic::new(name.span, format!("`{}` is not read: {reason}", name.value))
                .hint("run `skewer test` in a folder that has both, or name such a folder")
        })?;
        Ok(found)
    }

    /// Refuses files that may not be read, and devices and pipes, which may never end.
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
            // A link in a folder of the user's may lead out of it.
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

/// Returns a path without `.`.
fn plain(path: PathBuf) -> PathBuf {
    path.components().collect()
}

/// Returns whether a file is in a folder or below it, after following links.
fn is_really_below(file: &Path, folder: &Path) -> bool {
    match (fs::canonicalize(file), fs::canonicalize(folder)) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

/// Certain games of files. Each file is read once.
#[derive(Default)]
pub(super) struct Library {
    files: HashMap<PathBuf, GameFile>,
    letters: Option<Language>,
}

/// The wanted games of a file.
#[derive(Default)]
struct GameFile {
    wanted: BTreeSet<u64>,
    games: BTreeMap<u64, Game>,
    /// The number of games in the file, if a wanted one is not among them.
    count: u64,
    failure: Option<String>,
}

impl Library {
    /// Creates a library without games. Its files have the piece letters of this language, if there is one.
    pub(super) fn in_language(letters: Option<Language>) -> Library {
        Library {
            letters,
            ..Library::default()
        }
    }

    /// Adds a game to those that will be read.
    pub(super) fn want(&mut self, file: PathBuf, number: u64) {
        self.files.entry(file).or_default().wanted.insert(number);
    }

    /// Returns the files.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// Reads the wanted games.
    pub(super) fn read(&mut self, interrupt: &Arc<Interrupt>) {
        for (path, file) in &mut self.files {
            if let Err(error) = file.read(path, self.letters, interrupt) {
                file.failure = Some(error.to_string());
            }
        }
    }

    /// Returns a wanted game, or what is wrong with it.
    pub(super) fn game(&self, file: &Path, number: u64) -> Result<&Game, String> {
        let Some(read) = self.files.get(file) else {
            return Err(String::new());
        };
        let Some(game) = read.games.get(&number) else {
            return Err(match (&read.failure, read.count) {
                (Some(failure), _) => failure.clone(),
                (None, 1) => "the file has only 1 game".to_owned(),
                (None, count) => format!("the file has only {count} games"),
            });
        };
        match game.warnings.first() {
            None => Ok(game),
            Some(warning) => Err(format!(
                "the game is broken: line {}: {}",
                warning.line, warning.message
            )),
        }
    }
}

impl GameFile {
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

/// Returns the sources of a file or a folder.
fn sources(path: &Path, letters: Option<Language>) -> Result<impl Iterator<Item = Source>, Error> {
    let sources = Input::from(path).sources()?.into_iter();
    Ok(sources.map(move |source| source.in_language(letters)))
}

/// Searches a file for several queries in one pass. Returns how much each of them finds, or why it failed.
///
/// # Errors
/// Returns an error if the file cannot be read.
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
        Ok(totals) if totals.has_gaps() => Err(Arc::new(Error::Run(RunError::Input {
            name: path.display().to_string(),
            error: io::Error::new(io::ErrorKind::InvalidData, "games that are damaged are not searched"),
        }))),
        Ok(totals) => Ok(Counts {
            games: totals.matches,
            positions: totals.positions,
        }),
        Err(error) => Err(Arc::new(error)),
    });
    Ok(counts.collect())
}
