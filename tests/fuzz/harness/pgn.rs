//! PGN files.

use std::sync::LazyLock;

use skewer::output::FormatName;
use skewer::query::Query;

use super::searching::{Ran, compiled, index, search, shown};

/// A game that ends in mate. It must be found, whatever comes before it.
const INTACT: &[u8] =
    b"\n\n[Event \"INTACT\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n[Black \"B\"]\n\
    [Result \"1-0\"]\n\n1. e4 e5 2. Bc4 d6 3. Qh5 Nc6 4. Qxf7# 1-0\n\n";

static FINDS_INTACT: LazyLock<Query> = LazyLock::new(|| compiled("cql() event \"INTACT\" mate"));

static EVERYTHING: LazyLock<Query> = LazyLock::new(|| compiled("cql(variations silent) true"));

/// Queries that read different parts of a game.
static QUERIES: LazyLock<Vec<Query>> = LazyLock::new(|| {
    let texts = [
        "cql(variations) originalcomment message(fen) or check or legal --(castle)",
        "cql() piece x in A {x attacks k} sort \"plies\" ply comment(x player date elo eco)",
        "cql(variations) find {--(enpassant) or --=Q} previous -- settag(\"Last\" str(currentposition))",
        "cql(quiet) xray (A a .) puremate or modelstalemate or flip {R & a1} year > 0",
        "cql(variations) terminal comment(fen date ply site player white)",
    ];
    texts.into_iter().map(compiled).collect()
});

const FORMATS: [FormatName; 8] = [
    FormatName::Pgn,
    FormatName::Ids,
    FormatName::Csv,
    FormatName::Jsonl,
    FormatName::Html,
    FormatName::Svg,
    FormatName::Fen,
    FormatName::Epd,
];

/// Reads, searches, writes and reads again a file.
///
/// # Panics
/// If a property does not hold.
pub fn check(text: &[u8]) {
    let file = [text, INTACT].concat();
    match search(&FINDS_INTACT, &file, FormatName::Ids, 1) {
        Ran::Done(_, said, games) => assert_eq!(
            games,
            1,
            "the intact game at the end is found {games} times\n{}",
            String::from_utf8_lossy(&said)
        ),
        Ran::Late => return,
        other => panic!("{other:?}"),
    }
    // An input always gets the same query and format.
    let turn = text
        .iter()
        .fold(text.len(), |sum, byte| sum.wrapping_mul(31) ^ usize::from(*byte));
    let query = &QUERIES[turn % QUERIES.len()];
    let format = FORMATS[(turn / 8) % FORMATS.len()];
    same_everywhere(query, &file, format);
    can_be_read_again(&file);
}

/// Checks that one thread and seven, text and a database give the same output and the same warnings.
fn same_everywhere(query: &Query, file: &[u8], format: FormatName) {
    let Ran::Done(output, said, _) = search(query, file, format, 1) else {
        panic!("the search fails");
    };
    let database = index(file);
    for (what, games, threads) in [("threads", file, 7), ("the database", &database, 2)] {
        match search(query, games, format, threads) {
            Ran::Done(other, repeated, _) => {
                assert!(
                    output == other,
                    "{}",
                    shown(&format!("{what}: {format:?} differs"), &output, &other)
                );
                assert!(
                    said == repeated,
                    "{}",
                    shown(&format!("{what}: warnings differ"), &said, &repeated)
                );
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

/// Checks that the PGN output has the same positions when it is read, and is written again in the same way.
fn can_be_read_again(file: &[u8]) {
    let (Ran::Done(written, _, games), Ran::Done(positions, _, _)) = (
        search(&EVERYTHING, file, FormatName::Pgn, 1),
        search(&EVERYTHING, file, FormatName::Fen, 1),
    ) else {
        panic!("the search fails");
    };
    let (Ran::Done(again, said, read), Ran::Done(same, _, _)) = (
        search(&EVERYTHING, &written, FormatName::Pgn, 1),
        search(&EVERYTHING, &written, FormatName::Fen, 1),
    ) else {
        panic!("the search of what was written fails");
    };
    let said = String::from_utf8_lossy(&said);
    assert_eq!(
        games,
        read,
        "another number of games\n{said}\n{}",
        String::from_utf8_lossy(&written)
    );
    assert!(positions == same, "{}", shown("other positions", &positions, &same));
    assert!(
        written == again,
        "{}",
        shown("it is written otherwise", &written, &again)
    );
}
