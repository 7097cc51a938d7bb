//! A thousand hostile requests, made at random from a seed.

use fastrand::Rng;
use serde_json::json;

use super::CLASSICS;
use super::client::{Answer, Ui};

const ROUNDS: usize = 1000;
/// How much memory the server may have had by then.
const MOST_MEMORY: u64 = 200 << 20;

const METHODS: &[&str] = &[
    "GET", "POST", "PUT", "OPTIONS", "HEAD", "CONNECT", "get", "", "G\0T", "POST\t",
];
const VERSIONS: &[&str] = &["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/1.1 ", ""];
const FIELDS: &[&str] = &[
    "Host: H",
    "Host: H",
    "Host: example.org",
    "Host: localhost:P",
    "Origin: http://H",
    "Origin: http://example.org",
    "Origin: null",
    "Content-Type: application/json",
    "Content-Type: text/plain",
    "Content-Length: 16",
    "Content-Length: 0",
    "Content-Length: 4000000000",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Connection: close",
    "Connection: upgrade",
    "Upgrade: websocket",
    "Expect: 100-continue",
    "Skewer-Page: a",
    "Accept-Encoding: gzip",
    "Range: bytes=0-",
    "Cookie: token=T",
    " folded",
    "X\0: y",
    ": empty",
    "X: \u{7f}\u{fe}",
    "Content-Encoding: gzip",
    "Trailer: Host",
];
const PATHS: &[&str] = &[
    "/",
    "/0123456789abcdef0123456789abcdef/",
    "/0123456789abcdef0123456789abcdef/api/search",
    "/../../etc/passwd",
    "/api/search",
    "*",
    "",
    "http://example.org/",
    "//",
    "/%00",
    "/index.html",
    "/\u{e9}",
];
const METHODS_OF_API: &[&str] = &[
    "check", "search", "inputs", "show", "library", "lsp", "explain", "nothing", "", "../check", "check/x",
];
const QUESTIONS: &[&str] = &[
    r#"{"query":"mate"}"#,
    r#"{"query":"mate","inputs":["/etc/passwd"]}"#,
    r#"{"query":"mate","inputs":["../../etc/passwd"]}"#,
    r#"{"query":"mate","inputs":[0,99999999999999999999,-1]}"#,
    r#"{"query":1}"#,
    "{",
    "null",
    "[]",
    "\"",
    "[[[[[[[[[[",
    "{\"query\":\"\u{0}\"}",
    r#"{"query":"cql(input /etc/passwd) mate"}"#,
    r#"{"query":"writefile(\"/tmp/skewer-was-here\" \"x\")"}"#,
    r#"{"query":"readfile \"/etc/passwd\""}"#,
    r#"{"query":"cql(output /tmp/skewer-was-here.pgn) mate"}"#,
    r#"{"fen":"8/8/8/8/8/8/8/8"}"#,
    r#"{"message":{"jsonrpc":"2.0","id":1,"method":"shutdown"}}"#,
    "5\r\n{\"a\":\r\n0\r\n\r\n",
    "",
];

fn pick<'t>(random: &mut Rng, of: &[&'t str]) -> &'t str {
    of[random.usize(..of.len())]
}

/// A request. Half of them know the token.
fn request(ui: &Ui, random: &mut Rng, knows_token: bool) -> Vec<u8> {
    let path = match knows_token {
        true => format!("/{}/api/{}", ui.token, pick(random, METHODS_OF_API)),
        false => pick(random, PATHS).to_owned(),
    };
    let question = match random.u8(..8) {
        0 => "[".repeat(random.usize(..200_000)),
        1 => format!(r#"{{"query":"{}"}}"#, "(".repeat(random.usize(..600))),
        _ => pick(random, QUESTIONS).to_owned(),
    };
    let mut text = if knows_token && random.bool() {
        ui.head(pick(random, METHODS_OF_API), question.len(), "Connection: close\r\n")
    } else {
        let mut text = format!("{} {path} {}\r\n", pick(random, METHODS), pick(random, VERSIONS));
        for _ in 0..random.usize(..8) {
            text += &pick(random, FIELDS)
                .replace('H', &ui.host())
                .replace('P', &ui.port.to_string());
            text += if random.u8(..20) == 0 { "\n" } else { "\r\n" };
        }
        text + "\r\n"
    };
    text += &question;
    let mut bytes = text.into_bytes();
    for _ in 0..[0, 0, 0, 1, 3][random.usize(..5)] {
        let place = random.usize(..bytes.len());
        match random.u8(..3) {
            0 => bytes[place] = random.u8(..),
            1 => bytes.truncate(place + 1),
            _ => bytes.insert(place, random.u8(..)),
        }
    }
    bytes
}

#[test]
fn a_thousand_hostile_requests_get_nothing_and_break_nothing() {
    let mut ui = Ui::start(&[CLASSICS, "--request-time", "2s"]);
    let mut random = Rng::with_seed(49);
    let mut answered = 0;
    for round in 0..ROUNDS {
        let knows_token = random.bool();
        let request = request(&ui, &mut random, knows_token);
        let bytes = ui.raw(&request);
        let shown = || String::from_utf8_lossy(&request[..request.len().min(500)]).into_owned();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("root:"), "{round}: {}", shown());
        assert!(
            !text.to_ascii_lowercase().contains("access-control-"),
            "{round}: {}",
            shown()
        );
        let Some(answer) = Answer::of(&bytes) else {
            continue;
        };
        answered += 1;
        if !knows_token {
            assert!(
                (400..500).contains(&answer.status),
                "{round}: {} {}",
                answer.status,
                shown()
            );
            assert_eq!(answer.text(), "", "{round}: {}", shown());
        }
        // The questions of those that have gone away may keep others waiting.
        let is_fault = answer.status >= 500 && answer.status != 503;
        assert!(!is_fault, "{round}: {} {}", answer.text(), shown());
    }
    assert!(answered > ROUNDS / 2, "{answered} were answered at all");
    assert!(
        ui.child.try_wait().expect("it can be asked").is_none(),
        "the server lives"
    );
    while ui.post("check", r#"{"query":"mate"}"#).status == 503 {}
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
    assert!(!std::path::Path::new("/tmp/skewer-was-here").exists());
    if let Some(memory) = ui.peak_memory() {
        assert!(memory < MOST_MEMORY, "{memory} bytes");
    }
}

#[test]
fn connections_beyond_the_limit_wait_for_others() {
    let ui = Ui::start(&["--request-time", "1s"]);
    // More than there may be. They say nothing, are sent away after a second, and others come in.
    let silent: Vec<_> = (0..200).map(|_| ui.connect()).collect();
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
    drop(silent);
}
