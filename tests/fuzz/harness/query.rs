//! Query texts.

use std::sync::LazyLock;

use skewer::output::FormatName;
use skewer::query::explain::Plan;
use skewer::query::{self, Options, Query, lint};
use skewer::syntax::format::{self, Spelling};
use skewer::syntax::{self, Source};
use skewer::testing;

use super::searching::{Ran, index, search, shown};

/// Games with a little of everything: variations, comments, unusual start positions, castling, promotions, mistakes.
const GAMES: &[u8] = include_bytes!("games.pgn");

/// The same games as a database.
static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| index(GAMES));

/// Compiles, checks, formats and evaluates a text. Returns whether it is a query.
///
/// # Panics
/// If a property does not hold.
pub fn check(text: &[u8]) -> bool {
    let filters_only = !text.starts_with(b"cql");
    let options = Options {
        filters_only,
        ..Options::default()
    };
    let source = Source::new("query", text);
    read_as_an_editor_does(&source, &options);
    let linted = lint::lint(&source, &options);
    let query = match query::compile(&source, &options) {
        Ok(query) => query,
        Err(error) => {
            let rendered = error.render(&source, false);
            assert!(rendered.starts_with("error: "), "{rendered}");
            assert!(rendered.contains(&error.message), "{rendered}");
            assert!(error.render(&source, true).contains("\u{1b}["), "no colours");
            assert!(linted.is_err(), "`check` accepts what a search refuses: {rendered}");
            return false;
        }
    };
    if let Err(error) = linted {
        panic!(
            "`check` refuses what a search accepts: {}",
            error.render(&source, false)
        );
    }
    let _plan = Plan::of(&query, &source);

    let ids = search(&query, GAMES, FormatName::Ids, 1);
    if ids == Ran::Late {
        return true;
    }
    agree_on_threads_and_databases(&query, &ids);
    keeps_its_meaning(&source, &options, &ids);
    if let Some(longer) = with_an_assignment(text) {
        agrees_without_shortcuts(&longer, &options, &ids);
    }
    true
}

/// Runs the functions that accept texts that are not queries.
fn read_as_an_editor_does(source: &Source, options: &Options) {
    let (tokens, errors) = syntax::scan(source);
    let mut end = 0;
    for token in &tokens {
        assert!(token.span.start >= end, "tokens overlap: {tokens:?}");
        end = token.span.start;
    }
    for error in errors {
        assert!(error.render(source, false).starts_with("error: "));
    }
    let _known = query::analyze(source, options);
    let _examples = testing::expectations(source);
}

/// Checks that the same games match with one thread or several, from text or a database, in any format.
fn agree_on_threads_and_databases(query: &Query, ids: &Ran) {
    let stored = search(query, &DATABASE, FormatName::Ids, 1);
    match (ids, &stored) {
        (Ran::Done(pgn, said, matches), Ran::Done(rows, repeated, also)) => {
            assert!(pgn == rows, "{}", shown("the database answers otherwise", pgn, rows));
            assert!(
                said == repeated,
                "{}",
                shown("the database says otherwise", said, repeated)
            );
            assert_eq!(matches, also);
        }
        (Ran::Stopped(_), Ran::Stopped(_)) | (Ran::Late, _) | (_, Ran::Late) => {}
        other => panic!("the database ends otherwise: {other:?}"),
    }
    for format in [FormatName::Pgn, FormatName::Html, FormatName::Jsonl] {
        let alone = search(query, GAMES, format, 1);
        let together = search(query, GAMES, format, 3);
        match (&alone, &together, ids) {
            (Ran::Done(one, said, matches), Ran::Done(three, repeated, _), Ran::Done(_, _, wanted)) => {
                assert!(one == three, "{}", shown("threads differ", one, three));
                assert!(said == repeated, "{}", shown("messages differ", said, repeated));
                assert_eq!(matches, wanted, "{format:?} finds other games than ids");
                if format == FormatName::Html {
                    assert!(std::str::from_utf8(one).is_ok(), "the page is no UTF-8");
                }
                if format == FormatName::Jsonl {
                    let mut lines = one.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
                    assert!(lines.all(|line| serde_json::from_slice::<serde_json::Value>(line).is_ok()));
                }
            }
            (Ran::Stopped(_), Ran::Stopped(_), _) => {}
            (Ran::Late, _, _) | (_, Ran::Late, _) | (_, _, Ran::Late) => {}
            // Only some formats keep comments, and there is a limit on comments.
            (Ran::Stopped(_) | Ran::Done(..), Ran::Stopped(_) | Ran::Done(..), Ran::Stopped(_)) => {}
            other => panic!("{format:?} ends otherwise: {other:?}"),
        }
    }
}

/// Checks that formatting does not change what is found, and that formatting twice changes nothing more.
fn keeps_its_meaning(source: &Source, options: &Options, ids: &Ran) {
    let laid_out = |source: &Source, spelling| {
        query::outline(source, options).and_then(|outline| format::format(source, &outline, spelling))
    };
    // The same text, which several spellings may give, has the same answer.
    let mut searched = vec![source.bytes().to_vec()];
    for spelling in [Spelling::AsWritten, Spelling::Ascii, Spelling::Unicode] {
        let text = match laid_out(source, spelling) {
            Ok(text) => text,
            Err(error) => panic!("cannot be formatted: {}", error.render(source, false)),
        };
        let formatted = Source::new("formatted", text.clone());
        match laid_out(&formatted, spelling) {
            Ok(again) => assert!(text == again, "{}", shown("formatting goes on", &text, &again)),
            Err(error) => panic!("cannot be formatted again: {}", error.render(&formatted, false)),
        }
        if searched.contains(&text) {
            continue;
        }
        let query = match query::compile(&formatted, options) {
            Ok(query) => query,
            Err(error) => panic!("{spelling:?} makes an error: {}", error.render(&formatted, false)),
        };
        searched.push(text);
        match (ids, search(&query, GAMES, FormatName::Ids, 1)) {
            (Ran::Done(before, said, _), Ran::Done(after, repeated, _)) => {
                assert!(
                    *before == after,
                    "{}",
                    shown("formatting changes the answer", before, &after)
                );
                assert!(
                    *said == repeated,
                    "{}",
                    shown("formatting changes messages", said, &repeated)
                );
            }
            (Ran::Stopped(before), Ran::Stopped(after)) => assert_eq!(*before, after),
            (Ran::Late, _) | (_, Ran::Late) => {}
            other => panic!("formatting changes the end: {other:?}"),
        }
    }
}

/// Returns the query with an assignment before its body, which prevents simplification and lookups ahead: `cql(…) BODY` becomes
/// `cql(…) {zzfuzz=1} {BODY}`.
fn with_an_assignment(text: &[u8]) -> Option<Vec<u8>> {
    let header = if text.starts_with(b"cql") { header_end(text)? } else { 0 };
    let (header, body) = text.split_at(header);
    Some([header, b" {zzfuzz=1} {", body, b"\n}"].concat())
}

/// Returns where the header ends.
fn header_end(text: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut quoted = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Checks that the query finds the same without shortcuts. It may reach a limit earlier, because more is evaluated.
fn agrees_without_shortcuts(text: &[u8], options: &Options, ids: &Ran) {
    let source = Source::new("query", text);
    let Ok(query) = query::compile(&source, options) else {
        return;
    };
    if let (Ran::Done(quick, _, _), Ran::Done(slow, _, _)) = (ids, search(&query, GAMES, FormatName::Ids, 1)) {
        assert!(
            *quick == slow,
            "{}",
            shown("a shortcut changes the answer", quick, &slow)
        );
    }
}
