//! Ctrl-C and other signals.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::Duration;

use predicates::prelude::*;
use rustix::io::ioctl_fionread;

use super::*;
use crate::signals::{self, TERMINATED, is_ignored, terminate, wait_until_handled};

/// Starts a search of endless games on standard input.
fn endless(arguments: &[&str]) -> Child {
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the command runs");
    feed_endlessly(&mut child);
    child
}

/// Writes games to a process as long as it reads them. They are short, so a window full of them takes little time.
fn feed_endlessly(child: &mut Child) {
    let mut pipe = child.stdin.take().expect("it is piped");
    let games = "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(1000);
    thread::spawn(move || while pipe.write_all(games.as_bytes()).is_ok() {});
}

/// Reads up to the end of the first message of a search.
fn first_message(errors: &mut impl BufRead) {
    let mut first = String::new();
    errors.read_line(&mut first).expect("messages are printed");
    assert!(first.starts_with("Game: 1 "), "{first}");
}

/// Interrupts a search after its first message. Returns what it prints afterwards and how many games its output has.
fn interrupted(query: &str, threads: &str) -> (String, usize) {
    let folder = Folder::new();
    let path = folder.path().join("found.pgn");
    let mut child = endless(&["search", "-e", query, "-", "--threads", threads, "-o", text(&path)]);
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    first_message(&mut errors);
    terminate(&child);
    let rest: String = errors.lines().map_while(Result::ok).map(|line| line + "\n").collect();
    assert_eq!(child.wait().expect("it ends").code(), TERMINATED);
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
            // Each matching game has one message. The first message was read before.
            let messages = said.lines().filter(|line| line.starts_with("Game: ")).count() + 1;
            // Sorted results get a quarter of a second to be written, which may not be enough on a busy machine.
            let is_cut = said.contains("without its end");
            assert!(
                games == messages || is_cut && games < messages,
                "{query} on {threads} threads: {games}"
            );
        }
    }
}

/// A query that prints so much that a search blocks when nobody reads its messages.
const TALKATIVE: &str = "message(\"0123456789abcdefghijklmnopqrstuvwxyz\") check";

/// Interrupts a command until it ends, and asserts that it leaves no output. Nobody reads its messages, so the first interrupt
/// comes when it is blocked. On a busy machine the command may still end after the first interrupt; then this tries again.
fn assert_second_interrupt_leaves_nothing(arguments: impl Fn(&Folder) -> Vec<String>) {
    for _ in 0..20 {
        let folder = Folder::new();
        let arguments = arguments(&folder);
        let mut child = endless(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let mut errors = child.stderr.take().expect("it is piped");
        errors.read_exact(&mut [0]).expect("messages are printed");
        // Unread messages fill the pipe, which holds 64 kB on Linux. Where it holds less, it is full when its content stays the same for a while.
        let waiting = || ioctl_fionread(&errors).expect("pipes know how much they have");
        let (mut before, mut unchanged) = (0, 0);
        while before < 60_000 && unchanged < 40 {
            unchanged = if before == waiting() { unchanged + 1 } else { 0 };
            before = waiting();
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(interrupted_until_it_ends(&mut child), TERMINATED);
        let left = folder.names();
        if left.is_empty() {
            return;
        }
        assert!(!left.iter().any(|name| name.starts_with(".skewer-")), "{left:?}");
    }
    panic!("the second interrupt never came in time");
}

/// Nested lookahead: some billions of moves from the start of a game.
const NESTED: &str = "legal --(legal --(legal --(legal --(legal --(legal --(legal --(false)))))))";

/// Sends interrupts until the process ends, and returns its exit code. Signals that arrive together count as one, so there are pauses.
fn interrupted_until_it_ends(child: &mut Child) -> Option<i32> {
    loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status.code();
        }
        terminate(child);
        thread::sleep(Duration::from_millis(50));
    }
}

/// Makes a named pipe that nobody writes to.
fn pipe(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let made = process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("there is a `mkfifo`").success());
    path
}

#[test]
fn nobody_has_to_write_to_a_pipe_for_a_search_to_end() {
    let folder = Folder::new();
    let pipe = pipe(&folder, "games.pgn");
    for threads in ["1", "3"] {
        let search = ["search", "-e", "mate", text(&pipe), "--threads", threads, "-f", "count"];
        skewer()
            .args([&search[..], &["--timeout", "100ms"]].concat())
            .assert()
            .code(124)
            .stdout("games: 0\npositions: 0\n")
            .stderr("out of time: no game was searched to its end\n");
        let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
            .args(search)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        wait_until_handled(&mut child);
        assert_eq!(interrupted_until_it_ends(&mut child), TERMINATED);
    }
}

