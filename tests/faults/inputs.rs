//! Inputs that change while they are read, and inputs that never come.

use std::io::Write;
use std::thread;
use std::time::Duration;

use super::*;

#[test]
fn an_input_that_vanishes_is_named_and_the_old_result_stays() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe.pgn");
    let second = folder.file("second.pgn", many_games(1));
    folder.file("out.pgn", "an older file");
    let arguments = [
        "search",
        "-q",
        "-e",
        "true",
        "pipe.pgn",
        "second.pgn",
        "-o",
        "out.pgn",
        "--force",
    ];
    let search = skewer(folder.path(), &arguments).spawn().expect("the command runs");
    let games = fs::File::options().write(true).open(&pipe).expect("somebody reads");
    fs::remove_file(second).expect("files can be removed");
    drop(games);
    let output = search.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("second.pgn"), "{}", said(&output));
    assert_eq!(
        fs::read(folder.path().join("out.pgn")).expect("it is there"),
        b"an older file"
    );
}

#[test]
fn an_input_that_grows_gives_whole_games() {
    let folder = Folder::new();
    let path = folder.file("games.pgn", many_games(20));
    let arguments = ["search", "-q", "-e", "initial", "games.pgn", "-o", "out.pgn"];
    let mut search = skewer(folder.path(), &arguments).spawn().expect("the command runs");
    let mut games = fs::File::options().append(true).open(path).expect("it is there");
    let more = many_games(1);
    for _ in 0..50 {
        if search.try_wait().expect("it runs").is_some() {
            break;
        }
        games.write_all(more.as_bytes()).expect("there is room");
        thread::sleep(Duration::from_millis(5));
    }
    let output = search.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(games_of(&folder) >= 20 * COUNT);
}

fn games_of(folder: &Folder) -> usize {
    games(folder.path(), "out.pgn")
}

#[test]
fn waiting_for_a_pipe_that_nobody_opens_can_be_interrupted() {
    for arguments in [
        &["search", "-e", "true", "pipe.pgn", "-o", "out.pgn"][..],
        &["index", "pipe.pgn", "-o", "db.parquet"],
    ] {
        let folder = Folder::new();
        folder.pipe("pipe.pgn");
        let mut process = skewer(folder.path(), arguments).spawn().expect("the command runs");
        wait_until_handled(&mut process);
        terminate(&process);
        let output = process.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), TERMINATED);
        if arguments[0] == "index" {
            let said = said(&output);
            assert!(said.contains("interrupted: db.parquet is not written"), "{said}");
        }
        let names = folder.files();
        assert!(!names.keys().any(|name| name.starts_with(".skewer-")), "{names:?}");
    }
}

/// The results before an interrupt do not replace older results.
#[test]
fn an_interrupted_search_leaves_the_old_result() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe.pgn");
    folder.file("out.pgn", "an older file");
    let arguments = [
        "search",
        "-e",
        "mate message(\"found\")",
        "pipe.pgn",
        "-o",
        "out.pgn",
        "--force",
    ];
    let mut process = skewer(folder.path(), &arguments).spawn().expect("the command runs");
    let mut games = fs::File::options().write(true).open(&pipe).expect("somebody reads");
    let feeder = thread::spawn(move || {
        let more = many_games(1);
        while games.write_all(more.as_bytes()).is_ok() {}
    });
    let mut errors = std::io::BufReader::new(process.stderr.take().expect("it is piped"));
    let mut text = String::new();
    std::io::BufRead::read_line(&mut errors, &mut text).expect("it prints messages");
    terminate(&process);
    std::io::Read::read_to_string(&mut errors, &mut text).expect("it prints text");
    assert_eq!(process.wait().expect("it ends").code(), TERMINATED);
    feeder.join().expect("it has ended");
    assert!(text.contains("to out.partial.pgn; out.pgn is as it was"), "{text}");
    assert_eq!(
        fs::read(folder.path().join("out.pgn")).expect("it is there"),
        b"an older file"
    );
    assert!(super::games(folder.path(), "out.partial.pgn") > 0);
}
