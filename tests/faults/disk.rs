//! Full disks, read-only folders, folders that vanish.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use super::*;

/// A small disk, if this process may mount one.
struct SmallDisk(Folder);

impl SmallDisk {
    fn new() -> Option<SmallDisk> {
        let folder = Folder::new();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A disk that stays mounted is visible, and nothing else can be done.
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let Some(SmallDisk(folder)) = &SmallDisk::new() else {
        eprintln!("skipped: a small disk cannot be mounted here");
        return;
    };
    let games = Folder::new();
    let path = games.file("games.pgn", many_games(20));
    let path = path.to_str().expect("UTF-8");
    folder.file("out.pgn", "an older file");
    folder.file("db.parquet", "an older file");
    folder.file("results/summary.csv", "an older file");
    folder.file("filler", [0; 40 << 10]);
    let queries = games.file("queries/all.cql", "cql() true");
    let queries = queries.to_str().expect("UTF-8");
    let before = folder.files();
    for (arguments, name) in [
        (
            &["search", "-q", "-e", "true", path, "-o", "out.pgn", "--force"][..],
            "out.pgn",
        ),
        (
            &["search", "-q", queries, path, "--out-dir", "results", "--force"],
            "results/all.pgn",
        ),
        (&["index", "-q", path, "-o", "db.parquet", "--force"], "db.parquet"),
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let said = said(&output);
        assert!(
            said.contains(name) && said.contains("No space left on device"),
            "{said}"
        );
        let mut after = folder.files();
        // The table of all results fits on the disk, and reports the error.
        after.insert("results/summary.csv".to_owned(), before["results/summary.csv"].clone());
        assert_eq!(after, before, "{arguments:?}");
    }
    let query = format!("cql()    mate{}", " comment(\"x\")".repeat(500));
    folder.file("q.cql", &query);
    let output = run(folder.path(), &["fmt", "q.cql"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(folder.files()["q.cql"], query.as_bytes());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let folder = Folder::new();
    folder.file("closed/old.pgn", "an older file");
    let closed = folder.path().join("closed");
    let permit = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).expect("it is ours");
    permit(0o555);
    if fs::write(closed.join("probe"), "").is_ok() {
        eprintln!("skipped: permissions do not bind this user");
        return;
    }
    let output = run(
        folder.path(),
        &["search", "-e", "mate", CLASSICS, "-o", "closed/new.pgn"],
    );
    permit(0o755);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("closed/new.pgn: Permission denied"),
        "{}",
        said(&output)
    );
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn a_folder_that_vanishes_is_named() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe.pgn");
    fs::create_dir(folder.path().join("gone")).expect("folders can be made");
    let search = skewer(
        folder.path(),
        &["search", "-e", "true", "pipe.pgn", "-o", "gone/out.pgn"],
    )
    .spawn();
    let search = search.expect("the command runs");
    let mut games = fs::File::options().write(true).open(&pipe).expect("somebody reads");
    while !folder.path().join("gone/.skewer-out.pgn.tmp").exists() {
        thread::yield_now();
    }
    fs::remove_dir_all(folder.path().join("gone")).expect("folders can be removed");
    games.write_all(many_games(1).as_bytes()).expect("somebody reads");
    drop(games);
    let output = search.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("gone/out.pgn: "), "{}", said(&output));
    assert!(said(&output).contains("of the query <-e>"), "{}", said(&output));
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.file("queries/mate.cql", "cql() mate");
    for (arguments, code) in [
        (&["--help"][..], 2),
        (&["--version"], 2),
        (&["search", "--help"], 2),
        (&["help", "xray"], 2),
        (&["completions", "bash"], 2),
        (&["library", "queries"], 2),
        (&["check", "--json", "-e", "chekc"], 2),
        (&["board", "8/8/8/3kK3/8/8/8/8 w"], 2),
        (&["search", "-e", "mate", "-f", "count", CLASSICS], 2),
        (&["search", "queries", CLASSICS, "--out-dir", "results"], 2),
        (&["cql", "-help"], 1),
    ] {
        let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
            eprintln!("skipped: there is no /dev/full");
            return;
        };
        let output = skewer(folder.path(), arguments).stdout(full).output();
        let output = output.expect("the command runs");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(
            said(&output).contains("No space left on device"),
            "{arguments:?}: {}",
            said(&output)
        );
    }
}
