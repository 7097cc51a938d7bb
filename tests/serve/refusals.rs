//! Requests that are refused, without a reason and without a look at any file.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::CLASSICS;
use super::client::{Answer, Ui};

/// Requests, one on each line, below the status that they get. `T` is the token, `H` the host, `P` the port, and `|` ends a line of the head.
const REFUSED: &str = r"
403
  GET /T/ HTTP/1.1
  GET /T/ HTTP/1.0
  GET /T/ HTTP/1.0|Host: H
  GET /T/ HTTP/1.1|Host: example.org
  GET /T/ HTTP/1.1|Host: example.org:P
  GET /T/ HTTP/1.1|Host: 127.0.0.1
  GET /T/ HTTP/1.1|Host: 127.0.0.2:P
  GET /T/ HTTP/1.1|Host: 127.1:P
  GET /T/ HTTP/1.1|Host: 2130706433:P
  GET /T/ HTTP/1.1|Host: 0.0.0.0:P
  GET /T/ HTTP/1.1|Host: [::1]:P
  GET /T/ HTTP/1.1|Host: localhost.:P
  GET /T/ HTTP/1.1|Host: localhost:P.example.org
  GET /T/ HTTP/1.1|Host: H, H
  GET /T/ HTTP/1.1|Host: user@H
  GET /T/ HTTP/1.1|Host:
  GET /T/ HTTP/1.1|Host: H|Origin: null
  GET /T/ HTTP/1.1|Host: H|Origin: http://example.org
  GET /T/ HTTP/1.1|Host: H|Origin: https://H
  GET /T/ HTTP/1.1|Host: H|Origin: http://127.0.0.1
  GET /T/ HTTP/1.1|Host: H|Origin: http://H.example.org
  GET /T/ HTTP/1.1|Host: H|Origin: http://H/
  GET /T/ HTTP/1.1|Host: H|Origin:
  POST /T/api/check HTTP/1.1|Host: H|Content-Type: application/json|Origin: http://example.org
  OPTIONS /T/api/check HTTP/1.1|Host: H|Origin: http://example.org|Access-Control-Request-Method: POST
400
  GET /T/ HTTP/1.1|Host: H|Host: example.org
  GET /T/ HTTP/1.1|Host: H|Origin: http://H|Origin: http://example.org
  POST /T/api/check HTTP/1.1|Host: H|Content-Type: application/json|Skewer-Page: ../a
404
  GET / HTTP/1.1|Host: H
  GET /T HTTP/1.1|Host: H
  GET /index.html HTTP/1.1|Host: H
  GET /favicon.ico HTTP/1.1|Host: H
  GET /0123456789abcdef0123456789abcdef/ HTTP/1.1|Host: H
  GET /T0/ HTTP/1.1|Host: H
  GET //T/ HTTP/1.1|Host: H
  GET /./T/ HTTP/1.1|Host: H
  GET /%2fT/ HTTP/1.1|Host: H
  GET /?T/ HTTP/1.1|Host: H
  GET /T/?x=1 HTTP/1.1|Host: H
  GET /?token=T HTTP/1.1|Host: H
  GET / HTTP/1.1|Host: H|Cookie: token=T|Authorization: Bearer T
  GET http://H/T/ HTTP/1.1|Host: H
  GET http://example.org/T/ HTTP/1.1|Host: H
  CONNECT H HTTP/1.1|Host: H
  OPTIONS * HTTP/1.1|Host: H
  POST /api/check HTTP/1.1|Host: H|Content-Type: application/json
  POST /x/api/check HTTP/1.1|Host: H|Content-Type: application/json
  GET /T/.. HTTP/1.1|Host: H
  GET /T/../T/ HTTP/1.1|Host: H
  GET /T/../../../../../../../../etc/passwd HTTP/1.1|Host: H
  GET /T//etc/passwd HTTP/1.1|Host: H
  GET /T/%2e%2e/%2e%2e/etc/passwd HTTP/1.1|Host: H
  GET /T/..%2f..%2fetc%2fpasswd HTTP/1.1|Host: H
  GET /T/..%252f..%252fetc/passwd HTTP/1.1|Host: H
  GET /T/..%5c..%5cetc%5cpasswd HTTP/1.1|Host: H
  GET /T/..\..\etc\passwd HTTP/1.1|Host: H
  GET /T/%c0%ae%c0%ae/etc/passwd HTTP/1.1|Host: H
  GET /T/index.html%00.png HTTP/1.1|Host: H
  GET /T/....//....//etc/passwd HTTP/1.1|Host: H
  GET /T/file:///etc/passwd HTTP/1.1|Host: H
  GET /T/Cargo.toml HTTP/1.1|Host: H
  GET /T/web/dist/index.html HTTP/1.1|Host: H
  GET /T/api HTTP/1.1|Host: H
