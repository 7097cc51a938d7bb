//! Where output goes.

use std::io::Read;
use std::process::{self, Stdio};

use super::*;

#[test]
fn a_file_is_written_and_standard_output_stays_empty() {
    let folder = Folder::new();
    let path = folder.path().join("out.txt");
    search(&["-e", "mate", "--format", "ids", CLASSICS, "-o", text(&path)])
        .assert()
        .code(0)
        .stdout("");
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), MATES);
    assert_eq!(folder.names(), ["out.txt"]);
}

#[test]
fn a_file_is_empty_when_nothing_matches() {
    let folder = Folder::new();
    let path = folder.file("out.pgn", "old");
    search(&["-e", "stalemate", CLASSICS, "-o", text(&path)])
        .assert()
        .code(1);
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), "");
}

#[test]
fn a_failed_run_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.file("out.pgn", "old");
    // The name of the file to write has the wrong extension, which shows in game 5 only.
    let query = "mate gamenumber==5 writefile(\"report.doc\" \"x\")";
    search(&["-e", query, CLASSICS, "-o", text(&path)]).assert().code(2);
    search(&["-e", "mate", "missing.pgn", "-o", text(&path)])
        .assert()
        .code(2);
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), "old");
    assert_eq!(folder.names(), ["out.pgn"]);
}

#[test]
fn an_input_may_be_its_own_output() {
    let folder = Folder::new();
    let path = folder.file("games.pgn", std::fs::read(CLASSICS).expect("the examples are there"));
    search(&["-e", "mate", text(&path), "-o", text(&path)]).assert().code(0);
    search(&["-e", "mate", "--format", "count", text(&path)])
        .assert()
        .stdout("games: 8\npositions: 8\n");
}

#[test]
fn the_header_names_the_output_unless_there_is_an_argument() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql(output found.pgn) mate");
    let in_folder = |arguments: &[&str]| {
        let mut command = search(&[text(&query), CLASSICS, "--format", "ids"]);
        stdout(command.args(arguments).current_dir(folder.path()))
    };
    assert_eq!(in_folder(&[]), "");
    assert_eq!(folder.names(), ["found.pgn", "q.cql"]);
    assert_eq!(in_folder(&["-o", "-"]), MATES);
}

#[test]
fn a_file_in_a_missing_folder_is_an_error() {
    let folder = Folder::new();
    let path = folder.path().join("missing/out.pgn");
    search(&["-e", "mate", CLASSICS, "-o", text(&path)]).assert().code(2);
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_run_quietly() {
    let folder = Folder::new();
    let games = std::fs::read_to_string(CLASSICS).expect("the examples are there") + "\n";
    let many = folder.file("many.pgn", games.repeat(100));
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
        .args(["search", "-e", "mate", text(&many)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut pipe = child.stdout.take().expect("it is piped");
    pipe.read_exact(&mut [0; 100]).expect("games are printed");
    drop(pipe);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0), "something had matched");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
