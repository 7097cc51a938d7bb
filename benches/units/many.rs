//! Measures many queries in one pass, and the same queries one by one.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{run, skewer};
use crate::corpus::Corpus;
use crate::replay::Unit;

/// Different queries that depend on the pieces and lines of a single position, and not on moves or tags. The first ones are from
/// the benchmark, the others from the library.
const STATIC: &[&str] = &[
    "tests/bench-queries/arrow-nary",
    "tests/bench-queries/attack-count",
    "tests/bench-queries/imbalance",
    "tests/bench-queries/mate",
    "tests/bench-queries/never",
    "tests/bench-queries/opposite-castling",
    "tests/bench-queries/passed-seventh",
    "tests/bench-queries/piece-loop",
    "tests/bench-queries/pin-knight",
    "tests/bench-queries/ray-battery",
    "tests/bench-queries/ray-two-directions",
    "tests/bench-queries/rook-ending",
    "tests/bench-queries/shifted-chain",
    "tests/bench-queries/square-loop",
    "tests/bench-queries/stalemate",
    "tests/bench-queries/xray",
    "queries/endgames/connected-passed-pawns-on-the-sixth-against-rook",
    "queries/endgames/distant-opposition",
    "queries/endgames/king-on-key-square",
    "queries/endgames/opposite-coloured-bishops",
    "queries/endgames/queen-against-pawn-on-seventh",
    "queries/endgames/queen-against-rook",
    "queries/endgames/queen-against-two-rooks",
    "queries/endgames/rook-against-bishop",
    "queries/endgames/rook-against-knight",
    "queries/endgames/rook-against-minor-piece",
    "queries/endgames/rook-behind-own-passed-pawn",
    "queries/endgames/rooks-and-opposite-coloured-bishops",
    "queries/endgames/same-coloured-bishops",
    "queries/endgames/two-bishops-against-bishop-and-knight",
    "queries/motifs/bishop-shut-in-on-h2",
    "queries/motifs/double-check",
    "queries/motifs/raking-bishops",
    "queries/openings/kings-gambit",
    "queries/openings/marshall-attack",
    "queries/openings/scandinavian-defence",
    "queries/structures/benoni-structure",
    "queries/structures/boleslavsky-hole",
    "queries/structures/carlsbad-structure",
    "queries/structures/doubled-c-pawns-of-the-nimzo",
    "queries/structures/doubled-isolated-pawns",
    "queries/structures/far-advanced-passed-pawn",
    "queries/structures/fianchettoed-king",
    "queries/structures/french-chain",
    "queries/structures/hedgehog",
    "queries/structures/isolated-queen-pawn",
    "queries/structures/locked-position",
    "queries/structures/passed-pawn",
    "queries/structures/quadrupled-pawns",
    "queries/structures/tripled-pawns",
];

/// The first lines of the table, as Markdown.
const HEAD: &str = "\
| games | 50 static queries in one pass | one of them alone, on average | ratio |
|---|--:|--:|--:|";

/// Measures how long a pass of many queries takes, and prints a table.
pub(crate) fn print(corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    let many = corpus.folder.join("queries");
    let queries = copies(&many)?;
    println!("{HEAD}");
    for (name, games) in [("PGN", &corpus.pgn), ("database", &corpus.database)] {
        let pass = units(&many, games, corpus, unit)?;
        let alone = queries
            .iter()
            .map(|query| units(query, games, corpus, unit))
            .collect::<Result<Vec<f64>, _>>()?;
        let average = alone.iter().sum::<f64>() / alone.len() as f64;
        println!("| {name} | {pass:.2} | {average:.2} | {:.2} |", pass / average);
    }
    Ok(())
}

/// Makes a folder with copies of the queries.
fn copies(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    fs::create_dir(folder)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copied = STATIC.iter().map(|name| {
        let to = folder.join(name.replace('/', "-") + ".cql");
        let from = root.join(name).with_extension("cql");
        fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
        Ok(to)
    });
    copied.collect()
}

/// Returns the time of a pass in units. It includes all that the command does: starting, compiling the queries, searching, writing the results.
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
