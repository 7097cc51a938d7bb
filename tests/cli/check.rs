//! `skewer check`.

use std::time::Duration;

use predicates::prelude::*;

use super::*;

/// Asserts that the filters are refused with this error message.
fn assert_refused(filters: &str, message: &str) {
    skewer()
        .args(["check", "-e", filters])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(message));
}

/// Asserts that the filters are accepted, possibly with warnings.
fn assert_accepted(filters: &str) {
    skewer().args(["check", "-e", filters]).assert().code(0);
}

#[test]
fn good_queries_are_passed_over_in_silence() {
    let folder = Folder::new();
    // The file that `input` names need not exist.
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
fn a_folder_stands_for_its_queries_and_those_of_folders_inside() {
    let folder = Folder::new();
    folder.file("queries/good.cql", "cql() mate");
    folder.file("queries/mates/bad.cql", "cql() mte");
    folder.file("queries/mates/notes.txt", "not a query");
    let queries = folder.path().join("queries");
    skewer()
        .args(["check", text(&queries)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("bad.cql:1:7").and(predicate::str::contains("notes").not()));
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).expect("it is new");
    for format in ["text", "json"] {
        let output = skewer().args(["check", "-f", format, text(&empty)]).output();
        let output = output.expect("the command runs");
        assert_eq!(output.status.code(), Some(2));
        let said = [output.stdout, output.stderr].concat();
        assert!(String::from_utf8_lossy(&said).contains("has no .cql file"), "{said:?}");
    }
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
            "the transforms make too many copies",
        ),
        (
            "similarposition \"a.pgn\" similarposition notransform \"a.pgn\"",
            "two different `similarposition`",
        ),
        ("lastgamenumber", "`lastgamenumber` is used as a condition"),
    ] {
        assert_refused(query, message);
    }
}

#[test]
fn moves_that_cannot_be_meant_are_refused() {
    for (query, message) in [
        ("--(check) (mate)", "a parenthesis after the target of a move"),
        ("R--a(check)(mate)", "a parenthesis after the target of a move"),
        (
            "if countmoves --(check) (mate) check",
            "a parenthesis after the target of a move",
        ),
        ("--(a)--(b)", "tied to something that is not a set"),
        ("x=--(to)--a", "tied to something that is not a set"),
        ("move castle o-o", "one word for castling"),
        ("move enpassant enpassant", "`enpassant` occurs twice"),
    ] {
        assert_refused(query, message);
    }
}

#[test]
fn mistakes_are_explained() {
    for (query, hint) in [
        ("n=3", "cannot be names"),
        ("R:check", "what comes before `:` has to be a position"),
        ("--(to)&p", "put into braces"),
        ("find --> check", "without it"),
        ("ply 10 20", "`10<=ply<=20`"),
        ("child 1", "`child(1)`"),
        ("find 2 ~A", "`find 2 {f}`"),
        ("lastposition:check", "`initialposition:find terminal`"),
        ("--(null)", "`nullmove`"),
        ("--(capture q)", "`A×b`"),
        ("--(O-O)", "small letters"),
    ] {
        assert_refused(query, hint);
    }
}

#[test]
fn a_wrong_placement_is_marked_where_it_goes_wrong() {
    for (placement, place, message) in [
        ("", 6, "fewer than 64 squares"),
        ("8/8", 9, "fewer than 64 squares"),
        ("8/8/7/8", 11, "a rank has fewer than eight squares"),
        ("8/ppppp4/8", 13, "a rank has more than eight squares"),
        ("88", 7, "not ended by `/`"),
        ("pppp?3/8", 10, "no meaning in a placement"),
    ] {
        let place = format!("<-e>:1:{place}");
        skewer()
            .args(["check", "-e", &format!("fen \"{placement}\"")])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message).and(predicate::str::contains(place)));
    }
}

#[test]
fn moves_may_be_told_apart_and_braced() {
    for query in [
        "(--(check)) (mate)",
        "{--(check)}(mate)",
        "function F() {--(check)} F()(mate)",
        "A|--(to)--a",
        "legal (--)",
        "pseudolegal {R--({castle})}",
        "move castle enpassant",
        "move legal o-o enpassantsquare d6 count > 0",
    ] {
        assert_accepted(query);
    }
}

#[test]
fn names_of_an_echo_may_be_used_again_after_it() {
    let again = "echo (s t) {s<t check} echo (t s) s<t isunbound s";
    skewer().args(["check", "-e", again]).assert().code(0);
}

#[test]
fn bodies_of_functions_that_nothing_calls_are_not_read() {
    const BODY: &str = "{ a && b ~~ c { x := [R N] } x<-1 }";
    let unused = format!("function F(v) {BODY} check");
    skewer().args(["check", "-e", &unused]).assert().success();
    let used = format!("function F(v) {BODY} F(1)");
    skewer()
        .args(["check", "-e", &used])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("`&&` is not an operator of CQL"));
}

