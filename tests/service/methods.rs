//! Methods that answer immediately.

use std::process::Command;

use serde_json::{Value, json};
use skewer::service::{Limits, METHODS, Pass, Search, Service};

use super::{answer, ask, ask_of, refusal};

/// Returns what the command prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the command runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn questions_are_refused_where_they_are_none() {
    for (method, _) in METHODS {
        let error = refusal(method, json!({ "nonsense": 1 }));
        assert!(
            error.message.starts_with("unknown field `nonsense`"),
            "{method}: {error}"
        );
        for question in ["", "[", "1", "null", "\"mate\"", "[1]"] {
            let error = Service::default().call(method, question);
            assert!(error.is_err(), "{method} {question}: {error:?}");
        }
        let deep = "[".repeat(100_000);
        assert!(Service::default().call(method, &deep).is_err(), "{method}");
    }
    let error = refusal("chek", json!({}));
    assert_eq!(error.message, "there is no method `chek`");
    assert_eq!(error.hint.as_deref(), Some("did you mean `check`?"));
    assert_eq!(
        error.to_json(),
        r#"{"error":{"hint":"did you mean `check`?","message":"there is no method `chek`"}}"#
    );
}

#[test]
fn check_finds_what_is_wrong_and_its_places_count_in_utf16() {
    assert_eq!(
        answer("check", json!({ "query": "mate" })),
        json!({ "ok": true, "diagnostics": [] })
    );
    let text = "// 𝄞 ♖\nR attcks k";
    let answered = answer("check", json!({ "query": text }));
    assert_eq!(answered["ok"], false);
    let first = &answered["diagnostics"][0];
    assert_eq!(first["severity"], "error");
    // The clef takes two units of UTF-16 and four bytes.
    assert_eq!((&first["from"], &first["to"]), (&json!(10), &json!(16)), "{first}");
    assert_eq!((&first["line"], &first["column"]), (&json!(2), &json!(3)), "{first}");
    let fix = &first["fixes"][0];
    assert_eq!(fix["title"], "Change to `attacks`");
    assert_eq!(fix["edits"], json!([{ "from": 10, "to": 16, "insert": "attacks" }]));
}

#[test]
fn check_warns_and_says_how_to_allow_it() {
    let answered = answer("check", json!({ "query": "cql() mate x=5" }));
    assert_eq!(answered["ok"], true);
    let warning = &answered["diagnostics"][0];
    assert_eq!(
        (&warning["severity"], &warning["code"]),
        (&json!("warning"), &json!("unused-variable"))
    );
    let fixes = warning["fixes"].as_array().expect("fixes");
    assert_eq!(
        fixes.last().expect("one")["title"],
        "Allow `unused-variable` in this query"
    );
}

#[test]
fn check_tries_examples() {
    let text = "//? match \"4k3/8/8/8/8/8/8/4K3 w\"\ncql() mate";
    let answered = answer("check", json!({ "query": text }));
    assert_eq!(answered["ok"], true);
    assert_eq!(answered["diagnostics"][0]["code"], "example", "{answered}");
}

#[test]
fn format_is_that_of_the_command() {
    assert_eq!(
        answer("format", json!({ "query": "check   mate" })),
        json!({ "query": "check mate\n" })
    );
    let answered = answer(
        "format",
        json!({ "query": "cql()   R attacks k", "spelling": "unicode" }),
    );
    assert_eq!(answered, json!({ "query": "cql()\n\n♖ attacks ♚\n" }));
    let error = refusal("format", json!({ "query": "R attcks k" }));
    assert_eq!(error.diagnostics.len(), 1);
    assert_eq!(error.hint.as_ref(), error.diagnostics[0].help.first());
}

#[test]
fn explain_says_what_the_command_says() {
    let query = "elo > 2600 xray (R a k) and mate";
    let answered = answer("explain", json!({ "query": query }));
    let plan: Value = serde_json::from_str(&printed(&["explain", "-e", query, "--json"])).expect("JSON");
    assert_eq!(answered["plan"], plan);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let text = answered["text"].as_str().expect("a text");
    assert_eq!(words(text), words(&printed(&["explain", "-e", query])));
    assert_eq!(refusal("explain", json!({ "query": "(" })).diagnostics[0].line, 1);
}

