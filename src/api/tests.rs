//! Tests the library as programs use it.

use std::io::{self, Read};
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::board::{Color, Square};
use crate::eval::Settings;
use crate::game::Warning;
use crate::limits::Interrupt;
use crate::output::{Column, ColumnValue, FormatName, QuerySide, Totals};
use crate::pgn::Source;
use crate::search::search_sources;

const PGN: &str = "\
[Event \"Café\"]
[White \"A\"]
[WhiteElo \"2500\"]
[Date \"1910.??.??\"]
[ECO \"c41\"]

1. f3 e5 2. g4 (2. a3 Qh4+ 3. g3) 2... Qh4# 0-1

[White \"B\"]
[Black \"C\"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White \"D\"]

1. e4 *
";

fn query(text: &str) -> Query {
    Query::compile(text).expect("it compiles")
}

fn found(text: &str) -> Vec<FoundGame> {
    let search = query(text).search(Games::of_bytes("a.pgn", PGN)).expect("it begins");
    search.map(|game| game.expect("nothing fails")).collect()
}

#[test]
fn a_match_has_the_columns_that_are_asked_for() {
    let options = QueryOptions {
        columns: vec![
            Column::of_filter("pawns", "#P"),
            Column::next(),
            Column::of_filter("kings", "x"),
            Column::of_filter("before", "parent"),
            Column::of_filter("none", "1/0"),
            Column::of_filter("over", "mate"),
        ],
        ..QueryOptions::default()
    };
    let query = Query::compile_with("x=[Kk] flipcolor {wtm check}", &options).expect("it compiles");
    let search = query.search(Games::of_bytes("a.pgn", PGN)).expect("it begins");
    let found: Vec<FoundGame> = search.map(|game| game.expect("nothing fails")).collect();
    let [first, second] = &*found else {
        panic!("two games have a check")
    };
    let text = |text: &str| Some(ColumnValue::Text(text.to_owned()));
    let before = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let expected = [
        Some(ColumnValue::Number(8)),
        None,
        text("e1 e8"),
        text(before),
        None,
        Some(ColumnValue::Truth(true)),
    ];
    assert_eq!(first.matches()[0].values(), expected);
    assert_eq!(first.matches()[0].query_side(), Some(QuerySide::White));
    assert_eq!(second.matches()[0].query_side(), Some(QuerySide::Black));
    let options = QueryOptions {
        columns: vec![Column::solution()],
        ..QueryOptions::default()
    };
    let query = Query::compile_with("legal --(mate)", &options).expect("it compiles");
    let search = query.search(Games::of_bytes("a.pgn", PGN)).expect("it begins");
    let found: Vec<FoundGame> = search.map(|game| game.expect("nothing fails")).collect();
    let solutions: Vec<_> = found.iter().map(|game| game.matches()[0].values()).collect();
    assert_eq!(solutions, [[text("Qh4#")], [text("Qxf7#")]]);
    let wrong = QueryOptions {
        columns: vec![Column::of_filter("pawns", "#P chekc")],
        ..QueryOptions::default()
    };
    let error = Query::compile_with("mate", &wrong).unwrap_err();
    assert!(
        error.to_string().starts_with("<pawns>:1:4: unknown name `chekc`"),
        "{error}"
    );
}

#[test]
fn the_date_of_a_found_game_is_that_of_queries() {
    let pgn = "[Date \"15.10.2016\"]\n\n1. e4 *\n\n[Date \"?\"]\n[UTCDate \"2015.03.05\"]\n\n1. e4 *\n";
    let search = query("cql() initial")
        .search(Games::of_bytes("a.pgn", pgn))
        .expect("it begins");
    let dates = search.map(|game| game.expect("nothing fails").date().to_string());
    assert_eq!(dates.collect::<Vec<_>>(), ["2016.10.15", "2015.03.05"]);
}

#[test]
fn a_found_game_has_all_that_the_formats_print() {
    let text = "cql() mate comment(\"over\") sort \"depth\" ply settag(\"Theme\" \"mate\")";
    let source = Source::of_bytes("a.pgn", PGN);
    let lines = search_sources(
        query(text).compiled(),
        Settings::default(),
        [source],
        FormatName::Jsonl,
        &crate::search::Options::quiet(),
    );
    let lines = String::from_utf8(lines.expect("it is searched").output).expect("JSON is UTF-8");
    let mut lines: Vec<serde_json::Value> = lines.lines().map(|line| line.parse().expect("JSON")).collect();
    // The text is sorted; games come in the order of the input.
    lines.sort_by_key(|line| line["game"].as_u64());
    let games = found(text);
    assert_eq!(games.len(), lines.len());
    for (game, line) in games.iter().zip(&lines) {
        let [position] = game.matches() else { panic!("one mate") };
        let tag = |name| game.tag(name).map(str::to_owned);
        let known = serde_json::json!({
            "file": game.source(),
            "game": game.number(),
            "positionid": position.position_id(),
            "ply": position.ply(),
            "movenumber": position.move_number(),
            "side": position.side_to_move().fold_wb("white", "black"),
            "fen": position.fen(),
            "white": tag("White").unwrap_or("?".to_owned()),
            "black": tag("Black").unwrap_or("?".to_owned()),
            "white_elo": game.rating(Color::White),
            "black_elo": game.rating(Color::Black),
            "event": tag("Event").unwrap_or("?".to_owned()),
            "site": tag("Site").unwrap_or("?".to_owned()),
            "date": tag("Date").unwrap_or("????.??.??".to_owned()),
            "result": tag("Result"),
            "eco": tag("ECO"),
            "move": position.last_move_san(),
            "comment": "over",
            "query_side": position.query_side().map(QuerySide::as_str),
            "sort": { "depth": position.ply() },
            "tags": { "Theme": tag("Theme") },
        });
        assert_eq!(known, *line);
        let keys: Vec<_> = game.sort_keys().collect();
        let depth = i32::try_from(position.ply()).expect("a small number");
        assert_eq!(keys, [("depth", Some(SortKeyValue::Number(depth)))]);
        assert!(
            position.comments().contains(&"over".to_owned()),
            "{:?}",
            position.comments()
        );
    }
    let [fool, scholar] = &*games else { panic!("two games") };
    assert_eq!((fool.tag("Event"), fool.tag("Black")), (Some("Café"), None));
    assert_eq!(fool.matches()[0].last_move_san(), Some("Qh4#"));
    assert_eq!(scholar.matches()[0].last_move_uci(), Some("h5f7"));
}

#[test]
fn variations_are_searched_if_query_or_options_say_so() {
    let mut options = QueryOptions::default();
    let checks = |options: &QueryOptions| {
        let query = Query::compile_with("check", options).expect("it compiles");
        let game = query.search(Games::of_bytes("a.pgn", PGN)).expect("it begins").next();
        let game = game.expect("there is one").expect("nothing fails");
        let ids = game.matches().iter().map(Match::position_id);
        ids.collect::<Vec<_>>()
    };
    assert_eq!(checks(&options), [4]);
    options.variations = Some(true);
    assert_eq!(checks(&options), [4, 6]);
}

#[test]
fn what_is_not_asked_for_is_left_out() {
    let mut options = Options::default();
    let first = |options: &Options| {
        let games = Games::of_bytes("a.pgn", PGN);
        let mut search = query("xray (Q f7 k) comment(\"!\")")
            .search_with(games, options)
            .expect("it begins");
        search.next().expect("there is one").expect("nothing fails")
    };
    let game = first(&options);
    let position = &game.matches()[0];
    assert!(position.squares().contains(Square::F7) && !position.rays().is_empty());
    assert!(!position.comments().is_empty() && game.comments().count() > 0);
    assert_eq!(game.pgn(), None);
    options.pgn = true;
    let pgn = first(&options)
        .pgn()
        .map(|pgn| String::from_utf8_lossy(pgn).into_owned());
    assert!(pgn.is_some_and(|pgn| pgn.contains("[White \"B\"]") && pgn.contains('!')));
    options.pgn = false;
    options.comments = false;
    options.squares = false;
    let bare = first(&options);
    assert!(bare.comments().next().is_none() && bare.matches()[0].squares().is_empty());
    assert_eq!(bare.matches()[0].fen(), position.fen());
    assert_eq!(bare.tags().collect::<Vec<_>>(), game.tags().collect::<Vec<_>>());
}

/// Yields games without end, with long comments, so that few of them fill a batch.
struct Endless {
    game: String,
    /// Lets a test notice when nobody holds the reader any more.
    _alive: Arc<()>,
}

/// Returns games without end, which live as long as someone reads them.
#[test]
fn remarks_are_what_tables_show() {
    let text = "cql() mate comment(\"over\") comment(\"at \" ply) sort \"depth\" ply";
    let source = Source::of_bytes("a.pgn", PGN);
    let options = crate::search::Options::quiet();
    let settings = Settings::default();
    let lines = search_sources(query(text).compiled(), settings, [source], FormatName::Jsonl, &options);
    let lines = String::from_utf8(lines.expect("it is searched").output).expect("JSON is UTF-8");
    let shown = lines
        .lines()
        .map(|line| line.parse::<serde_json::Value>().expect("JSON"));
    let mut shown: Vec<(Option<u64>, Option<String>)> = shown
        .map(|line| (line["game"].as_u64(), line["comment"].as_str().map(str::to_owned)))
        .collect();
    shown.sort();

    let options = Options {
        comments: false,
        remarks: true,
        ..Options::default()
    };
    let games = query(text).search_with(Games::of_bytes("a.pgn", PGN), &options);
    let found = games.expect("it begins").map(|game| game.expect("nothing fails"));
    let found: Vec<_> = found
        .map(|game| (Some(game.number()), Some(game.matches()[0].remarks().join(" "))))
        .collect();
    assert_eq!(found, shown);
    assert_eq!(found.len(), 2);
}

#[test]
fn only_the_games_with_the_given_numbers_are_looked_at() {
    let numbers = |wanted: &[u64], narrowing: Narrowing| -> Vec<u64> {
        let reading = QueryOptions {
            narrowing,
            ..QueryOptions::default()
        };
        let query = Query::compile_with("initial", &reading).expect("it compiles");
        let options = Options {
            games: Some(Arc::new(wanted.iter().copied().collect())),
            ..Options::default()
        };
        let games = query.search_with(Games::of_bytes("a.pgn", PGN), &options);
        games
            .expect("it begins")
            .map(|game| game.expect("nothing fails").number())
            .collect()
    };
    assert_eq!(numbers(&[1, 3, 7], Narrowing::new()), [1, 3]);
    assert!(numbers(&[], Narrowing::new()).is_empty());
    // The same holds for games that are drawn.
    let all = NonZeroU64::new(3).expect("it is not 0");
    assert_eq!(numbers(&[2, 3], Narrowing::new().sample(all, 5)), [2, 3]);
}

fn endless(alive: &Arc<()>) -> Games {
    let comment = "long ".repeat(4000);
    let endless = Endless {
        game: format!("[White \"A\"]\n\n{{{comment}}} 1. f3 e5 2. g4 Qh4# 0-1\n\n"),
        _alive: Arc::clone(alive),
    };
    Games::of_reader("endless", endless)
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let game = self.game.as_bytes();
        let count = game.len().min(buffer.len());
        buffer[..count].copy_from_slice(&game[..count]);
        self.game = [&self.game[count..], &self.game[..count]].concat();
        Ok(count)
    }
}

/// Waits until something happens that is expected soon.
fn wait_for(happened: impl Fn() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not happen");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn games_come_while_the_search_goes_on_and_dropping_it_ends_it() {
    // The second query finds nothing, so nothing is ever handed over.
    for (text, wanted) in [("mate", 3), ("cql() mate and not mate", 0)] {
        let alive = Arc::new(());
        let games = endless(&alive);
        let mut search = query(text).search(games).expect("it begins");
        let numbers: Vec<u64> = search
            .by_ref()
            .take(wanted)
            .map(|game| game.expect("nothing fails").number())
            .collect();
        assert_eq!(numbers, (1..=wanted as u64).collect::<Vec<_>>());
        assert_eq!(search.totals(), None, "it has not ended");
        drop(search);
        wait_for(|| Arc::strong_count(&alive) == 1);
    }
}

#[test]
fn an_error_is_the_last_item() {
    let games = Games::of_bytes("a.pgn", PGN).and(Games::of_bytes("b.pgn.gz", &b"\x1f\x8b\x08\x00broken"[..]));
    let mut search = query("mate").search(games).expect("it begins");
    let numbers: Vec<u64> = search
        .by_ref()
        .map_while(|game| game.ok().map(|game| game.number()))
        .collect();
    assert_eq!(numbers, [1, 2]);
    assert!(search.next().is_none() && search.totals().is_none());

    let mut search = query("x=1 loop {x=1 true}")
        .search(Games::of_bytes("a.pgn", PGN))
        .expect("it begins");
    let Some(Err(Error::Evaluation(error))) = search.next() else {
        panic!("it does not end")
    };
    assert_eq!(error.line(), 1);
    assert!(error.drawn().contains("loop"), "{}", error.drawn());
    assert!(search.next().is_none());
}

#[test]
fn what_is_not_there_is_an_error_at_once() {
    let Err(Error::Input { name, .. }) = query("mate").search("no such folder/games.pgn") else {
        panic!("there is no such file");
    };
    assert_eq!(name, "no such folder/games.pgn");
    let once = Games::of_reader("stream", PGN.as_bytes());
    let count = |games: Games| {
        query("mate")
            .search(games)
            .expect("it begins")
            .filter(Result::is_ok)
            .count()
    };
    assert_eq!((count(once.clone()), count(once)), (2, 0), "a stream is read once");
}

#[test]
fn totals_and_warnings_are_known_at_the_end() {
    let mut search = query("mate")
        .search(Games::of_bytes("a.pgn", format!("{PGN}\n[White \"E\"]\n\n1. e5 *\n")))
        .expect("it begins");
    assert_eq!(search.by_ref().count(), 2);
    let totals = search.totals().expect("it has ended");
    assert_eq!((totals.games, totals.matches, totals.positions), (4, 2, 2));
    let [Warning { game: 4, .. }] = search.warnings() else {
        panic!("{:?}", search.warnings())
    };
    assert_eq!(search.warning_count(), 1);
}

/// Records everything it receives, and breaks after `wanted` games.
#[derive(Default)]
struct Notes {
    wanted: usize,
    games: Vec<u64>,
    warnings: usize,
    messages: String,
    /// After this many progress reports, the search is to end.
    patience: Option<usize>,
    reports: usize,
}

impl Sink for Notes {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        self.games.push(game.number());
        flow(self.games.len() < self.wanted)
    }

    fn warning(&mut self, _: &Warning) {
        self.warnings += 1;
    }

    fn message(&mut self, lines: &[u8]) {
        self.messages += &String::from_utf8_lossy(lines);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        assert!(progress.bytes > 0 && progress.games > 0);
        self.reports += 1;
        flow(self.patience.is_none_or(|patience| self.reports < patience))
    }
}

fn flow(goes_on: bool) -> ControlFlow<()> {
    match goes_on {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

#[test]
fn a_sink_may_want_no_more() {
    for threads in [1, 3] {
        let options = Options {
            threads: NonZeroUsize::new(threads).expect("not 0"),
            ..Options::default()
        };
        let mut notes = Notes {
            wanted: 1,
            ..Notes::default()
        };
        let games = endless(&Arc::default());
        let totals = query("mate").run(games, &options, &mut notes).expect("nothing fails");
        assert_eq!(notes.games, [1]);
        assert_eq!((totals.games, totals.matches), (1, 1), "what it took");
        let mut notes = Notes {
            wanted: usize::MAX,
            patience: Some(2),
            ..Notes::default()
        };
        let games = endless(&Arc::default());
        query("stalemate")
            .run(games, &options, &mut notes)
            .expect("nothing fails");
        assert!(notes.reports >= 2);
    }
}

#[test]
fn an_interrupt_ends_a_search_with_what_it_has_found() {
    let options = Options {
        interrupt: Some(Arc::new(Interrupt::after(Duration::from_millis(50)))),
        ..Options::default()
    };
    let games = endless(&Arc::default());
    let totals = query("stalemate")
        .run(games, &options, &mut Notes::default())
        .expect("it is not an error");
    assert_eq!(totals.matches, 0);
    assert!(options.interrupt.is_some_and(|interrupt| interrupt.was_acknowledged()));
}

#[test]
fn several_queries_search_in_one_pass() {
    let queries = [
        query("mate message(\"mate\")"),
        query("cql(variations) x=1 ply==1 loop {x=1 true}"),
        query("cql(variations) ply==1 sort \"x\" ply"),
    ];
    let options = Options {
        max_rounds: 1000,
        ..Options::default()
    };
    let mut sinks = [(); 3].map(|()| Notes {
        wanted: 2,
        ..Notes::default()
    });
    let searches = queries
        .iter()
        .zip(&mut sinks)
        .map(|(query, sink)| (query, sink as &mut dyn Sink));
    let games = Games::of_bytes("a.pgn", format!("{PGN}\n[White \"E\"]\n\n1. e5 *\n"));
    let outcomes = run_all(searches, games, &options).expect("the games can be read");
    let games: Vec<_> = sinks.iter().map(|sink| &*sink.games).collect();
    assert_eq!(games, [&[1, 2][..], &[], &[1, 2]]);
    let totals: Vec<_> = outcomes
        .into_iter()
        .map(|outcome| outcome.map(|totals| totals.matches))
        .collect();
    assert!(
        matches!(totals[..], [Ok(2), Err(Error::Evaluation(_)), Ok(2)]),
        "{totals:?}"
    );
    assert_eq!(sinks[0].messages.matches("mate").count(), 2, "{}", sinks[0].messages);
    let none = run_all([], "no such file", &Options::default());
    assert!(none.is_err(), "inputs are looked for first");
}

#[test]
fn a_position_needs_no_game() {
    let mate = query("mate");
    assert!(mate.matches_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("a FEN"));
    let error = mate.matches_fen("7k/6Q1/6K1/8/8/8/8 b").expect_err("seven ranks");
    assert_eq!(
        error.to_string(),
        "`7k/6Q1/6K1/8/8/8/8 b` is not a FEN: the board has 7 ranks"
    );
    let fens = ["7k/6Q1/8/8/8/8/8/6K1 b", "7k/6Q1/6K1/8/8/8/8/8 b"];
    let search = mate.search(Games::of_fens(fens).expect("FENs")).expect("it begins");
    let games: Vec<_> = search.map(|game| game.expect("nothing fails")).collect();
    let [game] = &*games else { panic!("one of them") };
    assert_eq!((game.number(), game.matches()[0].last_move_san()), (2, None));
}

#[test]
fn a_query_is_shared_by_threads() {
    let query = query("mate");
    let count = |query: &Query| {
        let totals = query.run(
            Games::of_bytes("a.pgn", PGN),
            &Options::default(),
            &mut |_: FoundGame| ControlFlow::Continue(()),
        );
        totals.expect("nothing fails")
    };
    let expected = Totals {
        games: 3,
        matches: 2,
        positions: 2,
        with_variations: 1,
        left_alone: 0,
        unreadable: 0,
        unread_files: 0,
    };
    thread::scope(|scope| {
        let counts: Vec<_> = (0..3).map(|_| scope.spawn(|| count(&query.clone()))).collect();
        for counted in counts {
            assert_eq!(counted.join().expect("no panic"), expected);
        }
    });
}

#[test]
fn values_may_be_sent_to_threads_and_shared_by_them() {
    fn assert<T: Send + Sync>() {}
    assert::<Query>();
    assert::<QueryOptions>();
    assert::<Narrowing>();
    assert::<Options>();
    assert::<Search>();
    assert::<FoundGame>();
    assert::<Error>();
    assert::<QueryError>();
}

#[test]
fn queries_of_any_depth_are_searched_and_dropped() {
    let deep = format!("{}mate{}", "(".repeat(400), ")".repeat(400));
    let long = format!("mate{}", " or check".repeat(2000));
    for text in [deep, long] {
        let query = query(&text);
        assert!(query.matches_fen("7k/6Q1/6K1/8/8/8/8/8 b").expect("a FEN"));
    }
}

#[test]
fn an_error_of_a_query_has_its_place() {
    let options = QueryOptions {
        name: "pins.cql".to_owned(),
        ..QueryOptions::default()
    };
    let error = Query::compile_with("cql()\n  mate\n  chekc", &options).expect_err("no such word");
    assert_eq!((error.line(), error.column(), error.range()), (3, 3, 15..20));
    assert_eq!(error.to_string(), format!("pins.cql:3:3: {}", error.message()));
    assert!(error.hints().any(|hint| hint.contains("check")));
    assert!(error.drawn().contains("--> pins.cql:3:3"), "{}", error.drawn());
}

/// Returns the numbers of the games that match with a narrowing.
fn narrowed(text: &str, narrowing: Narrowing, games: Games) -> Result<Vec<u64>, Error> {
    let options = QueryOptions {
        narrowing,
        ..QueryOptions::default()
    };
    let query = Query::compile_with(text, &options).expect("it compiles");
    query
        .search(games)?
        .map(|game| game.map(|game| game.number()))
        .collect()
}

#[test]
fn a_narrowing_leaves_out_games_and_positions() {
    let pgn = || Games::of_bytes("a.pgn", PGN);
    let all = Narrowing::new();
    for (narrowing, expected) in [
        (all.clone(), &[1, 2, 3][..]),
        (all.clone().player("C"), &[2]),
        (all.clone().white("A").result("0-1"), &[1]),
        (all.clone().years(1900..1911).elo(2400..), &[1]),
        (all.clone().years(..), &[1]),
        (all.clone().games(2..), &[2, 3]),
        (all.clone().eco("C4"), &[1]),
        (all.clone().variant("chess960"), &[]),
    ] {
        let numbers = narrowed("cql() true", narrowing.clone(), pgn()).expect("nothing fails");
        assert_eq!(numbers, expected, "{narrowing:?}");
    }
    let options = QueryOptions {
        narrowing: all.first(),
        ..QueryOptions::default()
    };
    let query = Query::compile_with("true", &options).expect("it compiles");
    for game in query.search(pgn()).expect("it begins") {
        assert_eq!(game.expect("nothing fails").matches().len(), 1);
    }
}

#[test]
fn texts_that_no_narrowing_can_have_are_errors_with_their_place() {
    let all = Narrowing::new();
    for (narrowing, place) in [
        (all.clone().player("R. \"Bobby\" F."), "<player>:1:4"),
        (all.clone().result("draw"), "<result>:1:1"),
        (all.clone().variant("checkers"), "<variant>:1:1"),
        (all.first(), "query:1:5"),
    ] {
        let options = QueryOptions {
            narrowing,
            ..QueryOptions::default()
        };
        let error = Query::compile_with("cql(matchcount 2) mate", &options).expect_err("it is wrong");
        assert!(error.to_string().starts_with(place), "{error}");
    }
}

#[test]
fn games_are_drawn_from_those_that_the_rest_leaves() {
    let games = |count: usize| {
        Games::of_bytes(
            "a.pgn",
            "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n".repeat(count),
        )
    };
    let drawn = |seed| {
        let three = NonZeroU64::new(3).expect("not 0");
        narrowed("true", Narrowing::new().white("B").sample(three, seed), games(50)).expect("nothing fails")
    };
    assert_eq!(drawn(1).len(), 3);
    assert!(drawn(1).iter().all(|number| number % 2 == 0));
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    // A source that can be read only once cannot be drawn from.
    let stream = Games::of_reader("stream", PGN.as_bytes());
    let error = narrowed("true", Narrowing::new().sample(NonZeroU64::MIN, 0), stream);
    assert!(
        matches!(&error, Err(Error::Input { name, .. }) if name == "stream"),
        "{error:?}"
    );
}

#[test]
fn positions_are_asked_on_any_stack() {
    let fens = [
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "7k/8/6K1/8/8/8/8/6Q1 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
    ];
    let nested = |depth: usize| format!("{}check{}", "not (btm and ".repeat(depth), ")".repeat(depth));
    let sum = format!("{} > 99", ["1"; 100].join(" + "));
    let texts = [
        nested(1),
        nested(20),
        nested(150),
        sum,
        "flipcolor {wtm K attacks Q}".to_owned(),
    ];
    let ask = || {
        for text in &texts {
            let query = query(text);
            for fen in fens {
                let games = Games::of_fens([fen]).expect("a position");
                let searched = query
                    .search(games)
                    .expect("it begins")
                    .next()
                    .map(|game| game.expect("nothing fails"));
                let found = query.matches_fen_with(fen, &Options::default()).expect("nothing fails");
                assert_eq!(
                    query.matches_fen(fen).expect("nothing fails"),
                    searched.is_some(),
                    "{text}: {fen}"
                );
                let matches = |game: Option<FoundGame>| game.map(|game| game.matches().to_vec());
                assert_eq!(matches(found), matches(searched), "{text}: {fen}");
            }
        }
    };
    thread::scope(|scope| {
        let small = thread::Builder::new().stack_size(1 << 20);
        small
            .spawn_scoped(scope, ask)
            .expect("a thread")
            .join()
            .expect("no panic");
    });
    assert!(matches!(query("check").matches_fen("8/8 w"), Err(Error::Fen { .. })));
}
