//! The golden cases: queries, with the answers of CQL 6.2.
//!
//! There is a folder for each chapter of the language reference, and one for generated queries that once showed a difference
//! (`differential`, with the games next to the queries).
//!
//! `deviations.toml` lists the cases that deviate on purpose, with the reasons.
//!
//! Every query is also answered from a database of the same games, which must make no difference.

mod case;
mod databases;
pub(crate) use databases::database;
mod neighbours;
mod outcome;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use case::Case;
use outcome::{Outcome, run};

use crate::recorded::is_wanted;

/// Returns the folder of the cases.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Returns the cases that deviate on purpose, by chapter and name.
fn deviations() -> BTreeSet<String> {
    let text = fs::read_to_string(folder().join("deviations.toml")).expect("deviations.toml");
    let table: toml::Table = text.parse().expect("deviations.toml is TOML");
    let reasons = table
        .iter()
        .map(|(name, reason)| (name, reason.as_str().unwrap_or_default()));
    reasons
        .map(|(name, reason)| {
            assert!(!reason.is_empty(), "the deviation {name} has no reason");
            name.clone()
        })
        .collect()
}

/// Runs all cases of a chapter on the games of all chapters.
fn chapter(name: &str) {
    cases(name, "pgn");
}

/// Runs all cases of a folder on the games of another folder, and reports those that do not agree.
fn cases(name: &str, games: &str) {
    let deviations = deviations();
    let mut failures = Vec::new();
    let mut agreed = 0;
    for case in Case::all(&folder().join(name)) {
        let listed_name = format!("{name}/{}", case.name);
        if !is_wanted(&case.name) || deviations.contains(&listed_name) {
            continue;
        }
        match run(&case, &folder().join(games)) {
            Outcome::Agrees => agreed += 1,
            Outcome::Differs(difference) => failures.push(format!("{}:\n{difference}", case.name)),
        }
    }
    println!("{name}: {agreed} agree, {} fail", failures.len());
    assert!(
        failures.is_empty(),
        "{} cases of {name} fail\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn chapter_01_language() {
    chapter("01-language");
}

#[test]
fn chapter_02_games_and_output() {
    chapter("02-games-and-output");
}

#[test]
fn chapter_03_sets_and_pieces() {
    chapter("03-sets-and-pieces");
}

#[test]
fn chapter_04_rays_attacks_transforms() {
    chapter("04-rays-attacks-transforms");
}

#[test]
fn chapter_05_game_tree() {
    chapter("05-game-tree");
}

#[test]
fn chapter_06_moves() {
    chapter("06-moves");
}

#[test]
fn chapter_07_paths_and_lines() {
    chapter("07-paths-and-lines");
}

#[test]
fn chapter_08_variables_strings_functions() {
    chapter("08-variables-strings-functions");
}

#[test]
fn generated_queries() {
    cases("differential", "differential");
}

#[test]
fn every_listed_case_exists() {
    let chapters = fs::read_dir(folder()).expect("the folder of the cases");
    let chapters = chapters.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    let listed_name = |chapter: &fs::DirEntry, case: Case| format!("{}/{}", chapter.file_name().display(), case.name);
    let names: BTreeSet<String> = chapters
        .flat_map(|chapter| {
            Case::all(&chapter.path())
                .into_iter()
                .map(move |case| listed_name(&chapter, case))
        })
        .collect();
    assert!(names.len() > 1500, "only {} cases found", names.len());
    let listed = deviations();
    let missing: Vec<_> = listed.difference(&names).collect();
    assert!(missing.is_empty(), "listed but not there: {missing:?}");
}
