//! `skewer explain`.

use super::*;

/// Returns what `skewer explain` prints for a query, with its wrapped lines joined. Only continuations are indented by multiples of four spaces.
fn explained(query: &str) -> String {
    let printed = stdout(skewer().args(["explain", "-e", query]));
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "{printed}");
    printed.lines().fold(String::new(), |text, line| {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        match indent {
            0 if text.is_empty() => line.to_owned(),
            further if further > 0 && further % 4 == 0 => format!("{text} {content}"),
            _ => format!("{text}\n{line}"),
        }
    }) + "\n"
}

/// Asserts that these lines follow the line that quotes a part of the query.
fn assert_says(query: &str, part: &str, lines: &[&str]) {
    let text = explained(query);
    let quotes = |line: &&str| {
        line.trim_start()
            .split_once("  ")
            .is_some_and(|(_, quoted)| quoted == part)
    };
    let mut rest = text.lines().skip_while(|line| !quotes(line));
    assert!(rest.next().is_some(), "`{part}` is not quoted:\n{text}");
    let said: Vec<&str> = rest.take(lines.len()).map(str::trim).collect();
    assert_eq!(said, lines, "of `{part}` in\n{text}");
}

#[test]
fn tests_of_the_game_stand_apart() {
    // The output depends on the order of the filters.
    let text = explained("elo>2600 player ~~ \"^K\" R==2 year>1950");
    let (game, positions) = text.split_once("\n\nAt a glance").expect("there are both");
    assert!(
        game.starts_with("Once per game, before its moves are read:\n"),
        "{text}"
    );
    assert!(
        game.contains("  elo>2600\n") && game.ends_with("  player ~~ \"^K\""),
        "{text}"
    );
    assert!(positions.contains("  exactly 2 of `[R]`\n"), "{text}");
    assert!(positions.contains("  R==2\n"), "{text}");
    assert_says(
        "R==2 year>1950",
        "year>1950",
        &["has the same value at every position of a game: before the other filters it would be asked once per game"],
    );
    let only = explained("elo>2600 year>1950");
    assert!(
        only.contains("Once per game, before its moves are read:\n  ~2  elo>2600\n  ~2  year>1950\n"),
        "{only}"
    );
}

#[test]
fn a_body_that_is_not_tried_is_told_from_one_that_is() {
    let heading = "At sixteen positions at once, which alone decides";
    for (query, is_decided) in [
        ("wtm Kg1 Pf2", true),
        ("{Kg1 and #(P attacks k)==1} R==2", true),
        ("elo>2400 square all x in a-h1 {x attackedby R}", true),
        ("Kg1 year>1950", false),
        ("Kg1 comment(\"home\")", false),
        ("Kg1 legal --(mate)", false),
    ] {
        let text = explained(query);
        assert_eq!(text.contains(heading), is_decided, "{text}");
        assert_eq!(text.contains("At each position, one after"), !is_decided, "{text}");
        let json = stdout(skewer().args(["explain", "--json", "-e", query]));
        let field = format!("\"decided_side_by_side\": {is_decided},");
        assert!(json.contains(&field), "{json}");
    }
}

#[test]
fn faster_forms_are_named() {
    assert_says("Kd4 Pd5 check", "Kd4 Pd5", &["one test for 2 designators"]);
    assert_says(
        "square all x in a-h1 {x attackedby R}",
        "square all x in a-h1 {x attackedby R}",
        &["a loop that is answered for all its squares at once"],
    );
    assert_says(
        "square x in [qrbn] {A attacks x legal A--x}",
        "[qrbn]",
        &["only those for which the tests of the loop can hold"],
    );
    assert_says(
        "shift {Pd4 Pe5}",
        "shift {Pd4 Pe5}",
        &["49 copies: all ask for the same pattern of pieces, looked for everywhere at once; no copy is evaluated"],
    );
    assert_says(
        "shift {check Pd4}",
        "shift {check Pd4}",
        &["64 copies: evaluated one after the other"],
    );
    assert_says(
        "find all {check wtm}==3",
        "find all {check wtm}",
        &["its filter is evaluated once at each position of a game and remembered"],
    );
    assert_says(
        "find {check comment(\"c\")}",
        "find {check comment(\"c\")}",
        &["its filter is evaluated once at each position of a game and remembered, where the output has no comments"],
    );
    assert_says(
        "echo (s t) {s<t sidetomove==s:sidetomove check s:mate}",
        "echo (s t) {s<t sidetomove==s:sidetomove check s:mate}",
        &[
            "a join: 1 filter asked of the source once, 1 filter asked of each target once \
           per game, 2 filters asked of pairs; targets are looked up by 1 equal value; one condition says where they lie",
        ],
    );
    assert_says(
        "line --> check* --> .*",
        "line --> check* --> .*",
        &["sequences of moves fit in many ways: each state is entered once at a position"],
    );
}

#[test]
fn moves_that_are_tried_are_told_from_those_that_are_looked_for() {
    let looked_for = "only moves that can give check are looked at; no list of legal moves is made";
    let tried = "all legal moves of the position are generated, and those that fit are tried one by one";
    for (filter, how) in [
        ("legal --(mate)", looked_for),
        ("countmoves legal Q--(check)", looked_for),
        ("pseudolegal --(check)", tried),
        ("legal --(check wtm)", looked_for),
        ("legal --(Kg1 kg8 check)", looked_for),
        ("legal --(check or wtm)", tried),
        ("move legal all from K : check", tried),
        ("legal --", "all legal moves of the position are generated"),
        ("legal [x]", "all legal moves of the position are generated"),
    ] {
        assert_says(filter, filter, &[how]);
    }
}

