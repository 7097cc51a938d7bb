//! Tests how many real games match the benchmark queries (`tests/bench-queries`).
//!
//! The games are not part of the repository. The variable `SKEWER_CORPUS` names a file of 100,000 master games that begins
//! with the game `FIRST_GAME`. Without it, or with another file, the tests print `skipped` and pass. `docs/benchmarks.md` says
//! where to get games. The first 1,000 games are searched by default, the first 10,000 with
//! `cargo test --release --test tests corpus:: -- --ignored`. The numbers for 10,000 games are those of CQL 6.2. The numbers for
//! 1,000 games were recorded from a build that agrees with them.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query;
use skewer::search::{self, search_in_memory};
use skewer::syntax::Source;

/// A query, and how many of the first 1,000 and the first 10,000 games match. Unknown numbers are not compared.
type Expected = (&'static str, Option<u64>, Option<u64>);

const EXPECTED: [Expected; 25] = [
    ("arrow-nary", Some(333), Some(3250)),
    ("attack-count", Some(2), Some(24)),
    ("echo-positions", Some(62), Some(62)),
    ("elo", Some(4), Some(63)),
    ("find-all-checks", Some(26), Some(317)),
    ("forced-move", Some(293), Some(2861)),
    ("imbalance", Some(1), Some(13)),
    ("knight-path", Some(620), Some(6200)),
    ("mate", Some(13), Some(137)),
    ("never", Some(0), Some(0)),
    ("opposite-castling", Some(70), Some(743)),
    ("passed-seventh", Some(147), Some(1502)),
    ("piece-loop", Some(79), Some(824)),
    ("pin-knight", Some(169), Some(1726)),
    ("player-regex", Some(22), Some(141)),
    ("queen-sacrifice", Some(20), Some(248)),
    ("ray-battery", Some(1), Some(9)),
    ("ray-two-directions", Some(511), Some(5108)),
    ("rook-ending", Some(4), Some(69)),
    ("shifted-chain", Some(153), Some(1370)),
    ("square-loop", Some(18), Some(197)),
    ("stalemate", Some(4), Some(12)),
    ("three-checks", Some(166), Some(1691)),
    ("underpromotion", Some(1), Some(3)),
    ("xray", Some(315), Some(3091)),
];

/// A query that finds the first game of the file in which the numbers were counted.
const FIRST_GAME: &str =
    "initial player white == \"Gaprindashvili, Nona\" player black == \"Szabo, Laszlo\" year == 1971";

/// Returns the file in which the numbers were counted, if it is there.
fn corpus() -> Option<PathBuf> {
    let Some(path) = env::var_os("SKEWER_CORPUS").map(PathBuf::from) else {
        println!("skipped: SKEWER_CORPUS names no file of games; docs/benchmarks.md says which one is meant");
        return None;
    };
    if !path.exists() {
        println!("skipped: there is no {}, which SKEWER_CORPUS names", path.display());
        return None;
    }
    let first = format!("cql() {FIRST_GAME}");
    if found(&Source::new("first game", first), &path, 1) == 0 {
        println!(
            "skipped: {} has other games than those that were counted",
            path.display()
        );
        return None;
    }
    Some(path)
}

/// Returns how many of the first games match a benchmark query.
fn matches(name: &str, corpus: &Path, games: i32) -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench-queries");
    let text = fs::read(folder.join(name).with_extension("cql")).expect("the queries can be read");
    found(&Source::new(name, text), corpus, games)
}

/// Returns how many of the first games match a query.
fn found(source: &Source, corpus: &Path, games: i32) -> u64 {
    let mut query = query::compile(source, &query::Options::default())
        .unwrap_or_else(|error| panic!("{}", error.render(source, false)));
    let last = query.header.games.map_or(games, |(_, last)| last.min(games));
    query.header.games = Some((1, last));
    let options = search::Options {
        threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        ..search::Options::quiet()
    };
    let found = search_in_memory(&query, Settings::default(), corpus, FormatName::Count, &options);
    found.expect("the search comes to its end").totals.matches
}

/// Compares the known numbers with the matches among the first games.
fn compare(games: i32, known: impl Fn(&Expected) -> Option<u64>) {
    let Some(corpus) = corpus() else {
        return;
    };
    let mut wrong = Vec::new();
    for expected in &EXPECTED {
        let Some(number) = known(expected) else {
            println!("skipped: {}: nothing to compare with", expected.0);
            continue;
        };
        let found = matches(expected.0, &corpus, games);
        if found != number {
            wrong.push(format!("{}: {number} games expected, {found} found", expected.0));
        }
    }
    assert!(wrong.is_empty(), "of the first {games} games:\n{}", wrong.join("\n"));
}

#[test]
fn first_thousand_games() {
    compare(1_000, |(_, thousand, _)| *thousand);
}

#[test]
#[ignore = "takes a release build to be quick"]
fn first_ten_thousand_games() {
    compare(10_000, |(_, _, ten_thousand)| *ten_thousand);
}