#[test]
fn library_lists_finds_and_shows() {
    let all = answer("library", json!({}));
    let entries = all["entries"].as_array().expect("entries");
    assert_eq!(entries.len(), skewer::library::queries().count());
    let found = answer("library", json!({ "find": "knight mate" }));
    let listed: Value =
        serde_json::from_str(&printed(&["library", "--find", "knight mate", "--json", "mates"])).expect("JSON");
    let first = listed[0]["name"].as_str().expect("a name");
    assert!(
        found["entries"][0]["name"].as_str().expect("a name").ends_with(first),
        "{found}"
    );
    assert!(found.get("nearest").is_none());
    assert_eq!(
        answer("library", json!({ "find": "zzzzzz" })),
        json!({ "entries": [], "nearest": true })
    );
    let one = answer("library", json!({ "name": "smothered-mate" }));
    assert_eq!(
        (&one["name"], &one["folder"]),
        (&json!("mates/smothered-mate"), &json!("mates"))
    );
    assert!(one["query"].as_str().expect("a text").contains("cql("));
    assert!(one["picture"].as_str().expect("a drawing").starts_with("<svg"));
    let error = refusal("library", json!({ "name": "smotherd-mate" }));
    assert_eq!(error.hint.as_deref(), Some("did you mean `smothered-mate`?"));
    let error = refusal("library", json!({ "name": "perpetual-check" }));
    assert_eq!(
        error.hint.as_deref(),
        Some("there are `games/perpetual-check` and `motifs/perpetual-check`")
    );
    assert!(ask("library", json!({ "name": "mate", "find": "mate" })).is_err());
}

#[test]
fn library_says_what_no_search_runs() {
    let all = answer("library", json!({}));
    let entries = all["entries"].as_array().expect("entries");
    for (entry, query) in entries.iter().zip(skewer::library::queries()) {
        let question = json!({ "query": query.text() });
        let error = Search::new(&question.to_string(), &Limits::default()).err();
        let needs = error.map(|error| error.diagnostics[0].message.clone());
        assert_eq!(
            entry.get("refused").and_then(Value::as_str),
            needs.as_deref(),
            "{entry}"
        );
    }
    let one = answer("library", json!({ "name": "thrown-win" }));
    assert_eq!(one["refused"], "the query needs endgame tablebases");
}

#[test]
fn help_explains_words_titles_and_everyday_words() {
    let attacks = answer("help", json!({ "word": "→" }));
    assert_eq!(
        (&attacks["title"], &attacks["page"]),
        (&json!("->"), &json!("rays-attacks-pins.md"))
    );
    let text = attacks["markdown"].as_str().expect("a text");
    assert!(text.starts_with("- `S -> T`, `S attacks T`:"), "{text}");
    assert!(text.contains("### Rays, attacks and pins"));
    assert_eq!(answer("help", json!({ "word": "the header" }))["title"], "The header");
    let fork = answer("help", json!({ "word": "fork" }));
    assert!(
        fork["markdown"].as_str().expect("a text").contains("```cql\n"),
        "{fork}"
    );
    assert_eq!(answer("help", json!({ "word": "Checks" }))["title"], "check");
    let error = refusal("help", json!({ "word": "attcks" }));
    assert_eq!(error.hint.as_deref(), Some("did you mean `attacks`?"));
}

#[test]
fn board_draws_well_formed_pictures() {
    let question = json!({
        "fen": "4k3/4p3/8/8/8/8/8/K3R3 w",
        "flip": true,
        "squares": ["e8"],
        "rays": [["e1", "e8"]],
        "last_move": ["e2", "e1"],
        "caption": ["<script>"],
    });
    let svg = answer("board", question)["svg"].as_str().expect("a drawing").to_owned();
    assert!(roxmltree::Document::parse(&svg).is_ok() && svg.contains("&lt;script&gt;"));
    for (question, message) in [
        (
            json!({ "fen": "" }),
            "the position cannot be read: there is no position",
        ),
        (
            json!({ "fen": "8/8 w" }),
            "the position cannot be read: the board has 2 ranks",
        ),
        (
            json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w", "squares": ["e9"] }),
            "`e9` is not a square",
        ),
    ] {
        let error = refusal("board", question);
        assert_eq!(error.message, message);
        assert!(error.hint.is_some());
    }
}