405
  GET /T/api/check HTTP/1.1|Host: H
  PUT /T/api/check HTTP/1.1|Host: H
  DELETE /T/ HTTP/1.1|Host: H
  OPTIONS /T/api/check HTTP/1.1|Host: H|Origin: http://H
  TRACE /T/ HTTP/1.1|Host: H
  POST /T/ HTTP/1.1|Host: H
  PROPFIND /T/ HTTP/1.1|Host: H
415
  POST /T/api/check HTTP/1.1|Host: H
  POST /T/api/check HTTP/1.1|Host: H|Content-Type: text/plain
  POST /T/api/check HTTP/1.1|Host: H|Content-Type: application/x-www-form-urlencoded
  POST /T/api/check HTTP/1.1|Host: H|Content-Type: multipart/form-data
";

#[test]
fn requests_that_are_not_from_its_own_page_get_no_content() {
    let ui = Ui::start(&[CLASSICS]);
    let (mut status, mut count) = (0, 0);
    for line in REFUSED.lines().filter(|line| !line.is_empty()) {
        let Some(request) = line.strip_prefix("  ") else {
            status = line.parse().expect("a status");
            continue;
        };
        let request = request.replace('|', "\r\n") + "\r\n\r\n";
        let words = [("H", ui.host()), ("P", ui.port.to_string()), ("T", ui.token.clone())];
        let request = words
            .iter()
            .fold(request, |request, (word, meant)| with_word(&request, word, meant));
        let answer = ui.request(&request);
        assert_eq!(answer.status, status, "{line}");
        assert_eq!(answer.text(), "", "{line}");
        let tells = answer
            .fields
            .iter()
            .find(|field| field.starts_with("access-control") || field.starts_with("server"));
        assert_eq!(tells, None, "{line}");
        count += 1;
    }
    assert!(count > 60, "{count} requests");
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
}

/// Replaces a capital letter that is a word of its own.
fn with_word(request: &str, word: &str, meant: &str) -> String {
    let is_letter = |text: Option<char>| text.is_some_and(|letter| letter.is_ascii_uppercase());
    let mut result = String::new();
    let mut rest = request;
    while let Some(place) = rest.find(word) {
        let (before, after) = (&rest[..place], &rest[place + 1..]);
        result += before;
        let is_alone = !is_letter(before.chars().next_back()) && !is_letter(after.chars().next());
        // In `Host`, `Type` and the like, a small letter follows.
        let is_in_a_word = after.chars().next().is_some_and(|letter| letter.is_ascii_lowercase());
        result += if is_alone && !is_in_a_word { meant } else { word };
        rest = after;
    }
    result + rest
}

#[test]
fn what_is_no_http_is_refused() {
    let ui = Ui::start(&["--request-time", "1s"]);
    let head = ui.head("check", 17, "");
    let chunked = head.replace("Content-Length: 17", "Transfer-Encoding: chunked");
    for request in [
        "\r\n\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\0\u{5}hello".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        format!("GET /{}/ HTTP/9.9\r\nHost: {}\r\n\r\n", ui.token, ui.host()),
        format!("GET /{}/\r\n", ui.token),
        head.replace("Content-Length: 17", "Content-Length: -1"),
        head.replace("Content-Length: 17", "Content-Length: 99999999999999999999"),
        head.replace("Content-Length: 17", "Content-Length: 17\r\nContent-Length: 18"),
        head.replace("Content-Length: 17", "Transfer-Encoding: gzip"),
        head.clone() + "{\"query",
        chunked.clone() + "xyz\r\n{}\r\n0\r\n\r\n",
        chunked.clone() + "-1\r\n{}\r\n0\r\n\r\n",
        chunked.clone() + "ffffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        chunked.clone() + "11\r\n{\"query\":\"mate\"}",
        chunked + &format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "x".repeat(100_000)),
    ] {
        let answer = ui.raw(request.as_bytes());
        let status = Answer::of(&answer).map(|answer| (answer.status, answer.text()));
        let is_refused = status
            .as_ref()
            .is_none_or(|(status, body)| (400..500).contains(status) && body.is_empty());
        assert!(is_refused, "{request:?}: {status:?}");
    }
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
}

