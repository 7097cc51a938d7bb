//! Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::Duration;

use predicates::prelude::*;

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

/// A query that prints more than anybody reads, so that a search with it waits in the middle of its work.
const TALKATIVE: &str = "message(\"0123456789abcdefghijklmnopqrstuvwxyz\") check";

/// Interrupts a command of which nobody reads what it says, once it has to wait for that, until it
/// ends. What is in the folder then.
fn interrupted_again(arguments: &[&str], folder: &Folder) -> Vec<String> {
    let mut child = endless(arguments);
    let mut errors = child.stderr.take().expect("it is piped");
    errors.read_exact(&mut [0]).expect("messages are printed");
    // What is not read soon fills the pipe.
    thread::sleep(Duration::from_secs(1));
    let code = interrupted_until_it_ends(&mut child);
    assert_eq!(code, Some(130));
    folder.names()
}

/// Moves that are tried after moves that are tried, some billions of them from the start of a game.
const NESTED: &str = "legal --(legal --(legal --(legal --(legal --(legal --(legal --(false)))))))";

/// Signals that come at once count as one, so there is some time between them.
fn interrupted_until_it_ends(child: &mut Child) -> Option<i32> {
    loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status.code();
        }
        interrupt(child);
        thread::sleep(Duration::from_millis(50));
    }
}

/// A pipe with a name that nobody writes to.
fn pipe(folder: &Folder) -> PathBuf {
    let path = folder.path().join("games.pgn");
    let made = process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("there is a `mkfifo`").success());
    path
}

#[test]
fn nobody_has_to_write_to_a_pipe_for_a_search_to_end() {
    let folder = Folder::new();
    let pipe = pipe(&folder);
    for threads in ["1", "3"] {
        let search = ["search", "-e", "mate", text(&pipe), "--threads", threads, "-f", "count"];
        skewer()
            .args([&search[..], &["--timeout", "100ms"]].concat())
            .assert()
            .code(124)
            .stdout("games: 0\npositions: 0\n")
            .stderr("out of time: what was found in the first 0 games is written\n");
        let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
            .args(search)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        // Before it listens to them, a signal ends it as any other program.
        thread::sleep(Duration::from_millis(500));
        let code = interrupted_until_it_ends(&mut child);
        assert!(code == Some(130) || code.is_none(), "{code:?}");
    }
}

#[test]
fn what_is_written_out_of_time_is_complete() {
    let folder = Folder::new();
    let path = folder.path().join("found.html");
    let search = [
        "search",
        "-e",
        "loop true",
        CLASSICS,
        "--timeout",
        "50ms",
        "-o",
        text(&path),
    ];
    let rounds = u64::MAX.to_string();
    skewer()
        .args([&search[..], &["--max-rounds", &rounds]].concat())
        .assert()
        .code(124);
    assert_eq!(folder.names(), ["found.html"]);
    let page = std::fs::read_to_string(&path).expect("the output is written");
    assert!(page.trim_end().ends_with("</html>"), "{page}");
}

#[test]
fn moves_that_are_tried_end_with_the_time() {
    for threads in ["1", "3"] {
        // A `false` behind it would be known before any move is tried.
        let query = format!("ply<3 or {{{NESTED} x=1 x==2}}");
        let rounds = u64::MAX.to_string();
        let search = ["search", "-e", &query, CLASSICS, "-f", "ids", "--threads", threads];
        let output = skewer()
            .args([&search[..], &["--timeout", "300ms", "--max-rounds", &rounds]].concat())
            .assert()
            .code(124)
            .stderr(predicate::str::contains("out of time"));
        let found = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert!("1:0\n1:1\n1:2\n".starts_with(&found), "{found}");
    }
}

#[test]
fn a_query_that_takes_too_much_memory_is_told_where() {
    let query = "ss=\"0123456789abcdef\" nn=0 while (nn<20) {nn+=1 ss+=ss} settag(\"T\" ss)";
    skewer()
        .args(["search", "-e", query, CLASSICS, "--max-memory", "4M"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("takes too much memory").and(predicate::str::contains("`--max-memory`")))
        .stderr(predicate::str::contains("ss+=ss"));
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path().join("found.pgn");
    let left = interrupted_again(&["search", "-e", TALKATIVE, "-", "-o", text(&path)], &folder);
    assert_eq!(left, Vec::<String>::new());
}

/// The outputs of many queries are opened one after the other: there is time for interrupts between the first and the last.
#[test]
fn a_second_interrupt_leaves_nothing_of_many_outputs() {
    let queries = Folder::new();
    for number in 0..40 {
        queries.file(&format!("{number}.cql"), format!("cql() {TALKATIVE}"));
    }
    let folder = Folder::new();
    let arguments = ["search", text(queries.path()), "-", "--out-dir", text(folder.path())];
    let left = interrupted_again(&arguments, &folder);
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_game_that_takes_long_is_left_early() {
    for threads in ["1", "3"] {
        for slow in [
            "x=0 while (x>=0) x+=1",
            "x=0 find 5 {x+=1 loop x+=1}",
            "s1∊. s2∊. s3∊. s4∊. s5∊. s6∊. s7∊. {x=1 false}",
            "x=0 path ((-- x+=1)? (-- x+=1)?)*",
            NESTED,
            "move legal all:{pass(move legal count:{legal --(legal --(legal --(false)))} >= 0)}",
        ] {
            let folder = Folder::new();
            let path = folder.path().join("found.txt");
            let query = format!("ply<3 or {{{slow} false}}");
            let rounds = u64::MAX.to_string();
            let arguments = ["search", "-e", &query, "-", "--format", "ids", "--threads", threads];
            let more = ["--max-rounds", &rounds, "-o", text(&path)];
            let mut child = endless(&[&arguments[..], &more].concat());
            while folder.names().is_empty() {
                thread::yield_now();
            }
            interrupt(&child);
            assert_eq!(child.wait().expect("it ends").code(), Some(130), "{slow}");
            let found = std::fs::read_to_string(&path).expect("the output is written");
            assert!("1:0\n1:1\n1:2\n".starts_with(&found), "{found}");
        }
    }
}
