//! Files that queries read and write.

use predicates::prelude::*;

use super::*;

const WRITES: &str = r#"mate writefile("report.cqo" str("game " gamenumber \n))"#;

#[test]
fn a_query_with_files_is_refused_before_the_search() {
    for query in [WRITES, r#"false x = readfile "report.cqo""#] {
        search(&["-e", query, "missing.pgn"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains("--allow-files").and(predicate::str::contains("missing.pgn").not()));
    }
    skewer().args(["check", "-e", WRITES]).assert().code(0);
}

#[test]
fn an_allowed_query_writes_the_same_on_any_number_of_threads() {
    for threads in ["1", "5"] {
        let folder = Folder::new();
        let allow = ["--allow-files", text(folder.path()), "--threads", threads];
        search(&["-e", WRITES, CLASSICS]).args(allow).assert().code(0);
        assert_eq!(folder.names(), ["report.cqo"]);
        let report = std::fs::read_to_string(folder.path().join("report.cqo")).unwrap();
        let games = [1, 2, 3, 5, 9, 11, 16, 17].map(|game| format!("game {game}\n"));
        assert_eq!(report, games.concat());
    }
}

#[test]
fn with_a_limit_nothing_is_written_for_later_games() {
    for threads in ["1", "5"] {
        let folder = Folder::new();
        search(&["-e", WRITES, "--limit", "2", CLASSICS])
            .args(["--allow-files", text(folder.path()), "--threads", threads])
            .assert()
            .code(0);
        let report = std::fs::read_to_string(folder.path().join("report.cqo")).unwrap();
        assert_eq!(report, "game 1\ngame 2\n");
    }
}

#[test]
fn older_files_are_overwritten_by_force_only() {
    let folder = Folder::new();
    let report = folder.file("report.cqo", "older");
    let allow = ["--allow-files", text(folder.path())];
    search(&["-e", WRITES, CLASSICS])
        .args(allow)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--force").and(predicate::str::contains("game 1, positionid 13")));
    assert_eq!(std::fs::read(&report).unwrap(), b"older");
    search(&["-e", WRITES, CLASSICS, "--force"])
        .args(allow)
        .assert()
        .code(0);
    assert!(std::fs::read(&report).unwrap().starts_with(b"game 1\n"));
    search(&["-e", WRITES, CLASSICS, "--force"]).assert().code(2);
}

#[test]
fn a_search_that_fails_leaves_the_files_as_they_were() {
    let folder = Folder::new();
    let report = folder.file("report.cqo", "older");
    let query = r#"initial writefile("report.cqo" "x") writefile("new.cqo" "x") if gamenumber==5 assert false"#;
    search(&["-e", query, CLASSICS, "--force", "--allow-files", text(folder.path())])
        .assert()
        .code(2);
    assert_eq!(std::fs::read(&report).unwrap(), b"older");
    assert_eq!(folder.names(), ["report.cqo"]);
}

#[test]
fn a_search_that_runs_out_of_time_writes_beside_what_is_there() {
    let folder = Folder::new();
    let report = folder.file("report.cqo", "older");
    let query = r#"initial if gamenumber==1 writefile("report.cqo" "x") else loop true"#;
    let limits = ["--timeout", "0.3", "--max-rounds", "1000000000000"];
    search(&["-e", query, CLASSICS, "--force", "--allow-files", text(folder.path())])
        .args(limits)
        .assert()
        .stderr(predicate::str::contains("report.partial.cqo"));
    assert_eq!(std::fs::read(&report).unwrap(), b"older");
    assert_eq!(std::fs::read(folder.path().join("report.partial.cqo")).unwrap(), b"x");
}

#[test]
fn a_query_reads_what_it_has_written() {
    let folder = Folder::new();
    let query = r#"initial writefile("a.cqo" "x") #(readfile "a.cqo") == 3"#;
    search(&["-e", query, CLASSICS, "-f", "ids", "--allow-files", text(folder.path())])
        .assert()
        .code(0)
        .stdout("3:0\n");
}

#[test]
fn the_files_of_the_search_itself_are_never_written() {
    let folder = Folder::new();
    let text_of_query = r#"cql() initial writefile("query.cql" "x")"#;
    let query = folder.file("query.cql", text_of_query);
    let allow = ["--allow-files", text(folder.path()), "--force"];
    search(&[text(&query), CLASSICS]).args(allow).assert().code(2);
    assert_eq!(std::fs::read_to_string(&query).unwrap(), text_of_query);
    let output = folder.path().join("output.cql");
    search(&[
        "-e",
        r#"initial writefile("output.cql" "x")"#,
        CLASSICS,
        "-o",
        text(&output),
    ])
    .args(allow)
    .assert()
    .code(2);
    assert!(!output.exists());
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    let missing = folder.path().join("missing");
    search(&["-e", WRITES, CLASSICS, "--allow-files", text(&missing)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("missing"));
}

#[test]
fn files_without_names_end_the_run() {
    let folder = Folder::new();
    let allow = ["--allow-files", text(folder.path())];
    for query in [
        r#"writefile("a"[5] "x")"#,
        r#"x = readfile "a"[5]"#,
        r#"x = readfile "missing.cqo""#,
        r#"writefile("a.txt" "x")"#,
    ] {
        search(&["-e", query, CLASSICS]).args(allow).assert().code(2);
    }
    // If the content has no value, nothing is written.
    search(&["-e", r#"writefile("a.cqo" "a"[5])"#, CLASSICS])
        .args(allow)
        .assert()
        .code(1);
    assert!(folder.names().is_empty());
}
