//! Runs a case and compares the result.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use skewer::eval::{Folder, Settings};
use skewer::game::Rules;
use skewer::output::FormatName;
use skewer::query::{self, Query};
use skewer::search::{self, Options, Printed, search_in_memory};
use skewer::syntax::{Diagnostic, Source};
use tempfile::TempDir;

use crate::golden::case::{Case, Kind};
use crate::golden::databases::database;

/// The outcome of a case.
pub(crate) enum Outcome {
    Agrees,
    /// What was expected and what was found, as a text.
    Differs(String),
}

/// Runs a case on the PGN files of a folder.
pub(crate) fn run(case: &Case, pgn: &Path) -> Outcome {
    let source = Source::new(format!("{}.cql", case.name), case.query.clone());
    let options = query::Options {
        vocabulary: query::Vocabulary::Cql62,
        ..query::Options::default()
    };
    let compiled = query::compile(&source, &options);
    match (compiled, case.kind) {
        (Err(_), Kind::Reject) => Outcome::Agrees,
        // Some queries are only refused while they run.
        (Ok(query), Kind::Reject) => match search_with(&found_in(query, pgn), pgn) {
            Ok(_) => Outcome::Differs("  expected: an error\n  found:    the query is accepted\n".to_owned()),
            Err(_) => Outcome::Agrees,
        },
        (Err(error), _) => Outcome::Differs(error.render(&source, false)),
        (Ok(query), _) => match search_with(&found_in(query, pgn), pgn) {
            Ok(found) => compare(case, &found),
            Err(error) => Outcome::Differs(stopped(&error, &source)),
        },
    }
}

/// Returns the query with the path of the file that it compares with, in a folder.
fn found_in(query: Query, pgn: &Path) -> Query {
    let mut query = query;
    if let Some(similar) = &mut query.similar {
        similar.path = pgn.join(&similar.path);
    }
    query
}

/// The result of a search, in every form that is compared.
struct Found {
    ids: Vec<String>,
    games: u64,
    messages: Vec<String>,
    pgn: Vec<u8>,
}

fn search_with(query: &Query, pgn: &Path) -> Result<Found, search::Error> {
    let ids = searched(query, pgn, FormatName::Ids)?;
    let pgn = searched(query, pgn, FormatName::Pgn)?.output;
    let lines = |bytes: &[u8]| -> Vec<String> { String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect() };
    Ok(Found {
        ids: lines(&ids.output),
        games: ids.totals.matches,
        messages: lines(&ids.log),
        pgn,
    })
}

/// Searches the PGN file of a query and its database, and asserts that the results are the same.
fn searched(query: &Query, pgn: &Path, format: FormatName) -> Result<Printed, search::Error> {
    let input = pgn.join(query.header.input.as_deref().unwrap_or_default());
    let from_pgn = searched_in(&input, query, pgn, format, 1);
    if input.is_file() {
        let threads = if format == FormatName::Pgn { 2 } else { 7 };
        let from_database = searched_in(&database(&input), query, pgn, format, threads);
        match (&from_pgn, &from_database) {
            (Ok(pgn), Ok(database)) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                assert_eq!(text(&database.output), text(&pgn.output), "output from a database");
                assert_eq!(text(&database.log), text(&pgn.log), "messages from a database");
                // Where only main lines are read, a database does not count games with variations.
                let mut totals = database.totals;
                totals.with_variations = pgn.totals.with_variations;
                assert_eq!(totals, pgn.totals, "totals from a database");
            }
            (Err(pgn), Err(database)) => assert_eq!(database.to_string(), pgn.to_string(), "errors from a database"),
            (Ok(_), Err(error)) => panic!("only from a database: {error}"),
            (Err(error), Ok(_)) => panic!("only from PGN: {error}"),
        }
    }
    from_pgn
}

fn searched_in(
    input: &Path,
    query: &Query,
    pgn: &Path,
    format: FormatName,
    threads: usize,
) -> Result<Printed, search::Error> {
    let folder = query.file_access.map(|_| folder_of_files(pgn));
    let settings = Settings {
        files: folder.as_ref().map(|folder| {
            let folder = Folder::open(folder.path(), false).expect("the folder for files");
            Arc::new(folder)
        }),
        ..Settings::default()
    };
    let options = Options {
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        rules: Rules::Cql,
        quiet: false,
        ..Options::quiet()
    };
    search_in_memory(query, settings, input, format, &options)
}

