//! Searches: what they find, line by line, and how they end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::CLASSICS;
use super::client::{Answer, PATIENCE, Ui};

/// Nested lookahead: some billions of moves from the start of a game.
const ENDLESS: &str = "legal --(legal --(legal --(legal --(legal --(legal --(legal --(false)))))))";

/// Returns the values of the field `what` in the lines of an answer that have it.
fn about<'l>(lines: &'l [Value], what: &str) -> Vec<&'l Value> {
    lines.iter().filter_map(|line| line.get(what)).collect()
}

/// Returns all lines of the answer to a search.
fn found(ui: &Ui, question: &Value) -> Vec<Value> {
    let answer = ui.post("search", &question.to_string());
    assert_eq!(answer.status, 200, "{question}: {}", answer.text());
    assert_eq!(answer.field("content-type"), Some("application/x-ndjson"));
    answer.lines()
}

/// Returns the numbers of the games that a search finds.
fn numbers(ui: &Ui, question: &Value) -> Vec<u64> {
    let lines = found(ui, question);
    let games = about(&lines, "game").into_iter();
    games.map(|game| game["number"].as_u64().expect("a number")).collect()
}

/// Returns the same numbers, found by the command.
fn numbers_of_command(arguments: &[&str]) -> Vec<u64> {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["search", "-q", "-f", "ids"])
        .args(arguments)
        .output()
        .expect("the command runs");
    let ids = String::from_utf8(output.stdout).expect("text");
    let mut numbers: Vec<u64> = ids
        .lines()
        .filter_map(|id| id.split(':').next()?.parse().ok())
        .collect();
    numbers.dedup();
    numbers
}

/// Waits until a condition holds, and panics if that takes too long.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Returns whether any thread is searching.
fn is_searching(ui: &Ui) -> bool {
    let works = |name: &String| name == "search" || name.starts_with("worker") || name == "reader";
    ui.threads().iter().any(works)
}

/// Begins a search that never ends by itself, and waits for its first line.
fn begin_endless(ui: &Ui, page: Option<&str>) -> BufReader<TcpStream> {
    let stream = ui.begin("search", page, &json!({ "query": ENDLESS }));
    let mut start = [0; 4096];
    wait_until("it begins", || {
        let length = stream.get_ref().peek(&mut start).expect("the server answers");
        String::from_utf8_lossy(&start[..length]).contains("begin")
    });
    stream
}

#[test]
fn games_come_with_what_the_page_of_results_knows() {
    let ui = Ui::start(&[CLASSICS]);
    let lines = found(&ui, &json!({ "query": "mate" }));
    let games = about(&lines, "game");
    assert_eq!(games.len(), 8);
    assert_eq!(
        (&games[0]["number"], &games[0]["matches"][0][0]),
        (&json!(1), &json!(13))
    );
    assert!(
        games[0]["pgn"].as_str().is_some_and(|pgn| pgn.starts_with("[Event ")),
        "{}",
        games[0]
    );
    let done = lines.last().and_then(|line| line.get("done")).expect("the last line");
    assert_eq!(
        (&done["games"], &done["matched"], &done["positions"]),
        (&json!(18), &json!(8), &json!(8))
    );
    assert_eq!(done["end"], "all");
    // The last line also comes when nothing is found.
    let nothing = found(&ui, &json!({ "query": "K==2" }));
    assert_eq!((about(&nothing, "game").len(), about(&nothing, "done").len()), (0, 1));
}

#[test]
fn the_inputs_are_those_of_the_command() {
    let folder = tempfile::tempdir().expect("room for temporary files");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let games = path("folder");
    std::fs::create_dir(&games).expect("a folder");
    std::fs::copy(CLASSICS, path("folder/plain.pgn")).expect("a copy");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let classics = std::fs::read(CLASSICS).expect("the examples are there");
    packed.write_all(&classics).expect("it is packed");
    std::fs::write(path("folder/packed.pgn.gz"), packed.finish().expect("it is packed")).expect("a file");
    let made = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["index", CLASSICS, "-q", "-o", &path("games.parquet")])
        .status();
    assert!(made.expect("the command runs").success());
    let inputs = [games.as_str(), &path("games.parquet"), CLASSICS];
    let ui = Ui::start(&inputs);
    let all = numbers(&ui, &json!({ "query": "mate" }));
    assert_eq!(all, numbers_of_command(&[&["-e", "mate"], &inputs[..]].concat()));
    assert_eq!(all.len(), 32);
    let listed = ui.ask("inputs", &json!({}));
    let listed: Vec<(u64, &str)> = listed["inputs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|input| {
            (
                input["number"].as_u64().expect("a number"),
                input["name"].as_str().expect("a name"),
            )
        })
        .collect();
    let names = [
        path("folder/packed.pgn.gz"),
        path("folder/plain.pgn"),
        path("games.parquet"),
        CLASSICS.to_owned(),
    ];
    assert_eq!(listed, (1..).zip(names.iter().map(String::as_str)).collect::<Vec<_>>());
    for inputs in [json!([3]), json!([names[2]]), json!([4])] {
        assert_eq!(
            numbers(&ui, &json!({ "query": "mate", "inputs": inputs })),
            [1, 2, 3, 5, 9, 11, 16, 17]
        );
    }
    let two = numbers(
        &ui,
        &json!({ "query": "mate", "inputs": [4, names[1]], "options": { "limit": 9 } }),
    );
    assert_eq!(two, [1, 2, 3, 5, 9, 11, 16, 17, 19]);
}

