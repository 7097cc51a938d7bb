//! `skewer check`.

use predicates::prelude::*;

use super::*;

#[test]
fn good_queries_are_passed_over_in_silence() {
    let folder = Folder::new();
    // The input need not exist.
    let query = folder.file("good.cql", "cql(input missing.pgn) mate");
    skewer()
        .args(["check", text(&query)])
        .assert()
        .code(0)
        .stdout("")
        .stderr("");
    skewer()
        .args(["check", "-e", "xray (R a k)"])
        .assert()
        .code(0)
        .stdout("")
        .stderr("");
}

#[test]
fn every_bad_query_is_reported() {
    let folder = Folder::new();
    let queries = ["one.cql", "two.cql"].map(|name| folder.file(name, "cql() mate ("));
    let good = folder.file("good.cql", "cql() mate");
    skewer()
        .args(["check", text(&queries[0]), text(&good), text(&queries[1])])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("one.cql").and(predicate::str::contains("two.cql")));
    skewer().args(["check", "-e", "ray (R"]).assert().code(2);
}

#[test]
fn nothing_to_check_is_an_error() {
    skewer().arg("check").assert().code(2);
}

#[test]
fn the_examples_are_good() {
    let folder = Path::new(CLASSICS).parent().expect("the examples are in a folder");
    let entries = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it is readable").path());
    let queries: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "cql"))
        .collect();
    assert!(queries.len() >= 3);
    skewer().arg("check").args(queries).assert().code(0).stderr("");
}

#[test]
fn relations_that_cannot_be_meant_are_refused() {
    for (query, message) in [
        ("echo (s s) check", "source and target have one name"),
        ("echo (s t) echo (t u) check", "`t` has a value here"),
        ("echo (s t) in check", "expected `all`"),
        ("x=1 echo (x t) check", "`x` cannot name a position"),
        ("x=parent consecutivemoves (x x)", "`consecutivemoves` of one position"),
        (
            "x=parent num=1 consecutivemoves (x num)",
            "`num` is not a position variable",
        ),
        ("flip similarposition \"a.pgn\"", "`similarposition` under a transform"),
        (
            "shift {a1 shift {b2 shift {c3 shift {d4 wtm}}}}",
            "this transform makes too many copies",
        ),
        (
            "similarposition \"a.pgn\" similarposition notransform \"a.pgn\"",
            "two different `similarposition`",
        ),
        ("lastgamenumber", "`lastgamenumber` is used as a condition"),
    ] {
        skewer()
            .args(["check", "-e", query])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
    }
}

#[test]
fn names_of_an_echo_may_be_used_again_after_it() {
    let again = "echo (s t) {s<t check} echo (t s) s<t isunbound s";
    skewer().args(["check", "-e", again]).assert().code(0);
}
