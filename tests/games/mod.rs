//! Parts of chapter 2 of the language reference, on input and output, that no recorded case covers.

mod comments;
mod header;
mod output;
mod sorting;

use skewer::eval::Settings;
use skewer::game::Rules;
use skewer::output::{FormatName, first_match};
use skewer::query::{self, Options};
use skewer::search::{self, search_in_memory};
use skewer::syntax::Source;

/// A short game with the positions 0 to 5. The last one is mate.
const MATE: &str = "[Event \"?\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

/// Returns the output of a query on games in a format, and its messages.
fn searched(query: &str, pgn: &str, format: FormatName) -> (String, String) {
    searched_by(Rules::Full, query, pgn, format)
}

/// Does the same for games that are read by these rules.
fn searched_by(rules: Rules, query: &str, pgn: &str, format: FormatName) -> (String, String) {
    let file = tempfile::Builder::new()
        .suffix(".pgn")
        .tempfile()
        .expect("room for a file");
    std::fs::write(file.path(), pgn).expect("files can be written");
    let source = Source::new("test.cql", query);
    let query = query::compile(&source, &Options::default()).unwrap_or_else(|error| {
        panic!("{}", error.render(&source, false));
    });
    let options = search::Options {
        rules,
        ..search::Options::quiet()
    };
    let found = search_in_memory(&query, Settings::default(), file.path(), format, &options).expect("the search ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(found.output), text(found.log))
}

/// Returns the matching games with comments.
fn written(query: &str, pgn: &str) -> String {
    searched(query, pgn, FormatName::Pgn).0
}

/// Returns the moves of the matching games with comments, one game for each line.
fn moves(query: &str, pgn: &str) -> Vec<String> {
    let text = written(query, pgn);
    let games = text.split("\n\n\n").filter(|game| !game.is_empty());
    games
        .map(|game| {
            let (_, moves) = game.split_once("\n\n").expect("tags and moves");
            // The games of these tests are too short for a line break between words.
            moves.replace("}\n", "} ").trim_end().to_owned()
        })
        .collect()
}

/// Returns the comments that are added to [`MATE`], as `position: text`.
fn comments(query: &str) -> Vec<String> {
    let moves = moves(query, MATE);
    let [game] = moves.as_slice() else {
        panic!("{query}: {} games match", moves.len());
    };
    let mut position = 0;
    let mut found = Vec::new();
    let mut rest = game.as_str();
    while let Some(word) = rest.split(' ').next().filter(|word| !word.is_empty()) {
        if let Some(comment) = rest.strip_prefix('{') {
            let (comment, behind) = comment.split_once('}').expect("comments end");
            found.push(format!("{position}: {comment}"));
            rest = behind.trim_start();
            continue;
        }
        let is_move =
            word.ends_with(|end: char| end.is_ascii_digit() || end == '#') && word != "1-0" || word.contains('K');
        position += usize::from(is_move);
        rest = rest[word.len()..].trim_start();
    }
    found
}

/// Returns the messages of a query.
fn messages(query: &str, pgn: &str) -> String {
    searched(query, pgn, FormatName::Count).1
}

/// Returns `GAME:POSITIONID` for all matching positions.
fn positions(query: &str, pgn: &str) -> Vec<String> {
    let ids = searched(query, pgn, FormatName::Ids).0;
    ids.lines().map(str::to_owned).collect()
}

/// Returns the error of a query.
fn refused(query: &str) -> String {
    let source = Source::new("test.cql", query);
    match query::compile(&source, &Options::default()) {
        Ok(_) => panic!("{query} is accepted"),
        Err(error) => error.render(&source, false),
    }
}
