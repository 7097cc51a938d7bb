//! The queries of the repository find the same with and without shortcuts: golden cases, the library, the filters beyond CQL 6.2,
//! and the benchmark queries.

use std::fs;
use std::path::Path;

use skewer::output::FormatName;
use skewer::query::Shortcuts;
use walkdir::WalkDir;

use super::random::{GAMES, LONG};
use super::ways::{Answers, Games};
use super::{answer, compiled, source};

/// How often all games are repeated in a run, in which positions are evaluated in different ways from game to game.
const COPIES: usize = 2;

/// Returns positions of the games, each as a game of its own. Successive ones are evaluated together.
fn lone_positions() -> String {
    const STEP: usize = 7;
    const MOST: usize = 100;
    let query = compiled(&source("cql() true"), Shortcuts::empty()).expect("it compiles");
    let (fens, _) = answer(&query, "games.pgn", GAMES.as_bytes(), FormatName::Fen).expect("it runs");
    let games = fens.lines().step_by(STEP).take(MOST);
    games.map(|fen| format!("[FEN \"{fen}\"]\n\n*\n\n")).collect()
}

/// Compares the answers of all queries below a folder, of which at least `least` compile.
fn compare(folder: &str, least: usize) {
    let lone = lone_positions();
    let games = Games::of([GAMES, LONG, &lone].join("\n").repeat(COPIES).as_bytes());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = WalkDir::new(&folder)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    let queries = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "cql"));
    let (mut tried, mut matched) = (0, 0);
    let mut faults = Vec::new();
    for (number, file) in queries.enumerate() {
        // Some golden cases are not UTF-8.
        let Ok(text) = fs::read_to_string(file.path()) else {
            continue;
        };
        let format = [FormatName::Pgn, FormatName::Ids][number % 2];
        let Some(Answers { expected, others }) = games.answers(&text, number, format) else {
            continue;
        };
        tried += 1;
        matched += usize::from(expected.is_ok_and(|(found, _)| !found.is_empty()));
        if !others.is_empty() {
            faults.push(format!(
                "{}: {}",
                file.path().display(),
                games.fault(&text, number, format)
            ));
        }
    }
    println!("{tried} queries compile, {matched} answers are not empty");
    assert!(tried >= least, "only {tried} queries compile");
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn golden_cases() {
    compare("tests/golden", 1300);
}

#[test]
fn the_library() {
    compare("queries", 550);
}

#[test]
fn queries_beyond_cql() {
    compare("tests/beyond", 75);
}

#[test]
fn measured_queries() {
    compare("tests/bench-queries", 20);
    compare("tests/bench-beyond", 10);
}
