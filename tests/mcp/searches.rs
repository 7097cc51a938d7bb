//! Searches: how they are reported, cancelled and limited.

use serde_json::{Value, json};

use super::CLASSICS;
use super::client::Client;

/// Returns a search that does not end by itself.
fn endless() -> Value {
    json!({ "query": "x=1 while (x>0) {x=1}", "options": { "max_rounds": 1_000_000_000_000_000_u64 } })
}

fn begin_endless(client: &mut Client) -> i64 {
    client.begin("tools/call", json!({ "name": "search", "arguments": endless() }))
}

#[test]
fn a_search_ends_when_it_is_cancelled() {
    let mut client = Client::connect(&[CLASSICS, "--timeout", "1h"]);
    // These are more searches than there are threads for tools. If they were not cancelled, the next question would wait for an hour.
    let searches: Vec<i64> = (0..12).map(|_| begin_endless(&mut client)).collect();
    for id in searches {
        client.notify(
            "notifications/cancelled",
            json!({ "requestId": id, "reason": "no longer wanted" }),
        );
    }
    let found = client.text("search", json!({ "query": "mate", "limit": 0 }));
    assert!(
        found.starts_with("Games searched: 18. Games that match: 8. Positions that match: 8. All"),
        "{found}"
    );
    client.part();
}

#[test]
fn the_end_of_the_input_ends_all_searches() {
    let mut client = Client::connect(&[CLASSICS, "--timeout", "1h"]);
    begin_endless(&mut client);
    let (code, rest, errors) = client.leave();
    assert_eq!((code, &*rest, &*errors), (Some(0), "", ""));
}

#[test]
fn a_search_ends_with_its_time_and_says_what_it_has_found() {
    let mut client = Client::connect(&[CLASSICS, "--timeout", "200ms"]);
    let found = client.text("search", endless());
    assert!(
        found.contains("Its time was up before all games were looked at"),
        "{found}"
    );
    let mut shorter = endless();
    shorter["options"]["time"] = json!(0.1);
    let mut client = Client::connect(&[CLASSICS, "--timeout", "1h"]);
    let found = client.text("search", shorter);
    assert!(found.contains("Its time was up"), "{found}");
    client.part();
}

#[test]
fn a_query_that_makes_too_much_ends_with_an_error() {
    let mut client = Client::connect(&[CLASSICS, "--max-memory", "4M"]);
    let query = r#"s="abcdefgh" while (#s>0) {s=s+s}"#;
    let (text, is_error) = client.ask("search", json!({ "query": query }));
    assert!(is_error && text.contains("memory"), "{text}");
    client.part();
}

#[test]
fn who_wants_to_hear_how_far_a_search_is_hears_it() {
    let mut client = Client::connect(&[CLASSICS]);
    let params =
        json!({ "name": "search", "arguments": { "query": "check" }, "_meta": { "progressToken": "how far" } });
    let id = client.begin("tools/call", params);
    let mut last = 0.0;
    let answer = loop {
        let message = client.receive();
        if message["id"] == id {
            break message;
        }
        let params = &message["params"];
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(
            (&params["progressToken"], &params["total"]),
            (&json!("how far"), &json!(1.0))
        );
        let progress = params["progress"].as_f64().expect("a number");
        assert!(progress > last && progress <= 1.0, "{message}");
        last = progress;
    };
    assert!(last > 0.0, "nothing was said: {answer}");
    client.part();
}

#[test]
fn answers_are_bounded() {
    let mut client = Client::connect(&[CLASSICS]);
    let found = client.text("search", json!({ "query": "true", "limit": 1_000_000 }));
    let positions = found.lines().filter(|line| line.contains(" | ")).count();
    assert!((150..=201).contains(&positions), "{positions} lines");
    assert!(
        found.len() < 33 << 10 && found.contains(" positions listed)"),
        "{}",
        found.len()
    );
    let long: Vec<String> = (1..=18).map(|number| number.to_string()).collect();
    let shown = client.text("show", json!({ "numbers": long, "as": "pgn" }));
    assert!(shown.len() < 33 << 10, "{}", shown.len());
    let (text, is_error) = client.ask("show", json!({ "numbers": vec!["1"; 21] }));
    assert!(is_error && text.contains("1 to 20"), "{text}");
    client.part();
}

#[test]
fn several_inputs_are_numbered_through() {
    let mut client = Client::connect(&[CLASSICS, "examples/lichess.pgn"]);
    let inputs = client.text("inputs", json!({}));
    assert!(
        inputs.starts_with("1: examples/classics.pgn (") && inputs.contains("\n2: examples/lichess.pgn ("),
        "{inputs}"
    );
    let all = client.text("search", json!({ "query": "mate", "limit": 0 }));
    assert!(all.starts_with("Games searched: 21."), "{all}");
    let some = client.text(
        "search",
        json!({ "query": "mate", "inputs": [2, "examples/classics.pgn"] }),
    );
    assert!(
        some.starts_with("Games searched: 21.") && some.contains("\n4:13 | Legall de Kermeur"),
        "{some}"
    );
    let shown = client.text("show", json!({ "numbers": ["4:13"], "inputs": [2, 1], "as": "fen" }));
    assert_eq!(
        shown,
        "rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7\n"
    );
    client.part();
}