#[test]
fn files_that_are_not_among_the_inputs_are_not_read() {
    let ui = Ui::start(&[CLASSICS]);
    let secret = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for inputs in [
        json!([secret]),
        json!(["../Cargo.toml"]),
        json!(["/etc/passwd"]),
        json!(["examples/../examples/classics.pgn"]),
        json!([0]),
        json!([2]),
        json!([-1]),
        json!([1.5]),
        json!([null]),
        json!([[1]]),
        json!("classics.pgn"),
        json!({}),
        json!([]),
        json!([format!("{CLASSICS}/../classics.pgn")]),
        json!([format!("{CLASSICS}\0")]),
        json!(["-"]),
        json!([""]),
    ] {
        let answer = ui.post("search", &json!({ "query": "mate", "inputs": inputs }).to_string());
        assert_eq!(answer.status, 400, "{inputs}: {}", answer.text());
        let message = answer.json()["error"]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(
            message.contains("input") || message.contains("nothing to search"),
            "{inputs}: {message}"
        );
    }
    // Files that a query names are not accessed, either.
    let written = std::env::temp_dir().join(format!("skewer-ui-{}", std::process::id()));
    for query in [
        format!("cql(input {secret}) mate"),
        "readfile \"Cargo.toml\"".to_owned(),
        format!("writefile(\"{}\" \"x\")", written.display()),
        format!("cql(output {}) mate", written.display()),
    ] {
        let answer = ui.post("search", &json!({ "query": query }).to_string());
        let text = answer.text();
        assert!(
            !text.contains("[package]") && !text.contains("skewer\""),
            "{query}: {text}"
        );
        assert!(!written.exists(), "{query}");
    }
    for query in ["text=readfile \"queries/a.cql\"", "writefile(\"a.cqo\" \"x\")"] {
        let answer = ui.post("search", &json!({ "query": query }).to_string());
        let is_refused = answer.status == 400 && answer.text().contains("wants to read or write files");
        assert!(is_refused, "{query}: {}", answer.text());
    }
}

