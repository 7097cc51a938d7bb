//! Words beyond CQL 6.2 change the meaning of no query of CQL 6.2, and `--strict` accepts none of them.

use std::fs;
use std::path::Path;

use skewer::query::{self, Options, Vocabulary, lint};
use skewer::syntax::{Source, beyond_words};

use super::options;

/// Returns the compiled query or its error. The names of variables are not in it: they are replaced by numbers.
fn compiled(source: &Source, vocabulary: Vocabulary) -> Result<String, String> {
    query::compile(source, &options(vocabulary))
        .map(|query| format!("{query:?}"))
        .map_err(|error| error.message)
}

#[test]
fn recorded_queries_are_compiled_to_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut compared = 0;
    for entry in walkdir::WalkDir::new(&folder) {
        let entry = entry.expect("it can be read");
        let is_query = entry.path().extension().is_some_and(|extension| extension == "cql");
        let Some(text) = fs::read_to_string(entry.path()).ok().filter(|_| is_query) else {
            continue;
        };
        let source = Source::new("q.cql", text);
        if let Ok(strict) = compiled(&source, Vocabulary::Cql62) {
            let whole = compiled(&source, Vocabulary::Whole);
            assert_eq!(whole.as_ref(), Ok(&strict), "{}", entry.path().display());
            compared += 1;
        }
    }
    assert!(compared > 1200, "{compared} queries");
}

#[test]
fn a_word_is_an_unknown_name_in_cql_6_2() {
    for word in beyond_words() {
        for text in [
            format!("cql() {word}"),
            format!("cql() {word}(R)"),
            format!("cql() R & {word}"),
        ] {
            let source = Source::new("q.cql", text.as_str());
            let error = compiled(&source, Vocabulary::Cql62).expect_err("it is unknown");
            assert_eq!(error, format!("unknown name `{word}`"));
        }
    }
}

#[test]
fn the_newest_words_of_studies_are_unknown_in_cql_6_2() {
    for word in [
        "tourney_edition",
        "tourney_name",
        "tourney_year",
        "tourney_year_end",
        "tourney_year_part",
        "distinction",
    ] {
        let source = Source::new("q.cql", format!("cql() message(hhdb {word})"));
        assert!(compiled(&source, Vocabulary::Whole).is_ok(), "{word}");
        assert!(compiled(&source, Vocabulary::Cql62).is_err(), "{word}");
    }
}

#[test]
fn a_name_of_the_query_wins_wherever_it_is_declared() {
    for word in beyond_words() {
        for text in [
            "WORD=3 ply==WORD",
            "WORD=R WORD attacks k",
            "persistent WORD=0 WORD+=1",
            "function WORD(x) {x attacks k} WORD(R)",
            "function F(WORD) {WORD attacks k} F(R)",
            "function F() {WORD>3} WORD=4 F()",
            "dictionary WORD WORD[\"a\"]=\"b\"",
            "square WORD in R {WORD attacks k}",
            "◭WORD∊R {WORD attacks k}",
            "piece WORD=R WORD attacks k",
            "echo (WORD other) {WORD<other}",
            "not isbound WORD",
        ] {
            let text = format!("cql() {}", text.replace("WORD", word));
            let source = Source::new("q.cql", text.as_str());
            let strict = compiled(&source, Vocabulary::Cql62);
            assert!(strict.is_ok(), "{text}: {strict:?}");
            assert_eq!(compiled(&source, Vocabulary::Whole), strict, "{text}");
            assert_eq!(compiled(&source, Vocabulary::WithoutPrelude), strict, "{text}");
            let names = |vocabulary| {
                let options = Options {
                    vocabulary,
                    ..Options::default()
                };
                let warnings = lint::lint(&source, &options).expect("it compiles");
                warnings
                    .into_iter()
                    .map(|warning| warning.diagnostic.message)
                    .collect::<Vec<_>>()
            };
            assert_eq!(names(Vocabulary::Whole), names(Vocabulary::Cql62), "{text}");
        }
    }
}

#[test]
fn an_option_may_declare_a_name_for_the_query() {
    let source = Source::new("q.cql", "cql() ply>legalposition");
    let options = |filters: &str| Options {
        filters: vec![Source::new("-assign", filters)],
        ..Options::default()
    };
    assert!(skewer::query::compile(&source, &options("legalposition=10")).is_ok());
    assert!(skewer::query::compile(&source, &options("true")).is_err());
    let word = Source::new("q.cql", "cql() check");
    assert!(skewer::query::compile(&word, &options("not legalposition")).is_ok());
}
