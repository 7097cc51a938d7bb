//! The harnesses of `fuzz/` on inputs that are the same every time: the corpora, and mutations of them.
//!
//! `FUZZ_ROUNDS=20` tries twenty times as many mutations, `FUZZ_SEED=7` others. The input that is being tried is kept in
//! `target/tmp/fuzz-*`, so that what ends the process outright, as a stack overflow does, leaves its cause there.
//! `docs/fuzzing.md` says how to go on from a failure.

#[expect(unreachable_pub, reason = "for libFuzzer it is a library of its own")]
#[path = "../../fuzz/src/lib.rs"]
mod harness;
mod watched;

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use harness::mutation::{BYTES, Language, PGN, QUERY};
use harness::{conversation, database, pgn, query};
use watched::try_all;

/// A folder of the repository.
fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// The files below a folder of the repository whose names have one of these extensions; all, where none is named. In order.
fn files(folder: &str, extensions: &[&str]) -> Vec<Vec<u8>> {
    let walk = walkdir::WalkDir::new(repository(folder)).sort_by_file_name();
    let paths = walk.into_iter().filter_map(|entry| Some(entry.ok()?.into_path()));
    let wanted = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        path.is_file() && (extensions.is_empty() || extension.is_some_and(|extension| extensions.contains(&extension)))
    };
    let texts: Vec<_> = paths
        .filter(wanted)
        .map(|path| fs::read(path).expect("it can be read"))
        .collect();
    assert!(!texts.is_empty(), "there is nothing in {folder}");
    texts
}

/// A number that the environment may change.
fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

/// Mutations of texts, `rounds` of them.
fn mutations(language: Language, texts: Vec<Vec<u8>>, rounds: u64) -> impl Iterator<Item = Vec<u8>> + Send {
    let mut random = Rng::with_seed(setting("FUZZ_SEED", 1));
    (0..rounds * setting("FUZZ_ROUNDS", 1)).map(move |_| {
        let text = random.choice(&texts).cloned().unwrap_or_default();
        language.mutate(&text, &texts, &mut random)
    })
}

/// The queries of the repository.
fn queries() -> Vec<Vec<u8>> {
    let folders = ["fuzz/corpus/query", "queries", "tests/golden"];
    folders
        .into_iter()
        .flat_map(|folder| files(folder, &["cql", "txt"]))
        .collect()
}

/// Pieces of the PGN files of the repository, some games long.
fn games() -> Vec<Vec<u8>> {
    let mut pieces = files("fuzz/corpus/pgn", &[]);
    for file in ["examples", "tests/golden/pgn"]
        .into_iter()
        .flat_map(|folder| files(folder, &["pgn"]))
    {
        pieces.extend(file.chunks(1_500).take(60).map(<[u8]>::to_vec));
    }
    pieces
}

#[test]
fn queries_found_by_fuzzing() {
    try_all(
        "query-corpus",
        files("fuzz/corpus/query", &[]).into_iter(),
        query::check,
    );
}

#[test]
fn mutated_queries() {
    let good = try_all("query", mutations(QUERY, queries(), 400), query::check);
    assert!(good > 10, "only {good} mutations are queries");
}

#[test]
fn games_found_by_fuzzing() {
    let texts = files("fuzz/corpus/pgn", &[]).into_iter();
    try_all("pgn-corpus", texts, |text| {
        pgn::check(text);
        true
    });
}

#[test]
fn mutated_games() {
    try_all("pgn", mutations(PGN, games(), 400), |text| {
        pgn::check(text);
        true
    });
}

#[test]
fn damaged_databases() {
    let mut random = Rng::with_seed(setting("FUZZ_SEED", 1));
    let scripts = (0..400 * setting("FUZZ_ROUNDS", 1)).map(move |_| {
        let length = random.usize(6..40);
        (0..length).map(|_| random.u8(..)).collect()
    });
    try_all("database", scripts, |script: &[u8]| {
        database::check_damage(script);
        true
    });
}

#[test]
fn parquet_found_by_fuzzing() {
    try_all(
        "parquet-corpus",
        files("fuzz/corpus/parquet", &[]).into_iter(),
        |file| {
            database::check_bytes(file);
            true
        },
    );
}

#[test]
fn mutated_parquet() {
    let bases = files("fuzz/corpus/parquet", &[]);
    try_all("parquet", mutations(BYTES, bases, 200), |file| {
        database::check_bytes(file);
        true
    });
}

#[test]
fn conversations() {
    let mut random = Rng::with_seed(setting("FUZZ_SEED", 1));
    let scripts = (0..150 * setting("FUZZ_ROUNDS", 1)).map(move |_| {
        let length = random.usize(6..200);
        (0..length).map(|_| random.u8(..)).collect()
    });
    try_all("conversation", scripts, |script: &[u8]| {
        conversation::check(script);
        true
    });
}
