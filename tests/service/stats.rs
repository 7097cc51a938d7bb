//! `stats`, `funnel` and `show`: the tables and games of the command.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use skewer::Games;
use skewer::service::{Error, Funnel, Limits, Pass, Stats, show};

fn classics() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classics.pgn")
}

/// Returns the last event of `stats`.
fn counted(question: &Value, games: impl Into<Games>) -> Result<Value, Error> {
    let stats = Stats::new(&question.to_string(), &Limits::default())?;
    let mut last = Value::Null;
    stats.run(games.into(), &mut |event| {
        last = serde_json::from_str(event).expect("JSON");
        ControlFlow::Continue(())
    })?;
    Ok(last["done"].clone())
}

fn of_command(command: &str, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args([command, "--json"])
        .args(arguments)
        .arg(classics())
        .output()
        .expect("the command runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn tables_are_those_of_the_command() {
    let query = |text: &str| json!([{ "query": text }]);
    for (question, arguments) in [
        (
            json!({ "queries": query("mate"), "by": ["result"] }),
            &["-e", "mate", "--by", "result"][..],
        ),
        (
            json!({ "queries": query("check"), "by": ["year:50,eco:1"], "sort": "count", "top": 3 }),
            &["-e", "check", "--by", "year:50,eco:1", "--sort", "count", "--top", "3"],
        ),
        (
            json!({ "queries": query("check"), "by": ["next"], "for": "mover", "min": 2 }),
            &["-e", "check", "--by", "next", "--for", "mover", "--min", "2"],
        ),
        (
            json!({ "queries": query("mate"), "value": "movenumber", "histogram": true }),
            &["-e", "mate", "--value", "movenumber", "--histogram"],
        ),
        (
            json!({ "queries": query("flipcolor {Q attacks k}"), "for": "query", "by": ["pieces:5=#A"] }),
            &["-e", "flipcolor {Q attacks k}", "--for", "query", "--by", "pieces:5=#A"],
        ),
        (
            json!({ "by": ["player"], "options": { "player": "Morphy", "years": [1850, null] } }),
            &["--by", "player", "--player", "Morphy", "--year", "1850-"],
        ),
    ] {
        let done = counted(&question, classics()).unwrap_or_else(|error| panic!("{question}: {error:?}"));
        assert_eq!(done["rows"], of_command("stats", arguments), "{question}");
        assert_eq!(done["games"], 18);
    }
    let several = json!({ "queries": [{ "name": "m", "query": "mate" }, { "name": "c", "query": "check" }] });
    let rows = counted(&several, classics()).expect("a table")["rows"].clone();
    let names: Vec<_> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["query"].clone())
        .collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&json!("m")) && names.contains(&json!("c")), "{rows}");
}

#[test]
fn counts_are_refused_with_the_place() {
    for (question, message) in [
        (
            json!({ "by": ["yaer"] }),
            "there is no key `yaer`; did you mean `year`?",
        ),
        (
            json!({ "by": ["year", "year"] }),
            "there are two keys with the name `year`",
        ),
        (json!({ "by": ["games=#P"] }), "`games` is the name of another column"),
        (
            json!({ "value": "\"text\"" }),
            "expected a number, or a set whose squares are counted, and this is a string",
        ),
        (json!({ "by": ["x=R attcks k"] }), "by: "),
        (
            json!({ "queries": [{ "query": "R attcks k" }] }),
            "the query has an error in line 1",
        ),
        (
            json!({ "options": { "limit": 3 } }),
            "`limit` and `columns` are options of `search`",
        ),
        (json!({ "nonsense": 3 }), "unknown field `nonsense`"),
    ] {
        let error = Stats::new(&question.to_string(), &Limits::default()).err();
        let error = error.unwrap_or_else(|| panic!("{question} is a question"));
        assert!(error.message.starts_with(message), "{question}: {error}");
    }
    let many = json!({ "queries": [{ "query": "true" }], "by": ["x=1000*ply+movenumber", "g=gamenumber"] });
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n".repeat(12_000);
    let error = counted(&many, Games::of_bytes("a.pgn", pgn)).expect_err("many groups");
    assert!(error.hint.is_some(), "{error}");
}

#[test]
fn one_game_is_shown() {
    let shown = |question: Value| show(&question.to_string(), classics().into(), &Limits::default());
    let game: Value = serde_json::from_str(&shown(json!({ "game": 2 })).expect("a game")).expect("JSON");
    assert_eq!(game["game"]["number"], 2);
    assert!(game["game"]["pgn"].as_str().expect("PGN").starts_with("[Event "));
    assert_eq!(game["game"]["matches"][0][0], 0);
    let error = shown(json!({ "game": 99 })).expect_err("no such game");
    assert_eq!(error.message, "there is no game 99");
    assert!(shown(json!({ "game": 0 })).is_err() && shown(json!({})).is_err());
}

#[test]
fn what_filters_leave_is_what_the_command_says() {
    let funnel = |question: Value| -> Result<Value, Error> {
        let funnel = Funnel::new(&question.to_string(), &Limits::default())?;
        let mut last = Value::Null;
        funnel.run(classics().into(), &mut |event| {
            last = serde_json::from_str(event).expect("JSON");
            ControlFlow::Continue(())
        })?;
        Ok(last["done"].clone())
    };
    let query = "mate #Q>=3 check";
    let Ok(Value::Object(mut done)) = funnel(json!({ "query": query, "options": { "player": "Morphy" } })) else {
        panic!("no funnel");
    };
    assert_eq!(done.remove("warnings"), Some(json!([])));
    assert_eq!(done.remove("warning_count"), Some(json!(0)));
    assert_eq!(
        Value::Object(done),
        of_command("why", &["-e", query, "--player", "Morphy"])
    );
    let refused = funnel(json!({ "query": query, "options": { "limit": 1 } })).unwrap_err();
    assert_eq!(refused.message, "`limit` and `columns` are options of `search`");
    let late = funnel(json!({ "query": query, "options": { "time": 0.0 } })).unwrap_err();
    assert_eq!(late.message, "it was ended before all games were looked at");
}
