//! Exit codes, options, errors.

use predicates::prelude::*;

use super::*;

#[test]
fn exit_code_says_whether_something_matches() {
    search(&["-e", "mate", CLASSICS]).assert().code(0);
    search(&["-e", "stalemate", CLASSICS]).assert().code(1).stdout("");
}

#[test]
fn a_whole_query_may_stand_in_an_argument() {
    search(&["-e", "cql(gamenumber 3 9) mate", "--format", "ids", CLASSICS])
        .assert()
        .code(0)
        .stdout("3:47\n5:33\n9:21\n");
}

#[test]
fn filters_may_look_like_an_option() {
    search(&["-e", "--(castle)", "--format", "count", CLASSICS])
        .assert()
        .code(0);
}

#[test]
fn a_bad_query_is_reported_before_any_input_is_opened() {
    search(&["-e", "mate (", "missing.pgn"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::starts_with("error").and(predicate::str::contains("missing.pgn").not()));
}

#[test]
fn errors_have_colours_only_when_they_are_wanted() {
    let escape = predicate::str::contains("\u{1b}[");
    search(&["--color", "always", "-e", "mate (", CLASSICS])
        .assert()
        .code(2)
        .stderr(escape.clone());
    search(&["--color", "never", "-e", "mate (", CLASSICS])
        .assert()
        .code(2)
        .stderr(escape.clone().not());
    search(&["-e", "mate (", CLASSICS])
        .assert()
        .code(2)
        .stderr(escape.not());
}

#[test]
fn a_missing_query_file_is_an_error() {
    search(&["missing.cql", CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("missing.cql"));
}

#[test]
fn a_missing_input_is_an_error_without_output() {
    let folder = Folder::new();
    let output = folder.path().join("out.pgn");
    let missing = folder.path().join("missing.pgn");
    search(&["-e", "mate", text(&missing), "-o", text(&output)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("missing.pgn"));
    assert!(folder.names().is_empty());
}

#[test]
fn no_input_at_all_is_an_error_that_says_what_to_do() {
    search(&["-e", "mate"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("nothing to search"));
    let folder = Folder::new();
    search(&["mates", "--out-dir", text(folder.path())])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("nothing to search"));
}

#[test]
fn wrong_arguments_are_an_error() {
    search(&[]).assert().code(2);
    search(&["-e", "mate", "--format", "xml", CLASSICS]).assert().code(2);
    search(&["-e", "mate", "--threads", "0", CLASSICS]).assert().code(2);
}

#[test]
fn the_limit_counts_matching_games() {
    search(&["-e", "mate", "--limit", "3", "--format", "ids", CLASSICS])
        .assert()
        .code(0)
        .stdout("1:13\n2:45\n3:47\n");
}

#[test]
fn output_and_messages_are_the_same_on_any_number_of_threads() {
    // Enough games for many batches.
    let folder = Folder::new();
    let games = std::fs::read_to_string(CLASSICS).expect("the examples are there") + "\n";
    let many = folder.file("many.pgn", games.repeat(80));
    let query = "xray (R a k) message(gamenumber)";
    for format in ["pgn", "ids"] {
        let [one, two, seven] = ["1", "2", "7"].map(|threads| {
            let output = search(&["-e", query, "--threads", threads, "--format", format, text(&many)]).output();
            let output = output.expect("the command runs");
            (output.status.code(), output.stdout, output.stderr)
        });
        assert_eq!(one.0, Some(0));
        assert!(one.2.iter().filter(|byte| **byte == b'\n').count() >= 80 * 24);
        assert!(one == two && one == seven, "format {format}");
    }
}

#[test]
fn messages_go_to_standard_error() {
    search(&[
        "-e",
        "mate message(\"it is\")",
        "--limit",
        "2",
        "--format",
        "count",
        CLASSICS,
    ])
    .assert()
    .code(0)
    .stdout("games: 2\npositions: 2\n")
    .stderr("Game: 1 move 7(btm): it is\nGame: 2 move 23(btm): it is\n");
}

#[test]
fn sorted_games_come_best_first() {
    let query = "sort \"plies\" ply mate";
    let output = stdout(&mut search(&["-e", query, "--format", "csv", CLASSICS]));
    let games: Vec<_> = output
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(games, ["17", "3", "2", "11", "5", "9", "1", "16"]);
    let best = stdout(&mut search(&["-e", query, "--format", "csv", "--limit", "2", CLASSICS]));
    assert_eq!(best.lines().count(), 3, "a header and the two best");
}

#[test]
fn variations_are_searched_when_asked_for() {
    let folder = Folder::new();
    let game = folder.file(
        "game.pgn",
        "[Event \"?\"]\n\n1. f3 e5 2. g4 (2. e4 Nf6) 2... Nc6 (2... Qh4#) 3. e4 *\n",
    );
    search(&["-e", "mate", text(&game)]).assert().code(1);
    search(&["-e", "mate", "--variations", text(&game)]).assert().code(0);
}

#[test]
fn the_examples_find_what_they_say() {
    for (query, expected) in [
        ("mates.cql", "5:33\n16:11\n"),
        (
            "discovered-checks.cql",
            "4:41\n4:45\n11:34\n15:52\n15:56\n15:60\n17:39\n17:43\n",
        ),
    ] {
        let path = Path::new(CLASSICS).with_file_name(query);
        search(&[text(&path), CLASSICS, "--format", "ids"])
            .assert()
            .code(0)
            .stdout(expected);
    }
    let count = ["-e", "xray (R a k)", CLASSICS, "--format", "count"];
    search(&count).assert().code(0).stdout("games: 5\npositions: 24\n");
}

#[test]
fn no_move_is_of_two_special_kinds() {
    let folder = Folder::new();
    let games = folder.file(
        "games.pgn",
        "[White \"Ann\"]\n\n1. e4 a6 2. Nf3 a5 3. Bc4 a4 4. e5 d5 5. O-O *\n",
    );
    let counts = "move legal castle count \" \" move legal enpassant count \" \" move legal enpassantsquare d5 count \" \"
        move legal castle enpassant count \" \" move enpassantsquare d5 legal o-o count \" \" move castle \" \" move castle enpassant";
    let query = format!("ply == 8 message({counts})");
    search(&["-e", &query, text(&games), "--format", "count"])
        .assert()
        .code(0)
        .stderr("Game: 1 move 5(wtm): 1 1 1 0 0 <true> <false>\n");
}

#[test]
fn slips_with_the_paths_are_explained() {
    let folder = Folder::new();
    folder.file("queries/mate.cql", "cql() mate");
    let queries = folder.path().join("queries");
    for (arguments, advice) in [
        ([CLASSICS, "mate.cql"], "the first path is the query"),
        (["mate", CLASSICS], "filters are written after -e: `-e 'mate'`"),
        (
            [text(&queries), CLASSICS],
            "--out-dir DIR` searches with all queries of a folder",
        ),
    ] {
        search(&arguments)
            .assert()
            .code(2)
            .stderr(predicate::str::contains("= help: ").and(predicate::str::contains(advice)));
    }
}

#[test]
fn a_query_comes_from_standard_input_too() {
    for command in ["check", "explain"] {
        skewer().args([command, "-"]).write_stdin("cql() mate").assert().code(0);
        let refused = skewer().args([command, "-"]).write_stdin("mte").assert().code(2);
        refused.stderr(predicate::str::contains("unknown name `mte`").and(predicate::str::contains("<stdin>:1:1")));
    }
    let mut search_stdin = search(&["-", CLASSICS, "-f", "ids"]);
    search_stdin.write_stdin("cql() mate").assert().code(0).stdout(MATES);
    search(&["-", "-"])
        .write_stdin("cql() mate")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot be both the query and what to search"));
}

#[test]
fn the_name_of_the_output_file_says_its_format() {
    let folder = Folder::new();
    for (name, start) in [
        ("page.html", "<!DOCTYPE html>"),
        ("games", "[Event "),
        ("ids.ids", "1:13\n"),
    ] {
        let file = folder.path().join(name);
        search(&["-e", "mate", CLASSICS, "-o", text(&file)]).assert().code(0);
        let written = std::fs::read_to_string(&file).expect("it is written");
        assert!(written.starts_with(start), "{name}: {written}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_named_when_nothing_can_be_written() {
    let folder = Folder::new();
    let missing = folder.path().join("missing");
    let message = format!("there is no folder {}\n", missing.display());
    search(&["-e", "mate", CLASSICS, "-o", text(&missing.join("page.html"))])
        .assert()
        .code(2)
        .stderr(predicate::str::ends_with(message));
}

#[test]
fn castling_of_chess960_is_tried_beside_the_step_of_the_king() {
    let folder = Folder::new();
    let games = folder.file(
        "960.pgn",
        "[Variant \"Chess960\"]\n[FEN \"6k1/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. O-O *\n\n\
         [Variant \"Chess960\"]\n[FEN \"3k4/8/8/8/8/8/8/RK4R1 w A - 0 1\"]\n\n1. O-O-O+ *\n",
    );
    let filters =
        "initial message quiet(countmoves legal K--(true) \" \" move legal castle : true \" \" legal --(castle check))";
    let output = search(&["-e", filters, "-f", "count", text(&games)]).output();
    let output = output.expect("the command runs");
    // The king can go from f1 to e1, e2, f2 and g2, or castle to g1. In the other game a king's step and castling end on the same square.
    assert_eq!(String::from_utf8_lossy(&output.stderr), "5 g1 []\n4 c1 c1\n");
}
