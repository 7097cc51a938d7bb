//! `search` has the same content as the page of results, in the same order, and the counts of the command.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skewer::service::{Error, Limits, Pass, Search};
use skewer::{Games, Options, Query, QueryOptions, TextFormat};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn classics() -> PathBuf {
    path("examples/classics.pgn")
}

/// Returns the events of a search.
fn events(question: &Value, games: impl Into<Games>) -> Result<Vec<Value>, Error> {
    let search = Search::new(&question.to_string(), &Limits::default())?;
    let mut events = Vec::new();
    search.run(games.into(), &mut |event| {
        assert!(!event.contains('\n'), "{event}");
        events.push(serde_json::from_str::<Value>(event).expect("JSON"));
        ControlFlow::Continue(())
    })?;
    Ok(events)
}

/// Returns the games that a search finds, and its last event.
fn found(question: &Value, games: impl Into<Games>) -> (Vec<Value>, Value) {
    let mut events = events(question, games).unwrap_or_else(|error| panic!("{question}: {error:?}"));
    let done = events.pop().expect("an end")["done"].clone();
    let heading = json!({ "sort": done["sort"], "columns": done["columns"] });
    assert_eq!(events[0], json!({ "begin": heading }), "{question}");
    assert!(done.is_object(), "{question}");
    let games = events
        .into_iter()
        .filter_map(|mut event| Some(event.get_mut("game")?.take()));
    (games.collect(), done)
}

fn refusal(question: &Value) -> Error {
    match Search::new(&question.to_string(), &Limits::default()) {
        Ok(_) => panic!("{question} is a question"),
        Err(error) => error,
    }
}

/// Returns the games of the page, with their PGN.
fn of_page(query: &str, options: &QueryOptions, games: impl Into<Games>) -> Vec<Value> {
    let query = Query::compile_with(query, options).expect("a query");
    let mut page = Vec::new();
    query
        .write(games, TextFormat::Html, &Options::default(), &mut page)
        .expect("a page");
    let page = String::from_utf8(page).expect("UTF-8");
    let (_, data) = page.split_once("id=\"data\">\n").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    let lines: Vec<Value> = data
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let games = lines.chunks(2).map(|pair| {
        let mut game = pair[0].clone();
        game["pgn"] = pair[1].clone();
        game
    });
    games.collect()
}

#[test]
fn games_are_those_of_the_page() {
    let queries = [
        "mate",
        "xray (R a k)",
        "cql(variations) check comment(\"check\")",
        "cql() sort \"late\" ply mate",
        "legal --(mate)",
        "elo > 2000 or true  move from Q",
        "stalemate",
    ];
    for query in queries {
        let (games, done) = found(&json!({ "query": query }), classics());
        assert_eq!(games, of_page(query, &QueryOptions::default(), classics()), "{query}");
        let compiled = Query::compile(query).expect("a query");
        let mut quiet = Vec::new();
        let totals = compiled
            .write(classics(), TextFormat::Pgn, &Options::default(), &mut quiet)
            .expect("it runs");
        let counted =
            [&done["games"], &done["matched"], &done["positions"]].map(|count| count.as_u64().expect("a number"));
        assert_eq!(counted, [totals.games, totals.matches, totals.positions], "{query}");
        assert_eq!(
            (&done["end"], done["matched"].as_u64()),
            (&json!("all"), Some(games.len() as u64)),
            "{query}"
        );
    }
}

#[test]
fn options_are_those_of_the_command() {
    let (games, done) = found(&json!({ "query": "check", "options": { "limit": 2 } }), classics());
    assert_eq!(
        (games.len(), &done["end"], &done["matched"]),
        (2, &json!("limit"), &json!(2))
    );
    let options = json!({ "columns": ["next", "pieces=#A"], "player": "morphy", "years": [1850, null], "first": true });
    let (games, done) = found(&json!({ "query": "check", "options": options }), classics());
    assert!(!games.is_empty());
    for game in &games {
        let players = format!("{} {}", game["white"], game["black"]);
        assert!(players.contains("Morphy"), "{players}");
        assert_eq!(game["matches"].as_array().map(Vec::len), Some(1));
        assert!(game["values"][0][1].as_i64().expect("a number") > 0);
    }
    assert_eq!(
        done["columns"],
        json!([{ "name": "next", "type": "text" }, { "name": "pieces", "type": "number" }])
    );
    assert!(done["left_alone"].as_u64() > Some(0), "{done}");
    assert_eq!(done["unread_files"], json!(0));
    let (_, done) = found(&json!({ "query": "cql() sort min \"late\" ply mate" }), classics());
    assert_eq!(
        done["sort"],
        json!([{ "title": "late", "text": false, "ascending": true }])
    );
    let (best, done) = found(
        &json!({ "query": "cql() sort \"late\" ply mate", "options": { "limit": 1 } }),
        classics(),
    );
    let (all, _) = found(&json!({ "query": "cql() sort \"late\" ply mate" }), classics());
    assert_eq!((best, &done["end"]), (all[..1].to_vec(), &json!("all")));
    let (games, _) = found(&json!({ "query": "true", "options": { "games": [3, 4] } }), classics());
    assert_eq!(
        games.iter().map(|game| game["number"].as_u64()).collect::<Vec<_>>(),
        [Some(3), Some(4)]
    );
}

