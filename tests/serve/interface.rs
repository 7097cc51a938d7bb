//! The interface for programs.
//!
//! Each example of `docs/serve.md` is answered as the page says, and `docs/openapi.json` describes all methods and the types of all
//! questions and answers.
//!
//! In the page, a block ```` ```json METHOD ```` is a question, and the block ```` ```json ```` after it the answer, or its lines. In an answer,
//! `"…"` matches any value. As the last item of a list it matches any further items, and as a field any further fields.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::CLASSICS;
use super::client::Ui;
use super::schema::{OPENAPI, at, check};

/// Matches any value.
const ANYTHING: &str = "…";

/// A question of the page, with its answer or the lines of its answer.
struct Example {
    method: String,
    question: Value,
    answer: Vec<Value>,
}

/// Returns the examples of the page.
fn examples() -> Vec<Example> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/serve.md")).expect("it is there");
    let mut blocks = page.split("```").skip(1).step_by(2).peekable();
    let mut examples = Vec::new();
    while let Some(block) = blocks.next() {
        let (language, text) = block.split_once('\n').expect("a block has lines");
        let Some(method) = language.strip_prefix("json ") else {
            continue;
        };
        let question = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let answer = blocks
            .next()
            .and_then(|block| block.strip_prefix("json\n"))
            .expect("an answer follows");
        let values = serde_json::Deserializer::from_str(answer).into_iter();
        let values: Result<Vec<Value>, _> = values.collect();
        examples.push(Example {
            method: method.to_owned(),
            question,
            answer: values.unwrap_or_else(|error| panic!("{error}: {answer}")),
        });
    }
    examples
}

/// Returns whether an answer is as the page shows it.
fn fits(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::String(text), _) if text == ANYTHING => true,
        (Value::Array(expected), Value::Array(found)) => list_fits(expected, found),
        (Value::Object(expected), Value::Object(found)) => {
            let is_open = expected.contains_key(ANYTHING);
            let named = expected.iter().filter(|(name, _)| *name != ANYTHING);
            let mut fits = named.map(|(name, value)| found.get(name).is_some_and(|found| fits(value, found)));
            fits.all(|fits| fits) && (is_open || found.keys().all(|name| expected.contains_key(name)))
        }
        _ => expected == found,
    }
}

fn list_fits(expected: &[Value], found: &[Value]) -> bool {
    let (expected, is_open) = match expected.split_last() {
        Some((last, before)) if last == ANYTHING => (before, true),
        _ => (expected, false),
    };
    (found.len() == expected.len() || is_open && found.len() > expected.len())
        && expected
            .iter()
            .zip(found)
            .all(|(expected, found)| fits(expected, found))
}

#[test]
fn the_examples_of_the_page_are_answered_as_it_says() {
    let ui = Ui::start(&[CLASSICS]);
    let examples = examples();
    for Example {
        method,
        question,
        answer,
    } in &examples
    {
        let of_question = at(&format!(
            "#/paths/~1api~1{method}/post/requestBody/content/application~1json/schema"
        ));
        if answer.iter().all(|answer| answer.get("error").is_none()) {
            assert_eq!(check(question, of_question), Ok(()), "{method} {question}");
        }
        let found = ui.post(method, &question.to_string());
        let mut found = match found.field("content-type") {
            Some("application/x-ndjson") => found.lines(),
            _ => vec![found.json()],
        };
        // Reports of progress differ from run to run.
        found.retain(|line| line.get("progress").is_none());
        let expected: Vec<Value> = answer
            .iter()
            .filter(|line| line.get("progress").is_none())
            .cloned()
            .collect();
        let name_of_input = |text: String| text.replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "");
        let found: Value = serde_json::from_str(&name_of_input(json!(found).to_string())).expect("it is still JSON");
        assert!(fits(&json!(expected), &found), "{method} {question}\n{found:#}");
    }
    let shown: BTreeSet<&str> = examples.iter().map(|example| example.method.as_str()).collect();
    assert_eq!(
        shown,
        methods(),
        "the methods that the page shows, and those that there are"
    );
}

