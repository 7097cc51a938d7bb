//! Random hostile requests, made from a seed.
//!
//! Many are sent at once, next to a client that behaves.
//!
//! `FUZZ_ROUNDS=10 cargo test --test tests serve::hostile` sends ten times as many.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::Shutdown;

use fastrand::Rng;
use serde_json::json;

use super::CLASSICS;
use super::client::{Answer, Ui};
use crate::fuzz::{random, rounds};

/// How many requests are under way at once, and how many others are left unfinished.
const AT_ONCE: usize = 24;
const HELD: usize = 24;
/// The most memory that the server may have used at the end.
const MOST_MEMORY: u64 = 200 << 20;

const METHODS: &[&str] = &[
    "GET", "POST", "PUT", "OPTIONS", "HEAD", "CONNECT", "DELETE", "TRACE", "PROPFIND", "get", "", "G\0T", "POST\t",
];
const VERSIONS: &[&str] = &[
    "HTTP/1.1",
    "HTTP/1.1",
    "HTTP/1.1",
    "HTTP/1.0",
    "HTTP/2",
    "HTTP/1.1 ",
    "",
];
/// Fields of a head, in which `@` is the host.
const FIELDS: &[&str] = &[
    "Host: @",
    "Host: @",
    "Host: @",
    "Content-Type: application/json",
    "Content-Type: text/plain",
    "Content-Type: application/json, text/plain",
    "Content-Length: 16",
    "Content-Length: 0",
    "Content-Length: +16",
    "Content-Length: 16, 16",
    "Content-Length: 4000000000",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding : chunked",
    "Connection: close",
    "Connection: upgrade",
    "Connection: host, origin",
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Expect: 100-continue",
    "Skewer-Page: a",
    "Skewer-Page: ../a",
    "Accept-Encoding: gzip",
    "Range: bytes=0-",
    "Cookie: token=0123456789abcdef",
    "X-Forwarded-Host: @",
    "X-HTTP-Method-Override: POST",
    "X-Original-URL: /api/check",
    " folded",
    "X\0: y",
    ": empty",
    "X: \u{7f}\u{fe}",
    "Content-Encoding: gzip",
    "Trailer: Host",
];
/// Fields that show that a request comes from another site or host.
const FOREIGN: &[&str] = &[
    "Host: example.org",
    "Host: example.org:80",
    "Host: 127.0.0.1",
    "Host: [::1]:80",
    "Host: ",
    "Host: @.example.org",
    "Host: example.org@@",
    "Host: @\r\nHost: example.org",
    "Host: @\r\nHost: @",
    "Host: @\r\nOrigin: null",
    "Host: @\r\nOrigin: http://example.org",
    "Host: @\r\nOrigin: https://@",
    "Host: @\r\nOrigin: http://@.example.org",
    "Host: @\r\nOrigin: http://example.org#@",
    "Host: @\r\nOrigin: http://@\r\nOrigin: http://example.org",
    "Host: @\r\nOrigin: http://@, http://example.org",
    "Host: @\r\nOrigin: file://",
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
/// Paths below the token that lead to no file.
const NO_FILES: &[&str] = &[
    "../../../../etc/passwd",
    "%2e%2e/%2e%2e/etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "..%5c..%5cetc%5cpasswd",
    "..\\..\\etc\\passwd",
    "..;/..;/etc/passwd",
    "....//....//etc/passwd",
    "%c0%ae%c0%ae/etc/passwd",
    "/etc/passwd",
    "//example.org/",
    "file:///etc/passwd",
    "proc/self/environ",
    "index.html%00.png",
    "index.html::$DATA",
    "examples/classics.pgn",
    "assets/",
    "?x=1",
    "*",
    "api",
    "API/check",
    "api%2fcheck",
];
const METHODS_OF_API: &[&str] = &[
    "check", "search", "inputs", "show", "library", "lsp", "explain", "stats", "funnel", "why", "setup", "board",
    "format", "help", "nothing", "", "../check", "check/x", "check?x", "check%00",
];
const QUESTIONS: &[&str] = &[
    r#"{"query":"mate"}"#,
    r#"{"query":"mate","inputs":["/etc/passwd"]}"#,
    r#"{"query":"mate","inputs":["../../etc/passwd"]}"#,
    r#"{"query":"mate","inputs":["examples/../../../etc/passwd"]}"#,
    r#"{"query":"mate","inputs":[0,99999999999999999999,-1]}"#,
    r#"{"query":"mate","query":"check"}"#,
    r#"{"query":"mate","__proto__":{"ok":true}}"#,
    r#"{"query":1}"#,
    r#"{"query":"\ud800"}"#,
    r#"{"query":"\u0000\u202e"}"#,
    "\u{feff}{\"query\":\"mate\"}",
    r#"{"query":"mate"} {"query":"mate"}"#,
    r#"{"query":"mate","options":{"time":1e999}}"#,
    r#"{"query":"mate","options":{"time":-1,"memory":-1}}"#,
    r#"{"query":"x=1 while (x>0) {x+=1}","options":{"time":0.05}}"#,
    r#"{"queries":[{"query":"mate"}],"by":["/etc/passwd"]}"#,
    r#"{"query":"mate","game":"1. e4 (1. d4 (1. c4","position":4294967295}"#,
    r#"{"name":"../../../etc/passwd"}"#,
    r#"{"name":"/etc/passwd"}"#,
    r#"{"game":18446744073709551615}"#,
    "{",
    "null",
    "[]",
    "\"",
    "[[[[[[[[[[",
    "{\"query\":\"\u{0}\"}",
    r#"{"query":"cql(input /etc/passwd) mate"}"#,
    r#"{"query":"similarposition \"/etc/passwd\""}"#,
    r#"{"query":"theme \"../../../../etc/passwd\""}"#,
    r#"{"query":"writefile(\"/tmp/skewer-was-here\" \"x\")"}"#,
    r#"{"query":"readfile \"/etc/passwd\""}"#,
    r#"{"query":"cql(output /tmp/skewer-was-here.pgn) mate"}"#,
    r#"{"fen":"8/8/8/8/8/8/8/8"}"#,
    r#"{"message":{"jsonrpc":"2.0","id":1,"method":"shutdown"}}"#,
    r#"{"message":{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///etc/passwd","languageId":"cql","version":1,"text":"mate"}}}}"#,
    "",
];
const CHUNKS: &[&str] = &[
    "10\r\n{\"query\":\"mate\"}\r\n",
    "10;x=\"y\r\n{\"query\":\"mate\"}\r\n",
    "1\r\n{\r\n",
    "0\r\n\r\n",
    "0\r\nHost: example.org\r\n\r\n",
    "-1\r\n{}\r\n",
    "0x2\r\n{}\r\n",
    "ffffffffffffffff\r\n",
    "10000000000000000\r\n{}\r\n",
    "2\n{}\n",
    "2\r\n{}",
    "\r\n",
    "5\r\n{\"a\":\r\n0\r\n\r\n",
];

/// A request, and whether the server has to refuse it.
struct Request {
    bytes: Vec<u8>,
    /// If the request is answered at all, the answer is a refusal.
    is_refused: bool,
}

fn pick<'t>(random: &mut Rng, of: &[&'t str]) -> &'t str {
    of[random.usize(..of.len())]
}

