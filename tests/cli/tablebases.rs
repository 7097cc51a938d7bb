//! Queries that use endgame tablebases: where the files are, missing and damaged files, positions that have no entry.

use std::fs;

use predicates::prelude::PredicateBooleanExt as _;

use super::*;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");

/// Returns games of one position each, with further tags.
fn positions(fens: &[(&str, &str)]) -> String {
    let games = fens
        .iter()
        .map(|(fen, tags)| format!("[FEN \"{fen}\"]\n{tags}[Result \"*\"]\n\n*\n\n"));
    games.collect()
}

/// Searches with the small tables. Returns `GAME:POSITIONID` lines and the messages.
fn found(filters: &str, pgn: &str) -> (String, String) {
    let folder = Folder::new();
    let games = folder.file("games.pgn", pgn);
    let output = search(&["-e", filters, "-f", "ids", "--tablebase", TABLES, text(&games)])
        .output()
        .expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout), text(output.stderr))
}

/// Returns a folder with copies of these tables.
fn copies(folder: &Folder, names: &[&str]) -> PathBuf {
    let copy = folder.path().join("copies");
    fs::create_dir(&copy).expect("it is made");
    for name in names {
        fs::copy(Path::new(TABLES).join(name), copy.join(name)).expect("it is copied");
    }
    copy
}

#[test]
fn without_tables_nothing_is_read() {
    let folder = Folder::new();
    let output = folder.path().join("found.pgn");
    search(&["-e", "K wdl==2", "no such file.pgn", "-o", text(&output)])
        .assert()
        .code(2)
        .stderr(predicates::str::starts_with(
            "error: the query needs endgame tablebases\n --> <-e>:1:3",
        ))
        .stderr(predicates::str::contains("--tablebase DIR"));
    assert!(!output.exists());
    // `check` and `explain` do not need tablebases.
    skewer().args(["check", "-e", "dtz>0"]).assert().success();
    skewer().args(["explain", "-e", "tablebase"]).assert().success();
}

#[test]
fn folders_come_from_the_option_or_else_from_the_environment() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", positions(&[("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", "")]));
    let asked = || search(&["-e", "wdl==2", "-f", "ids", text(&games)]);
    asked()
        .env("SKEWER_TABLEBASE", format!(":{TABLES}"))
        .assert()
        .success()
        .stdout("1:0\n");
    // The option has precedence over the variable, and several folders may be given.
    let first = copies(&folder, &["KRvK.rtbw"]);
    asked()
        .args(["--tablebase", text(&first)])
        .env("SKEWER_TABLEBASE", TABLES)
        .assert()
        .code(1)
        .stderr(predicates::str::contains(
            "warning: KQvK.rtbw: this tablebase is missing",
        ));
    asked()
        .args(["--tablebase", text(&first), "--tablebase", TABLES])
        .assert()
        .success()
        .stdout("1:0\n")
        .stderr("");
    // If no query needs tablebases, a missing folder is not reported.
    search(&["-e", "K", "-f", "ids", text(&games)])
        .env("SKEWER_TABLEBASE", "/no/such/folder")
        .assert()
        .success();
    asked()
        .env("SKEWER_TABLEBASE", "/no/such/folder")
        .assert()
        .code(2)
        .stderr(predicates::str::contains("cannot use the tablebase /no/such/folder"));
    asked()
        .args(["--tablebase", text(folder.path())])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("there are no tables in this folder"));
}

