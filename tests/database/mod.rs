//! Damaged databases and archives.
//!
//! Reading them gives an error or a warning that names the file and the fault, and the results for the games that can be read. It
//! never panics, takes long or gives a wrong answer.
//!
//! `foreign/` has databases of other programs; its README says how they were made.
//! `corpus/` has files that once caused trouble: `version-1.parquet` and `version-2.parquet` are databases of older versions, the
//! others are damaged archives of other programs. All were made by programs; none has real games.

mod archives;
mod campaign;
mod damage;
mod foreign;
mod groups;
mod pages;
mod parts;
mod tables;
mod tags;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skewer::database::Writer;
use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::pgn::{self, Batches};
use skewer::query::{self, Query};
use skewer::search::{Options, Printed, search_sources};
use skewer::syntax::Source;

/// Returns the folder of the files that once caused trouble.
fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/database/corpus")
}

/// Returns a database of a few games with all that PGN can have: illegal moves, start positions, variations, comments, unusual
/// tags, bytes that are not UTF-8.
fn database() -> Vec<u8> {
    let pgn: &[u8] =
        b"[Event \"\xe9t\xe9\"]\n[White \"A (2500)\"]\n[WhiteElo \"2400\"]\n\n1. e4 {caf\xe9} e5 2. Nf9 Nc6 1-0\n\n\
        [White \"B\"]\n[Annotator \"C\"]\n\n1. f3 e5 2. g4 (2. a3 Qh4+ 3. g3 {x}) 2... Qh4# 0-1\n\n\
        [FEN \"4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1\"]\n\n1. exd6 Kd7 2. O-O-O Kc6 3. d7 Kb7 4. d8=N+ *\n";
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("odd.pgn", pgn)]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database")
}

fn compiled(text: &str) -> Query {
    query::compile(&Source::new("q", text), &query::Options::default()).expect("the query is right")
}

/// Returns what a search in the bytes of a file prints, or its error.
fn printed(query: &Query, name: &str, bytes: &[u8], format: FormatName, threads: usize) -> Result<Printed, String> {
    let source = pgn::Source::of_bytes(name, bytes.to_vec());
    let options = Options {
        quiet: false,
        threads: NonZeroUsize::new(threads).expect("a thread"),
        ..Options::quiet()
    };
    search_sources(query, Settings::default(), [source], format, &options).map_err(|error| error.to_string())
}

/// Returns what a search in all games of a file prints. If it fails or cannot read a game, returns the error or the message.
fn searched(query: &Query, name: &str, bytes: &[u8], format: FormatName) -> Result<Printed, String> {
    let printed = printed(query, name, bytes, format, 1)?;
    match printed.totals.unreadable {
        0 => Ok(printed),
        _ => Err(String::from_utf8_lossy(&printed.log).into_owned()),
    }
}

/// Returns the files of the corpus.
fn files() -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(corpus()).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let file = |path: PathBuf| (path.display().to_string(), fs::read(&path).expect("a file"));
    paths.into_iter().map(file).collect()
}
