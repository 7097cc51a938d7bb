//! Queries that are small programs: what they print and why they end.

use predicates::prelude::*;

use super::*;

/// Two short games.
const GAMES: &str = "\
[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n
[White \"Cid\"]\n[Black \"Dan\"]\n\n1. d4 d5 2. c4 *\n";

/// Returns the lines that filters print about the first game, without their places.
fn printed(filters: &str) -> Vec<String> {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let query = format!("cql(gamenumber 1) {filters}");
    let output = search(&["-e", &query, text(&games), "--format", "count"])
        .output()
        .expect("the command runs");
    let log = String::from_utf8(output.stderr).expect("messages are UTF-8");
    log.lines()
        .map(|line| line.strip_prefix("Game: 1 move 1(wtm): ").unwrap_or(line).to_owned())
        .collect()
}

/// Searches the two games.
fn searched(filters: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    search(&["-e", filters, text(&games), "--format", "count"])
        .args(options)
        .assert()
}

#[test]
fn dictionaries() {
    for (filters, lines) in [
        (
            r#"local dictionary D D[1] = 5 message(D[1] + 1 " " D[2] + 1)"#,
            &["6 <false>"][..],
        ),
        // One key is removed while it is visited, and the next one before it is visited.
        (
            "local dictionary D D[1]=2 D[2]=3 D[3]=4 v ∊ D {message(v) unbind D[v] unbind D[v + 1]} message(#D)",
            &["1", "3", "0"],
        ),
        // A key that is added before the current one in the order is not visited.
        (
            "local dictionary D D[3]=1 v ∊ D {message(v) D[1]=1 if v < 5 then D[v + 1]=1} message(#D)",
            &["3", "4", "5", "4"],
        ),
        // Nested loops are independent.
        (
            "local dictionary D D[1]=1 D[2]=1 v ∊ D w ∊ D message(v w)",
            &["11", "12", "21", "22"],
        ),
        (
            r#"local dictionary D D["k"]=2 v ∊ D true message(v)"#,
            &["<unbound: v>"],
        ),
        ("local dictionary D D[1]=R x ∊ D[1] message(x)", &["a1", "h1"]),
        (
            "local dictionary D D[-5]=1 D[10]=1 D[0]=1 message(D)",
            &[
                "Dictionary D with 3 entries: ",
                "<NumValue>-5: <NumValue>1",
                "<NumValue>0: <NumValue>1",
                "<NumValue>10: <NumValue>1",
                "",
            ],
        ),
        (
            "local dictionary D D[R & a1]=currentposition message(D)",
            &[
                "Dictionary D with 1 entries: ",
                "<SquareMask>a1: <QPos*>move 1(wtm)",
                "",
            ],
        ),
        // A dictionary may be declared where it is used, and a second time.
        (
            "#local dictionary D == 0 local dictionary D[1]=2 local dictionary D message(#D)",
            &["1"],
        ),
        (
            "function F(d key){d[key]=key} F(local dictionary D 7) message(D[7])",
            &["7"],
        ),
        (
            "message((isbound D) (isunbound D)) local dictionary D",
            &["<true><false>"],
        ),
        ("local dictionary D assert D if equal(D true) then message(1)", &["1"]),
        // A second declaration does not empty the dictionary. An assignment without a value stores nothing.
        (
            "local dictionary D D[1]=1 local dictionary D {D[2]=1/0} or true {D[1/0]=2} or true message(#D)",
            &["1"],
        ),
        (
            "local dictionary D D[1]=2 {unbind D[1/0]} or message(3) unbind D[5] message(#D)",
            &["3", "1"],
        ),
    ] {
        assert_eq!(printed(&format!("initial {filters}")), lines, "{filters}");
    }
}

#[test]
fn regular_expressions() {
    for (filters, lines) in [
        // Matches inside of the loop do not disturb its own.
        (
            r#"x="abcabc" while (x ~~ "b(.)") {x[\-0]="X" message(\1 x)} message(\0)"#,
            &["caXcabc", "caXcaXc", "bc"][..],
        ),
        (r#"while ("a" ~~ "b") message(1) message(2)"#, &["2"]),
        (
            r#"if while ("a"[5] ~~ "b") true then message(1) else message(2)"#,
            &["2"],
        ),
        (r#""abc" ~~ "b" function F(s){s ~~ "c"} F("c") message(\0)"#, &["c"]),
        (r#""xay" ~~ "a" if not "b"[5] ~~ "a" then message(\0 \-0)"#, &["a1"]),
        (
            r#""a-b" ~~ "(\w)-(x)?" message(\1 \2 \-2) if \2 message(3) else message(4)"#,
            &["a<false><false>", "4"],
        ),
        (r#"message("ab"+"cd" ~~ "d|b" "xyz" ~~ "y."[1:])"#, &["abdz"]),
        (r#"message("a"+\n ~~ \n "b")"#, &["a", "b"]),
    ] {
        assert_eq!(printed(&format!("initial {filters}")), lines, "{filters}");
    }
}

#[test]
fn parts_of_strings() {
    for (filters, lines) in [
        (
            r#"x="abcdef" x[2:4]="" message(x) x[-1]="xyz" message(x)"#,
            &["abef", "abexyz"][..],
        ),
        // Computing the value may shorten the string before the assignment.
        (r#"x="abcdef" x[4:6]={x="a" "Z"} message(x)"#, &["aZ"]),
        (r#"x="ab" {x[2]="c"} or {x[-3]="c"} or message(x)"#, &["ab"]),
        (r#"x="ab" {x[0]="a"[5]} or message(x)"#, &["ab"]),
        (r#"x="é" x[0:1]="" message(#x)"#, &["1"]),
    ] {
        assert_eq!(printed(&format!("initial {filters}")), lines, "{filters}");
    }
}

#[test]
fn persistent_variables_are_printed_at_the_end() {
    let query = r#"initial persistent total += 1 persistent names += tag "White" persistent never = R unbind never
        if false then persistent zero += 1 persistent quiet hidden += 1 persistent rooks = R"#;
    for options in [
        &["--threads", "1"][..],
        &["--threads", "4"],
        &["--threads", "4", "--quiet"],
    ] {
        searched(query, options)
            .stdout("games: 2\npositions: 2\n")
            .stderr("total: 2\nnames: \"AnnCid\"\nnever: <unbound>\nzero: 0\nrooks: [a1,h1]\n");
    }
    // The variables are also printed when no game is searched.
    searched(&format!("cql(gamenumber 7 9) {}", query), &[])
        .code(1)
        .stderr("total: 0\nnames: \"\"\nnever: []\nzero: 0\nrooks: []\n");
}

#[test]
fn with_a_limit_later_games_are_not_counted() {
    for threads in ["1", "4"] {
        searched("initial persistent total += 1", &["--limit", "1", "--threads", threads])
            .stdout("games: 1\npositions: 1\n")
            .stderr("total: 1\n");
    }
}

#[test]
fn a_reading_that_is_given_up_leaves_no_variable() {
    // The parser first takes the right side of `+` for a string. As it is a number, the parser goes back and reads that part again.
    searched(r#"initial #"abc" + {persistent total += 1 total} > 3"#, &[])
        .stdout("games: 2\npositions: 2\n")
        .stderr("total: 2\n");
}

#[test]
fn endless_loops_end_the_run() {
    for filters in [
        "loop true",
        "while (true) true",
        r#"local dictionary D D[0]=0 v ∊ D D[v + 1]=0"#,
        r#"while ("abcdefghijklmnopqrstuvwxyz" ~~ "") ply"#,
    ] {
        searched(filters, &["--max-rounds", "20"])
            .code(2)
            .stderr(predicate::str::contains("--max-rounds"));
    }
    searched("x=0 while (x < 20) x += 1", &["--max-rounds", "20"]).code(0);
}

#[test]
fn what_grows_without_end_ends_the_run() {
    for filters in [
        r#"x="a" loop x += x"#,
        r#"x="a" loop x = x + x"#,
        r#"x="a" loop x[0:0] = x"#,
    ] {
        searched(filters, &[]).code(2).stderr(predicate::str::contains("grows"));
    }
    searched(
        r#"str("a" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") ~~ "(a*)*b\1" true"#,
        &[],
    )
    .code(2)
    .stderr(predicate::str::contains("backtracks"));
}

#[test]
fn mistakes_are_explained() {
    for (filters, place, message) in [
        ("x=1 persistent x += 1", "1:16", "not persistent"),
        ("persistent pp = currentposition", "1:12", "cannot be persistent"),
        ("persistent mm = max(mm 1)", "1:21", "unknown name"),
        (r#"persistent x += "a" persistent x += 1"#, "1:34", "does not join"),
        ("persistent quiet atomic x = 1", "1:18", "expected a name"),
        (r#"dictionary D D[1] D["a"]"#, "1:21", "as a key"),
        (r#"dictionary D D[1]="x" D[1]=2"#, "1:28", "as a value"),
        ("dictionary D x=D[1] D[1]=2", "1:16", "has a type only after"),
        ("dictionary D D[R]=1", "1:15", "stands between spaces"),
        ("dictionary D D[]=1", "1:15", "spaces around the key"),
        ("dictionary D D[x]=1", "1:15", "capture sign"),
        ("dictionary D D[currentposition]=1", "1:16", "local dictionary"),
        ("local dictionary D dictionary D", "1:31", "already"),
        ("x=1 dictionary x", "1:16", "number variable"),
        ("dictionary D D=1", "1:14", "a dictionary"),
        ("dictionary D D[1]=1 D[1] += 1", "1:26", "D[1] = D[1] + 1"),
        ("dictionary D #D[1] > 2", "1:16", "#(D[…])"),
        ("dictionary D D[1]=1 #D", "1:21", "value is lost"),
        ("dictionary D D[check]=1", "1:16", "cannot be a key"),
        ("dictionary D D[1]=check", "1:19", "cannot be a value"),
        ("dictionary D v ∊ D true", "1:18", "not known yet"),
        ("dictionary D unbind D[1]", "1:21", "not known yet"),
        ("dictionary D D[1]=1 string v in D true", "1:33", "strings"),
        ("dictionary D D[1]=1 v ∊ D v ∊ D true", "1:27", "already in use"),
        (r#"event ~~ "a(b""#, "1:12", "never closed"),
        (r#"event ~~ "a[z-b]""#, "1:13", "backwards"),
        (r#""abc"[1]="x""#, "1:9", "string variable"),
        (r#"readfile "x.cqo""#, "1:1", "value is lost"),
    ] {
        skewer()
            .args(["check", "-e", filters])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(format!("<-e>:{place}\n")).and(predicate::str::contains(message)));
    }
}

#[test]
fn stops_say_where_they_happen() {
    for (filters, message) in [
        (r#"initial "ab" ~~ "(a)" message(\2)"#, "last group is 1"),
        (r#"initial "ab" ~~ "(a)" not "b" ~~ "a" message(\0)"#, "found nothing"),
        (
            r#"initial local dictionary D D["k"]=1 v="a" v ∊ D true"#,
            "has a value already",
        ),
        (r#"initial if btm then x="a" x[0]="b""#, "has no value here"),
    ] {
        searched(filters, &[])
            .code(2)
            .stderr(predicate::str::contains(message).and(predicate::str::contains("(game 1, positionid 0)")));
    }
}

#[test]
fn texts_that_no_variable_holds_are_bounded_too() {
    const BIG: &str = r#"initial gamenumber == 1 x = "0123456789abcdef" while (#x < 40000000) x += x"#;
    for joined in ["#(x + x + x) > 0", "#str(x x x) > 0", "message(x x x)"] {
        searched(&format!("{BIG} {joined}"), &[])
            .code(2)
            .stderr(predicate::str::contains("strings hold up to 64 MB"));
    }
}

#[test]
fn searches_inside_each_other_end() {
    for filters in [
        "s1∊. s2∊. s3∊. s4∊. s5∊. s6∊. {x=1 x==2}",
        "x=0 echo (a1x b1x) in all echo (c1x d1x) in all echo (e1x f1x) in all echo (g1x h1x) in all echo (i1x j1x) in all {x+=1 false}",
        "x=0 find 0 find 99 find 99 find 99 find 99 find 99 find 99 find 99 find 99 {x+=1 false}",
    ] {
        searched(filters, &["--max-rounds", "1000"])
            .code(2)
            .stderr(predicate::str::contains(
                "the search at this position does not end (game 1, positionid ",
            ));
    }
    // An error in the body ends the loops over squares.
    searched("s1∊. s2∊. s3∊. s4∊. s5∊. s6∊. s7∊. {if false then x=1 x==1}", &[])
        .code(2)
        .stderr(predicate::str::contains("this variable has no value here"));
}

#[test]
fn strings_and_messages_are_bounded() {
    let doubled = "x = \"0123456789abcdef\"  nn = 0  while (nn < 20) {x += x nn += 1}";
    let many: String = (0..40).map(|number| format!(" y{number} = x")).collect();
    for (filters, message) in [
        (many.as_str(), "the query takes too much memory"),
        (" message(#(x+x+x+x+x))", "a string grows beyond all bounds"),
        (" message(#str(x x x x x))", "a string grows beyond all bounds"),
        (" loop message(x)", "the query takes too much memory"),
    ] {
        searched(&format!("{doubled}{filters}"), &["--max-memory", "256M"])
            .code(2)
            .stderr(predicate::str::contains(message));
    }
}

#[test]
fn the_comments_of_all_best_paths_are_bounded() {
    let folder = Folder::new();
    let moves: String = (0..250)
        .map(|pair| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * pair + 1, 2 * pair + 2))
        .collect();
    let games = folder.file("long.pgn", format!("[Event \"?\"]\n\n{moves}*\n"));
    let filters = format!("path keepallbest max {{0+1}} (-- comment(\"{}\"))*", "a".repeat(1000));
    search(&["-e", &filters, text(&games), "--max-memory", "64M"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("the query takes too much memory"));
}