#[test]
fn what_cannot_be_shortened_names_its_cause() {
    let shortened = |filter: &str| format!("cannot be shortened: `{filter}`");
    assert_says(
        "x∊[QR] {message(x) check}",
        "x∊[QR] {message(x) check}",
        &[
            "a loop over its squares, one after the other",
            &(shortened("message(x)") + " writes a message"),
        ],
    );
    assert_says(
        "find {x=ply check}",
        "find {x=ply check}",
        &[
            "its filter is tried at position after position each time",
            &(shortened("x=ply") + " sets a variable"),
        ],
    );
    assert_says(
        "echo (s t) {x=4 check}",
        "echo (s t) {x=4 check}",
        &[
            "all pairs of positions are tried",
            &(shortened("x=4") + " sets a variable"),
        ],
    );
    assert_says(
        "flipcolor {Kg1 comment(\"home\")}",
        "flipcolor {Kg1 comment(\"home\")}",
        &[
            "2 copies: evaluated one after the other",
            &(shortened("comment(\"home\")") + " writes a comment"),
        ],
    );
    assert_says(
        "x∊R {#{x attacks k}==1}",
        "x∊R {#{x attacks k}==1}",
        &[
            "a loop over its squares, one after the other",
            "what its body asks cannot be answered for all squares at once",
        ],
    );
}

#[test]
fn filters_are_listed_in_the_order_of_evaluation() {
    let text = explained("R attacks k Q==1 wtm");
    let order: Vec<usize> = ["  wtm\n", "  Q==1\n", "  R attacks k\n"]
        .iter()
        .map(|part| text.find(part).expect("the part is quoted"))
        .collect();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn what_is_read_and_who_shares_the_work_is_said() {
    let plain = explained("mate");
    assert!(
        plain.contains(
            "variations are skipped\n  from a database, moves only of games with a mate\n  comments are skipped\n"
        ),
        "{plain}"
    );
    assert!(
        plain.contains("\nThreads:\n  games are shared among all threads\n"),
        "{plain}"
    );
    let all = explained(
        "cql(variations gamenumber 1 5) ◭x∊R {x attacks k message(x)} originalcomment sort \"n\" lastgamenumber",
    );
    for line in [
        "looked at only if its number is 1 to 5",
        "tags, the moves of the main line and of all variations",
        "comments and annotation symbols",
        "every piece is followed through its moves",
        "the games are counted before the search: `lastgamenumber`",
        "if it matches, kept until the end to be sorted by 1 key",
    ] {
        assert!(all.contains(&format!("\n  {line}\n")), "`{line}` is missing:\n{all}");
    }
    let serial = explained("persistent total=0 dictionary D D[\"a\"]=1 mate");
    for cause in ["variable `total`", "dictionary `D`"] {
        let line = format!("\n  one game after the other: the {cause} lives through the run\n");
        assert!(serial.contains(&line), "`{cause}` is missing:\n{serial}");
    }
}

#[test]
fn estimates_grow_with_the_work() {
    let cost = |query: &str| {
        let json = stdout(skewer().args(["explain", "-f", "json", "-e", query]));
        let plan: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
        plan["each_position"][0]["cost"].as_f64().expect("a cost is a number")
    };
    assert_eq!(cost("Ra1"), 1.0, "the unit is one designator");
    for (less, more) in [
        ("Ra1", "R attacks k"),
        ("find all check==1", "find all {x=1 check}==1"),
        (
            "square all x in . {x attackedby R}",
            "square all x in . {#{x attackedby R}==1}",
        ),
        ("shift {Pd4 Pe5}", "shift {Pd4 Pe5 check}"),
        ("move from K", "move from K legal"),
        ("--(check)", "path --* check"),
    ] {
        assert!(cost(less) < cost(more), "`{less}` costs less than `{more}`");
    }
}

#[test]
fn json_has_the_places_of_the_parts() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql()\nelo>2600 // tags\n  Kd4 // pieces\n  Pd5");
    let json = stdout(skewer().args(["explain", text(&query), "--format", "json"]));
    let plan: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(plan["once_per_game"][0]["text"], "elo>2600");
    let pieces = &plan["each_position"][0];
    assert_eq!((&pieces["line"], &pieces["column"]), (&3.into(), &3.into()));
    assert_eq!(pieces["text"], "Kd4 Pd5");
    assert_eq!(plan["shared_by_threads"], true);
}

#[test]
fn errors_are_those_of_the_compiler() {
    let unknown = skewer().args(["explain", "-e", "mte"]).assert().code(2);
    let error = String::from_utf8_lossy(&unknown.get_output().stderr).into_owned();
    assert!(error.contains("did you mean `mate`?"), "{error}");
    skewer().args(["explain", "no such file.cql"]).assert().code(2);
    skewer().arg("explain").assert().code(2);
    skewer().args(["explain", "q.cql", "-e", "mate"]).assert().code(2);
}

#[test]
fn arguments_of_calls_are_no_effects() {
    for query in [
        "s∊A skewer(s q r)",
        "function f(x y) {x -> y} s∊A f({s} R)",
        "find quiet discoveredcheck(R)",
    ] {
        let plan = explained(query);
        assert!(!plan.contains("sets a variable"), "{plan}");
        assert!(!plan.contains("cannot be shortened"), "{plan}");
    }
}

#[test]
fn what_never_matches_is_said_in_words() {
    let text = explained("wtm #R<0");
    assert!(text.contains("\n  what no position has\n"), "{text}");
    assert!(text.contains("moves only of games with what no game has\n"), "{text}");
}

#[test]
fn what_must_hold_later_has_its_own_number_of_half_moves() {
    let text = explained("B--ph7(k--h7(N--g5(check)))");
    assert!(text.contains("a check 3 half-moves later"), "{text}");
    assert!(!text.contains("later 1 half-move later"), "{text}");
}
