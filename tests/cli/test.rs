//! `skewer test`.

use std::fs;

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use quick_junit::{NonSuccessKind, Report, TestCaseStatus};

use super::*;

/// Runs `skewer test` with letters for the pieces.
fn test(arguments: &[&str]) -> Assert {
    let mut command = skewer();
    command.args(["test", "--ascii"]).args(arguments);
    command.assert()
}

/// Tests a query with these expectations, one on each line.
fn run(query: &str, expectations: &[&str]) -> Assert {
    let folder = Folder::new();
    folder.file(
        "games/classics.pgn",
        fs::read(CLASSICS).expect("the examples are there"),
    );
    let lines: String = expectations.iter().map(|line| format!("//? {line}\n")).collect();
    folder.file("games/queries/q.cql", lines + query);
    test(&[text(&folder.path().join("games"))])
}

fn contains(text: &str) -> impl Predicate<str> {
    predicate::str::contains(text.to_owned())
}

const MATED: &str = "3R2k1/5ppp/8/8/8/8/8/6K1 b";
const FOOLS_MATE: &str = "1. f3 e5 2. g4 (2. e4 Qh4+) 2... Qh4#";

#[test]
fn every_kind_of_expectation_can_pass() {
    let pgn = format!("match pgn \"{FOOLS_MATE}\"");
    run(
        "cql() mate",
        &[
            &format!("match \"{MATED}\""),
            "no match \"6k1/5ppp/8/8/8/8/8/3R2K1 w\"",
            &pgn,
            &format!("{pgn} at 4"),
            &format!("{pgn} at exactly 4"),
            &format!("no {pgn} at 3, 2"),
            "no match pgn \"1. e4 e5\"",
            "match game \"classics.pgn\" 1 at 13",
            "match game \"classics.pgn\" 17 at exactly 82",
            "no match game \"classics.pgn\" 4",
            "count \"classics.pgn\" 8 games, 8 positions",
        ],
    )
    .code(0)
    .stdout("1 query, 11 examples: 11 passed, 0 failed, 0 errors\n")
    .stderr("");
}

#[test]
fn every_kind_of_expectation_can_fail() {
    let pgn = format!("match pgn \"{FOOLS_MATE}\"");
    for (expectation, message) in [
        ("match \"6k1/5ppp/8/8/8/8/8/3R2K1 w\"", "the position does not match"),
        (&*format!("no match \"{MATED}\""), "the position matches"),
        ("match pgn \"1. e4 e5\"", "no position matches"),
        (&format!("{pgn} at 3"), "position 3 does not match"),
        (&format!("{pgn} at 4, 2, 3"), "positions 2, 3 do not match"),
        (&format!("{pgn} at exactly 3"), "position 3 does not match"),
        (&format!("no {pgn}"), "position 4 matches"),
        (&format!("no {pgn} at 3, 4"), "position 4 matches"),
        ("match game \"classics.pgn\" 1 at 12", "position 12 does not match"),
        ("match game \"classics.pgn\" 4", "no position matches"),
        ("no match game \"classics.pgn\" 1", "position 13 matches"),
        (
            "count \"classics.pgn\" 8 games, 9 positions",
            "the search finds something else",
        ),
        ("count \"classics.pgn\"", "no numbers are recorded"),
    ] {
        run("cql() mate", &[expectation])
            .code(1)
            .stdout(contains(&format!("failed: {message}\n")))
            .stdout(contains("q.cql:1:"))
            .stdout(predicate::str::ends_with(
                "1 query, 1 example: 0 passed, 1 failed, 0 errors\n",
            ));
    }
    run("cql() check", &[&format!("{pgn} at exactly 3")]).code(1);
    run("cql(variations) check", &[&format!("{pgn} at exactly 4")])
        .code(1)
        .stdout(contains("failed: position 6 matches, too\n"));
}

#[test]
fn a_failure_shows_the_position_and_what_matches() {
    let expected = "
1 | //? match pgn \"1. f3 e5 2. g4 Qh4#\" at 3
  |                                        ^ expected to match

  position 3, Black to move after 1. f3 e5 2. g4

  8  r n b q k b n r
  7  p p p p . p p p
  6  . . . . . . . .
  5  . . . . p . . .
  4  . . . . . .[P].
  3  . . . . . P . .
  2  P P P P P .[.]P
  1  R N B Q K B N R
     a b c d e f g h

  of 5 positions this one matches: 4
";
    run("cql() mate", &["match pgn \"1. f3 e5 2. g4 Qh4#\" at 3"]).stdout(contains(expected));
}

