//! Databases, those of skewer and those of others.

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

/// What the queries answer when nothing is damaged.
static ANSWERS: LazyLock<Vec<Ran>> = LazyLock::new(|| answers(&INTACT));

fn answers(database: &[u8]) -> Vec<Ran> {
    let queries = QUERIES.iter();
    queries
        .map(|(query, format)| search_database(query, database, *format))
        .collect()
}

/// Damages a database of skewer as the input says, and searches it: there is an error, or nothing has changed.
///
/// # Panics
/// Where something does not hold.
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

/// The intact database with the damage that a script describes: bits, bytes, pieces that are lost, doubled or moved.
fn damaged(script: &[u8]) -> Vec<u8> {
    let mut script = Bytes::new(script);
    let mut database = INTACT.clone();
    while let Some(what) = script.byte() {
        let Some(at) = script.below(database.len()) else { break };
        let value = script.byte().unwrap_or(0);
        let length = 1 + usize::from(value) % 32;
        let end = database.len().min(at + length);
        match what % 8 {
            0 | 1 => database[at] ^= 1 << (value % 8),
            2 => database[at] = value,
            3 => database[at..end].fill(0),
            4 => database[at..end].fill(0xff),
            5 => drop(database.drain(at..end)),
            6 => {
                let piece = database[at..end].to_vec();
                database.splice(at..at, piece);
            }
            _ => database.truncate(at),
        }
    }
    database
}

/// Searches any bytes as a Parquet file.
///
/// # Panics
/// Where something does not hold.
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