#[test]
fn sets_and_transforms_that_cannot_be_meant_are_refused() {
    for (query, message) in [
        ("square s in R check in A", "`in` after a condition"),
        ("square s in R rank s < 3 in A", "`in` after a number"),
        ("makesquare str ply in A", "`in` after a number"),
        ("R == N in A", "`in` after a condition"),
        (
            "persistent x=R x∊A true",
            "the persistent variable `x` cannot be a loop variable",
        ),
        ("persistent x=R square all x in A true", "the persistent variable `x`"),
        ("pin(R n k)", "`pin from R through n to k`"),
        ("e4∊A", "write `in`"),
        ("#(R or N)", "`#(R|N)`"),
        ("up 1 ~A", "`up 1 {~A}`"),
        ("up", "expected a set after the direction"),
        ("flip 2 ~a1", "`flip 2 {~a1}`"),
        ("flip {count Ra1}", "`flip count {R}`"),
        ("reversecolor count R", "`reversecolor` takes none"),
        ("cql(input a.pgn flip) R", "filters come after the header"),
    ] {
        assert_refused(query, message);
    }
}

#[test]
fn operators_belong_to_the_part_that_can_take_them() {
    for query in [
        "pin (R)",
        "pin(R)",
        "(square s in R check) in A",
        "square s in R s in A in a-h8",
        "square s in R {check} | N in A",
    ] {
        assert_accepted(query);
    }
}

#[test]
fn squares_under_rotate45_are_pointed_at() {
    for (query, place) in [
        ("rotate45 {up Ra1}", ":1:14"),
        ("rotate45 {K light B}", ":1:13"),
        ("rotate45 flip {K ray (a1 k)}", ":1:23"),
    ] {
        assert_refused(query, place);
    }
}

#[test]
fn operators_attach_by_the_type_on_their_left() {
    let accepted = [
        "x∊R wtm == 2",
        "find all check > 2",
        "flip count wtm + 1",
        "ascii 5 in \"5\"",
        "(str 5) in \"5\"",
        "{x∊R wtm} in N",
        "{--(to)}--e4",
        "--(to) in N",
        "R|--(to)",
        "pin (wtm)",
        "--pin(check)",
        "pin pin from R",
    ];
    for query in accepted {
        assert_accepted(query);
    }
    let refused = [
        ("str 5 in \"5\"", "1:7", "`in` after a number"),
        ("x∊R wtm in N", "1:9", "`in` after a condition"),
        ("parent in R", "1:8", "`in` after a position"),
        ("check in R", "1:7", "`in` after a condition"),
        ("--(a)--(b)", "1:6", "tied to something that is not a set"),
        ("--(to)[x]e4", "1:7", "tied to something that is not a set"),
    ];
    for (query, place, message) in refused {
        skewer()
            .args(["check", "-e", query])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(place).and(predicate::str::contains(message)));
    }
}

#[test]
fn without_the_prelude_its_words_are_unknown() {
    for query in ["skewer(R q r)", "intersection(R b)"] {
        for command in ["search", "check", "explain"] {
            let mut with = skewer();
            with.args([command, "-e", query]);
            let mut without = skewer();
            without.args([command, "--no-prelude", "-e", query]);
            if command == "search" {
                with.arg(CLASSICS);
                without.arg(CLASSICS);
            }
            with.assert().stderr("");
            without
                .assert()
                .code(2)
                .stderr(predicate::str::contains("unknown name"));
        }
    }
    let own = "function skewer(x) { x } skewer(R)";
    skewer().args(["check", "--no-prelude", "-e", own]).assert().code(0);
}

#[test]
fn warnings_do_not_change_the_exit_code_unless_asked_to() {
    let folder = Folder::new();
    let good = folder.file("good.cql", "cql() mate");
    let odd = folder.file("odd.cql", "cql() found=1\nwtm R & N");
    let broken = folder.file("broken.cql", "cql() mate (");
    let check = |arguments: &[&str]| skewer().arg("check").args(arguments).assert();
    check(&[text(&odd)]).code(0).stdout("").stderr(
        predicate::str::contains("nothing reads the variable `found`")
            .and(predicate::str::contains("odd.cql:2:5"))
            .and(predicate::str::contains("`//? allow always-false`")),
    );
    check(&["--deny", "warnings", text(&odd), text(&good)]).code(1);
    check(&["-D", "warnings", text(&good)]).code(0);
    check(&["-D", "warnings", text(&odd), text(&broken)]).code(2);
    check(&["-D", "warnings", text(&broken), text(&odd)]).code(2);
    check(&["--deny", "everything", text(&good)]).code(2);
}

