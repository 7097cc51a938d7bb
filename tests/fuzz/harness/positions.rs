//! Lists and tables of positions.

use std::sync::LazyLock;

use skewer::output::FormatName;
use skewer::query::Query;

use super::searching::{Ran, compiled, index_named, search_named, shown};

static FINDS_INTACT: LazyLock<Query> = LazyLock::new(|| compiled("cql() tag \"id\" == \"INTACT\" mate"));

static EVERYTHING: LazyLock<Query> = LazyLock::new(|| compiled("cql(variations silent) true"));

/// The names of the kinds, each with a row that must be found whatever comes before it. A table has no such row, because an open quote may hide it.
const KINDS: [(&str, Option<&str>); 3] = [
    (
        "positions.epd",
        Some("R5k1/5ppp/8/8/8/8/8/K7 b - - id \"INTACT\"; c0 \"mate\";"),
    ),
    (
        "positions.jsonl",
        Some(r#"{"fen": "R5k1/5ppp/8/8/8/8/8/K7 b - -", "id": "INTACT"}"#),
    ),
    ("positions.csv", None),
];

/// Reads a text as each kind of list and table.
///
/// # Panics
/// If a property does not hold.
pub fn check(text: &[u8]) {
    for (name, intact) in KINDS {
        let mut file = text.to_vec();
        if let Some(intact) = intact {
            file.push(b'\n');
            file.extend_from_slice(intact.as_bytes());
            match search_named(&FINDS_INTACT, name, &file, FormatName::Ids, 1) {
                Ran::Done(_, said, games) => assert_eq!(
                    games,
                    1,
                    "{name}: the intact row at the end is found {games} times\n{}",
                    String::from_utf8_lossy(&said)
                ),
                Ran::Late => return,
                other => panic!("{name}: {other:?}"),
            }
        }
        same_everywhere(name, &file);
    }
}

/// Checks that one thread and seven, text and a database give the same positions.
fn same_everywhere(name: &str, file: &[u8]) {
    let here = search_named(&EVERYTHING, name, file, FormatName::Fen, 1);
    let there = search_named(&EVERYTHING, name, file, FormatName::Fen, 7);
    assert!(here == there, "{name}: threads differ: {here:?} {there:?}");
    let (Ran::Done(positions, ..), Some(database)) = (here, index_named(name, file)) else {
        return;
    };
    match search_named(&EVERYTHING, "database", &database, FormatName::Fen, 1) {
        Ran::Done(same, ..) => assert!(
            positions == same,
            "{}",
            shown(&format!("{name}: the database differs"), &positions, &same)
        ),
        other => panic!("{name}: {other:?}"),
    }
}