#[test]
fn what_tables_do_not_have_has_no_value() {
    let values = |fen: &str, tags: &str| {
        let (ids, log) = found("message(wdl) tablebase", &positions(&[(fen, tags)]));
        assert_eq!(ids.is_empty(), log.contains("<false>"), "{ids}{log}");
        log.trim_end().rsplit(' ').next().unwrap_or_default().to_owned()
    };
    assert_eq!(values("4k3/8/8/8/8/8/8/4K2R w - - 0 1", ""), "2");
    // A position with a right to castle has no entry, whoever is to move. A Chess960 game without such a right is like any other.
    assert_eq!(values("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""), "<false>");
    assert_eq!(values("4k3/8/8/8/8/8/8/4K2R b K - 0 1", ""), "<false>");
    assert_eq!(
        values("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "[Variant \"Chess960\"]\n"),
        "2"
    );
    assert_eq!(
        values("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "[Variant \"Three-check\"]\n"),
        "<false>"
    );
    // Five men, a side in check that is not to move, a missing king.
    assert_eq!(values("4k3/8/8/8/8/8/PP6/RK6 w - - 0 1", ""), "<false>");
    assert_eq!(values("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", ""), "<false>");
    // The halfmove clock is ignored.
    assert_eq!(values("4k3/8/8/8/8/8/8/4K2R w - - 99 80", ""), "2");
}

#[test]
fn the_right_to_castle_ends_when_king_or_rook_moves() {
    let game = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh2 Kd8 2. Rh1 Kd7 *\n";
    assert_eq!(found("tablebase", game).0, "1:1\n1:2\n1:3\n1:4\n");
}

#[test]
fn a_missing_table_is_named_once_in_a_run() {
    let folder = Folder::new();
    let queens = "k7/8/8/8/8/7r/8/KQ6 w - - 0 1";
    let games = folder.file("games.pgn", positions(&vec![(queens, ""); 2000]));
    let first = folder.file("first.cql", "cql() dtz==1");
    let second = folder.file("second.cql", "cql() dtz==2");
    for threads in ["1", "3"] {
        let out = folder.path().join(format!("out{threads}"));
        let run = search(&[text(&first), text(&second), text(&games), "--tablebase", TABLES])
            .args(["-f", "ids", "-j", threads, "--out-dir", text(&out)])
            .output()
            .expect("the command runs");
        let log = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(log.matches("KQvKR.rtbz").count(), 1, "{log}");
        let all = search(&["-e", "dtz==1", text(&games), "--tablebase", TABLES, "-j", threads])
            .args(["-f", "ids", "--warnings", "all"])
            .output()
            .expect("the command runs");
        assert_eq!(
            String::from_utf8_lossy(&all.stderr),
            "warning: KQvKR.rtbz: this tablebase is missing, so `wdl` or `dtz` has no value where it is needed\n"
        );
        search(&["-q", "-e", "dtz==1", text(&games), "--tablebase", TABLES])
            .assert()
            .code(1)
            .stderr("");
    }
}

#[test]
fn a_damaged_table_ends_the_search_and_is_named() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", positions(&[("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "")]));
    let copy = copies(&folder, &["KPvK.rtbw", "KQvK.rtbw"]);
    let table = copy.join("KPvK.rtbw");
    let whole = fs::read(&table).expect("it can be read");
    let output = folder.path().join("found.pgn");
    let damages: [(&str, Vec<u8>); 4] = [
        ("no table is this long", whole[..1000].to_vec()),
        ("the file is damaged", whole[..1040].to_vec()),
        ("no table is this long", Vec::new()),
        ("does not begin like a table", [&b"text"[..], &whole[4..]].concat()),
    ];
    for (reason, bytes) in damages {
        fs::write(&table, bytes).expect("it is written");
        search(&[
            "-e",
            "wdl==2",
            text(&games),
            "--tablebase",
            text(&copy),
            "-o",
            text(&output),
        ])
        .assert()
        .code(2)
        .stderr(predicates::str::contains(text(&table)))
        .stderr(predicates::str::contains(reason))
        .stderr(predicates::str::contains("panicked").not());
        assert!(!output.exists());
    }
}

#[test]
fn databases_say_the_same_and_pass_over_games_with_many_men() {
    let folder = Folder::new();
    let ending = "[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n\n1. Ke4 Kd6 2. Kd4 Ke6 3. Kc5 Kd7 *\n\n";
    let classics = fs::read_to_string(CLASSICS).expect("it can be read");
    let games = folder.file("games.pgn", format!("{classics}\n\n{ending}"));
    let database = folder.path().join("games.parquet");
    skewer()
        .args(["index", text(&games), "-o", text(&database), "-q"])
        .assert()
        .success();
    let ids = |input: &Path| {
        stdout(&mut search(&[
            "-e",
            "wdl==0",
            "-f",
            "ids",
            "--tablebase",
            TABLES,
            text(input),
        ]))
    };
    assert_eq!(ids(&games), ids(&database));
    assert_eq!(ids(&games).lines().count(), 1);
    let explained = stdout(skewer().args(["explain", "-e", "wdl==0", "--tablebase", TABLES]));
    assert!(
        explained.contains("from a database, moves only of games with at most 4 of `[Aa]`"),
        "{explained}"
    );
}

#[test]
fn self_tests_without_tables_are_skipped_aloud() {
    let folder = Folder::new();
    let query = folder.file(
        "wins.cql",
        "//? match \"7k/8/6K1/8/8/8/Q7/8 w\"\n//? no match \"8/8/8/4k3/8/8/4K3/8 w\"\ncql() wdl==2",
    );
    let junit = folder.path().join("results.xml");
    skewer()
        .args(["test", text(&query), "--junit", text(&junit)])
        .assert()
        .success()
        .stdout(predicates::str::contains(
            "skipped, 2 self-tests need endgame tablebases (`--tablebase DIR`)",
        ))
        .stdout(predicates::str::contains(
            "1 query, 2 examples: 0 passed, 0 failed, 0 errors, 2 skipped because there are no tablebases",
        ));
    let report = fs::read_to_string(&junit).expect("it is written");
    assert_eq!(report.matches("<skipped").count(), 2, "{report}");
    skewer()
        .args(["test", text(&query), "--tablebase", TABLES])
        .assert()
        .success()
        .stdout("1 query, 2 examples: 2 passed, 0 failed, 0 errors\n");
}

#[test]
fn the_values_are_those_of_another_program() {
    // Made with python-chess (`chess.syzygy`), seed 7: FEN, WDL, DTZ.
    let rows = include_str!("../syzygy/positions.tsv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let games: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], "")).collect();
    let (_, log) = found("message(wdl \" \" dtz)", &positions(&games));
    let values: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once(": ")?.1)).collect();
    let values: Vec<&str> = values
        .iter()
        .filter_map(|line| Some(line.split_once("): ")?.1))
        .collect();
    assert_eq!(values.len(), rows.len(), "{log}");
    for (row, value) in rows.iter().zip(values) {
        assert_eq!(format!("{} {}", row[1], row[2]), value, "{}", row[0]);
    }
    assert!(rows.len() >= 300);
}
