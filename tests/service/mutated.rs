//! Questions with a wrong value somewhere.
//!
//! Whatever it is, they are answered or refused.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Map, Value, json};
use skewer::Games;
use skewer::service::{Error, Funnel, Limits, Pass, Search, Service, Stats, show};

use crate::fuzz::{random, rounds};

/// Returns questions that have answers.
fn questions() -> Vec<(&'static str, Value)> {
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let game = "1. f3 e5 (1... d5 2. e3) 2. g4 Qh4# 0-1";
    let mut questions = vec![
        (
            "board",
            json!({ "fen": fen, "squares": ["d1"], "rays": [["d1", "d8"]] }),
        ),
        ("check", json!({ "query": "R attcks k" })),
        ("explain", json!({ "query": "elo>2400 xray(R a k)" })),
        ("format", json!({ "query": "check   mate", "spelling": "unicode" })),
        ("help", json!({ "word": "xray" })),
        ("library", json!({ "find": "smothered" })),
        ("library", json!({ "name": "smothered-mate" })),
        (
            "lsp",
            json!({ "message": { "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } } }),
        ),
        (
            "setup",
            json!({ "query": "Rd1", "setup": {
                "squares": { "d4": "P", "f6": "~p" }, "side": "w", "transforms": ["flipcolor"],
                "anywhere": [{ "pieces": "R", "zone": "e1-8", "least": 1, "most": 2 }], "material": [{ "pieces": "q", "most": 0 }],
                "either": [[{ "pieces": "B", "zone": "g2" }, { "pieces": "Q", "zone": "near k" }]],
                "arrows": [{ "kind": "xray", "from": { "pieces": "R" }, "through": [{ "pieces": "a" }], "to": { "pieces": "k" } }],
            } }),
        ),
        ("setup", json!({ "fen": fen, "widen": "files", "spelling": "ascii" })),
        (
            "search",
            json!({ "query": "mate", "options": {
                "limit": 1, "columns": ["pieces=#A"], "years": [1800, null], "elo": [null, 3000], "first": true, "sample": 3, "seed": 1,
                "time": 1.5, "memory": 1_000_000, "max_rounds": 1000, "variations": true, "player": "Morphy", "result": "1-0",
            } }),
        ),
        (
            "stats",
            json!({ "queries": [{ "name": "m", "query": "mate" }], "by": ["year:10", "pawns=#P"], "for": "mover", "value": "ply",
                "histogram": true, "sort": "score", "top": 3, "min": 1 }),
        ),
        (
            "funnel",
            json!({ "query": "mate #Q>=3", "options": { "first": true, "years": [1800, null] } }),
        ),
        ("show", json!({ "game": 3 })),
    ];
    // Queries that do more than match.
    for query in [
        "flipcolor {wtm piece x in R {x attacks k}}",
        "persistent games=0 games+=1 games>3",
        "sort \"plies\" ply mate",
        "message(\"here\") mate",
        "writefile(\"skewer-was-here\" \"x\")",
        "readfile \"/etc/passwd\"",
        "theme \"back-rank-mate\"",
        "cql(variations) path {-- -- --}",
        "legal --(mate) find {check} echo (s t) {t:check}",
        "function f(x) {x attacks k} f(R)",
        "player \"a\" or elo>1 or \"a\"~~\".*\"",
        "mate cql() check",
    ] {
        questions.push(("why", json!({ "query": query, "fen": fen })));
        questions.push(("why", json!({ "query": query, "game": game, "position": 3 })));
    }
    questions
}

/// Returns an unexpected value.
fn anything(random: &mut Rng) -> Value {
    match random.u8(..22) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(0),
        3 => json!(-1),
        4 => json!(u64::MAX),
        5 => json!(i64::MIN),
        6 => json!(1e308),
        7 => json!(0.5),
        8 => json!(u32::MAX),
        9 => json!(i32::MIN),
        10 => json!(""),
        11 => json!("x".repeat(random.usize(..50_000))),
        12 => json!("\0\u{1b}[31m\u{202e}𝄞"),
        13 => json!("(".repeat(random.usize(..3000))),
        14 => json!("flip {".repeat(random.usize(..600))),
        15 => json!("mate ".repeat(random.usize(..500))),
        16 => json!("8/".repeat(random.usize(..500))),
        17 => json!("1. e4 (".repeat(random.usize(..500))),
        18 => json!([]),
        19 => json!({}),
        20 => json!([[[[1, "a"]]]]),
        _ => json!({ "query": "mate", "pieces": "R" }),
    }
}

/// Changes a value in one place: replaces or removes a part, adds a field, or repeats an entry.
fn change(value: &mut Value, random: &mut Rng) {
    let count = match value {
        Value::Object(fields) => fields.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if count == 0 || random.u8(..4) == 0 {
        *value = anything(random);
        return;
    }
    let place = random.usize(..count);
    let is_final = random.u8(..6);
    match value {
        Value::Object(fields) => {
            let name = fields.keys().nth(place).cloned().unwrap_or_default();
            match is_final {
                0 => drop(fields.remove(&name)),
                1 => drop(fields.insert(name + "s", anything(random))),
                _ => change(&mut fields[&name], random),
            }
        }
        Value::Array(items) => match is_final {
            0 => drop(items.remove(place)),
            1 => *items = vec![items[place].clone(); random.usize(..300)],
            _ => change(&mut items[place], random),
        },
        _ => {}
    }
}

fn ask(service: &Service, method: &str, question: &str, games: &Path, limits: &Limits) -> Result<String, Error> {
    let mut last = String::new();
    let mut hear = |line: &str| {
        line.clone_into(&mut last);
        ControlFlow::Continue(())
    };
    match method {
        "search" => Search::new(question, limits)?.run(Games::at(games), &mut hear)?,
        "stats" => Stats::new(question, limits)?.run(Games::at(games), &mut hear)?,
        "funnel" => Funnel::new(question, limits)?.run(Games::at(games), &mut hear)?,
        "show" => return show(question, Games::at(games), limits),
        _ => return service.call(method, question),
    }
    Ok(last)
}

#[test]
fn whatever_stands_in_a_question_it_is_answered_or_refused() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classics.pgn");
    let limits = Limits {
        time: Some(Duration::from_secs(1)),
        memory: 64 << 20,
        ..Limits::default()
    };
    let service = Service::default();
    let questions = questions();
    let mut random = random();
    for (method, question) in &questions {
        let answered = ask(&service, method, &question.to_string(), &games, &limits);
        let is_refused = ["writefile", "readfile", "cql() check"]
            .iter()
            .any(|word| question.to_string().contains(word));
        assert_eq!(answered.is_err(), is_refused, "{method} {question}: {answered:?}");
    }
    for round in 0..rounds(300) {
        let (method, question) = &questions[random.usize(..questions.len())];
        let mut question = question.clone();
        change(&mut question, &mut random);
        let mut text = question.to_string();
        if random.u8(..20) == 0 {
            text.truncate(text.floor_char_boundary(random.usize(..=text.len())));
        }
        let answered = ask(&service, method, &text, &games, &limits);
        let shown = || text.chars().take(300).collect::<String>();
        match answered {
            Ok(answer) => {
                let answer: Result<Map<String, Value>, _> = serde_json::from_str(&answer);
                assert!(answer.is_ok(), "{round}: {method} {}", shown());
            }
            Err(error) => {
                assert!(!error.message.is_empty(), "{round}: {method} {}", shown());
                let length = error.to_json().len();
                assert!(length < 10_000, "{round}: {method} {}: {length}", shown());
                for diagnostic in &error.diagnostics {
                    assert!(diagnostic.from <= diagnostic.to, "{round}: {method} {}", shown());
                    assert!(
                        diagnostic.to <= text.encode_utf16().count(),
                        "{round}: {method} {}",
                        shown()
                    );
                }
            }
        }
    }
    assert!(!Path::new("skewer-was-here").exists());
}