#[test]
fn headers_count() {
    let pgn = "match pgn \"1. f3 e5 2. g4 (2. e4 Qh4+) 2... Qh4#\"";
    run("cql(variations) check", &[&format!("{pgn} at exactly 4, 6")]).code(0);
    run(
        "cql(result 0-1) mate",
        &[&format!("no {pgn}"), &format!("{pgn} with Result \"0-1\" at 4")],
    )
    .code(0);
    run(
        "cql() player \"Tal\" mate",
        &[
            &format!("{pgn} with White \"Somebody\" Black \"Tal\""),
            &format!("no {pgn}"),
        ],
    )
    .code(0);
    run("cql(matchcount 2) check", &[&format!("{pgn} at 4")])
        .code(1)
        .stdout(contains("`matchcount` in the header excludes the game"));
    run("cql(input missing.pgn output /nowhere/x.pgn) mate", &[pgn]).code(0);
    run(
        "cql(gamenumber 3) true",
        &["match game \"classics.pgn\" 3", "no match game \"classics.pgn\" 2"],
    )
    .code(0);
}

#[test]
fn a_position_may_have_moves() {
    run(
        "cql() mate",
        &[
            "match pgn \"1. Rd8# {back rank}\"",
            "//? with FEN \"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1\" at 1",
        ],
    )
    .code(2);
    run(
        "cql() mate",
        &[
            "match pgn \"1. Rd8#",
            "   {back rank}\"",
            "with FEN \"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1\" at 1",
        ],
    )
    .code(0);
}

#[test]
fn an_example_that_cannot_be_read_never_passes() {
    for (expectation, message, place) in [
        (
            "no match \"6k1/5ppp/8/8/8/8/8/3R2K w\"",
            "rank 1 has 7 squares",
            "q.cql:1:34",
        ),
        (
            "no match pgn \"1. e4 e5 2. Ke3\"",
            "`Ke3` cannot be played",
            "q.cql:1:31",
        ),
        ("no match pgn \"1. e4 e5\" at 3", "there is no position 3", "q.cql:1:32"),
        (
            "no match pgn \"1. e4 e5 (1... c5)\" at 3",
            "there is no position 3",
            "q.cql:1:42",
        ),
        ("no match pgn \"1. e4", "the string has no closing quote", "q.cql:1:18"),
        (
            "no match game \"classics.pgn\" 19",
            "the file has only 18 games",
            "q.cql:1:19",
        ),
        (
            "no match game \"missing.pgn\" 1",
            "there is no file `missing.pgn`",
            "q.cql:1:19",
        ),
        (
            "count \"missing.pgn\" 0 games, 0 positions",
            "there is no file `missing.pgn`",
            "q.cql:1:11",
        ),
        ("no mach \"8/8 w\"", "unexpected `mach`", "q.cql:1:8"),
    ] {
        run("cql() mate", &[expectation, "no match pgn \"1. e4\""])
            .code(2)
            .stdout(contains(&format!("error: {message}\n")))
            .stdout(contains(place))
            .stdout(predicate::str::ends_with(
                "1 query, 2 examples: 1 passed, 0 failed, 1 error\n",
            ));
    }
}

#[test]
fn a_broken_game_of_a_file_is_an_error() {
    let folder = Folder::new();
    folder.file(
        "games.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. e4 *\n",
    );
    let query = folder.file(
        "q.cql",
        "//? no match game \"games.pgn\" 1\n//? no match game \"games.pgn\" 2\ncql() mate",
    );
    test(&[text(&query)])
        .code(2)
        .stdout(contains("the game is broken: line 3: illegal move `2.Ke3`"))
        .stdout(contains("1 passed, 0 failed, 1 error"));
}

#[test]
fn a_broken_query_does_not_stop_the_others() {
    let folder = Folder::new();
    folder.file("a.cql", "//? match pgn \"1. e4\"\n//? match pgn \"1. e4\"\ncql() matte");
    folder.file("b/c.cql", "//? match pgn \"1. e4\"\ncql() btm");
    folder.file("b/d.cql", "cql() mate");
    folder.file("e.cql", "cql() writefile(\"x.cqo\" \"a\")");
    folder.file("notes.txt", "//? mach");
    test(&[text(folder.path())])
        .code(2)
        .stdout(contains("error: unknown name `matte`"))
        .stdout(contains("error: the query wants to read or write files"))
        .stdout(contains("d.cql: untested\n"))
        .stdout(predicate::str::ends_with(
            "4 queries, 3 examples: 1 passed, 0 failed, 3 errors, 1 query untested\n",
        ));
}

