//! Imperfect PGN: what skewer makes of it, case by case.
//!
//! A case is a file `NAME.pgn` in this folder, and `NAME.expected` has the result, in three parts:
//!
//! ```text
//! -- warnings
//! game.pgn:5: game 1: illegal move `Nxg3`: ...      each warning, in the order of the file
//! -- game 1                                          each game that is searched
//! White "A"                                          its tags as they stand in the file
//! result 0-1
//! 0     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! 1     1.e4     rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//!       {why} $1                                     comments and symbols of the position above
//! 2  0  1.d4     ...                                 a position of a variation, with the number of the one before it
//! -- output
//! [Event "?"]                                        what `-f pgn` writes of all games
//! ```
//!
//! Bytes that are not UTF-8 are shown as `\xE9`. A first line `% rules cql` in `NAME.pgn` selects the rules of CQL 6.2
//! ([`Rules::Cql`]) instead of the usual ones. PGN ignores such lines.
//!
//! Each case is also searched with one and with seven threads and from a database, with the same output and the same warnings. By
//! the usual rules, the output is read and written again: it has the same games, and is written in the same way. `round_trip` does
//! the same with generated games.

mod listing;
mod round_trip;

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skewer::database::Writer;
use skewer::eval::Settings;
use skewer::game::Rules;
use skewer::output::FormatName;
use skewer::pgn::{Batch, Batches, Input};
use skewer::query;
use skewer::search::{Options, Printed, search_in_memory};
use skewer::syntax::Source;

use crate::recorded::{is_wanted, recorded};

/// Returns the folder of the cases.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pgn")
}

/// Returns the rules for reading a case.
fn rules(pgn: &[u8]) -> Rules {
    if pgn.starts_with(b"% rules cql\n") {
        Rules::Cql
    } else {
        Rules::Full
    }
}

/// Returns all games of an input as they are written, and the warnings about them.
fn searched(input: &Path, rules: Rules, threads: usize) -> Printed {
    let source = Source::new("all", "cql(silent variations) .");
    let query = query::compile(&source, &query::Options::default()).expect("a query");
    let options = Options {
        rules,
        quiet: false,
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        ..Options::quiet()
    };
    search_in_memory(&query, Settings::default(), input, FormatName::Pgn, &options).expect("a search")
}

/// Makes a database from a PGN file.
fn database(pgn: &Path, rules: Rules, folder: &Path) -> PathBuf {
    let path = folder.join("games.parquet");
    let mut writer = Writer::new(File::create(&path).expect("a file")).expect("a database");
    let mut batches = Batches::new(Input::from(pgn).sources().expect("PGN")).with_rules(rules);
    while let Some(batch) = batches.next_batch(Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database");
    path
}

/// Describes where two texts differ, or returns `None` if they are equal.
fn difference(what: &str, expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let place = expected
        .lines()
        .zip(found.lines())
        .take_while(|(left, right)| left == right)
        .count();
    let around = |text: &str| {
        let lines: Vec<_> = text.lines().skip(place.saturating_sub(2)).take(6).collect();
        lines.join("\n      ")
    };
    Some(format!(
        "  {what}, line {}\n    expected:\n      {}\n    found:\n      {}\n",
        place + 1,
        around(expected),
        around(found)
    ))
}

/// Returns the differences of a case from what is expected.
fn failures(pgn: &Path) -> String {
    let bytes = fs::read(pgn).expect("a case");
    let rules = rules(&bytes);
    let shown = listing::listing(pgn, rules);
    let expected = recorded(&pgn.with_extension("expected"), &shown);
    let mut failures: String = difference("what is read", &expected, &shown).into_iter().collect();

    let one = searched(pgn, rules, 1);
    let temporary = tempfile::tempdir().expect("a folder");
    let others = [
        ("with seven threads", searched(pgn, rules, 7)),
        (
            "from a database",
            searched(&database(pgn, rules, temporary.path()), rules, 2),
        ),
    ];
    for (how, other) in others {
        let text = listing::text;
        failures.extend(difference(
            &format!("output {how}"),
            &text(&one.output),
            &text(&other.output),
        ));
        failures.extend(difference(
            &format!("warnings {how}"),
            &text(&one.log),
            &text(&other.log),
        ));
    }
    if rules == Rules::Full {
        let written = temporary.path().join("written.pgn");
        fs::write(&written, &one.output).expect("a file");
        let (before, after) = (listing::games(pgn, rules), listing::games(&written, rules));
        failures.extend(difference(
            "games read again",
            &listing::trees(&before),
            &listing::trees(&after),
        ));
        let again = searched(&written, rules, 1);
        failures.extend(difference(
            "output written again",
            &listing::text(&one.output),
            &listing::text(&again.output),
        ));
    }
    failures
}

#[test]
fn cases_are_read_as_expected() {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder of the cases")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .filter(|path| is_wanted(&path.file_stem().unwrap_or_default().to_string_lossy()))
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case");
    let mut report = String::new();
    for case in cases {
        let failures = failures(&case);
        if !failures.is_empty() {
            report += &format!("{}:\n{failures}\n", case.display());
        }
    }
    assert!(report.is_empty(), "\n{report}");
}
