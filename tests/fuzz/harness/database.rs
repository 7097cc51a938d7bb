//! Databases of skewer and of other programs.

use std::sync::LazyLock;

use skewer::output::FormatName;
use skewer::query::Query;

use super::mutation::Bytes;
use super::searching::{Ran, compiled, index, search_database, shown};

const GAMES: &[u8] = include_bytes!("games.pgn");

/// An intact database.
static INTACT: LazyLock<Vec<u8>> = LazyLock::new(|| index(GAMES));

/// Queries that read different columns.
static QUERIES: LazyLock<Vec<(Query, FormatName)>> = LazyLock::new(|| {
    let queries = [
        ("cql(quiet) check", FormatName::Ids),
        ("cql(variations) check comment(ply)", FormatName::Pgn),
        ("cql() xray (R a k) or Q==0 or --=Q", FormatName::Csv),
        ("cql() player \"a\" elo>0 or originalcomment", FormatName::Jsonl),
        ("cql() mate", FormatName::Count),
    ];
    queries.map(|(text, format)| (compiled(text), format)).into()
});

/// The answers of the queries from the intact database.
static ANSWERS: LazyLock<Vec<Ran>> = LazyLock::new(|| answers(&INTACT));

fn answers(database: &[u8]) -> Vec<Ran> {
    let queries = QUERIES.iter();
    queries
        .map(|(query, format)| search_database(query, database, *format))
        .collect()
}

/// Damages a database of skewer as the input says, and searches it. There must be an error, or the same answers.
///
/// # Panics
/// If a property does not hold.
pub fn check_damage(script: &[u8]) {
    let damaged = damaged(script);
    for (now, intact) in answers(&damaged).iter().zip(&*ANSWERS) {
        match (now, intact) {
            (Ran::Unreadable(_) | Ran::Late, _) | (_, Ran::Late) => {}
            (Ran::Done(output, said, _), Ran::Done(wanted, told, _)) => {
                assert!(
                    output == wanted,
                    "{}",
                    shown("damage changes the answer", wanted, output)
                );
                assert!(said == told, "{}", shown("damage changes the warnings", told, said));
            }
            other => panic!("damage changes the end: {other:?}"),
        }
    }
}

/// Returns the intact database with the damage that a script describes.
fn damaged(script: &[u8]) -> Vec<u8> {
    let mut script = Bytes::new(script);
    let mut database = INTACT.clone();
    while script.damage(&mut database) {}
    database
}

/// Searches any bytes as a Parquet file.
///
/// # Panics
/// If a property does not hold.
pub fn check_bytes(file: &[u8]) {
    let magic: &[u8] = b"PAR1";
    let file = if file.starts_with(magic) {
        file.to_vec()
    } else {
        [magic, file].concat()
    };
    for answer in answers(&file) {
        assert!(!matches!(answer, Ran::Stopped(_)), "{answer:?}");
    }
}