#[test]
fn an_evaluation_that_ends_the_run_is_an_error() {
    run(
        "cql() x=0 loop {x+=1 x>=0}",
        &["match pgn \"1. e4\"", "count \"classics.pgn\" 0 games, 0 positions"],
    )
    .code(2)
    .stdout(contains("when this was run"))
    .stdout(predicate::str::ends_with("0 passed, 0 failed, 2 errors\n"));
}

#[test]
fn expectations_are_comments_only() {
    run("cql() message(\"//? match\") /* \n//? mach\n*/ mate", &[])
        .code(0)
        .stdout(contains("q.cql: untested"));
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    folder.file("classics.pgn", fs::read(CLASSICS).expect("the examples are there"));
    for number in 0..20 {
        let lines = format!(
            "//? match game \"classics.pgn\" {} at 0\n//? count \"classics.pgn\"\n",
            number % 18 + 1
        );
        folder.file(&format!("{number:02}.cql"), lines + "cql() mate");
    }
    let output = |threads| {
        let assert = test(&["-j", threads, text(folder.path())]).code(1);
        String::from_utf8(assert.get_output().stdout.clone()).expect("it is text")
    };
    let alone = output("1");
    assert!(
        alone.ends_with("20 queries, 40 examples: 0 passed, 40 failed, 0 errors\n"),
        "{alone}"
    );
    assert_eq!(alone, output("3"));
}

#[test]
fn files_are_looked_for_in_the_folders_above_the_query() {
    let folder = Folder::new();
    folder.file("games/a.pgn", "1. e4 *\n");
    folder.file("x/y/games/a.pgn", "1. e4 e5 *\n");
    folder.file("x/q.cql", "//? count \"games/a.pgn\" 1 game, 2 positions\ncql() true");
    folder.file(
        "x/y/z/q.cql",
        "//? count \"games/a.pgn\" 1 game, 3 positions\ncql() true",
    );
    test(&[text(folder.path())]).code(0);
    // A query that is given without a folder is in the current folder.
    fs::rename(folder.path().join("x/y/z/q.cql"), folder.path().join("x/y/q.cql")).expect("files can be renamed");
    let mut command = skewer();
    command.args(["test", "q.cql"]).current_dir(folder.path().join("x/y"));
    command.assert().code(0);
}

#[test]
fn only_files_in_reach_are_read() {
    let folder = Folder::new();
    let secret = folder.file("secret.pgn", "1. e4 *\n");
    let count = |file: &str| format!("//? count \"{file}\" 1 game, 2 positions\ncql() true");
    let here = folder.path().join("here");
    for (name, file) in [
        ("up", "../secret.pgn"),
        ("above", "secret.pgn"),
        ("named", text(&secret)),
    ] {
        let query = folder.file(&format!("here/{name}.cql"), count(file));
        for (code, working) in [(2, &here), (0, &folder.path().to_path_buf())] {
            let mut command = skewer();
            command.args(["test", text(&query)]).current_dir(working);
            let assert = command.assert().code(code);
            if code == 2 {
                assert.stdout(contains("below the working folder"));
            }
        }
    }
    let similar = format!("//? match pgn \"1. e4\"\ncql() similarposition \"{}\"", text(&secret));
    let query = folder.file("here/similar.cql", similar);
    test(&[text(&query)]).code(2).stdout(contains("is not read: "));
}

/// Devices may have no end, and a pipe may have no writer.
#[cfg(unix)]
#[test]
fn files_without_an_end_are_not_read() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe.pgn");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is `mkfifo`").success());
    for file in ["/dev/zero", "pipe.pgn"] {
        for expectation in [
            format!("count \"{file}\" 1 game, 1 position"),
            format!("match game \"{file}\" 1"),
        ] {
            let query = folder.file("q.cql", format!("//? {expectation}\ncql() true"));
            test(&[text(&query)])
                .code(2)
                .stdout(contains("is not read: it is neither a file nor a folder"));
        }
        let query = folder.file(
            "q.cql",
            format!("//? match pgn \"1. e4\"\ncql() similarposition \"{file}\""),
        );
        test(&[text(&query)]).code(2);
    }
}

#[test]
fn a_report_replaces_no_other_file() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "//? count \"a.pgn\" 1 game, 2 positions\ncql() true");
    let games = folder.file("a.pgn", "1. e4 *\n");
    let foreign = folder.file("results.xml", "<mine/>");
    for (path, force) in [(&query, true), (&games, true), (&foreign, false)] {
        let before = fs::read(path).expect("it is there");
        let options: &[&str] = if force { &["--force"] } else { &[] };
        test(&[&[text(&query), "--junit", text(path)], options].concat()).code(2);
        assert_eq!(fs::read(path).expect("it is there"), before);
    }
    test(&[text(&query), "--junit", text(&foreign), "--force"]).code(0);
    test(&[text(&query), "--junit", text(&foreign)]).code(0);
}

