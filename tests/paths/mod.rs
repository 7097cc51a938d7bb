//! Chapter 7 of the language reference, about `path` and `line`, beyond its golden cases.

mod grammar;
mod search;

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query::{self, Query};
use skewer::search::{Options, search_in_memory};
use skewer::syntax::{Diagnostic, Source};

/// Compiles filters for games with variations.
fn compile(filters: &str) -> Result<Query, Diagnostic> {
    let header = query::HeaderOptions {
        variations: Some(true),
        ..Default::default()
    };
    let options = query::Options {
        filters_only: true,
        header,
        ..Default::default()
    };
    query::compile(&Source::new("test.cql", filters), &options)
}

/// Runs filters on the games of a file. Returns the output in a format and the messages, or the error that ended the run.
fn run(filters: &str, pgn: &std::path::Path, format: FormatName) -> Result<(String, String), String> {
    let query = compile(filters).map_err(|error| error.message)?;
    let found = search_in_memory(&query, Settings::default(), pgn, format, &Options::quiet())
        .map_err(|error| error.to_string())?;
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ok((text(found.output), text(found.log)))
}

/// Returns the path of the games of the golden cases.
fn golden(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/pgn")
        .join(name)
}

/// Runs filters on a game of the test.
fn on_game(filters: &str, pgn: &str) -> Result<(String, String), String> {
    let mut file = tempfile::Builder::new().suffix(".pgn").tempfile().expect("a file");
    std::io::Write::write_all(&mut file, pgn.as_bytes()).expect("written");
    run(filters, file.path(), FormatName::Ids)
}