#[test]
fn a_question_that_is_wrong_is_no_search() {
    let ui = Ui::start(&[CLASSICS]);
    for (question, message) in [
        (json!({ "query": "mat" }), "mat"),
        (json!({ "query": "mate", "limit": 3 }), "unknown field `limit`"),
        (json!({ "query": "mate", "options": { "limit": 0 } }), "invalid value"),
        (json!({ "options": {} }), "missing field `query`"),
    ] {
        let answer = ui.post("search", &question.to_string());
        assert_eq!(answer.status, 400, "{question}");
        let error = answer.json()["error"]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(error.contains(message), "{question}: {error}");
    }
    let answer = Ui::start(&[]).post("search", r#"{"query":"mate"}"#);
    assert_eq!(
        (answer.status, &answer.json()["error"]["message"]),
        (400, &json!("there is nothing to search"))
    );
}

#[test]
fn a_search_has_a_time() {
    let ui = Ui::start(&[CLASSICS, "--timeout", "200ms"]);
    let lines = found(&ui, &json!({ "query": ENDLESS }));
    assert_eq!(about(&lines, "done")[0]["end"], "time");
    // A question may ask for less time, but not for more.
    let lines = found(&ui, &json!({ "query": ENDLESS, "options": { "time": 3600 } }));
    assert_eq!(about(&lines, "done")[0]["end"], "time");
}

#[test]
fn a_query_that_takes_too_much_memory_ends() {
    let ui = Ui::start(&[CLASSICS, "--max-memory", "1M"]);
    let greedy = "text=\"0123456789abcdef\" loop text+=text";
    let answer = ui.post("search", &json!({ "query": greedy }).to_string());
    let error = match answer.status {
        200 => answer.lines().pop().expect("a last line"),
        _ => answer.json(),
    };
    let message = error["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("memory"), "{error}");
    assert_eq!(numbers(&ui, &json!({ "query": "mate" })).len(), 8);
}

#[test]
fn the_next_search_of_a_page_ends_the_one_before() {
    let ui = Ui::start(&[CLASSICS]);
    let first = begin_endless(&ui, Some("a"));
    let other = begin_endless(&ui, Some("b"));
    let second = begin_endless(&ui, Some("a"));
    let first = Answer::read(first);
    assert_eq!(about(&first.lines(), "done")[0]["end"], "interrupted");
    // The search of the other page continues until that page begins another one.
    drop(second);
    let last = ui.begin("search", Some("b"), &json!({ "query": "mate" }));
    assert_eq!(about(&Answer::read(last).lines(), "game").len(), 8);
    assert_eq!(about(&Answer::read(other).lines(), "done")[0]["end"], "interrupted");
    if !ui.threads().is_empty() {
        wait_until("all have ended", || !is_searching(&ui));
    }
}

#[test]
fn a_search_ends_when_its_client_goes_away() {
    let ui = Ui::start(&[CLASSICS]);
    if ui.threads().is_empty() {
        eprintln!("skipped: this system does not say which threads a process has");
        return;
    }
    // The most searches that may run at once. If they continued, there would be no room for others.
    for _ in 0..3 {
        let clients: Vec<_> = (0..4).map(|_| begin_endless(&ui, None)).collect();
        drop(clients);
    }
    assert_eq!(numbers(&ui, &json!({ "query": "mate" })).len(), 8);
    wait_until("all have ended", || !is_searching(&ui));
}

#[test]
fn a_client_that_reads_nothing_is_given_up_and_takes_no_memory() {
    let folder = tempfile::tempdir().expect("room for temporary files");
    let path = folder.path().join("many.pgn");
    let games = std::fs::read(CLASSICS).expect("the examples are there");
    // The output is more than three times as large as the games.
    let count = 8_000_000 / games.len();
    std::fs::write(&path, [&games[..], b"\n\n"].concat().repeat(count)).expect("there is room");
    let ui = Ui::start(&[path.to_str().expect("UTF-8"), "--answer-time", "500ms"]);
    let mut clients: Vec<_> = (0..4)
        .map(|_| ui.begin("search", None, &json!({ "query": "true" })))
        .collect();
    // Each answer begins, and each client is given up, so there is room for another.
    for client in &mut clients {
        let mut begin = [0; 15];
        client.read_exact(&mut begin).expect("an answer begins");
        assert_eq!(&begin, b"HTTP/1.1 200 OK");
    }
    if !ui.threads().is_empty() {
        wait_until("all are given up", || !is_searching(&ui));
    }
    for mut client in clients {
        // The rest is what the system had buffered. The end of the answer is missing.
        let mut rest = Vec::new();
        let _ = client.read_to_end(&mut rest);
        assert!(!rest.ends_with(b"\r\n0\r\n\r\n"), "{} bytes", rest.len());
    }
    if let Some(memory) = ui.peak_memory() {
        assert!(memory < 300 << 20, "{memory} bytes");
    }
    let done = found(&ui, &json!({ "query": "mate", "options": { "limit": 1 } }));
    assert_eq!(about(&done, "done")[0]["end"], "limit");
}

#[test]
fn what_is_found_comes_before_the_end() {
    let folder = tempfile::tempdir().expect("room for temporary files");
    let path = folder.path().join("many.pgn");
    let games = std::fs::read_to_string(CLASSICS).expect("the examples are there");
    let last = "\n\n[White \"Endless\"]\n\n1. e4 *\n";
    std::fs::write(&path, (games + "\n\n").repeat(300) + last).expect("there is room");
    let ui = Ui::start(&[path.to_str().expect("UTF-8")]);
    let query = format!("cql() mate or {{tag \"White\" == \"Endless\" {ENDLESS}}}");
    let mut lines = ui.begin("search", None, &json!({ "query": query }));
    let mut line = String::new();
    while !line.starts_with("{\"game\":") {
        line.clear();
        assert_ne!(lines.read_line(&mut line).expect("the server answers"), 0, "the end");
    }
}
