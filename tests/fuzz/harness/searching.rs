//! Searches of games in memory that always end.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use skewer::database::Writer;
use skewer::eval::Settings;
use skewer::limits::{Interrupt, Memory};
use skewer::output::FormatName;
use skewer::pgn::{Batch, Batches, Input, Source};
use skewer::query::{self, Options, Query};
use skewer::search::{self, Error, search_sources};
use skewer::syntax;

/// Loops with more rounds at one position count as endless.
const ROUNDS: u64 = 3_000;

/// A search is told to end after this time. The caller watches whether it does.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The memory limit of queries, in bytes.
const MEMORY: usize = 256 << 20;

/// The name that marks input as PGN. Databases are recognised by their content.
const PGN_NAME: &str = "games.pgn";

/// The outcome of a search.
#[derive(Debug, PartialEq, Eq)]
pub enum Ran {
    /// The output, the messages and warnings, and how many games match.
    Done(Vec<u8>, Vec<u8>, u64),
    /// The time was up.
    Late,
    /// The query failed while it ran.
    Stopped(String),
    /// The games cannot be read.
    Unreadable(String),
}

/// Searches a PGN file or a database, given as its bytes.
pub fn search(query: &Query, games: &[u8], format: FormatName, threads: usize) -> Ran {
    search_named(query, PGN_NAME, games, format, threads)
}

/// Searches bytes as a file of this name.
pub fn search_named(query: &Query, name: &str, games: &[u8], format: FormatName, threads: usize) -> Ran {
    search_source(query, Source::of_bytes(name, games.to_vec()), format, threads)
}

/// Searches bytes as a database, whatever they contain.
pub fn search_database(query: &Query, database: &[u8], format: FormatName) -> Ran {
    search_source(query, Source::of_bytes("games.parquet", database.to_vec()), format, 1)
}

/// Searches a file.
pub fn search_file(query: &Query, path: &Path, format: FormatName, threads: usize) -> Ran {
    match file(path) {
        Some(source) => search_source(query, source, format, threads),
        None => Ran::Unreadable("it is not there".to_owned()),
    }
}

fn file(path: &Path) -> Option<Source> {
    Input::from(path).sources().ok()?.pop()
}

fn search_source(query: &Query, games: Source, format: FormatName, threads: usize) -> Ran {
    let interrupt = Arc::new(Interrupt::after(TIMEOUT));
    let options = search::Options {
        quiet: false,
        interrupt: Arc::clone(&interrupt),
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        ..search::Options::quiet()
    };
    let settings = Settings {
        max_rounds: ROUNDS,
        memory: Arc::new(Memory::new(MEMORY)),
        ..Settings::default()
    };
    let printed = search_sources(query, settings, [games], format, &options);
    if interrupt.is_raised() {
        return Ran::Late;
    }
    match printed {
        // Games that are left out are reported.
        Ok(printed) if printed.totals.unreadable > 0 => {
            Ran::Unreadable(String::from_utf8_lossy(&printed.log).into_owned())
        }
        Ok(printed) => Ran::Done(printed.output, printed.log, printed.totals.matches),
        Err(Error::Evaluation(stop)) => Ran::Stopped(stop.diagnostic.message),
        Err(error) => Ran::Unreadable(error.to_string()),
    }
}

/// Compiles a query of the harness.
pub fn compiled(text: &str) -> Query {
    match query::compile(&syntax::Source::new("query", text), &Options::default()) {
        Ok(query) => query,
        Err(error) => panic!("{text}: {}", error.message),
    }
}

/// Makes a database from a PGN file.
pub fn index(pgn: &[u8]) -> Vec<u8> {
    index_named(PGN_NAME, pgn).expect("memory can be read")
}

/// Makes a database from bytes as a file of this name, or returns `None` if they cannot be read.
pub fn index_named(name: &str, games: &[u8]) -> Option<Vec<u8>> {
    index_source(Source::of_bytes(name, games.to_vec()))
}

/// Makes a database from a file, or returns `None` if it cannot be read.
pub fn index_file(path: &Path) -> Option<Vec<u8>> {
    index_source(file(path)?)
}

fn index_source(source: Source) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new()).expect("memory can be written to");
    let mut batches = Batches::new([source]);
    while let Some(batch) = batches.next_batch(Batch::default()) {
        writer.add(&batch.ok()?, &mut |_| {}).expect("memory can be written to");
    }
    Some(writer.finish().expect("memory can be written to"))
}

/// Returns two outputs in a message that shows where they differ.
pub fn shown(what: &str, left: &[u8], right: &[u8]) -> String {
    format!(
        "{what}\n---- this\n{}\n---- and that\n{}\n----",
        String::from_utf8_lossy(left),
        String::from_utf8_lossy(right)
    )
}
