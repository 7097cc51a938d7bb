//! `skewer search --out-dir`: many queries in one pass over the games.

use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::Arguments;
use super::{contents, hint_at_narrowing, hint_at_variations, tell_of_damage};
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::files::{self, is_query};
use crate::cli::queries::names::{self, Named, is_library_name};
use crate::cli::{Exit, Failure, engine, fail, outputs, print, signal};
use crate::output::{Destination, FormatName, Guard, Kind, Results, Role, Summary, Totals};
use crate::pgn::holds_games;
use crate::search::in_parallel;
use crate::terminal::{Visible, shown};

/// The table of all queries, beside their results.
const SUMMARY: &str = "summary.csv";

/// One of the queries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    /// What it is.
    pub(super) query: Named,
    /// Its path in the folder that was named, without the extension: the name of its result and in messages.
    pub(super) name: String,
}

impl Asked {
    /// A file in a folder; the folder of a file that was named itself is where it is.
    fn file(path: PathBuf, folder: &Path) -> Asked {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = name.display().to_string();
        let query = Named::File(path);
        Asked { query, name }
    }

    /// A query that was named itself.
    fn named(query: Named) -> Asked {
        match query {
            Named::Library(query) => Asked {
                name: query.short_name().to_owned(),
                query: Named::Library(query),
            },
            Named::File(path) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                Asked::file(path, &folder)
            }
        }
    }

    /// The file, if it is one.
    fn path(&self) -> Option<&PathBuf> {
        match &self.query {
            Named::File(path) => Some(path),
            Named::Library(_) => None,
        }
    }

    /// Where its result goes.
    pub(super) fn result(&self, folder: &Path, format: FormatName) -> PathBuf {
        folder.join(format!("{}.{}", self.name, format.extension()))
    }
}

