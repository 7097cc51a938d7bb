//! The front end, the command line, and how the server ends.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::read::GzDecoder;
use serde_json::json;

use super::CLASSICS;
use super::client::Ui;
use crate::signals;

/// The fields of every answer that limit what a page may do.
const FIELDS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[test]
fn pages_may_load_their_own_files_alone() {
    let ui = Ui::start(&[]);
    let (page, question) = (ui.get("", ""), ui.post("check", r#"{"query":"mate"}"#));
    let (missing, refused) = (ui.get("missing.js", ""), ui.post("check", "{"));
    assert_eq!(
        [page.status, question.status, missing.status, refused.status],
        [200, 200, 404, 400]
    );
    for answer in [page, question, missing, refused] {
        for (name, value) in FIELDS {
            assert_eq!(answer.field(name), Some(*value), "{name}");
        }
        let policy = answer.field("content-security-policy").expect("a policy");
        let policy: Vec<&str> = policy.split("; ").collect();
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'self'",
        ] {
            assert!(policy.contains(&rule), "{rule} in {policy:?}");
        }
        let is_strict = policy
            .iter()
            .all(|rule| !rule.contains("unsafe") && !rule.contains('*') && !rule.contains("http"));
        assert!(is_strict, "{policy:?}");
    }
}

#[test]
fn the_front_end_is_served_or_its_absence_explained() {
    let ui = Ui::start(&[]);
    let page = ui.get("", "");
    assert_eq!(page.field("content-type"), Some("text/html; charset=utf-8"));
    let text = page.text();
    if text.contains("npm --prefix web ci") {
        assert!(!text.contains("<script") && !text.contains("style"), "{text}");
        eprintln!("skipped: this skewer was built without its pages");
        return;
    }
    let packed = ui.get("", "Accept-Encoding: br, gzip\r\n");
    assert_eq!(packed.field("content-encoding"), Some("gzip"));
    let mut unpacked = String::new();
    GzDecoder::new(&packed.body[..])
        .read_to_string(&mut unpacked)
        .expect("it is packed");
    assert_eq!((unpacked, page.field("content-encoding")), (text.clone(), None));
    assert_eq!(ui.get("index.html", "").text(), text);
    assert_eq!(ui.get("playground/index.html", "").status, 404);
    let head = ui.request(&format!(
        "HEAD /{}/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        ui.token,
        ui.host()
    ));
    assert_eq!((head.status, head.text()), (200, String::new()));
}

#[test]
fn the_browser_names_this_machine_in_two_ways() {
    let ui = Ui::start(&[]);
    let name = format!("localhost:{}", ui.port);
    let question = r#"{"query":"mate"}"#;
    let head = ui.head(
        "check",
        question.len(),
        &format!("Connection: close\r\nOrigin: http://{name}\r\n"),
    );
    let answer = ui.request(&(head.replace(&ui.host(), &name) + question));
    assert_eq!(answer.json(), json!({ "ok": true, "diagnostics": [] }));
}

#[test]
fn a_connection_takes_many_questions() {
    let ui = Ui::start(&[]);
    let question = r#"{"query":"mate"}"#;
    let first = ui.head("check", question.len(), "") + question;
    let last = ui.head("check", question.len(), "Connection: close\r\n") + question;
    let mut stream = ui.connect();
    stream
        .write_all([first.repeat(3), last].concat().as_bytes())
        .expect("the server reads");
    let mut answers = String::new();
    stream
        .read_to_string(&mut answers)
        .expect("the server answers and closes");
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 4, "{answers}");
    assert_eq!(
        answers.matches(r#"{"ok":true,"diagnostics":[]}"#).count(),
        4,
        "{answers}"
    );
}

#[test]
fn a_signal_ends_it() {
    let mut ui = Ui::start(&[CLASSICS]);
    ui.ask("check", &json!({ "query": "mate" }));
    signals::terminate(&ui.child);
    assert_eq!(ui.child.wait().expect("it ends").code(), Some(0));
}

/// Returns the message of the command when it cannot serve.
fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .arg("ui")
        .args(arguments)
        .output();
    let output = output.expect("the command runs");
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(2), 0),
        "{arguments:?}"
    );
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn what_cannot_be_served_is_said() {
    let missing = refused(&["missing.pgn"]);
    assert!(missing.contains("missing.pgn"), "{missing}");
    let stdin = refused(&["-"]);
    assert!(stdin.contains("can be read once only"), "{stdin}");
    let ui = Ui::start(&[]);
    let taken = refused(&["--port", &ui.port.to_string()]);
    assert!(
        taken.contains("cannot listen to port") && taken.contains("without --port"),
        "{taken}"
    );
    assert!(refused(&["--port", "65536"]).contains("65536"));
}

#[test]
fn it_prints_one_line_and_says_the_rest_beside() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["ui", CLASSICS])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    signals::wait_until_handled(&mut child);
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("it is piped");
    let mut byte = [0];
    // The last words of its message.
    while !said.ends_with("Ctrl-C ends it\n") {
        assert_eq!(errors.read(&mut byte).expect("it says something"), 1, "{said}");
        said.push(char::from(byte[0]));
    }
    let is_built_in = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("web/dist/index.html")
        .exists();
    // The front end may have been built after the program.
    assert!(
        is_built_in || said.contains("npm --prefix web ci && npm --prefix web run build:ui"),
        "{said}"
    );
    signals::terminate(&child);
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(
        printed.starts_with("http://127.0.0.1:") && printed.ends_with("/\n"),
        "{printed}"
    );
    assert_eq!(printed.lines().count(), 1);
}