#[test]
fn blessing_records_counts_and_nothing_else() {
    let folder = Folder::new();
    folder.file("classics.pgn", fs::read(CLASSICS).expect("the examples are there"));
    let before = b"\xef\xbb\xbf//? count \"classics.pgn\"  \r\n// \xff\r\n\t//?  count \"classics.pgn\" 1 game, 9 positions \r\n//? match pgn \"1. e4\"\r\ncql() mate";
    let query = folder.file("q.cql", before);
    test(&["--bless", text(&query)])
        .code(1)
        .stdout(contains(":1: recorded 8 games, 8 positions\n"))
        .stdout(contains(
            ":3: recorded 8 games, 8 positions, before 1 game, 9 positions\n",
        ))
        .stdout(contains("2 passed, 1 failed"));
    let after = fs::read(&query).expect("it is there");
    let expected: &[u8] = b"\xef\xbb\xbf//? count \"classics.pgn\" 8 games, 8 positions  \r\n// \xff\r\n\t//?  count \"classics.pgn\" 8 games, 8 positions \r\n//? match pgn \"1. e4\"\r\ncql() mate";
    assert_eq!(String::from_utf8_lossy(&after), String::from_utf8_lossy(expected));
    assert_eq!(after, expected);
    test(&["--bless", text(&query)]).stdout(contains("recorded").not());
    assert_eq!(fs::read(&query).expect("it is there"), expected, "once is enough");
    assert_eq!(folder.names(), ["classics.pgn", "q.cql"]);
}

#[test]
fn nothing_is_recorded_in_broken_queries() {
    let folder = Folder::new();
    folder.file("classics.pgn", fs::read(CLASSICS).expect("the examples are there"));
    let before = "//? count \"classics.pgn\"\ncql() matte";
    let query = folder.file("q.cql", before);
    test(&["--bless", text(&query)]).code(2);
    assert_eq!(fs::read_to_string(&query).expect("it is there"), before);
}

#[test]
fn quiet_tells_of_failures_only() {
    let folder = Folder::new();
    let good = folder.file("good.cql", "//? match pgn \"1. e4\"\ncql() btm");
    let untested = folder.file("untested.cql", "cql() btm");
    test(&["-q", text(&good), text(&untested)])
        .code(0)
        .stdout("")
        .stderr("");
    let bad = folder.file("bad.cql", "//? no match pgn \"1. e4\"\ncql() btm");
    test(&["-q", text(&good), text(&bad)])
        .code(1)
        .stdout(predicate::str::starts_with("failed: position 1 matches\n"))
        .stdout(contains("passed").not());
}

#[test]
fn junit_has_a_case_for_each_expectation() {
    let folder = Folder::new();
    let query = "//? match pgn \"1. e4\"\n//? no match pgn\n//? \"1. e4 {<&>}\"\n//? mach \"<\"\ncql() btm";
    folder.file("queries/a.cql", query);
    folder.file("queries/b.cql", "//? match pgn \"1. e4\"\ncql() <\"&");
    folder.file("queries/c.cql", "cql() mate");
    let xml = folder.path().join("junit.xml");
    test(&["--junit", text(&xml), text(&folder.path().join("queries"))]).code(2);
    let xml = fs::read_to_string(xml).expect("it is written");
    let report = Report::deserialize_from_str(&xml).expect("it is JUnit");
    assert_eq!((report.tests, report.failures, report.errors), (5, 1, 2));
    let cases: Vec<_> = report.test_suites.iter().flat_map(|suite| &suite.test_cases).collect();
    let names: Vec<_> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "line 1: match pgn \"1. e4\"",
            "line 2: no match pgn \"1. e4 {<&>}\"",
            "line 4: an expectation that cannot be read",
            "line 1: match pgn \"1. e4\"",
            "query",
        ]
    );
    let kinds: Vec<_> = cases.iter().map(|case| kind(&case.status)).collect();
    assert_eq!(kinds, ["", "failure", "error", "error", "skipped"]);
    let TestCaseStatus::NonSuccess {
        message, description, ..
    } = &cases[1].status
    else {
        panic!("it fails")
    };
    assert_eq!(message.as_ref().map(|text| text.as_str()), Some("position 1 matches"));
    let description = description.as_ref().map(|text| text.as_str()).unwrap_or_default();
    assert!(
        description.contains("{<&>}") && description.contains("8  r n b q k b n r"),
        "{description}"
    );
}

