//! Mistakes that newcomers make on the command line.
//!
//! `mistakes/messages.txt` lists commands and what they print. The messages say what was wrong and where, what was expected, and what to do.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;

use super::*;
use crate::recorded::recorded;

/// Returns the queries of the commands: the arguments of `-e` and the contents of files.
pub(super) fn queries() -> Vec<String> {
    let recorded = fs::read_to_string(file()).expect("it is there");
    let commands = recorded.lines().filter_map(|line| line.strip_prefix("$ "));
    let quoted = commands.filter_map(|command| command.split_once(" -e \'")?.1.split('\'').next().map(str::to_owned));
    let folder = folder();
    let files = fs::read_dir(folder.path()).expect("it is there");
    let paths = files.map(|entry| entry.expect("it can be read").path());
    let texts = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "cql"))
        .map(|path| fs::read_to_string(path).expect("it is a text"));
    quoted.chain(texts).collect()
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/mistakes/messages.txt")
}

/// Returns a folder with the files that the commands use.
fn folder() -> Folder {
    let folder = Folder::new();
    let classics = fs::read_to_string(CLASSICS).expect("it is there");
    folder.file("games.pgn", &classics);
    folder.file("mate.cql", "cql(input games.pgn)\nmate\n");
    folder.file("typo.cql", "cql(input games.pgn)\nbtm\nchekc\n");
    folder.file("no-header.cql", "mate\n");
    folder.file("missing-input.cql", "cql(input lost.pgn)\nmate\n");
    folder.file("empty.cql", "");
    folder.file("empty.pgn", "");
    folder.file("notes.txt", "Some notes about chess.\n");
    folder.file("notes.pgn", "Some notes about chess.\n");
    folder.file("queries/good.cql", "cql()\nmate\n");
    folder.file("queries/bad.cql", "cql()\nmate and\n");
    folder.file("none/readme.md", "no queries, no games\n");
    folder.file("example.cql", "//? match \"8/8/8/8/8/8/8/K6k w\"\ncql()\nmate\n");
    folder.file("example-typo.cql", "//? mach \"8/8/8/8/8/8/8/K6k w\"\ncql()\nmate\n");
    folder.file("fen.cql", "//? match \"8/8/8/8/8/8/8/K6K w\"\ncql()\nmate\n");
    folder
}

/// Runs a command and returns what it prints, with its exit code.
fn printed(command: &str, folder: &Folder) -> String {
    let skewer = assert_cmd::cargo::cargo_bin("skewer");
    let programs = skewer.parent().expect("it is in a folder");
    let others = env::var("PATH").unwrap_or_default();
    let output = process::Command::new("sh")
        .args(["-c", &format!("{command} </dev/null 2>&1")])
        .env("PATH", format!("{}:{others}", programs.display()))
        .env_remove("NO_COLOR")
        .env_remove("TERM")
        .env("COLUMNS", "100")
        .current_dir(folder.path())
        .output()
        .expect("the shell runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("$ {command}\n{text}[{}]\n\n", output.status.code().unwrap_or_default())
}

#[test]
fn mistakes_are_explained() {
    let file = file();
    let before = fs::read_to_string(&file).expect("it is there");
    let (introduction, _) = before.split_once("\n$ ").expect("commands");
    let folder = folder();
    let commands: Vec<&str> = before.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(commands.len() >= 100, "{} commands", commands.len());
    let printed: String = commands.iter().map(|command| printed(command, &folder)).collect();
    let today = format!("{introduction}\n{}\n", printed.trim_end());
    let recorded = recorded(&file, &today);
    for (today, recorded) in today.split("\n$ ").zip(recorded.split("\n$ ")) {
        assert_eq!(today.trim(), recorded.trim());
    }
    assert_eq!(today, recorded);
}
