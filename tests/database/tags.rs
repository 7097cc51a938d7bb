//! Games that their tags rule out are skipped, with the same answers.

use std::fmt::Write as _;

use skewer::query::Shortcuts;

use super::*;

/// Games with usual and unusual tags: names with the letters that stand between both players, escapes, ratings that are not numbers, tags that occur
/// twice, variants, years of one tag or the other.
fn games() -> Vec<u8> {
    let white = [
        "Nakamura, H",
        "Carlsen,M",
        "n\\\\nb",
        "\\\"A\\\"",
        "Ódor",
        "",
        "nakamura (2700)",
    ];
    let black = ["Akamura", "carlsen, magnus", "b", "ÓDOR", "\\\\nakamura"];
    let mut pgn = String::new();
    for number in 0..200 {
        let of = |names: &[&str]| names[number % names.len()].to_owned();
        let _ = writeln!(
            pgn,
            "[Event \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]",
            number / 20,
            of(&white),
            of(&black)
        );
        let tag = match number % 11 {
            0 => "[Date \"1999.01.01\"]",
            1 => "[UTCDate \"2001.02.03\"]",
            2 => "[WhiteElo \"2700?\"]\n[Date \"????\"]",
            3 => "[WhiteElo \"2650\"]\n[BlackElo \"2710\"]",
            4 => "[White \"Tal\"]",
            5 => "[Annotator \"Tal\"]",
            6 => "[Variant \"Crazyhouse\"]",
            7 => "[FEN \"4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1\"]",
            _ => "[Site \"?\"]",
        };
        let moves = match number % 11 {
            7 => "1. exd6 {taken} Kd7 *",
            8 => "1. e4 (1. f3) e5 2. Nf9 *",
            9 => "1. f3 e5 2. g4 Qh4# 0-1",
            _ => "1. e4 e5 *",
        };
        let _ = writeln!(pgn, "{tag}\n\n{moves}\n");
    }
    let mut pgn = pgn.into_bytes();
    pgn.extend_from_slice(b"[White \"\xe9t\xe9 Tal\"]\n\n1. e4 e5 *\n\n");
    pgn
}

#[test]
fn games_are_passed_over_by_tags_as_if_they_were_asked() {
    let pgn = games();
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn.clone())]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    let database = writer.finish().expect("a database");
    let filters = [
        "player \"Nakamura\"",
        "player \"akamura\"",
        "player \"n\"",
        "player \"\\\\n\"",
        "player \"Ódor\"",
        "player white \"Tal\"",
        "player \"Tal\" or player black \"carl\"",
        "not player white \"Nakamura\"",
        "player white ~~ \"^N(.)\"",
        "event \"3\" player \"b\"",
        "tag \"Annotator\" == \"Tal\" or player white \"Tal\"",
        "not {result 0-1 or player white \"Carlsen\"}",
        "year == 2001",
        "year < 2000 or elo > 2690",
        "elo white > 2600",
        "elo",
        "site",
        "player white < \"M\" and result 0-1",
        "tag \"FEN\" or player white \"Tal\"",
    ];
    let options = |selection: &str, narrowing: &str, shortcuts| {
        let sources = |text: &str| match text {
            "" => Vec::new(),
            text => vec![Source::new("option", text)],
        };
        query::Options {
            selection: sources(selection),
            narrowing: sources(narrowing),
            shortcuts,
            ..query::Options::default()
        }
    };
    for filter in filters {
        let first = "player \"a\"";
        for (text, selection, narrowing) in [
            (format!("cql() {filter}"), "", ""),
            (format!("cql() {filter} mate"), "", ""),
            (format!("cql() btm message(player white) {filter}"), "", ""),
            (format!("cql(variations) {filter} mainline"), "", ""),
            (format!("cql(matchcount 0 1) {filter} mate"), "", ""),
            ("cql(quiet) true".to_owned(), filter, ""),
            ("cql() originalcomment or mate".to_owned(), "", filter),
            (format!("cql() {filter} check"), "", first),
        ] {
            let answer = |name: &str, games: &[u8], shortcuts| {
                let query = query::compile(&Source::new("q", &*text), &options(selection, narrowing, shortcuts));
                let query = query.unwrap_or_else(|error| panic!("{text}: {error:?}"));
                let printed = printed(&query, name, games, FormatName::Ids, 1).expect("nothing fails");
                (printed.output, (printed.totals.games, printed.totals.left_alone))
            };
            let expected = answer("games.pgn", &pgn, Shortcuts::all());
            for shortcuts in [Shortcuts::all(), Shortcuts::all() - Shortcuts::ROW_TAGS] {
                let found = answer("games.parquet", &database, shortcuts);
                assert_eq!(found, expected, "{text}, {selection}, {narrowing}, {shortcuts:?}");
            }
        }
    }
}
