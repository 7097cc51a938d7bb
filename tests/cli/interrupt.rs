//! Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{self, Child, Stdio};
use std::thread;

use super::*;

/// A search of games that never end, on standard input.
fn endless(arguments: &[&str]) -> Child {
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the command runs");
    let mut pipe = child.stdin.take().expect("it is piped");
    let games = std::fs::read(CLASSICS).expect("the examples are there");
    thread::spawn(move || while pipe.write_all(&games).and_then(|()| pipe.write_all(b"\n\n")).is_ok() {});
    child
}

fn interrupt(child: &Child) {
    let sent = process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("there is a `kill`").success());
}

/// Interrupts a search when it has printed its first message; what it says then, and how many games its output has.
fn interrupted(query: &str, threads: &str) -> (String, usize) {
    let folder = Folder::new();
    let path = folder.path().join("found.pgn");
    let mut child = endless(&["search", "-e", query, "-", "--threads", threads, "-o", text(&path)]);
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut first = String::new();
    errors.read_line(&mut first).expect("messages are printed");
    assert!(first.starts_with("Game: 1 "), "{first}");
    interrupt(&child);
    let rest: String = errors.lines().map_while(Result::ok).map(|line| line + "\n").collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(folder.names(), ["found.pgn"]);
    let found = std::fs::read_to_string(&path).expect("the output is written");
    (rest, found.matches("[Event ").count())
}

#[test]
fn what_was_found_is_written_and_the_rest_left() {
    for threads in ["1", "3"] {
        for query in ["mate message(\"found\")", "sort \"plies\" ply mate message(\"found\")"] {
            let (said, games) = interrupted(query, threads);
            assert!(said.contains("interrupted: what was found in the first "), "{said}");
            // Each matching game has one message; the first of them was read apart.
            let messages = said.lines().filter(|line| line.starts_with("Game: ")).count() + 1;
            assert_eq!(games, messages, "{query} on {threads} threads");
        }
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path().join("found.pgn");
    // Every position keeps the command busy for a while.
    let query = "x=0 while (x<9000000) x+=1";
    let mut child = endless(&["search", "-e", query, "-", "-o", text(&path)]);
    // The output is opened when the search is about to begin.
    while folder.names().is_empty() {
        thread::yield_now();
    }
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    interrupt(&child);
    errors.read_line(&mut line).expect("it says so");
    assert!(line.starts_with("interrupted: finishing"), "{line}");
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(folder.names().is_empty());
}