/// Opening a pipe blocks while nobody has opened its other end: here for results, a report and queries.
#[test]
fn nobody_has_to_be_at_the_other_end_of_a_pipe_for_a_command_to_end() {
    let folder = Folder::new();
    let (pipe, database) = (pipe(&folder, "games.pgn"), pipe(&folder, "games.parquet"));
    let pipe = text(&pipe);
    let query = folder.file("q.cql", "//? match fen \"8/8/8/8/8/8/8/KR5k b - - 0 1\"\ncql() check");
    let search = ["search", "-e", "mate", CLASSICS, "-o", pipe, "--force"];
    let report = ["test", text(&query), "--junit", pipe, "--force"];
    let test = ["test", pipe];
    for timed in [&search[..], &test] {
        let run = skewer().args([timed, &["--timeout", "100ms"]].concat()).assert();
        run.code(124).stderr(predicate::str::contains("out of time"));
    }
    for command in [
        &search[..],
        &report,
        &test,
        &["fmt", "--check", pipe],
        &["index", CLASSICS, "-o", text(&database), "--force"],
    ] {
        let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
            .args(command)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        wait_until_handled(&mut child);
        terminate(&child);
        let ended = (0..1200).find_map(|_| {
            thread::sleep(Duration::from_millis(50));
            child.try_wait().expect("it can be asked")
        });
        child.kill().expect("it can be killed");
        assert_eq!(ended.and_then(|status| status.code()), TERMINATED, "{command:?}");
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
        // With `false` instead, the filter would be decided before any move is tried.
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
    assert_second_interrupt_leaves_nothing(|folder| {
        let path = folder.path().join("found.pgn");
        ["search", "-e", TALKATIVE, "-", "-o", text(&path)]
            .map(str::to_owned)
            .to_vec()
    });
}

/// Many outputs are opened one after the other, so interrupts can come between the first and the last.
#[test]
fn a_second_interrupt_leaves_nothing_of_many_outputs() {
    let queries = Folder::new();
    for number in 0..40 {
        queries.file(&format!("{number}.cql"), format!("cql() {TALKATIVE}"));
    }
    assert_second_interrupt_leaves_nothing(|folder| {
        ["search", text(queries.path()), "-", "--out-dir", text(folder.path())]
            .map(str::to_owned)
            .to_vec()
    });
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
                assert!(child.try_wait().expect("it can be asked").is_none(), "{slow}");
                thread::yield_now();
            }
            terminate(&child);
            assert_eq!(child.wait().expect("it ends").code(), TERMINATED, "{slow}");
            let found = std::fs::read_to_string(&path).expect("the output is written");
            // On a busy machine some games may have been finished before.
            let in_order = (1..).flat_map(|game| (0..3).map(move |position| format!("{game}:{position}\n")));
            let expected: String = in_order.take(found.lines().count()).collect();
            assert_eq!(found, expected, "{slow}");
        }
    }
}

/// Starts a search of standard input through a shell script, where `"$@"` is the search. Returns the shell, its standard error and
/// the process id that the script prints.
fn by_shell(script: &str, output: &Path) -> (Child, BufReader<process::ChildStderr>, u32) {
    let skewer = assert_cmd::cargo::cargo_bin!("skewer");
    let mut child = process::Command::new("sh")
        .args(["-c", script, "sh", text(skewer)])
        .args(["search", "-e", "mate message(\"found\")", "-", "-o", text(output)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut number = String::new();
    let printed = child.stdout.take().expect("it is piped");
    BufReader::new(printed)
        .read_line(&mut number)
        .expect("the number is printed");
    let errors = BufReader::new(child.stderr.take().expect("it is piped"));
    (child, errors, number.trim().parse().expect("a number"))
}

#[test]
fn the_exit_code_tells_the_signal() {
    for (name, number) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
        if is_ignored(name) {
            eprintln!("skipped: whoever runs the tests has them ignore SIG{name}");
            continue;
        }
        let folder = Folder::new();
        let path = folder.path().join("found.pgn");
        let (mut child, mut errors, process) = by_shell("echo $$; exec \"$@\"", &path);
        feed_endlessly(&mut child);
        first_message(&mut errors);
        signals::send(process, name);
        errors.read_to_string(&mut String::new()).expect("messages are printed");
        assert_eq!(child.wait().expect("it ends").code(), Some(128 + number), "{name}");
        assert_eq!(folder.names(), ["found.pgn"], "{name}");
    }
}

/// If the first signal were not ignored, the second one would end the search at once and leave no output.
#[test]
fn signals_that_came_ignored_stay_ignored() {
    for (script, name) in [
        ("echo $$; exec nohup \"$@\"", "HUP"),
        ("trap '' HUP; echo $$; exec \"$@\"", "HUP"),
        ("trap '' HUP INT; echo $$; exec \"$@\"", "INT"),
        ("exec 3<&0; \"$@\" <&3 & echo $!; wait $!", "INT"),
    ] {
        let folder = Folder::new();
        let path = folder.path().join("found.pgn");
        let (mut child, mut errors, process) = by_shell(script, &path);
        feed_endlessly(&mut child);
        first_message(&mut errors);
        signals::send(process, name);
        signals::send(process, "TERM");
        let mut said = String::new();
        errors.read_to_string(&mut said).expect("messages are printed");
        assert!(
            said.contains("interrupted: what was found in the first "),
            "{script}: {said}"
        );
        assert_eq!(child.wait().expect("it ends").code(), TERMINATED, "{script}");
        assert_eq!(folder.names(), ["found.pgn"], "{script}");
    }
}

#[test]
fn a_search_that_ignores_all_signals_comes_to_its_end() {
    let folder = Folder::new();
    let path = folder.path().join("found.pgn");
    let (mut child, mut errors, process) = by_shell("trap '' HUP INT TERM; echo $$; exec \"$@\"", &path);
    let mut games = child.stdin.take().expect("it is piped");
    let classics = std::fs::read(CLASSICS).expect("the examples are there");
    games.write_all(&classics).expect("it reads");
    games.write_all(b"\n\n").expect("it reads");
    for name in ["HUP", "INT", "TERM", "TERM"] {
        signals::send(process, name);
    }
    games.write_all(&classics).expect("it reads");
    drop(games);
    let mut said = String::new();
    errors.read_to_string(&mut said).expect("messages are printed");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
    assert_eq!(said.matches("found").count(), 2 * MATES.lines().count(), "{said}");
}
