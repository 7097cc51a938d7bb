//! Words and forms beyond CQL 6.2: cases like the golden ones, with the answers of skewer, and properties of all of them.
//!
//! A case is `NAME.cql` with `NAME.expected`: the positions that are found, the printed lines, and the annotated PGN if the first
//! line has `// pgnout`. For a query that is refused it is the error.

mod analysed;
mod themes;
mod vocabulary;
mod words;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skewer::eval::Settings;
use skewer::game::Rules;
use skewer::output::FormatName;
use skewer::query::{self, Options, Query, Vocabulary};
use skewer::search::{self, Error, Printed, search_in_memory};
use skewer::syntax::{Diagnostic, Source};
use skewer::tablebase::Tablebase;

use crate::golden::database;
use crate::recorded::{is_wanted, recorded};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/beyond")
}

/// Compiles a text that begins with a header.
fn compile(text: &str, vocabulary: Vocabulary) -> Result<Query, Diagnostic> {
    query::compile(&Source::new("q.cql", text), &options(vocabulary))
}

/// Returns the options for compiling cases: the small tablebases, and the queries next to the cases.
fn options(vocabulary: Vocabulary) -> Options {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy");
    Options {
        vocabulary,
        tablebase: Tablebase::in_folders(&[tables]),
        // Errors show this path, so it is a short one.
        themes: skewer::library::themes(Some(PathBuf::from("tests/beyond"))),
        ..Options::default()
    }
}

/// Returns the cases, in order.
fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of the cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cql"));
    paths.sort();
    paths
}

fn searched(query: &Query, input: &Path, format: FormatName, threads: usize) -> Result<Printed, Error> {
    let options = search::Options {
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        rules: Rules::Cql,
        quiet: false,
        ..search::Options::quiet()
    };
    search_in_memory(query, Settings::default(), input, format, &options)
}

/// Returns the answer of skewer to a case. It must be the same from PGN and from a database, on one thread and on several.
fn answer(path: &Path, text: &str) -> String {
    let source = Source::new(
        path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        text,
    );
    let query = match query::compile(&source, &options(Vocabulary::Whole)) {
        Ok(query) => query,
        Err(error) => return error.render(&source, false),
    };
    let input = folder().join(query.header.input.as_deref().expect("an input"));
    let format = match text.starts_with("// pgnout") {
        true => FormatName::Pgn,
        false => FormatName::Ids,
    };
    let shown = |found: Result<Printed, Error>| match found {
        Ok(found) => {
            let mut shown = String::new();
            for line in String::from_utf8_lossy(&found.log).lines() {
                let _ = writeln!(shown, "| {line}");
            }
            shown + &String::from_utf8_lossy(&found.output)
        }
        Err(Error::Evaluation(stop)) => stop.diagnostic.render(&source, false),
        Err(error) => format!("{error}\n"),
    };
    let found = shown(searched(&query, &input, format, 1));
    for (input, threads) in [(&input, 3), (&database(&input), 1)] {
        let again = shown(searched(&query, input, format, threads));
        assert_eq!(again, found, "{} in {}", path.display(), input.display());
    }
    found
}

#[test]
fn cases_find_what_is_expected() {
    let mut failures = String::new();
    let mut tried = 0;
    for path in cases() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !is_wanted(&name) {
            continue;
        }
        tried += 1;
        let text = fs::read_to_string(&path).expect("a query");
        let found = answer(&path, &text);
        let expected = recorded(&path.with_extension("expected"), &found);
        if found != expected {
            let _ = writeln!(failures, "{name}\n  expected:\n{expected}\n  found:\n{found}");
        }
        // Queries that CQL 6.2 understands are marked in their first line.
        let is_cql = text.lines().next().is_some_and(|line| line.starts_with("// cql"));
        let strict = compile(&text, Vocabulary::Cql62);
        assert_eq!(strict.is_ok(), is_cql, "{name}: CQL 6.2");
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(tried > 0, "no case was run");
}

#[test]
fn every_word_is_in_some_case() {
    let texts: String = cases()
        .iter()
        .map(|path| fs::read_to_string(path).expect("a query"))
        .collect();
    let words: BTreeSet<&str> = texts.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    for word in skewer::syntax::beyond_words() {
        assert!(words.contains(word), "no case has `{word}`");
    }
}