#[test]
fn all_that_is_said_of_positions_and_groups_is_described() {
    let ui = Ui::start(&[CLASSICS]);
    let fen = "3r2k1/8/8/8/8/8/PP6/K2R4 b - - 0 1";
    let game = "1. f3 e5 2. g4 Qh4# 0-1";
    for query in [
        "flipcolor {wtm piece x in R {x attacks k x in a-h7}}",
        "x=\"a\" y=R z=#y z>2 x==\"b\" currentposition:check",
        "find {mate} legal --(check) path {-- -- --(mate)}",
        "square x in A {x attacks r} or {shift {Pa2 Pb2} not check}",
    ] {
        ui.ask("why", &json!({ "query": query, "fen": fen }));
        ui.ask("why", &json!({ "query": query, "game": game, "position": 3 }));
    }
    let queries = json!([{ "query": "check" }, { "name": "m", "query": "mate" }]);
    for question in [
        json!({ "by": ["year:50", "eco:1", "white"] }),
        json!({ "queries": queries, "by": ["next"], "for": "mover", "value": "#A", "histogram": true }),
        json!({ "queries": queries, "by": ["pawns=#P"], "value": "ply" }),
    ] {
        let answer = ui.post("stats", &question.to_string());
        assert!(answer.text().contains("\"rows\""), "{question}: {}", answer.text());
    }
    for setup in [
        json!({ "query": "flip {Rd1 xray(R n k) #q==0} or Qe4" }),
        json!({ "fen": fen, "widen": "files" }),
    ] {
        ui.ask("setup", &setup);
    }
    ui.ask("show", &json!({ "game": 18 }));
}

/// Returns the methods of the server.
fn methods() -> BTreeSet<&'static str> {
    let of_service = skewer::service::METHODS.iter().map(|(name, _)| *name);
    of_service.chain(skewer::serve::METHODS).collect()
}

#[test]
fn the_description_for_programs_knows_all_methods() {
    let paths = OPENAPI["paths"].as_object().expect("an object");
    let described: BTreeSet<&str> = paths.keys().filter_map(|path| path.strip_prefix("/api/")).collect();
    assert_eq!(described, methods());
    assert_eq!(OPENAPI["openapi"], "3.1.0");
    // Each reference leads to something in the file.
    let mut rest = vec![&*OPENAPI];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(place)) = fields.get("$ref") {
                    at(place);
                }
                rest.extend(fields.values());
            }
            Value::Array(items) => rest.extend(items),
            _ => {}
        }
    }
    for (name, what) in skewer::service::METHODS {
        assert_eq!(
            OPENAPI["paths"][format!("/api/{name}")]["post"]["summary"],
            what,
            "{name}"
        );
    }
}

#[test]
fn each_page_has_a_conversation_of_its_own() {
    let ui = Ui::start(&[]);
    let send = |page: &str, message: Value| {
        let question = json!({ "message": message }).to_string();
        let fields = format!("Connection: close\r\nSkewer-Page: {page}\r\n");
        let answer = ui
            .request(&(ui.head("lsp", question.len(), &fields) + &question))
            .json();
        assert_eq!(check(&answer, at("#/components/schemas/Lsp")), Ok(()));
        answer["messages"].clone()
    };
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } });
    let text = |text: &str| {
        let document = json!({ "uri": "file:///q.cql", "languageId": "cql", "version": 1, "text": text });
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } })
    };
    for page in ["a", "b"] {
        assert!(
            send(page, initialize.clone())[0]["result"]["capabilities"].is_object(),
            "{page}"
        );
        send(page, json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    }
    let faults = |answer: Value| answer[0]["params"]["diagnostics"].as_array().map(Vec::len);
    assert_eq!(faults(send("a", text("cql() mat"))), Some(1));
    assert_eq!(faults(send("b", text("cql() mate"))), Some(0));
    let hover = json!({ "textDocument": { "uri": "file:///q.cql" }, "position": { "line": 0, "character": 7 } });
    let hover = json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": hover });
    assert!(send("b", hover).to_string().contains("mate"));
}
