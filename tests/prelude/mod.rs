//! The prelude: motifs as functions, and the squares where lines cross.

mod intersection;
mod motifs;
mod names;
mod pairs;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query::{self, Query};
use skewer::search::{Options, search_in_memory};
use skewer::syntax::{Diagnostic, Source};
use skewer::tablebase::Tablebase;

/// Compiles filters.
fn compile(filters: &str) -> Result<Query, Diagnostic> {
    compile_with(filters, query::Vocabulary::Whole)
}

/// Compiles filters, which may use the small tablebases.
fn compile_with(filters: &str, vocabulary: query::Vocabulary) -> Result<Query, Diagnostic> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy");
    let options = query::Options {
        filters_only: true,
        vocabulary,
        tablebase: Tablebase::in_folders(&[tables]),
        ..query::Options::default()
    };
    query::compile(&Source::new("test.cql", filters), &options)
}

/// Compiles filters without the prelude.
fn compile_without(filters: &str) -> Result<Query, Diagnostic> {
    compile_with(filters, query::Vocabulary::WithoutPrelude)
}

/// Runs filters on games of one position each. Returns the ids of the positions that match, and the messages.
fn run(filters: &str, boards: &[String]) -> (String, String) {
    let games: Vec<String> = boards.iter().map(|board| game(board, "")).collect();
    run_games(filters, &games)
}

/// Returns a game that begins with a board and White to move.
fn game(board: &str, movetext: &str) -> String {
    assert!(
        board.contains('K') && board.contains('k'),
        "a game has both kings: {board}"
    );
    let end = if movetext.ends_with("-1/2") { "" } else { "*" };
    format!("[FEN \"{board} w - - 0 1\"]\n\n{movetext} {end}\n\n")
}

/// Runs filters on games in PGN. Returns the positions that match, and the messages.
fn run_games(filters: &str, games: &[String]) -> (String, String) {
    let query = compile(filters).unwrap_or_else(|error| panic!("{filters}: {error:?}"));
    let mut pgn = tempfile::Builder::new().suffix(".pgn").tempfile().expect("a file");
    for game in games {
        pgn.write_all(game.as_bytes()).expect("written");
    }
    let found = search_in_memory(
        &query,
        Settings::default(),
        pgn.path(),
        FormatName::Ids,
        &Options::quiet(),
    )
    .unwrap_or_else(|error| panic!("{filters}: {error}"));
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(found.output), text(found.log))
}

/// Returns whether filters match a position.
fn matches(filters: &str, board: &str) -> bool {
    !run(filters, &[board.to_owned()]).0.is_empty()
}

/// Returns the first field of a FEN for a drawn board: eight lines, with a piece or a dot for each square.
fn drawn(lines: &[impl AsRef<str> + std::fmt::Debug]) -> String {
    assert_eq!(lines.len(), 8, "a board has eight ranks: {lines:?}");
    let ranks: Vec<String> = lines.iter().map(|line| rank(line.as_ref())).collect();
    ranks.join("/")
}

fn rank(line: &str) -> String {
    let squares: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(squares.len(), 8, "a rank has eight squares: {line}");
    squares.iter().fold(String::new(), |mut rank, square| {
        let _ = write!(rank, "{}", square.replace('.', "1"));
        rank
    })
}

/// Returns the board with the colours swapped and the ranks mirrored.
fn color_swapped(board: &str) -> String {
    let swap = |letter: char| match letter {
        'a'..='z' => letter.to_ascii_uppercase(),
        other => other.to_ascii_lowercase(),
    };
    let ranks = board.split('/').rev().map(|rank| rank.chars().map(swap).collect());
    ranks.collect::<Vec<String>>().join("/")
}