/// Each outcome has its name from JUnit.
#[test]
fn json_has_the_tally_and_what_came_of_each_example() {
    let folder = Folder::new();
    let query = "//? match \"6rk/5Npp/8/8/8/8/8/6K1 b\"\n//? no match \"6rk/5Npp/8/8/8/8/8/6K1 b\"\ncql() mate";
    folder.file("a.cql", query);
    folder.file("b.cql", "//? match \"8/8/8/8/8/8/8/8 w\"\ncql() mat");
    let output = skewer()
        .args(["test", "--json", text(folder.path())])
        .assert()
        .code(2)
        .stderr("");
    let report: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).expect("it is JSON");
    let counts = ["queries", "examples", "passed", "failed", "errors", "untested"].map(|name| report[name].as_u64());
    assert_eq!(counts, [2, 3, 1, 1, 1, 0].map(Some), "{report}");
    let tests = report["files"][0]["tests"].as_array().expect("a list");
    let outcomes: Vec<_> = tests.iter().map(|test| (&test["line"], &test["outcome"])).collect();
    assert_eq!(outcomes, [(&1.into(), &"passed".into()), (&2.into(), &"failed".into())]);
    assert!(tests[1]["message"].is_string(), "{report}");
    assert!(report["files"][1]["problem"].is_string(), "{report}");
    assert_eq!(report["files"][1]["tests"][0]["outcome"], "not-run");
}

fn kind(status: &TestCaseStatus) -> &'static str {
    match status {
        TestCaseStatus::Success { .. } => "",
        TestCaseStatus::NonSuccess { kind, .. } => match kind {
            NonSuccessKind::Failure => "failure",
            NonSuccessKind::Error => "error",
        },
        TestCaseStatus::Skipped { .. } => "skipped",
    }
}

#[test]
fn without_paths_the_folder_of_queries_is_tested() {
    let folder = Folder::new();
    let here = |code, out: &str, err: &str| {
        let mut command = skewer();
        let assert = command.arg("test").current_dir(folder.path()).assert();
        assert.code(code).stdout(contains(out)).stderr(contains(err));
    };
    here(2, "", "error: nothing to test: name query files or folders");
    folder.file("queries/notes.txt", "");
    here(2, "", "has no .cql file");
    folder.file("queries/a.cql", "//? match pgn \"1. e4\"\ncql() btm");
    here(0, "1 query, 1 example: 1 passed", "");
}

#[test]
fn a_query_that_is_not_there_is_an_error() {
    test(&["there is no such.cql"])
        .code(2)
        .stdout(contains("error: cannot read the query there is no such.cql"))
        .stdout(contains("1 query, 0 examples: 0 passed, 0 failed, 1 error"));
}

#[test]
fn the_examples_pass() {
    let folder = Path::new(CLASSICS).parent().expect("the examples are in a folder");
    test(&["-q", text(folder)]).code(0).stdout("");
}

#[test]
fn a_run_of_self_tests_has_limits() {
    let folder = Folder::new();
    folder.file("q.cql", format!("//? match \"{MATED}\"\ncql() loop true\n"));
    folder.file(
        "r.cql",
        format!("//? match \"{MATED}\"\ncql() text=\"0123456789\" loop text+=text\n"),
    );
    let path = |name: &str| folder.path().join(name);
    // Ten million rounds, after which a loop counts as endless, take longer than this timeout on any machine.
    test(&["--timeout", "1ms", text(&path("q.cql"))])
        .code(124)
        .stdout("")
        .stderr("out of time: not all self-tests were run, and nothing more is written\n");
    test(&["--max-memory", "1M", text(&path("r.cql"))])
        .code(2)
        .stdout(contains("there is no room for more in 1 MB"));
}

#[test]
fn the_language_of_the_letters_in_files_of_games_can_be_named() {
    let folder = Folder::new();
    folder.file("dutch.pgn", "[White \"A\"]\n\n1. Pf3 Pf6 1/2-1/2\n");
    let query = folder.file(
        "q.cql",
        "//? match game \"dutch.pgn\" 1\n//? count \"dutch.pgn\" 1 game, 1 position\n//? match pgn \"1. Nf3 Nf6\"\ncql() Nf3 nf6\n",
    );
    test(&["--language", "nl", text(&query)])
        .code(0)
        .stdout("1 query, 3 examples: 3 passed, 0 failed, 0 errors\n");
    test(&[text(&query)]).code(2).stdout(contains("the game is broken"));
}
