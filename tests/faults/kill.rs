//! SIGKILL at any moment: each file is either the old or the new one, and the next run removes what is left over.

use std::env;
use std::thread;
use std::time::Instant;

use super::*;

/// How often each command is killed, unless `FAULT_KILLS` is set.
const KILLS: usize = 8;

fn kills() -> usize {
    env::var("FAULT_KILLS").map_or(KILLS, |kills| kills.parse().expect("a number"))
}

/// Kills a command at random moments. `prepare` makes the files that it works on.
fn kill(seed: u64, prepare: impl Fn(&Folder), arguments: &[&str]) {
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = Folder::new();
    prepare(&folder);
    let before = folder.files();
    let began = Instant::now();
    let output = run(folder.path(), arguments);
    let duration = began.elapsed();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", said(&output));
    let after = folder.files();
    assert_ne!(before, after, "the command writes something");
    for _ in 0..kills() {
        let folder = Folder::new();
        prepare(&folder);
        let mut process = skewer(folder.path(), arguments).spawn().expect("the command runs");
        thread::sleep(duration.mul_f64(random.f64() * 1.1));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        for (name, content) in folder.files() {
            let file = name.rsplit('/').next().unwrap_or_default();
            let is_left = file.starts_with(".skewer-") && file.ends_with(".tmp");
            let is_whole = [before.get(&name), after.get(&name)].contains(&Some(&content));
            assert!(is_left || is_whole, "{name} is half written, {} bytes", content.len());
        }
        for name in before.keys() {
            assert!(folder.path().join(name).exists(), "{name} is gone");
        }
    }
    // One more run: it finds half-written files without a lock, and removes them.
    let folder = Folder::new();
    prepare(&folder);
    for name in after.keys().filter(|name| before.get(*name) != after.get(*name)) {
        let path = folder.path().join(name);
        let file = path
            .file_name()
            .expect("files have names")
            .to_string_lossy()
            .into_owned();
        folder.file(
            path.with_file_name(format!(".skewer-{file}.tmp"))
                .to_str()
                .expect("UTF-8"),
            "half",
        );
    }
    let output = run(folder.path(), arguments);
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", said(&output));
    assert_eq!(
        folder.files().keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
}

fn with_games(folder: &Folder) {
    folder.file("games.pgn", many_games(15));
}

/// Adds a database that was made by skewer.
fn with_database(folder: &Folder) {
    with_games(folder);
    let made = run(folder.path(), &["index", "-q", CLASSICS, "-o", "db.parquet"]);
    assert!(made.status.success(), "{}", said(&made));
}

#[test]
fn an_index_is_made_whole() {
    kill(1, with_games, &["index", "-q", "games.pgn", "-o", "db.parquet"]);
}

#[test]
fn an_index_is_replaced_by_a_whole_one() {
    kill(
        2,
        with_database,
        &["index", "-q", "games.pgn", "-o", "db.parquet", "--force"],
    );
}

#[test]
fn appending_keeps_the_old_games() {
    kill(
        3,
        with_database,
        &["index", "-q", "games.pgn", "-o", "db.parquet", "--append"],
    );
}

#[test]
fn a_result_is_replaced_by_a_whole_one() {
    let prepare = |folder: &Folder| {
        with_games(folder);
        folder.file("found.pgn", "an older file");
    };
    let arguments = ["search", "-q", "-e", "mate", "games.pgn", "-o", "found.pgn", "--force"];
    kill(4, prepare, &arguments);
}

#[test]
fn each_of_many_results_is_whole() {
    let prepare = |folder: &Folder| {
        with_games(folder);
        for number in 2..10 {
            folder.file(&format!("queries/q{number}.cql"), format!("cql() #A=={number}"));
            folder.file(&format!("results/q{number}.csv"), "an older file");
        }
    };
    let arguments = [
        "search",
        "-q",
        "queries",
        "games.pgn",
        "--out-dir",
        "results",
        "-f",
        "csv",
        "--force",
    ];
    kill(5, prepare, &arguments);
}

#[test]
fn what_a_query_writes_is_whole() {
    let prepare = |folder: &Folder| {
        with_games(folder);
        folder.file("boards.cqo", "an older file");
    };
    let query = r#"mate writefile ("boards.cqo" str (fen \n))"#;
    let arguments = [
        "search",
        "-q",
        "-f",
        "count",
        "-e",
        query,
        "games.pgn",
        "--allow-files",
        ".",
        "--force",
    ];
    kill(9, prepare, &arguments);
}

#[test]
fn each_query_is_formatted_or_not() {
    let prepare = |folder: &Folder| {
        for number in 0..60 {
            folder.file(&format!("q{number}.cql"), format!("cql()    mate\n\n\n  #A=={number}"));
        }
    };
    kill(6, prepare, &["fmt", "."]);
}

#[test]
fn each_query_is_blessed_or_not() {
    let prepare = |folder: &Folder| {
        with_games(folder);
        for number in 0..30 {
            let query = format!("//? count \"games.pgn\"\ncql() mate #A=={number}\n");
            folder.file(&format!("q{number}.cql"), query);
        }
    };
    kill(7, prepare, &["test", "-q", "--bless", "."]);
}

#[test]
fn an_index_of_queries_is_whole() {
    let prepare = |folder: &Folder| {
        for number in 0..60 {
            let query = format!(
                "// Finds {number}.\n//? match pgn \"1. e4\"\ncql() ply>={}\n",
                number % 2
            );
            folder.file(&format!("queries/q{number}.cql"), query);
        }
        folder.file("index.html", "an older file");
    };
    kill(8, prepare, &["library", "queries", "-o", "index.html", "--force"]);
}