#[test]
fn what_is_too_large_is_refused() {
    let ui = Ui::start(&[]);
    // Once with the length in the head, and once in chunks.
    let head = ui.head("check", 5 << 20, "");
    let body = " ".repeat(5 << 20);
    let chunked = head.replace(&format!("Content-Length: {}", 5 << 20), "Transfer-Encoding: chunked");
    let mut chunks = String::new();
    for _ in 0..80 {
        chunks += &format!("10000\r\n{}\r\n", &body[..0x10000]);
    }
    for request in [head + &body, chunked + &chunks + "0\r\n\r\n"] {
        let answer = Answer::of(&ui.raw(request.as_bytes()));
        // The refusal may be lost, depending on how much of the unread body the system has buffered.
        let status = answer.map(|answer| (answer.status, answer.text()));
        assert!(
            status.as_ref().is_none_or(|status| *status == (413, String::new())),
            "{status:?}"
        );
    }
    let host = ui.host();
    let many: String = (0..100).map(|number| format!("X-{number}: 1\r\n")).collect();
    for fields in [format!("X: {}\r\n", "x".repeat(20_000)), many] {
        let request = format!("GET /{}/ HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n", ui.token);
        let status = Answer::of(&ui.raw(request.as_bytes())).map(|answer| answer.status);
        assert!(matches!(status, None | Some(431)), "{status:?}");
    }
    let path = "a".repeat(100_000);
    let status = Answer::of(&ui.raw(format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()));
    assert!(
        status.as_ref().is_none_or(|answer| (400..500).contains(&answer.status)),
        "{status:?}"
    );
    assert_eq!(ui.ask("check", &json!({ "query": "mate" }))["ok"], true);
}

/// Sends `begin`, and then the bytes of `rest` over and over, one by one, for as long as the server reads. Returns what came back.
fn trickle(ui: &Ui, begin: &str, rest: &str) -> Vec<u8> {
    let mut stream = ui.connect();
    let mut reader = stream.try_clone().expect("a second handle");
    stream.write_all(begin.as_bytes()).expect("the server reads");
    let answer = std::thread::spawn(move || {
        let mut answer = Vec::new();
        let _ = reader.read_to_end(&mut answer);
        answer
    });
    for byte in rest.bytes().cycle() {
        if answer.is_finished() || stream.write_all(&[byte]).is_err() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    answer.join().expect("it reads")
}

#[test]
fn slow_clients_are_sent_away() {
    let ui = Ui::start(&["--request-time", "300ms"]);
    let status = |answer: Vec<u8>| Answer::of(&answer).map(|answer| (answer.status, answer.text()));
    // Nothing at all, half a head, and heads and bodies that never end.
    assert_eq!(status(trickle(&ui, "", "")), None);
    for (begin, rest) in [
        ("GET / HTTP/1.1\r\n".to_owned(), ""),
        ("GET / HTTP/1.1\r\n".to_owned(), "X: y\r\n"),
        (ui.head("check", 1000, ""), ""),
        (ui.head("check", 1_000_000, ""), " "),
    ] {
        let status = status(trickle(&ui, &begin, rest));
        assert!(matches!(&status, None | Some((408, _))), "{begin}: {status:?}");
        let body = status.map(|(_, body)| body);
        assert!(body.is_none_or(|body| body.is_empty()));
    }
    // A connection is also closed some time after its answer.
    let mut stream = ui.connect();
    let question = r#"{"query":"mate"}"#;
    stream
        .write_all((ui.head("check", question.len(), "") + question).as_bytes())
        .expect("the server reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the server closes");
}

#[test]
fn silent_connections_make_way() {
    let ui = Ui::start(&["--request-time", "1h"]);
    let question = r#"{"query":"mate"}"#;
    let head = ui.head("check", question.len(), "");
    // A connection that was admitted stays open, however long it is silent.
    let mut ours = ui.connect();
    ours.write_all((head.clone() + question).as_bytes())
        .expect("the server reads");
    let mut first = [0; 12];
    ours.read_exact(&mut first).expect("the server answers");
    assert_eq!(&first, b"HTTP/1.1 200");
    let mut silent: Vec<TcpStream> = (0..100).map(|_| ui.connect()).collect();
    let foreign = "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n";
    for stream in &mut silent[50..60] {
        stream.write_all(foreign.as_bytes()).expect("the server reads");
    }
    assert_eq!(ui.post("check", question).status, 200);
    ours.write_all((head + question).as_bytes()).expect("it is still there");
    let closing = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    ours.write_all(closing.as_bytes()).expect("it is still there");
    let mut rest = Vec::new();
    ours.read_to_end(&mut rest).expect("the server answers and closes");
    let rest = String::from_utf8_lossy(&rest);
    assert_eq!(rest.matches("HTTP/1.1 200").count(), 1, "{rest}");
    // The oldest silent connections were closed.
    assert_eq!(silent[0].read(&mut [0]).ok(), Some(0));
}
