//! Searches games for all queries of a folder in one pass, and prints how many games match each of them:
//!
//! ```sh
//! cargo run --release --example many -- queries/mates examples/classics.pgn
//! ```

use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skewer::{FoundGame, Games, Options, Query, Sink, run_all};

/// Returns the queries of a folder, with the names of their files.
fn queries(folder: &Path) -> Result<Vec<(String, Query)>, Box<dyn Error>> {
    let mut queries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cql") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let query = Query::compile(fs::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
            queries.push((name, query));
        }
    }
    queries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(queries)
}

/// Returns how many games match each query.
fn counts(queries: &[(String, Query)], games: Games) -> Result<Vec<u64>, Box<dyn Error>> {
    let mut options = Options::default();
    options.comments = false;
    options.squares = false;
    let mut sinks = vec![|_: FoundGame| ControlFlow::Continue(()); queries.len()];
    let searches = queries
        .iter()
        .zip(&mut sinks)
        .map(|((_, query), sink)| (query, sink as &mut dyn Sink));
    let outcomes = run_all(searches, games, &options)?;
    outcomes.into_iter().map(|outcome| Ok(outcome?.matches)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let queries = queries(&arguments.next().ok_or("which folder of queries?")?)?;
    let counts = counts(&queries, arguments.collect())?;
    for ((name, _), count) in queries.iter().zip(counts) {
        println!("{count:8}  {name}");
    }
    Ok(())
}

#[test]
fn one_pass_finds_a_smothered_mate() {
    let queries = queries(Path::new("queries/mates")).expect("the queries of the library");
    let counts = counts(&queries, Games::at("examples/classics.pgn")).expect("a search");
    let smothered = queries
        .iter()
        .position(|(name, _)| name == "smothered-mate")
        .expect("it is there");
    assert_eq!(counts[smothered], 1);
}
