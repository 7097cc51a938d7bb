//! Clients that do not behave like assistants.

use std::path::Path;

use serde_json::{Value, json};

use super::CLASSICS;
use super::client::Client;

/// Sends a line and returns the code of the error in the answer.
fn code_of(client: &mut Client, line: impl AsRef<[u8]>) -> i64 {
    client.say(line);
    let answer = client.receive();
    answer["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn what_is_no_message_has_an_error_for_an_answer() {
    let mut client = Client::connect(&[CLASSICS]);
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for line in ["nonsense", "{", "\"", "{\"jsonrpc\": \"2.0\", ", &nested] {
        assert_eq!(code_of(&mut client, line), -32700, "{}", &line[..line.len().min(40)]);
    }
    assert_eq!(code_of(&mut client, b"\xFF\xFE"), -32700);
    for line in [
        "[]",
        "7",
        "null",
        "{}",
        r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#,
        r#"{"jsonrpc": "1.0", "id": 100, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 100, "method": 7}"#,
    ] {
        assert_eq!(code_of(&mut client, line), -32600, "{line}");
    }
    for line in [
        r#"{"jsonrpc": "2.0", "id": 100, "method": "tools/destroy"}"#,
        r#"{"jsonrpc": "2.0", "id": 100, "method": "prompts/get", "params": {"name": "x"}}"#,
    ] {
        assert_eq!(code_of(&mut client, line), -32601, "{line}");
    }
    let of_no_tool = json!({ "jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": { "name": "shell" } });
    assert_eq!(code_of(&mut client, of_no_tool.to_string()), -32602);
    // None of these lines gets an answer.
    for line in [
        "",
        "   ",
        r#"{"jsonrpc": "2.0", "method": "notifications/unheard", "params": {}}"#,
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}}"#,
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": 7}"#,
        r#"{"jsonrpc": "2.0", "id": 77, "result": {}}"#,
    ] {
        client.say(line);
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    client.part();
}

#[test]
fn long_messages_are_not_kept() {
    let mut client = Client::connect(&[CLASSICS]);
    let long = "x".repeat(64 << 20);
    for _ in 0..4 {
        assert_eq!(code_of(&mut client, &long), -32600);
    }
    let found = client.text("search", json!({ "query": "mate", "limit": 0 }));
    assert!(found.starts_with("Games searched: 18."), "{found}");
    if let Some(most) = client.most_memory() {
        assert!(most < 400 << 20, "{} MB", most >> 20);
    }
    client.part();
}

#[test]
fn a_conversation_begins_with_a_request() {
    let mut client = Client::start(&[]);
    assert_eq!(code_of(&mut client, "hello"), -32700);
    client.notify("notifications/cancelled", json!({ "requestId": 1 }));
    client.notify("notifications/initialized", json!({}));
    let early = client.request("tools/list", json!({}));
    assert!(early["error"].is_object(), "{early}");
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    client.part();
    Client::start(&[]).part();
}

#[test]
fn nothing_but_the_inputs_is_read_and_nothing_is_written() {
    let mut client = Client::connect(&[CLASSICS]);
    let refused = |client: &mut Client, tool: &str, arguments: Value| {
        let (text, is_error) = client.ask(tool, arguments.clone());
        assert!(is_error, "{tool} {arguments}: {text}");
        text
    };
    for query in [
        r#"mate writefile("found.txt" "x")"#,
        r#"readfile("Cargo.toml")"#,
        r#"mate writefile("found.cqo" "x")"#,
        r#"readfile("tests/beyond/blunder.cql")"#,
        r#"cql() similarposition "examples/lichess.pgn""#,
        r#"similarposition nosort "/dev/zero""#,
        r#"theme "tests/beyond/blunder.cql""#,
        r#"theme "../../../../../etc/passwd""#,
    ] {
        let text = refused(&mut client, "search", json!({ "query": query }));
        assert!(!text.contains("root:"), "{text}");
    }
    // The files in the header of a query are neither read nor written.
    let query = "cql(input lichess.pgn output found.pgn) mate";
    let found = client.text("search", json!({ "query": query, "limit": 0 }));
    assert!(found.starts_with("Games searched: 18. Games that match: 8."), "{found}");
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("found.pgn").exists());
    for input in [
        json!(0),
        json!(2),
        json!("Cargo.toml"),
        json!("/etc/passwd"),
        json!("examples/../Cargo.toml"),
        json!(-1),
    ] {
        refused(&mut client, "search", json!({ "query": "mate", "inputs": [input] }));
        refused(&mut client, "show", json!({ "numbers": ["1"], "inputs": [input] }));
    }
    for (tool, arguments) in [
        ("search", json!({})),
        ("search", json!({ "query": 7 })),
        ("search", json!({ "query": "mate", "file": "/etc/passwd" })),
        ("search", json!({ "query": "mate", "options": { "allow-files": "/" } })),
        ("search", json!({ "query": "mate", "limit": -1 })),
        ("search", json!({ "query": "{".repeat(100_000) })),
        ("check", json!([])),
        ("board", json!({ "fen": "8".repeat(100_000) })),
        ("board", json!({ "fen": "8/8/8/8/8/8/8/8 w", "squares": ["z9"] })),
        ("show", json!({ "numbers": ["../1"] })),
        ("show", json!({ "numbers": [] })),
        ("theme", json!({ "name": "../../README" })),
        ("theme", json!({ "name": "x".repeat(1_000_000) })),
        ("search", json!({ "query": "x".repeat(1_000_000) })),
        ("word", json!({ "word": "x".repeat(1_000_000) })),
    ] {
        let answer = client.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let is_refused = answer["result"]["isError"] == true || answer["error"].is_object();
        assert!(is_refused, "{tool}: {answer}");
        assert!(answer.to_string().len() < 33 << 10, "{tool}: a long answer");
    }
    let read = client.request("resources/read", json!({ "uri": "file:///etc/passwd" }));
    assert!(read["error"].is_object(), "{read}");
    client.part();
}

#[test]
fn many_questions_at_once_are_answered_or_refused() {
    let mut client = Client::connect(&[CLASSICS]);
    let ids: Vec<i64> = (0..300)
        .map(|_| {
            client.begin(
                "tools/call",
                json!({ "name": "check", "arguments": { "query": "mate" } }),
            )
        })
        .collect();
    let (mut answered, mut refused) = (0, 0);
    for _ in &ids {
        let answer = client.receive();
        match answer["error"]["code"].as_i64() {
            None => answered += 1,
            Some(-32600) => refused += 1,
            Some(_) => panic!("{answer}"),
        }
    }
    assert!(
        answered >= 64 && answered + refused == ids.len(),
        "{answered} answered, {refused} refused"
    );
    client.part();
}
