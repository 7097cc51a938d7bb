//! Searches a database, or a Parquet archive of another program, one row group at a time, as the tasks of a cluster do.
//!
//! Prints the number of matches in each:
//!
//! ```sh
//! skewer index examples/classics.pgn -o games.parquet
//! cargo run --release --example database -- 'mate' games.parquet
//! ```

use std::env;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use skewer::{FoundGame, Games, Options, Query, row_groups};

/// Returns how many games of each row group match, and how many it has.
fn counts(query: &Query, database: &Path) -> Result<Vec<(u64, u64)>, Box<dyn Error>> {
    let mut options = Options::default();
    options.comments = false;
    options.squares = false;
    // A database has a column for each tag, and reads only those that are asked for. This needs none.
    options.tags = Some(Vec::new());
    let groups = row_groups(database)?.ok_or("it is no Parquet file")?;
    let mut counts = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let games = Games::of_row_groups(database, index..index + 1);
        let totals = query.run(games, &options, &mut |_: FoundGame| ControlFlow::Continue(()))?;
        counts.push((totals.matches, group.games));
    }
    Ok(counts)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let text = arguments.next().ok_or("which query?")?;
    let database = PathBuf::from(arguments.next().ok_or("which database?")?);
    let query = Query::compile(text.to_string_lossy().as_bytes())?;
    // A query that sorts or counts games has to see all of them.
    if let Some(obstacle) = query.obstacles().first() {
        return Err(format!("the query cannot be searched in parts: {obstacle}").into());
    }
    for (index, (matches, games)) in counts(&query, &database)?.into_iter().enumerate() {
        println!("row group {index}: {matches} of {games} games");
    }
    Ok(())
}

#[test]
fn games_of_an_archive_match() {
    let query = Query::compile("check").expect("a query");
    let counts = counts(&query, Path::new("python/tests/archives/lichess.parquet")).expect("a search");
    assert!(counts.iter().all(|(matches, games)| matches <= games));
    assert!(counts.iter().any(|(matches, _)| *matches > 0));
}