/// Runs all queries. What is wrong with one of them is reported and does not keep the others from going on.
pub(crate) fn execute(arguments: &Arguments, folder: &Path, color: bool) -> Result<Exit, Failure> {
    let (queries, inputs) = queries_and_inputs(&arguments.paths, arguments.quiet)?;
    let filters = arguments.added_filters()?;
    let format = arguments.form(false)?.format;
    let results = results(&queries, folder, format)?;
    let own_files = queries.iter().filter_map(Asked::path);
    let settings = arguments.settings(arguments.folder()?, own_files.chain(&inputs).chain(&results));
    let games = engine::Inputs::find(&inputs, arguments.packed)?.in_language(arguments.letters);
    if !arguments.quiet {
        games.say_left_out();
    }
    let compiled = in_parallel(&queries, arguments.threads.count(), |_, asked| {
        arguments.compile(asked.query.text()?, filters.clone(), color)
    });
    compiled.iter().flatten().for_each(|query| query.warn(color));
    let with_variations: Vec<bool> = compiled
        .iter()
        .map(|query| query.as_ref().is_ok_and(|query| query.header().variations))
        .collect();
    let mut guard = Guard::new(arguments.force.force);
    let query_files = queries.iter().filter_map(Asked::path);
    query_files.for_each(|path| guard.protect(Role::Query, path));
    games.protect(&mut guard);
    compiled
        .iter()
        .flatten()
        .for_each(|query| query.protect_compared(&mut guard));
    let kind = Kind::Search(format);
    let permits = results.iter().map(|result| guard.permit(result, kind));
    let permits = permits.collect::<Result<Vec<_>, _>>()?;
    let summary_permit = guard.permit(&folder.join(SUMMARY), Kind::Summary)?;
    let contents_permit = (format == FormatName::Html)
        .then(|| guard.permit(&folder.join(contents::NAME), Kind::ResultsPage))
        .transpose()?;
    let interrupt = signal::handle(arguments.limits.interrupt());
    let results = Results::new(folder, results.len()).map_err(outputs::unwritten)?;
    let drawn = arguments.drawn(&games, &settings, &interrupt, color)?;
    let mut tasks = Vec::new();
    for ((file, query), permit) in queries.iter().zip(compiled).zip(permits) {
        tasks.push(match query {
            Ok(query) => {
                let files = settings.files.as_ref().map(|folder| folder.for_another_query());
                let files = files.transpose().map_err(outputs::unwritten)?;
                let query = query.among(drawn.clone());
                Ok(engine::Task::new(query, &file.name, results.result(permit), files))
            }
            Err(failure) => {
                fail(&failure);
                Err(failure)
            }
        });
    }

    let databases = games.databases();
    let mut running: Vec<_> = tasks.iter_mut().filter_map(|task| task.as_mut().ok()).collect();
    let options = arguments.options(Arc::clone(&interrupt));
    let is_watched = !arguments.quiet && io::stderr().is_terminal();
    let mut log = Visible::new(io::stderr());
    let show = if is_watched {
        Show::Progress(games.bytes())
    } else {
        Show::Nothing
    };
    let mut progress = Progress::new(&mut log, show).with_warnings(arguments.warnings.shown());
    let look = arguments.look(false, true);
    engine::search_all(&mut running, games, &settings, &options, (format, look), &mut progress)
        .map_err(Failure::new)?;
    drop(progress);

    let is_part = interrupt.was_heeded();
    let mut placed = Vec::new();
    let finished = engine::finish_all(tasks, &results, &guard, is_part, color);
    let outcomes = finished.into_iter().map(|finished| {
        let (totals, place) = finished.map_err(|failure| failure.message)?;
        placed.extend(place);
        Ok(totals)
    });
    let outcomes: Vec<Result<Totals, String>> = outcomes.collect();
    if !arguments.quiet && !is_part {
        for (asked, outcome) in queries.iter().zip(&outcomes) {
            if let Ok(totals) = outcome {
                let path = asked.result(folder, format);
                let bytes = fs::metadata(&path).map_or(0, |file| file.len());
                outputs::advise_on_size(Some(&path), format, bytes, *totals);
            }
        }
        let known = outcomes.iter().zip(&with_variations);
        let known = known.filter_map(|(outcome, searched)| Some((*outcome.as_ref().ok()?, *searched)));
        let is_without_games = |(totals, _): (Totals, bool)| hint_at_narrowing(totals, &arguments.narrowing);
        if !known.clone().next().is_some_and(is_without_games) {
            hint_at_variations(known, &databases);
        }
    }
    let mut summary = Summary::default();
    for (file, outcome) in queries.iter().zip(&outcomes) {
        match outcome {
            Ok(totals) => summary.add(&file.name, *totals),
            Err(message) => summary.add_error(&file.name, message),
        }
    }
    let mut table = Destination::file(summary_permit).map_err(outputs::unwritten)?;
    summary
        .write_csv(arguments.quote_formulas, &mut table)
        .map_err(outputs::unwritten)?;
    placed.push(table.commit_all_or_part(is_part).map_err(outputs::unwritten)?);
    if let Some(permit) = contents_permit.filter(|_| !is_part) {
        let contents = Destination::file(permit).map_err(outputs::unwritten)?;
        outputs::write(contents, contents::page(folder, &queries, &outcomes).as_bytes())?;
    }
    print(summary.to_string().as_bytes())?;
    let games = outcomes.iter().flatten().map(|totals| totals.games).max();
    if let Some(exit) = signal::ended_early(&interrupt, games.unwrap_or(0), &placed) {
        return Ok(exit);
    }
    let most_unreadable = outcomes
        .iter()
        .flatten()
        .copied()
        .max_by_key(|totals| totals.unreadable);
    Ok(
        if most_unreadable.is_some_and(tell_of_damage) || outcomes.iter().any(Result::is_err) {
            Exit::Error
        } else if outcomes.iter().flatten().any(|totals| totals.matches > 0) {
            Exit::Success
        } else {
            Exit::NoMatch
        },
    )
}

