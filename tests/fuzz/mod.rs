//! Runs the harnesses on inputs that are the same every time: the corpora, mutations of them, and generated texts.
//!
//! `FUZZ_ROUNDS=20` tries twenty times as many mutations, and `FUZZ_SEED=7` tries other ones. The current input is kept in
//! `target/tmp/fuzz-*`, so it can be found there if it ends the process, as a stack overflow does. `docs/fuzzing.md` says what to
//! do after a failure.

#[expect(unreachable_pub, reason = "for libFuzzer it is a library of its own")]
mod harness;
mod texts;
mod watched;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use harness::mutation::{BYTES, Language, PGN, POSITIONS, QUERY};
use harness::{conversation, database, foreign, pgn, positions, query};
use watched::{try_all, try_each};

/// Returns a folder of the repository.
fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Returns the files below a folder of the repository that have one of these extensions, or all files if `extensions` is empty. They are in order.
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

/// Returns a number that an environment variable may set.
fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("a number"))
}

/// Returns how many inputs of a kind to try. `number` is the default.
pub(crate) fn rounds(number: u64) -> u64 {
    number * setting("FUZZ_ROUNDS", 1)
}

/// Returns the random generator of a test.
pub(crate) fn random() -> Rng {
    Rng::with_seed(setting("FUZZ_SEED", 1))
}

/// Returns mutations of texts.
fn mutations(language: Language, texts: Vec<Vec<u8>>, number: u64) -> impl Iterator<Item = Vec<u8>> + Send {
    let mut random = random();
    (0..rounds(number)).map(move |_| {
        let text = random.choice(&texts).cloned().unwrap_or_default();
        language.mutate(&text, &texts, &mut random)
    })
}

/// Returns random bytes of these lengths, for harnesses that read them as scripts.
fn scripts(lengths: Range<usize>, number: u64) -> impl Iterator<Item = Vec<u8>> + Send {
    let mut random = random();
    (0..rounds(number)).map(move |_| {
        let length = random.usize(lengths.clone());
        (0..length).map(|_| random.u8(..)).collect()
    })
}

/// Returns the queries of the repository.
fn queries() -> Vec<Vec<u8>> {
    let folders = ["tests/fuzz/corpus/query", "queries", "tests/golden"];
    folders
        .into_iter()
        .flat_map(|folder| files(folder, &["cql", "txt"]))
        .collect()
}

/// Returns pieces of the PGN files of the repository, each several games long.
fn games() -> Vec<Vec<u8>> {
    let mut pieces = files("tests/fuzz/corpus/pgn", &[]);
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
        files("tests/fuzz/corpus/query", &[]).into_iter(),
        query::check,
    );
}

#[test]
fn mutated_queries() {
    let good = try_all("query", mutations(QUERY, queries(), 200), query::check);
    assert!(good > 10, "only {good} mutations are queries");
}

#[test]
fn games_found_by_fuzzing() {
    try_each(
        "pgn-corpus",
        files("tests/fuzz/corpus/pgn", &[]).into_iter(),
        pgn::check,
    );
}

#[test]
fn mutated_games() {
    try_each("pgn", mutations(PGN, games(), 200), pgn::check);
}

#[test]
fn mutated_positions() {
    let texts = files("tests/fuzz/corpus/positions", &[]);
    try_each("positions", mutations(POSITIONS, texts, 200), positions::check);
}

#[test]
fn damaged_databases() {
    try_each("database", scripts(6..40, 200), database::check_damage);
}

#[test]
fn parquet_found_by_fuzzing() {
    let files = files("tests/fuzz/corpus/parquet", &[]);
    try_each("parquet-corpus", files.into_iter(), database::check_bytes);
}

#[test]
fn mutated_parquet() {
    let bases = files("tests/fuzz/corpus/parquet", &[]);
    try_each("parquet", mutations(BYTES, bases, 100), database::check_bytes);
}

#[test]
fn damaged_databases_of_other_programs() {
    try_each("foreign", scripts(6..40, 200), foreign::check);
}

#[test]
fn conversations() {
    try_each("conversation", scripts(6..200, 75), conversation::check);
}
