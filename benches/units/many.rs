//! Many queries in one pass, beside the same queries alone.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{run, skewer};
use crate::corpus::Corpus;
use crate::replay::Unit;

/// The benchmark queries that ask about the pieces and lines of one position at a time, and neither about moves nor tags.
const STATIC: &[&str] = &[
    "arrow-nary",
    "attack-count",
    "imbalance",
    "mate",
    "never",
    "opposite-castling",
    "passed-seventh",
    "piece-loop",
    "pin-knight",
    "ray-battery",
    "ray-two-directions",
    "rook-ending",
    "shifted-chain",
    "square-loop",
    "stalemate",
    "xray",
];

/// How many queries one pass has.
const QUERIES: usize = 50;

/// The first lines of the table, as Markdown.
const HEAD: &str = "\
| games | 50 static queries in one pass | one of them alone, on average | ratio |
|---|--:|--:|--:|";

/// Measures and prints what a pass of many queries takes.
pub(crate) fn print(files: &[(String, PathBuf)], corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    let queries = STATIC
        .iter()
        .map(|name| {
            let file = files.iter().find(|(found, _)| found == name);
            file.map(|(_, path)| path.as_path())
                .ok_or_else(|| format!("tests/bench-queries has no {name}.cql"))
        })
        .collect::<Result<Vec<&Path>, String>>()?;
    let many = corpus.folder.join("queries");
    copies(&queries, &many)?;
    println!("{HEAD}");
    for (name, games) in [("PGN", &corpus.pgn), ("database", &corpus.database)] {
        let pass = units(&many, games, corpus, unit)?;
        let alone = queries
            .iter()
            .map(|query| units(query, games, corpus, unit))
            .collect::<Result<Vec<f64>, _>>()?;
        let average = alone.iter().cycle().take(QUERIES).sum::<f64>() / QUERIES as f64;
        println!("| {name} | {pass:.2} | {average:.2} | {:.2} |", pass / average);
    }
    Ok(())
}

/// Fills a new folder with queries: copies of some, one after the other.
fn copies(queries: &[&Path], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir(folder)?;
    for (index, query) in queries.iter().cycle().take(QUERIES).enumerate() {
        fs::copy(query, folder.join(format!("{index:02}.cql")))?;
    }
    Ok(())
}

/// What a pass takes, with all that the command does: starting, compiling the queries, searching, writing the results.
fn units(queries: &Path, games: &Path, corpus: &Corpus, unit: &Unit) -> Result<f64, Box<dyn Error>> {
    let results = corpus.folder.join("results");
    unit.measure(|| {
        let mut command = skewer();
        command
            .args([queries, games])
            .args(["--format", "count", "--out-dir"])
            .arg(&results);
        run(&mut command, &[0, 1]).map(|_| ())
    })
}
