//! Where games come from, and games that are not as they should be.

use std::io::Write;

use predicates::prelude::*;

use super::*;

fn classics() -> Vec<u8> {
    std::fs::read(CLASSICS).expect("the examples are there")
}

fn ids(path: &Path) -> String {
    stdout(&mut search(&["-e", "mate", "--format", "ids", text(path)]))
}

#[test]
fn standard_input() {
    search(&["-e", "mate", "--format", "ids", "-"])
        .write_stdin(classics())
        .assert()
        .code(0)
        .stdout(MATES);
}

#[test]
fn packed_files() {
    let folder = Folder::new();
    let zst = folder.file(
        "games.pgn.zst",
        zstd::encode_all(&classics()[..], 1).expect("packing works"),
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&classics()).expect("packing works");
    let gz = folder.file("games.pgn.gz", encoder.finish().expect("packing works"));
    assert_eq!(ids(&zst), MATES);
    assert_eq!(ids(&gz), MATES);
}

#[test]
fn a_folder_is_all_its_games_in_the_order_of_their_paths() {
    let folder = Folder::new();
    folder.file("b/more.pgn", "[White \"Third\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    folder.file(
        "a.pgn",
        "[White \"First\"]\n\n1. e4 *\n\n[White \"Second\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    folder.file("notes.txt", "no games");
    assert_eq!(ids(folder.path()), "2:4\n3:4\n");
}

#[test]
fn several_inputs_are_searched_in_the_given_order() {
    let folder = Folder::new();
    let one = folder.file("one.pgn", "[White \"?\"]\n\n1. e4 *\n");
    let command = &mut search(&["-e", "mate", "--format", "ids", "--limit", "1", text(&one), CLASSICS]);
    assert_eq!(stdout(command), "2:13\n");
}

#[test]
fn the_header_names_the_input_unless_there_is_an_argument() {
    let folder = Folder::new();
    folder.file("header.pgn", "[White \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let query = folder.file("q.cql", "cql(input header.pgn) mate");
    let mut command = search(&[text(&query), "--format", "ids"]);
    assert_eq!(stdout(command.current_dir(folder.path())), "1:4\n");
    let mut command = search(&[text(&query), "--format", "ids", CLASSICS]);
    assert_eq!(stdout(command.current_dir(folder.path())), MATES);
}

#[test]
fn an_empty_file_has_no_games() {
    let folder = Folder::new();
    let empty = folder.file("empty.pgn", "");
    search(&["-e", "mate", "--format", "count", text(&empty)])
        .assert()
        .code(1)
        .stdout("games: 0\npositions: 0\n");
}

#[test]
fn bad_games_are_warned_about_and_the_search_goes_on() {
    let folder = Folder::new();
    let path = folder.file(
        "bad.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Ke5 Qh4 *\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\
         \n[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    let warning = predicate::str::is_match(r"(?m)^warning: .*bad\.pgn:\d+: game 1: ").expect("the pattern is fine");
    let arguments = ["-e", "mate", "--format", "count", text(&path)];
    search(&arguments).assert().code(0).stderr(warning);
    search(&arguments).arg("--quiet").assert().code(0).stderr("");
}