#[test]
fn github_shows_errors_and_warnings_beside_their_lines() {
    let folder = Folder::new();
    folder.file("odd, 1.cql", "cql()\n\"♔\" in \"♔\" R & N");
    folder.file("broken.cql", "cql() mate\n chekc");
    skewer()
        .args(["check", "--format", "github", "odd, 1.cql", "broken.cql", "missing.cql"])
        .current_dir(folder.path())
        .assert()
        .code(2)
        .stderr("")
        .stdout(
            "::warning file=odd%2C 1.cql,line=2,endLine=2,col=12,endColumn=17,title=skewer%3A always-false::this set is always \
             empty%0Ahelp: `&` is what both sets have in common; `|` is all of both\n\
             ::error file=broken.cql,line=2,endLine=2,col=2,endColumn=7,title=skewer%3A invalid-query::unknown name \
             `chekc`%0Aneither a filter nor a variable or function declared before%0Ahelp: did you mean `check`?\n\
             ::error file=missing.cql,title=skewer%3A unreadable-file::cannot read the query missing.cql: No such file or \
             directory\n",
        );
}

#[test]
fn json_has_a_line_for_each_error_and_warning() {
    let folder = Folder::new();
    let odd = folder.file("odd.cql", "cql()\n\"♔\" in \"♔\" R & N");
    let broken = folder.file("broken.cql", "cql() mate (");
    let missing = folder.path().join("missing.cql");
    let output = skewer()
        .args(["check", "--format", "json", text(&odd), text(&broken), text(&missing)])
        .assert()
        .code(2)
        .stderr("");
    let lines = String::from_utf8(output.get_output().stdout.clone()).expect("JSON is UTF-8");
    let reports: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let [warning, error, unreadable] = reports.as_slice() else {
        panic!("{lines}")
    };
    assert_eq!(
        *warning,
        serde_json::json!({
            "file": text(&odd), "line": 2, "column": 12, "end_line": 2, "end_column": 17, "start": 21, "end": 26,
            "severity": "warning", "code": "always-false", "message": "this set is always empty", "label": "",
            "help": ["`&` is what both sets have in common; `|` is all of both"]
        })
    );
    assert_eq!(error["severity"], "error");
    assert_eq!(error["code"], "invalid-query");
    assert_eq!((&error["line"], &error["column"]), (&1.into(), &12.into()));
    assert_eq!(unreadable["code"], "unreadable-file");
    assert_eq!(unreadable["line"], serde_json::Value::Null);
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads_and_warnings_can_be_left_out() {
    let folder = Folder::new();
    for number in 0..20 {
        folder.file(
            &format!("{number}.cql"),
            ["cql() mate", "cql() wtm btm", "cql() mat"][number % 3],
        );
    }
    let check = |arguments: &[&str]| {
        let mut command = skewer();
        let output = command
            .args(["check", "--json"])
            .args(arguments)
            .arg(folder.path())
            .output();
        String::from_utf8(output.expect("it runs").stdout).expect("JSON is UTF-8")
    };
    let alone = check(&["-j", "1"]);
    assert_eq!(alone.lines().count(), 13, "{alone}");
    assert_eq!(check(&["-j", "7"]), alone);
    let errors = check(&["-q"]);
    assert_eq!(errors.lines().count(), 6, "{errors}");
    assert!(
        errors.lines().all(|line| line.contains("\"severity\":\"error\"")),
        "{errors}"
    );
    let odd = folder.path().join("1.cql");
    let quiet = |more: &[&str], code| {
        let mut command = skewer();
        command.args(["check", "-q", text(&odd)]).args(more);
        command.assert().code(code).stdout("").stderr("");
    };
    quiet(&[], 0);
    quiet(&["-D", "warnings"], 1);
}

/// Checking takes linear time even in queries that programs write: long lines, many pieces, many assignments.
#[test]
fn large_queries_are_checked_in_time_and_warned_of_briefly() {
    let folder = Folder::new();
    let check = |text: &str| {
        let query = folder.file("large.cql", text);
        let mut command = skewer();
        command
            .args(["check", super::text(&query)])
            .timeout(Duration::from_secs(300));
        command.assert()
    };
    let assignments: String = (0..20_000).map(|number| format!("x{number}={number} ")).collect();
    check(&format!("cql() {assignments}")).code(0).stderr(
        predicate::str::contains("nothing reads the variable")
            .count(100)
            .and(predicate::str::contains(
                "note: 19900 more warnings of the kind `unused-variable`",
            )),
    );
    check(&format!("cql() {}", "Ra1 ".repeat(100_000))).code(0).stderr("");
}
