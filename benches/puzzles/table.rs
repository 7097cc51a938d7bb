//! Measures how well queries find the puzzles that a collection labels.
//!
//! The file has the columns of the Lichess puzzles:
//!
//! ```sh
//! cargo run --profile dist --locked --example puzzles -- queries/tactics puzzles.csv.zst
//! ```
//!
//! A query is named after its label: `puzzle-back-rank-mate.cql` should find the puzzles with `backRankMate` among their `Themes`.
//! All queries run in one pass. The milliseconds are those of a pass with a single query, and include reading the file.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use skewer::{FoundGame, Games, Options, Query, Sink, run_all};

/// A query, and the label of the puzzles that it should find.
struct Theme {
    label: String,
    query: Query,
}

/// How many puzzles have a label, how many the query finds, and how many of these have the label.
#[derive(Default)]
struct Score {
    labelled: usize,
    found: usize,
    right: usize,
}

impl Score {
    fn precision(&self) -> f64 {
        self.right as f64 / self.found as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / self.labelled as f64
    }

    /// Returns the harmonic mean of precision and recall.
    fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.labelled) as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { labelled, found, .. } = self;
        let (precision, recall, f1) = (self.precision(), self.recall(), self.f1());
        write!(out, "{labelled:8} {found:8} {precision:10.3} {recall:7.3} {f1:6.3}")
    }
}

/// Returns the label that a query is named after: `backRankMate` for `puzzle-back-rank-mate`.
fn label(name: &str) -> String {
    let mut words = name.strip_prefix("puzzle-").unwrap_or(name).split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |label, word| {
        // Some labels are `attackingF2F7` and `mateIn1`.
        let (head, tail) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        label + &head.to_uppercase() + tail
    })
}

fn themes(folder: &Path) -> Result<Vec<Theme>, Box<dyn Error>> {
    let mut themes = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cql") {
            let query = Query::compile(fs::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
            let label = label(&path.file_stem().unwrap_or_default().to_string_lossy());
            themes.push(Theme { label, query });
        }
    }
    themes.sort_by(|one, other| one.label.cmp(&other.label));
    Ok(themes)
}

/// Returns the labels of the puzzles, in order of their numbers.
fn labels(puzzles: &Games) -> Result<Vec<HashSet<String>>, Box<dyn Error>> {
    let mut labels: Vec<HashSet<String>> = Vec::new();
    for game in Query::compile("cql() initial")?.search_with(puzzles.clone(), &options())? {
        let game = game?;
        let number = game.number() as usize;
        labels.resize_with(labels.len().max(number + 1), HashSet::new);
        labels[number] = game
            .tag("Themes")
            .unwrap_or_default()
            .split(' ')
            .map(str::to_owned)
            .collect();
    }
    Ok(labels)
}

/// Returns the numbers of the puzzles that each query finds.
fn found(themes: &[Theme], puzzles: &Games) -> Result<Vec<Vec<usize>>, Box<dyn Error>> {
    let mut found = vec![Vec::new(); themes.len()];
    let mut sinks: Vec<_> = found
        .iter_mut()
        .map(|found| {
            move |game: FoundGame| {
                found.push(game.number() as usize);
                ControlFlow::Continue(())
            }
        })
        .collect();
    let searches = themes
        .iter()
        .zip(&mut sinks)
        .map(|(theme, sink)| (&theme.query, sink as &mut dyn Sink));
    for outcome in run_all(searches, puzzles.clone(), &options())? {
        outcome?;
    }
    drop(sinks);
    Ok(found)
}

fn options() -> Options {
    let mut options = Options::default();
    options.comments = false;
    options.squares = false;
    options
}

fn score(label: &str, found: &[usize], labels: &[HashSet<String>]) -> Score {
    let has_label = |labels: &HashSet<String>| labels.contains(label);
    Score {
        labelled: labels.iter().filter(|labels| has_label(labels)).count(),
        found: found.len(),
        right: found
            .iter()
            .filter(|number| labels.get(**number).is_some_and(has_label))
            .count(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: puzzles FOLDER PUZZLES".into());
    };
    let (themes, puzzles) = (themes(&folder)?, Games::of_positions(file));
    let labels = labels(&puzzles)?;
    let begin = Instant::now();
    let all = found(&themes, &puzzles)?;
    let pass = begin.elapsed();
    println!("label                 labelled    found  precision  recall     F1     ms");
    for (theme, numbers) in themes.iter().zip(&all) {
        let begin = Instant::now();
        found(std::slice::from_ref(theme), &puzzles)?;
        let alone = begin.elapsed().as_millis();
        println!("{:21}{} {alone:6}", theme.label, score(&theme.label, numbers, &labels));
    }
    println!(
        "all {} queries in one pass over {} puzzles: {pass:.1?}",
        themes.len(),
        labels.len().saturating_sub(1)
    );
    Ok(())
}

#[test]
fn queries_are_named_after_labels() {
    for (name, expected) in [
        ("puzzle-fork", "fork"),
        ("puzzle-mate-in-1", "mateIn1"),
        ("puzzle-attacking-f2-f7", "attackingF2F7"),
        ("back-rank-mate", "backRankMate"),
    ] {
        assert_eq!(label(name), expected);
    }
}

#[test]
fn what_is_found_is_compared_with_the_labels() {
    let labels = ["", "fork mate", "fork", "mate"].map(|themes| themes.split(' ').map(str::to_owned).collect());
    let Score { labelled, found, right } = score("fork", &[1, 3], &labels);
    assert_eq!((labelled, found, right), (2, 2, 1));
}