/// Returns the body of a question.
fn question(random: &mut Rng) -> Vec<u8> {
    let many = random.usize(..100_000);
    let text = match random.u8(..24) {
        0 => "[".repeat(many),
        1 => r#"{"query":"#.repeat(many / 10),
        2 => format!(r#"{{"message":{}1{}}}"#, "[".repeat(many), "]".repeat(many)),
        3 => format!(r#"{{"query":"{}"}}"#, "(".repeat(many % 600)),
        4 => format!(r#"{{"{}":1}}"#, "query".repeat(many / 5)),
        5 => format!(r#"{{"query":"{}"}}"#, r"\ud800\u0000".repeat(many / 100)),
        6 => format!(r#"{{"name":"{}","find":"{0}","word":"{0}"}}"#, "x".repeat(many)),
        7 => (0..random.usize(..6)).map(|_| pick(random, CHUNKS)).collect(),
        8 if random.u8(..20) == 0 => " ".repeat(5 << 20),
        _ => pick(random, QUESTIONS).to_owned(),
    };
    let mut bytes = text.into_bytes();
    if random.u8(..12) == 0 {
        let places = 0..=bytes.len();
        let faults: [&[u8]; 5] = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0"];
        let place = random.usize(places);
        bytes.splice(place..place, faults[random.usize(..faults.len())].iter().copied());
    }
    bytes
}

/// Returns some fields. Now and then one of them is far too long, or there are far too many.
fn fields(ui: &Ui, random: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(..8) {
        text += &pick(random, FIELDS).replace('@', &ui.host());
        text += if random.u8(..20) == 0 { "\n" } else { "\r\n" };
    }
    match random.u8(..40) {
        0 => text += &format!("X: {}\r\n", "x".repeat(random.usize(..40_000))),
        1 => {
            for number in 0..random.usize(..200) {
                // Writing to a string does not fail.
                let _ = write!(text, "X-{number}: y\r\n");
            }
        }
        _ => {}
    }
    text
}

/// Returns a path without the right token, although some come close.
fn path_without_token(ui: &Ui, random: &mut Rng) -> String {
    let token = &ui.token;
    let digit = random.usize(..token.len());
    let other = if token[digit..].starts_with('0') { "1" } else { "0" };
    let below = pick(random, &["", "index.html", "api/check", "api/search"]);
    match random.u8(..9) {
        0 => format!("/{}{other}{}/{below}", &token[..digit], &token[digit + 1..]),
        1 => format!("/{}/{below}", &token[..digit]),
        2 => format!("/{token}{other}/{below}"),
        3 => format!("//{token}/{below}"),
        4 => format!("/{below}?token={token}"),
        5 => format!("/%{:02x}{}/{below}", token.as_bytes()[0], &token[1..]),
        6 => format!("/{}", "a".repeat(random.usize(..100_000))),
        _ => pick(random, PATHS).to_owned(),
    }
}

/// Returns one request.
fn single(ui: &Ui, random: &mut Rng) -> Request {
    let question = question(random);
    let (mut head, is_refused) = match random.u8(..8) {
        // A correct request with any body.
        0..3 => (ui.head(pick(random, METHODS_OF_API), question.len(), ""), false),
        // A request from elsewhere.
        3 => {
            let own = format!("Host: {}", ui.host());
            let foreign = pick(random, FOREIGN).replace('@', &ui.host());
            let head = ui.head(pick(random, METHODS_OF_API), question.len(), "");
            (head.replacen(&own, &foreign, 1), true)
        }
        4 => {
            let path = pick(random, NO_FILES);
            let (verb, host) = (pick(random, METHODS), ui.host());
            let head = format!("{verb} /{}/{path} HTTP/1.1\r\nHost: {host}\r\n", ui.token);
            (head + &fields(ui, random) + "\r\n", true)
        }
        5 => {
            let path = format!("/{}/api/{}", ui.token, pick(random, METHODS_OF_API));
            let head = format!("{} {path} {}\r\n", pick(random, METHODS), pick(random, VERSIONS));
            (head + &fields(ui, random) + "\r\n", false)
        }
        _ => {
            let path = path_without_token(ui, random);
            let head = format!("{} {path} {}\r\n", pick(random, METHODS), pick(random, VERSIONS));
            (head + &fields(ui, random) + "\r\n", true)
        }
    };
    if random.u8(..6) == 0 {
        let length = format!("Content-Length: {}", question.len());
        let others = [
            "Transfer-Encoding: chunked",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
        ];
        head = head.replacen(&length, pick(random, &others), 1);
    }
    let mut bytes = head.into_bytes();
    bytes.extend(question);
    Request { bytes, is_refused }
}

/// Returns one request, or several in one message.
fn request(ui: &Ui, random: &mut Rng) -> Request {
    let mut request = single(ui, random);
    // After a refusal the server answers nothing more.
    for _ in 0..[0, 0, 0, 0, 1, 4][random.usize(..6)] {
        request.bytes.extend(single(ui, random).bytes);
    }
    if !request.is_refused {
        for _ in 0..[0, 0, 0, 1, 3][random.usize(..5)] {
            let place = random.usize(..request.bytes.len());
            match random.u8(..3) {
                0 => request.bytes[place] = random.u8(..),
                1 => request.bytes.truncate(place + 1),
                _ => request.bytes.insert(place, random.u8(..)),
            }
        }
    }
    request
}

/// Asserts that what came back reveals no secrets, and that a request to refuse was refused. Returns whether it was an answer at all.
fn check(ui: &Ui, request: &Request, bytes: &[u8]) -> bool {
    let shown = || String::from_utf8_lossy(&request.bytes[..request.bytes.len().min(500)]).into_owned();
    let text = String::from_utf8_lossy(bytes);
    assert!(!text.contains("root:"), "{}", shown());
    assert!(!text.contains(&ui.token), "{}: {text}", shown());
    assert!(!text.to_ascii_lowercase().contains("access-control-"), "{}", shown());
    let Some(answer) = Answer::of(bytes) else {
        assert!(!request.is_refused || text.len() < 500, "{}: {text}", shown());
        return false;
    };
    if request.is_refused {
        assert!((400..500).contains(&answer.status), "{} {}", answer.status, shown());
        assert_eq!(answer.text(), "", "{}", shown());
    }
    // Questions of clients that have gone away may leave no room for others.
    let is_fault = answer.status >= 500 && answer.status != 503;
    assert!(!is_fault, "{} {}", answer.text(), shown());
    true
}

#[test]
fn hostile_requests_get_nothing_and_break_nothing() {
    let mut ui = Ui::start(&[CLASSICS, "--request-time", "2s"]);
    let mut random = random();
    let (mut sent, mut answered) = (0, 0);
    let mut held = VecDeque::new();
    while sent < rounds(1000) {
        let mut begun = Vec::new();
        for _ in 0..AT_ONCE {
            let mut stream = ui.connect();
            let request = request(&ui, &mut random);
            if random.u8(..8) == 0 {
                // Such a client stays connected without sending more.
                let part = random.usize(..=request.bytes.len().min(1000));
                let _ = stream.write_all(&request.bytes[..part]);
                held.push_back(stream);
                held.drain(..held.len().saturating_sub(HELD));
            } else {
                // The server may refuse a request before it has read all of it.
                let _ = stream.write_all(&request.bytes);
                let _ = stream.shutdown(Shutdown::Write);
                begun.push((stream, request));
            }
            sent += 1;
        }
        while ui.post("check", r#"{"query":"mate"}"#).status == 503 {}
        for (mut stream, request) in begun {
            let mut bytes = Vec::new();
            // A reset may discard what the server sent before it closed.
            let _ = stream.read_to_end(&mut bytes);
            answered += u64::from(check(&ui, &request, &bytes));
        }
    }
    drop(held);
    assert!(answered > sent / 2, "{answered} of {sent} were answered at all");
    assert!(
        ui.child.try_wait().expect("it can be asked").is_none(),
        "the server lives"
    );
    while ui.post("check", r#"{"query":"mate"}"#).status == 503 {}
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
    assert!(!std::path::Path::new("/tmp/skewer-was-here").exists());
    if let Some(memory) = ui.peak_memory() {
        eprintln!("{sent} sent, {answered} answered, {} MB at most", memory >> 20);
        assert!(memory < MOST_MEMORY, "{memory} bytes");
    }
}

#[test]
fn connections_beyond_the_limit_wait_for_others() {
    let ui = Ui::start(&["--request-time", "1s"]);
    // More connections than the server allows. They send nothing and are closed after a second, which lets others in.
    let silent: Vec<_> = (0..200).map(|_| ui.connect()).collect();
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
    drop(silent);
}
