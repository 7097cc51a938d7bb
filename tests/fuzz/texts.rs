//! Generated texts: bytes, words in any order, queries of any depth and length.

use fastrand::Rng;
use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::pgn;
use skewer::query::{self, Options, Query};
use skewer::search::{self, search_sources};
use skewer::syntax::token::TokenKind;
use skewer::syntax::{Source, tokens};

use crate::fuzz::watched::try_all;
use crate::fuzz::{files, rounds};

/// Returns the golden queries, each cut into tokens with the spaces that follow them.
fn golden_queries() -> Vec<Vec<Vec<u8>>> {
    let pieces = |text: Vec<u8>| {
        let source = Source::new("golden", text);
        let tokens = tokens(&source).ok()?;
        let places = tokens
            .iter()
            .filter(|token| !matches!(token.kind, TokenKind::PathEnd))
            .map(|token| token.span.start as usize);
        let places: Vec<usize> = places.collect();
        let pieces = places.windows(2).map(|ends| source.bytes()[ends[0]..ends[1]].to_vec());
        Some(pieces.collect())
    };
    files("tests/golden", &["cql"]).into_iter().filter_map(pieces).collect()
}

/// Compiles a query. Checks that an error can be shown.
fn compiled(text: &[u8]) -> Option<Query> {
    let filters_only = !text.starts_with(b"cql");
    let source = Source::new("text", text);
    let options = Options {
        filters_only,
        ..Options::default()
    };
    match query::compile(&source, &options) {
        Ok(query) => Some(query),
        Err(error) => {
            for color in [false, true] {
                assert!(error.render(&source, color).contains(&error.message));
            }
            assert!(error.render(&source, false).starts_with("error: "));
            None
        }
    }
}

/// Searches a game without moves, in the format that does most.
fn search_games(query: &Query) -> Result<u64, search::Error> {
    let options = search::Options {
        quiet: false,
        ..search::Options::quiet()
    };
    let games = pgn::Source::of_bytes("game", "[White \"A\"]\n\n*\n");
    let printed = search_sources(query, Settings::default(), [games], FormatName::Pgn, &options)?;
    Ok(printed.totals.games)
}

#[test]
fn random_bytes_are_refused_with_a_message() {
    let mut random = Rng::with_seed(1);
    let texts = (0..rounds(500)).map(move |_| {
        let begin: &[u8] = random.choice([b"cql()".as_slice(), b"", b"cql("]).unwrap_or_default();
        let bytes = (0..random.usize(1..60)).map(|_| {
            if random.bool() {
                random.u8(..)
            } else {
                random.u8(32..127)
            }
        });
        [begin, &bytes.collect::<Vec<u8>>()].concat()
    });
    try_all("bytes", texts, |text| compiled(text).is_some());
}

#[test]
fn token_soups_compile_or_are_refused() {
    let mut words: Vec<Vec<u8>> = golden_queries().concat();
    words.sort();
    words.dedup();
    let mut random = Rng::with_seed(2);
    let texts = (0..rounds(1000)).map(move |_| {
        let length = random.usize(1..25);
        let soup: Vec<_> = (0..length).filter_map(|_| random.choice(&words).cloned()).collect();
        soup.concat()
    });
    let good = try_all("soup", texts, |text| compiled(text).is_some());
    assert!(good > 10, "only {good} soups compile");
}

#[test]
fn deep_and_long_queries_are_refused_or_answered() {
    const DEEP: usize = 600;
    let enclosed = [
        ("(", "mate", ")"),
        ("{", "mate", "}"),
        ("not ", "mate", ""),
        ("~ ", "R", ""),
        ("- ", "ply", ""),
        ("#", "R", ""),
        ("parent:", "mate", ""),
        ("if mate then ", "mate", ""),
        ("if mate then mate else ", "mate", ""),
        ("while (false) ", "mate", ""),
        ("find quiet ", "mate", ""),
        ("--(", "mate", ")"),
        ("up ", "R", ""),
        ("flip ", "Ra1", ""),
        ("notransform ", "R", ""),
        ("max (1 ", "2", ")"),
        ("comment (", "\"a\"", ")"),
        ("sort \"a\" ", "ply", ""),
        ("square s in A ", "R", ""),
    ];
    let chained = [
        ("mate", " or mate"),
        ("message(1)", " or check"),
        ("wtm", " or wtm"),
        ("mate", " and mate"),
        ("Ka1", " qb2"),
        ("event", "[0]"),
    ];
    let nested = enclosed
        .iter()
        .map(|(open, inner, close)| [open.repeat(DEEP).as_str(), inner, &close.repeat(DEEP)].concat());
    let chain = |(first, next): &(&str, &str), length: usize| first.to_string() + &next.repeat(length);
    let long = chained.iter().map(|parts| chain(parts, 19_000));
    let too_long = chained.first().map(|parts| chain(parts, 21_000));
    let doubled = (0..60).map(|n| format!("function f{}x() {{f{n}x() f{n}x()}} ", n + 1));
    let doubled = doubled.fold("function f0x() {mate} ".to_owned(), |all, one| all + &one) + "f60x()";
    let copied = [
        "shift {b2 or ".repeat(6) + "c3" + &"}".repeat(6),
        "shift {b2 or notransform ".repeat(6) + "c3" + &"}".repeat(6),
    ];
    // Each `if` evaluates its condition twice, so nested ones must not be copied.
    let decided = ["(if ".repeat(60) + "wtm" + &" then wtm else btm)".repeat(60)];
    // What must hold after one move was once passed on to all moves around it.
    let played = ["--(".repeat(60) + "check" + &")".repeat(60)];
    // The set of each loop was once read twice for the next one.
    let looped = (1..60).map(|n| format!("square x{n} in x{} & x{} {{", n - 1, n - 1));
    let looped = looped.fold("square x0 in A {".to_owned(), |all, one| all + &one) + "x59 attacks k" + &"}".repeat(60);
    let answered = chained.len() + decided.len() + played.len() + 1;
    let texts: Vec<Vec<u8>> = nested
        .chain(copied)
        .chain(decided)
        .chain(played)
        .chain(long)
        .chain(too_long)
        .chain([doubled, looped])
        .map(String::into_bytes)
        .collect();
    let good = try_all("deep", texts.into_iter(), |text| {
        compiled(text).is_some_and(|query| search_games(&query).is_ok())
    });
    assert!(good == answered, "{good} long queries are answered");
}
