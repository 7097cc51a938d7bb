//! Tests that `theme "NAME"` holds where the query of that name matches, for every query of the library.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use skewer::query::Vocabulary;
use skewer::{FoundGame, Games, Options, Query, QueryOptions, Sink, library};

/// The queries that search variations, so they cannot be themes of queries that do not.
const OF_VARIATIONS: [&str; 9] = [
    "studies/albino",
    "studies/all-defences-mated",
    "studies/allumwandlung",
    "studies/echo-mates",
    "studies/grimshaw",
    "studies/knight-wheel",
    "studies/pickaninny",
    "studies/plus-flights",
    "studies/star-flights",
];

/// The games and positions that a query finds.
#[derive(Default)]
struct Places(Vec<(u64, Vec<u32>)>);

impl Sink for Places {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        let positions = game.matches().iter().map(skewer::Match::position_id).collect();
        self.0.push((game.number(), positions));
        ControlFlow::Continue(())
    }
}

fn compiled(text: &str) -> Query {
    let mut options = QueryOptions::default();
    options.tablebase = vec!["tests/syzygy".into()];
    Query::compile_with(text, &options).unwrap_or_else(|error| panic!("{}", error.drawn()))
}

#[test]
fn each_query_of_the_library_finds_the_same_as_a_theme() {
    let names: Vec<&str> = library::queries().map(|query| query.name()).collect();
    let mut queries = Vec::new();
    for query in library::queries() {
        let header = if OF_VARIATIONS.contains(&query.name()) {
            "variations"
        } else {
            ""
        };
        queries.push(compiled(query.text()));
        queries.push(compiled(&format!("cql({header}) theme \"{}\"", query.name())));
    }
    let mut places: Vec<Places> = queries.iter().map(|_| Places::default()).collect();
    let searches = queries.iter().zip(&mut places);
    let searches = searches.map(|(query, places)| (query, places as &mut dyn Sink));
    let mut options = Options::default();
    options.comments = false;
    options.squares = false;
    let outcomes = skewer::run_all(searches, Games::from("examples"), &options).expect("the games are read");
    for outcome in outcomes {
        outcome.expect("the search ends");
    }
    let mut different = String::new();
    let mut found = 0;
    for (name, pair) in names.iter().zip(places.chunks(2)) {
        found += usize::from(!pair[0].0.is_empty());
        if pair[0].0 != pair[1].0 {
            let _ = writeln!(different, "{name}: {:?}, as a theme {:?}", pair[0].0, pair[1].0);
        }
    }
    assert!(different.is_empty(), "{different}");
    assert!(found > 150, "only {found} of {} find something", names.len());
}

#[test]
fn all_but_those_that_search_variations_are_themes_of_every_query() {
    let refused: Vec<(&str, String)> = library::queries()
        .filter_map(|query| {
            let error = Query::compile(format!("theme \"{}\"", query.name())).err()?;
            Some((query.name(), error.message().to_owned()))
        })
        .collect();
    let names: Vec<&str> = refused.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, OF_VARIATIONS, "{refused:?}");
    for (name, message) in &refused {
        let expected = format!("`{name}` cannot be a theme: it searches variations, which this query does not");
        assert_eq!(message, &expected);
    }
}

#[test]
fn no_theme_of_the_library_gets_a_warning() {
    for query in library::queries().filter(|query| !OF_VARIATIONS.contains(&query.name())) {
        let source = skewer::syntax::Source::new("q.cql", format!("theme \"{}\"", query.name()));
        let options = skewer::query::Options {
            filters_only: true,
            themes: library::themes(None),
            ..skewer::query::Options::default()
        };
        let warnings = skewer::query::lint::lint(&source, &options).expect("it compiles");
        assert!(warnings.is_empty(), "{}: {warnings:?}", query.name());
    }
}

#[test]
fn a_query_without_a_folder_names_no_files() {
    let error = Query::compile("theme \"mate.cql\"").expect_err("there is no folder");
    assert!(error.drawn().contains("not in a folder"), "{}", error.drawn());
    let mut options = QueryOptions::default();
    options.folder = Some("tests/beyond/themes".into());
    let query = Query::compile_with("theme \"mate.cql\"", &options).expect("it is there");
    assert!(query.matches_fen("6rk/5Npp/8/8/8/8/8/6K1 b - - 1 1").expect("a FEN"));
}

#[test]
fn a_theme_used_twice_is_read_once() {
    let once = variables("theme \"bodens-mate\"");
    assert!(once.contains("sets: ") && !once.contains("sets: 0"), "{once}");
    assert_eq!(
        variables("theme \"bodens-mate\" or not theme \"mates/bodens-mate\""),
        once
    );
    assert_ne!(variables("theme \"bodens-mate\" or theme \"hook-mate\""), once);
}

/// Returns the counts of a query's variables.
fn variables(text: &str) -> String {
    let source = skewer::syntax::Source::new("q.cql", text);
    let options = skewer::query::Options {
        filters_only: true,
        themes: library::themes(None),
        ..skewer::query::Options::default()
    };
    let query = skewer::query::compile(&source, &options).expect("it compiles");
    let shown = format!("{query:?}");
    let counts = shown.split_once("VariableCounts {").expect("they are counted").1;
    counts.split('}').next().unwrap_or_default().to_owned()
}

/// Compiles the first of a chain of files. `text` makes each file from the name of the next one.
fn compiled_chain(length: usize, text: impl Fn(&str) -> String, last: &str) -> Result<Query, String> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    for place in 0..length {
        let next = format!("{}.cql", place + 1);
        let text = if place + 1 == length {
            last.to_owned()
        } else {
            text(&next)
        };
        std::fs::write(folder.path().join(format!("{place}.cql")), text).expect("files can be written");
    }
    let mut options = QueryOptions::default();
    options.folder = Some(folder.path().to_owned());
    Query::compile_with("theme \"0.cql\"", &options).map_err(|error| error.message().to_owned())
}

#[test]
fn themes_of_themes_of_themes_come_to_an_end() {
    let once = |next: &str| format!("theme \"{next}\"");
    assert!(compiled_chain(40, once, "mate").is_ok());
    let error = compiled_chain(40, once, "chekc").expect_err("a slip at the end");
    assert_eq!(error.rsplit(": ").next(), Some("unknown name `chekc`"));
    let error = compiled_chain(1000, once, "mate").expect_err("too many");
    assert!(error.contains("nest"), "{error}");
    let twice = |next: &str| format!("theme \"{next}\" or theme \"{next}\"");
    let error = compiled_chain(40, twice, "mate").expect_err("too much");
    assert!(error.contains("expand without bound"), "{error}");
}

#[test]
fn a_name_without_quotes_gets_them() {
    for text in [
        "cql() theme greek-gift",
        "cql() check greek-gift",
        "cql() not greek-gift",
    ] {
        let error = super::compile(text, Vocabulary::Whole).err();
        let error = error.unwrap_or_else(|| panic!("{text} is wrong"));
        let is_said = error.hints.iter().any(|hint| hint.contains("`theme \"greek-gift\"`"));
        assert!(is_said, "{text}: {:?}", error.hints);
    }
    let strict = super::compile("cql() greek-gift", Vocabulary::Cql62).err();
    let strict = strict.unwrap_or_else(|| panic!("it is wrong"));
    assert!(strict.hints.is_empty(), "{:?}", strict.hints);
}