/// The first path and those that end in `.cql` are queries, or folders of them; so are names of queries of the library, and of a section
/// of it in the first place. The others are inputs.
fn queries_and_inputs(paths: &[PathBuf], quiet: bool) -> Result<(Vec<Asked>, Vec<PathBuf>), Failure> {
    let mut queries = Vec::new();
    let mut inputs = Vec::new();
    if let Some(games) = paths.first().filter(|path| holds_games(path)) {
        return Err(Failure::with_help(
            format_args!(
                "{} has games, and the first path is a query, also beside -e",
                shown(games)
            ),
            "`skewer search QUERIES GAMES.pgn --out-dir DIR`; `-o FILE` takes what filters after -e find",
        ));
    }
    for (index, path) in paths.iter().enumerate() {
        let section = names::section(path);
        if index > 0 && !is_query(path) && !is_library_name(path) {
            inputs.push(path.clone());
        } else if path.is_dir() {
            let files = files::in_folder(path)?;
            queries.extend(files.into_iter().map(|file| Asked::file(file, path)));
        } else if !section.is_empty() {
            queries.extend(section.into_iter().map(Named::Library).map(Asked::named));
        } else {
            let named = Named::find(path, quiet)?;
            queries.push(Asked::named(named.unwrap_or_else(|| Named::File(path.clone()))));
        }
    }
    if inputs.is_empty() {
        return Err(Failure::new(
            "nothing to search: name a file or a folder after the queries, or - for standard input",
        ));
    }
    Ok((queries, inputs))
}

/// Where the results go: to different files.
fn results(queries: &[Asked], folder: &Path, format: FormatName) -> Result<Vec<PathBuf>, Failure> {
    let mut taken = HashSet::from([folder.join(SUMMARY)]);
    if format == FormatName::Html {
        taken.insert(folder.join(contents::NAME));
    }
    let results = queries.iter().map(|query| query.result(folder, format));
    let fresh = |result: PathBuf| {
        if taken.insert(result.clone()) {
            Ok(result)
        } else {
            let message = format_args!(
                "{} would be written twice: give the queries different names",
                shown(&result)
            );
            Err(Failure::new(message))
        }
    };
    results.map(fresh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn the_first_path_and_cql_files_are_queries() {
        let (queries, inputs) =
            queries_and_inputs(&paths(&["odd/name.txt", "a.pgn", "b/mate.CQL", "-"]), true).unwrap();
        let names: Vec<_> = queries.iter().map(|query| &*query.name).collect();
        assert_eq!(names, ["name", "mate"]);
        assert_eq!(inputs, paths(&["a.pgn", "-"]));
    }

    #[test]
    fn games_in_the_first_place_are_refused() {
        let failure = queries_and_inputs(&paths(&["a.pgn", "b.pgn"]), true).unwrap_err();
        assert!(failure.message.starts_with("a.pgn has games"), "{}", failure.message);
    }

    #[test]
    fn a_folder_stands_for_the_queries_inside() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.cql", "a.cql", "ends/c.v2.cql", "notes.txt"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "cql() mate").unwrap();
        }
        let (queries, _) = queries_and_inputs(&[folder.path().to_owned(), PathBuf::from("-")], true).unwrap();
        let results = results(&queries, Path::new("out"), FormatName::Csv).unwrap();
        assert_eq!(results, paths(&["out/a.csv", "out/b.csv", "out/ends/c.v2.csv"]));
    }

    #[test]
    fn two_queries_do_not_write_one_file() {
        for (names, format) in [
            (["a/mate.cql", "b/mate.cql"], FormatName::Pgn),
            (["a/mate.cql", "summary.cql"], FormatName::Csv),
            (["a/mate.cql", "index.cql"], FormatName::Html),
        ] {
            let (queries, _) = queries_and_inputs(&paths(&[names[0], names[1], "-"]), true).unwrap();
            let Failure { message, .. } = results(&queries, Path::new("out"), format).unwrap_err();
            assert!(message.contains("would be written twice"), "{message}");
        }
    }

    #[test]
    fn without_inputs_there_is_nothing_to_search() {
        assert!(queries_and_inputs(&paths(&["a.cql", "b.cql"]), true).is_err());
    }
}