#[test]
fn lsp_is_a_conversation_in_one_service() {
    let service = Service::default();
    let say = |message: Value| {
        let answered = ask_of(&service, "lsp", json!({ "message": message })).expect("an answer");
        answered["messages"].as_array().expect("messages").clone()
    };
    let before = say(json!({ "jsonrpc": "2.0", "id": 0, "method": "textDocument/hover", "params": {} }));
    assert_eq!(before[0]["error"]["message"], "`initialize` comes first");
    let options = json!({ "capabilities": {}, "initializationOptions": { "filters": true } });
    let begun = say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": options }));
    assert_eq!(
        (begun.len(), &begun[0]["id"], &begun[0]["jsonrpc"]),
        (1, &json!(1), &json!("2.0"))
    );
    let uri = "inmemory:///query.cql";
    let document = json!({ "uri": uri, "languageId": "cql", "version": 1, "text": "R attcks k" });
    let opened =
        say(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    assert_eq!(opened.len(), 1);
    assert_eq!(opened[0]["method"], "textDocument/publishDiagnostics");
    let diagnostics = opened[0]["params"]["diagnostics"].as_array().expect("diagnostics");
    assert_eq!(diagnostics.len(), 1, "filters alone are no error: {diagnostics:?}");
    let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": "R attacks k" }] });
    let changed = say(json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": change }));
    assert_eq!(changed[0]["params"]["diagnostics"], json!([]));
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
    let hover = say(json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": at }));
    assert!(
        hover[0]["result"]["contents"]["value"]
            .as_str()
            .expect("a text")
            .contains("S attacks T")
    );
    assert!(ask_of(&service, "lsp", json!({ "message": 1 })).is_err());
    say(json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    say(json!({ "jsonrpc": "2.0", "method": "exit" }));
    let again = say(json!({ "jsonrpc": "2.0", "id": 4, "method": "initialize", "params": options }));
    assert!(
        again[0].get("result").is_some(),
        "after `exit` another conversation begins: {again:?}"
    );
}

#[test]
fn setup_goes_both_ways() {
    let shown = answer("setup", json!({ "query": "Pd4 pd5 elo > 2500" }));
    assert_eq!(
        shown,
        json!({ "setup": { "squares": { "d4": "P", "d5": "p" } }, "query": "Pd4 pd5", "whole": false })
    );
    let asked = answer("setup", json!({ "setup": { "squares": { "e4": "N" } } }));
    assert_eq!((&asked["query"], &asked["whole"]), (&json!("Ne4"), &json!(true)));
    let other = json!({ "query": "Pd4 elo > 2500", "setup": { "squares": { "e4": "N" } } });
    let changed = answer("setup", other)["query"].as_str().expect("a query").to_owned();
    assert!(
        changed.contains("Ne4") && changed.contains("elo > 2500") && !changed.contains("Pd4"),
        "{changed}"
    );
    let fen = "4k3/8/8/8/4P3/8/8/4K3 w";
    let pawns = answer("setup", json!({ "fen": fen, "widen": "structure" }));
    assert_eq!(pawns["query"], json!("Pe4 P == 1 not p"));
    let exact = answer("setup", json!({ "fen": fen }));
    assert_eq!(exact["setup"]["side"], "w");
    for question in [
        json!({}),
        json!({ "fen": fen, "query": "mate" }),
        json!({ "fen": "x" }),
        json!({ "query": "(" }),
    ] {
        refusal("setup", question);
    }
    refusal("setup", json!({ "setup": { "squares": { "z9": "P" } } }));
    refusal("setup", json!({ "fen": fen, "widen": "all" }));
}

#[test]
fn why_says_what_decides() {
    let fen = "6k1/8/8/8/8/8/8/R5K1 w - - 0 1";
    let asked = answer("why", json!({ "query": "R attacks k", "fen": fen }));
    assert_eq!(asked["matches"], false);
    assert!(
        asked["sentences"]
            .as_array()
            .is_some_and(|sentences| !sentences.is_empty()),
        "{asked}"
    );
    let game = "1. f3 e5 2. g4 Qh4# 0-1";
    let asked = answer("why", json!({ "query": "mate", "game": game, "position": 4 }));
    assert_eq!(asked["matches"], true, "{asked}");
    for question in [
        json!({ "query": "mate" }),
        json!({ "query": "mate", "fen": fen, "game": game }),
        json!({ "query": "mate", "fen": "8/8" }),
        json!({ "query": "mate", "game": game, "position": 99 }),
        json!({ "query": "R attcks k", "fen": fen }),
    ] {
        refusal("why", question);
    }
}
