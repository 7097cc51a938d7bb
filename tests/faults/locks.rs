//! Several simultaneous runs that write the same file.

use std::thread;

use super::*;

#[test]
fn all_that_is_appended_at_once_is_there() {
    let folder = Folder::new();
    run(folder.path(), &["index", "-q", CLASSICS, "-o", "db.parquet"]);
    let arguments = ["index", "-q", CLASSICS, "-o", "db.parquet", "--append"];
    let processes: Vec<_> = (0..4)
        .map(|_| skewer(folder.path(), &arguments).spawn().expect("the command runs"))
        .collect();
    for process in processes {
        let output = process.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", said(&output));
    }
    assert_eq!(games(folder.path(), "db.parquet"), 5 * COUNT);
    assert_eq!(folder.files().keys().collect::<Vec<_>>(), ["db.parquet"]);
}

/// While a database is being made from a pipe, another run that makes it is refused, and one that appends waits.
#[test]
fn a_database_that_is_being_made_is_not_made_twice() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe.pgn");
    let first = skewer(folder.path(), &["index", "-q", "pipe.pgn", "-o", "db.parquet"]).spawn();
    let first = first.expect("the command runs");
    let temporary = folder.path().join(".skewer-db.parquet.tmp");
    while !temporary.exists() {
        thread::yield_now();
    }
    let second = run(folder.path(), &["index", "-q", CLASSICS, "-o", "db.parquet"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(
        said(&second).contains("db.parquet: another skewer is writing it"),
        "{}",
        said(&second)
    );
    let arguments = ["index", "-q", CLASSICS, "-o", "db.parquet", "--append"];
    let mut third = skewer(folder.path(), &arguments).spawn().expect("the command runs");
    wait_until_handled(&mut third);
    assert!(third.try_wait().expect("it runs").is_none(), "it waits");
    fs::write(&pipe, many_games(1)).expect("somebody reads");
    assert!(first.wait_with_output().expect("it ends").status.success());
    assert!(third.wait().expect("it ends").success());
    assert_eq!(games(folder.path(), "db.parquet"), 2 * COUNT);
}

#[test]
fn who_waits_can_be_interrupted() {
    let folder = Folder::new();
    folder.pipe("pipe.pgn");
    let first = skewer(folder.path(), &["index", "-q", "pipe.pgn", "-o", "db.parquet"]).spawn();
    let mut first = first.expect("the command runs");
    while !folder.path().join(".skewer-db.parquet.tmp").exists() {
        thread::yield_now();
    }
    let arguments = ["index", "-q", CLASSICS, "-o", "db.parquet", "--append"];
    let mut second = skewer(folder.path(), &arguments).spawn().expect("the command runs");
    wait_until_handled(&mut second);
    terminate(&second);
    assert_eq!(second.wait().expect("it ends").code(), TERMINATED);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    // A process that was killed holds no lock, and its temporary file is removed.
    let third = run(folder.path(), &arguments);
    assert!(third.status.success(), "{}", said(&third));
    assert_eq!(games(folder.path(), "db.parquet"), COUNT);
    assert!(!folder.path().join(".skewer-db.parquet.tmp").exists());
}
