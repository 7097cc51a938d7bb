//! The formatter on every query of the repository.
//!
//! The typed query stays the same, formatting twice changes nothing more, comments survive, and the previous layout does not matter.

mod layout;
mod style;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use fancy_regex::Regex;
use skewer::query::{self, Options, Query};
use skewer::syntax::Source;
use skewer::syntax::format::{Spelling, format};

const SPELLINGS: [Spelling; 3] = [Spelling::AsWritten, Spelling::Ascii, Spelling::Unicode];

/// All queries of the repository that compile: golden cases, examples, the library, the benchmark.
static QUERIES: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/golden", "tests/bench-queries", "examples", "queries"].map(|folder| root.join(folder));
    let files = folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(walkdir::WalkDir::new);
    let paths = files.filter_map(|entry| Some(entry.ok()?.into_path()));
    let queries = paths.filter(|path| path.extension().is_some_and(|extension| extension == "cql"));
    queries
        .map(|path| (path.clone(), fs::read(path).expect("queries can be read")))
        .filter(|(_, text)| compile(text).is_some())
        .collect()
});

fn source(text: &[u8]) -> Source {
    Source::new("query.cql", text)
}

fn compile(text: &[u8]) -> Option<Query> {
    query::compile(&source(text), &Options::default()).ok()
}

/// Returns the typed query without the places of its parts, if the text compiles.
fn meaning(text: &[u8]) -> Option<String> {
    let shown = format!("{:?}", compile(text)?);
    let mut parts = shown.split("Span {");
    let mut meaning = parts.next()?.to_owned();
    for part in parts {
        let (_place, rest) = part.split_once('}')?;
        meaning += rest;
    }
    Some(meaning)
}

fn formatted(text: &[u8], spelling: Spelling) -> Result<Vec<u8>, String> {
    let source = source(text);
    query::outline(&source, &Options::default())
        .and_then(|outline| format(&source, &outline, spelling))
        .map_err(|error| error.render(&source, false))
}

/// Returns the comments of a text, sorted. Spaces at the end of a line do not count.
fn comments(text: &[u8]) -> Vec<String> {
    static COMMENTS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#""[^"\n]*"|\\"|///(?!/)|(//[^\n]*|;[^\n]*|/\*(?s:.*?)\*/)"#).expect("a pattern"));
    let text = String::from_utf8_lossy(text);
    let found = COMMENTS
        .captures_iter(&*text)
        .filter_map(|captures| captures.ok()?.get(1));
    let mut comments: Vec<String> = found.map(|comment| comment.as_str().trim_end().to_owned()).collect();
    comments.sort();
    comments
}

/// Returns the faults in how a query is formatted.
fn faults_of(text: &[u8]) -> Vec<String> {
    let source = source(text);
    let before = meaning(text).expect("it compiles");
    let outline = query::outline(&source, &Options::default()).expect("it compiles");
    // Spellings often give the same text, which is checked once. A text that is not changed needs no check.
    let mut fine = vec![text.to_vec()];
    let mut faults = Vec::new();
    for spelling in SPELLINGS {
        let once = match format(&source, &outline, spelling) {
            Ok(once) => once,
            Err(error) => {
                faults.push(format!("{spelling:?}: {}", error.render(&source, false)));
                continue;
            }
        };
        if fine.contains(&once) {
            continue;
        }
        match fault(text, &once, &before, spelling) {
            Some(fault) => faults.push(format!("{spelling:?}: {fault}:\n{}", String::from_utf8_lossy(&once))),
            None => fine.push(once),
        }
    }
    faults
}

/// Returns what is wrong with a query after formatting it once. `before` is its meaning as written.
fn fault(text: &[u8], once: &[u8], before: &str, spelling: Spelling) -> Option<String> {
    if meaning(once).as_deref() != Some(before) {
        return Some("the meaning changes".to_owned());
    }
    if comments(text) != comments(once) {
        return Some("the comments change".to_owned());
    }
    if spelling != Spelling::AsWritten {
        return None;
    }
    match formatted(once, spelling) {
        Ok(twice) if twice == once => None,
        Ok(twice) => Some(format!(
            "not stable: it becomes\n{}\nof",
            String::from_utf8_lossy(&twice)
        )),
        Err(error) => Some(error),
    }
}

#[test]
fn every_query_keeps_its_meaning_and_its_comments() {
    let queries = &*QUERIES;
    assert!(queries.len() > 1300, "only {} queries found", queries.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let faults: Vec<String> = thread::scope(|scope| {
        let parts = queries.chunks(queries.len().div_ceil(threads));
        let checks: Vec<_> = parts.map(|part| scope.spawn(|| faults(part))).collect();
        checks
            .into_iter()
            .flat_map(|check| check.join().expect("it does not panic"))
            .collect()
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn faults(queries: &[(PathBuf, Vec<u8>)]) -> Vec<String> {
    let faults = queries.iter().flat_map(|(path, text)| {
        let faults = faults_of(text).into_iter();
        faults.map(|fault| format!("{} {fault}", path.display()))
    });
    faults.collect()
}