#[test]
fn questions_are_refused_with_the_place() {
    for (options, message) in [
        (
            json!({ "limit": 0 }),
            "invalid value: integer `0`, expected a nonzero u64",
        ),
        (json!({ "limits": 1 }), "unknown field `limits`"),
        (json!({ "columns": ["#A"] }), "column `#A`: "),
        (json!({ "player": "\"" }), "player: quotation marks"),
        (json!({ "result": "2-0" }), "result: results are"),
        (json!({ "variant": "go" }), "variant: variants are"),
        (json!({ "time": -1.0 }), "`time` is not a number of seconds"),
        (json!({ "years": [1] }), "invalid length 1"),
    ] {
        let error = refusal(&json!({ "query": "mate", "options": options }));
        assert!(error.message.starts_with(message), "{options}: {error}");
    }
    let error = refusal(&json!({ "query": "// ♖\nR attcks k" }));
    assert_eq!((error.diagnostics[0].from, error.diagnostics[0].line), (7, 2));
    assert!(error.hint.is_some());
    assert!(refusal(&json!({ "query": "wdl == 2" })).message.contains("line 1"));
    let error = events(&json!({ "query": "x=0 while (x>=0) {x=1} mate" }), classics()).expect_err("it never ends");
    assert_eq!(error.diagnostics.len(), 1, "{error:?}");
    let error = events(&json!({ "query": "writefile(\"a.pgn\" \"b\")" }), classics()).expect_err("no files");
    assert_eq!(error.diagnostics.len(), 1, "{error:?}");
    assert!(events(&json!({ "query": "mate" }), "there/is/no.pgn").is_err());
}

#[test]
fn what_is_wrong_with_games_is_told_and_the_rest_is_searched() {
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Ke8 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let (games, done) = found(&json!({ "query": "mate" }), Games::of_bytes("a.pgn", pgn));
    assert_eq!(games.len(), 1);
    assert_eq!(
        (&done["warning_count"], &done["warnings"][0]["kind"]),
        (&json!(1), &json!("wrong-move"))
    );
    assert_eq!(
        (&done["warnings"][0]["source"], &done["warnings"][0]["game"]),
        (&json!("a.pgn"), &json!(1))
    );
    for bytes in [
        &b""[..],
        b"\0\xff\xfe\x00garbage",
        b"{",
        b"[White \"",
        b"1. e4 (((((((((((",
        &[0xff; 5000],
    ] {
        let (games, done) = found(&json!({ "query": "mate" }), Games::of_bytes("a.pgn", bytes));
        assert!(games.is_empty() && done["end"] == "all", "{done}");
    }
    let many = "1. e5 *\n\n".repeat(500);
    let (_, done) = found(&json!({ "query": "mate" }), Games::of_bytes("a.pgn", many));
    assert_eq!(done["warnings"].as_array().map(Vec::len), Some(100));
    assert!(done["warning_count"].as_u64() >= Some(500), "{done}");
}

#[test]
fn messages_and_progress_come_between() {
    let pgn = "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(3000);
    let length = pgn.len() as f64;
    let events = events(
        &json!({ "query": "cql() mate message(\"found\")" }),
        Games::of_bytes("a.pgn", pgn),
    )
    .expect("it runs");
    let messages = events.iter().filter(|event| event.get("message").is_some()).count();
    assert_eq!(messages, 3000);
    let progress: Vec<_> = events.iter().filter_map(|event| event.get("progress")).collect();
    let first = progress.first().expect("progress");
    let share = first["bytes"].as_f64().expect("a number") / length;
    assert!(
        (first["share"].as_f64().expect("a number") - share).abs() < 1e-9,
        "{first}"
    );
    assert!(progress.is_sorted_by_key(|progress| progress["games"].as_u64()));
}

#[test]
fn a_search_ends_when_nobody_listens_or_its_time_is_over() {
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n".repeat(20_000);
    let games = || Games::of_bytes("a.pgn", pgn.as_str());
    let question = json!({ "query": "true" }).to_string();
    let mut heard = 0;
    let search = Search::new(&question, &Limits::default()).expect("a question");
    search
        .run(games(), &mut |_| {
            heard += 1;
            if heard < 10 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
        .expect("it ends");
    assert_eq!(heard, 10);
    let slow = json!({ "query": "echo (x y) true  echo (z w) true", "options": { "time": 0.2 } });
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(400) + "*\n\n";
    let began = Instant::now();
    let (_, done) = found(&slow, Games::of_bytes("a.pgn", long.repeat(50)));
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_eq!(done["end"], "time");
    let limits = Limits {
        time: Some(Duration::from_secs(3600)),
        ..Limits::default()
    };
    let search = Search::new(
        &json!({ "query": "echo (x y) true  echo (z w) true" }).to_string(),
        &limits,
    )
    .expect("a question");
    let interrupt = Arc::clone(search.interrupt());
    let raising = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        interrupt.raise();
    });
    let mut last = String::new();
    search
        .run(Games::of_bytes("a.pgn", long.repeat(50)), &mut |event| {
            last = event.to_owned();
            ControlFlow::Continue(())
        })
        .expect("it ends");
    raising.join().expect("it raises");
    assert!(last.contains("\"end\":\"interrupted\""), "{last}");
}