/// Returns a folder that has only the PGN files, like that of the recorded queries.
fn folder_of_files(pgn: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(pgn).expect("the PGN files") {
        let path = entry.expect("a PGN file").path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, folder.path().join(name)).expect("a copy of a PGN file");
        }
    }
    folder
}

fn stopped(error: &search::Error, source: &Source) -> String {
    match error {
        search::Error::Evaluation(stop) => render(&stop.diagnostic, source),
        error => format!("{error}\n"),
    }
}

fn render(diagnostic: &Diagnostic, source: &Source) -> String {
    diagnostic.render(source, false)
}

fn compare(case: &Case, found: &Found) -> Outcome {
    let mut difference = String::new();
    let mut differ = |what: &str, expected: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
        let _ = writeln!(difference, "  {what}\n    expected: {expected}\n    found:    {found}");
    };
    if case
        .value("games:")
        .is_some_and(|games| games != found.games.to_string())
    {
        differ("games", &case.value("games:").unwrap_or_default(), &found.games);
    }
    if case.kind != Kind::NoPositions {
        let (expected, _) = case.lines("@ ");
        let expected: Vec<&str> = expected
            .iter()
            .flat_map(|line| line.split(' '))
            .filter(|id| *id != "...")
            .collect();
        let begin = &found.ids[..found.ids.len().min(expected.len())];
        if case
            .value("positions:")
            .is_some_and(|positions| positions != found.ids.len().to_string())
            || begin != expected
        {
            differ("positions", &expected.join(" "), &found.ids.join(" "));
        } else if case
            .value("digest:")
            .is_some_and(|expected| expected != digest(&found.ids))
        {
            differ(
                "digest of the positions",
                &case.value("digest:").unwrap_or_default(),
                &digest(&found.ids),
            );
        }
    }
    // Only lines that begin with a place or a bar were recorded, so `message quiet` and messages of several lines are incomplete.
    let (expected, cut) = case.lines("| ");
    let expected: Vec<&str> = expected.iter().map(|line| line.trim_end()).collect();
    let mut messages: Vec<&str> = found
        .messages
        .iter()
        .filter(|line| line.starts_with("Game: ") || line.starts_with('|'))
        .map(|line| line.trim_end())
        .collect();
    if cut {
        messages.truncate(expected.len());
    }
    if let Some(place) = first_difference(&expected, &messages) {
        let line = |lines: &[&str]| {
            lines
                .get(place)
                .map_or("(no line)".to_owned(), |line| (*line).to_owned())
        };
        differ(
            &format!("printed line {}", place + 1),
            &line(&expected),
            &line(&messages),
        );
    }
    if let Some(pgn) = &case.expected_pgn {
        let (expected, found) = (normalised(pgn), normalised(&found.pgn));
        if let Some(place) = first_difference(&expected, &found) {
            let around = |lines: &[String]| {
                let end = lines.len().min(place + 3);
                lines
                    .get(place.saturating_sub(2)..end)
                    .unwrap_or_default()
                    .join("\n              ")
            };
            differ(&format!("PGN line {}", place + 1), &around(&expected), &around(&found));
        }
    }
    if difference.is_empty() {
        Outcome::Agrees
    } else {
        Outcome::Differs(cut_to(difference, 4000))
    }
}

/// Returns the index of the first line in which two texts differ.
fn first_difference<T: PartialEq>(left: &[T], right: &[T]) -> Option<usize> {
    let place = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    (place < left.len().max(right.len())).then_some(place)
}

/// Returns the lines of a text, without trailing spaces.
fn normalised(pgn: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(pgn)
        .trim_end()
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Returns the SHA-256 of the positions, each followed by a line feed.
fn digest(ids: &[String]) -> String {
    let mut hash = Sha256::new();
    for id in ids {
        hash.update(id);
        hash.update("\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cut_to(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} …\n", &text[..end]),
        None => text,
    }
}
