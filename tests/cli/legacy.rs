//! `skewer cql`, and the program under the name `cql`.

use predicates::prelude::*;

use super::*;

/// Returns the command `skewer cql` in a folder.
fn cql(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.current_dir(folder).arg("cql").args(arguments);
    command
}

/// The folder with the recorded queries and games.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

/// Returns the lines of a file, without trailing spaces.
fn lines(path: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("the file exists")).into_owned();
    text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Runs a query with options on the classic games, asserts that something matches, and returns the output.
fn written(query: &str, options: &[&str]) -> String {
    let folder = Folder::new();
    folder.file("q.cql", query);
    let arguments = [&["-input", CLASSICS], options, &["q"]].concat();
    cql(folder.path(), &arguments).assert().code(0).stderr("");
    std::fs::read_to_string(folder.path().join("q-out.pgn")).expect("the output is written")
}

/// Returns how many games the output has.
fn games(query: &str, options: &[&str]) -> usize {
    written(query, options).matches("[Event ").count()
}

#[test]
fn recorded_runs_are_written_the_same() {
    let names = [
        "out-tree-variations-marked",
        "header-sort-matchcount-is-last-key",
        "header-quiet",
        "removecomment-and-new-comment",
        "hhdb-sort-award",
    ];
    for name in names {
        let folder = Folder::new();
        let case = Path::new(GOLDEN).join("02-games-and-output").join(name);
        let out = folder.path().join("out.pgn");
        let query = case.with_extension("cql");
        cql(&Path::new(GOLDEN).join("pgn"), &["-output", text(&out), text(&query)])
            .assert()
            .code(0);
        assert!(lines(&out) == lines(&case.with_extension("expected.pgn")), "{name}");
    }
}

#[test]
fn the_end_of_a_run_is_told_as_cql_does() {
    let folder = Folder::new();
    folder.file(
        "mates.cql",
        "cql(gamenumber 2 4) mate message(\"mate by \" player white)",
    );
    let output = stdout(&mut cql(folder.path(), &["-i", CLASSICS, "-s", "mates.cql"]));
    let (banner, rest) = output.split_once('\n').expect("several lines");
    assert!(banner.starts_with("skewer "), "{banner}");
    let (messages, last) = rest.split_once("\n\n").expect("an empty line before the end");
    assert_eq!(
        messages,
        "Game: 2 move 23(btm): mate by Anderssen, Adolf\nGame: 3 move 24(btm): mate by Anderssen, Adolf"
    );
    // The search stops at the fifth game, which is the first one past the range.
    assert!(last.starts_with("2 matches of 5 games in "), "{last}");
    assert!(
        last.ends_with(" seconds using 1 thread(s) to mates-out.pgn\n"),
        "{last}"
    );
    assert_eq!(folder.names(), ["mates-out.pgn", "mates.cql"]);
}

#[test]
fn persistent_variables_are_told_behind_the_end_of_the_run() {
    let folder = Folder::new();
    folder.file(
        "mates.cql",
        "cql() mate persistent mates+=1 persistent quiet silent_ones+=1 persistent last=\"k\" + str(k)",
    );
    let output = stdout(&mut cql(folder.path(), &["-i", CLASSICS, "mates.cql"]));
    let (_, closing) = output.split_once("mates-out.pgn\n").expect("the end of the run");
    let lines: Vec<_> = closing.lines().collect();
    assert_eq!(lines.len(), 2, "{closing}");
    assert!(lines[0].starts_with("mates: "), "{closing}");
    assert!(lines[1].starts_with("last: "), "{closing}");
}

#[test]
fn a_thousand_games_are_a_dot() {
    let folder = Folder::new();
    let all = std::fs::read_to_string(CLASSICS).expect("the examples are there") + "\n";
    folder.file("many.pgn", all.repeat(140));
    folder.file("q.cql", "cql(input many.pgn gamenumber 1 2499 silent) stalemate");
    let output = stdout(&mut cql(folder.path(), &["q"]));
    assert!(output.contains("\n..\n\n0 matches of 2500 games in "), "{output}");
    let written = std::fs::read(folder.path().join("q-out.pgn")).expect("it is written, though empty");
    assert!(written.is_empty());
}

#[test]
fn games_alone_are_searched_for_everything() {
    let folder = Folder::new();
    let arguments = ["-INPUT", CLASSICS, "--gamenumber", "7", "-wtm", "-silent"];
    cql(folder.path(), &arguments)
        .assert()
        .code(0)
        .stdout(predicate::str::contains("\n1 matches of 8 games in "));
    assert_eq!(folder.names(), ["cqldefault-out.pgn"]);
}

#[test]
fn the_name_of_the_program_is_enough() {
    let folder = Folder::new();
    let program = folder.path().join("cql");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("skewer"), &program).expect("programs can be copied");
    folder.file("q.cql", "cql() mate");
    let mut command = Command::new(&program);
    command.current_dir(folder.path()).args(["-input", CLASSICS, "q.cql"]);
    command
        .assert()
        .code(0)
        .stdout(predicate::str::contains("8 matches of 18 games"));
    assert_eq!(folder.names(), ["cql", "q-out.pgn", "q.cql"]);
}

#[test]
fn files_below_the_current_folder_are_read_and_written() {
    let folder = Folder::new();
    let run = |query: &str| {
        folder.file("themes/q.cql", query);
        cql(folder.path(), &["-input", CLASSICS, "themes/q"]).assert()
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it is there");
    for filters in [
        r#"writefile("found.cqo" str(gamenumber " "))"#,
        r#"writefile("themes/found.cql" "x")"#,
        r#"#(readfile "found.cqo") > 3"#,
    ] {
        // The second run replaces the output of the first one.
        for _ in 0..2 {
            run(&format!("cql() mate {filters}")).code(0).stderr("");
        }
    }
    assert_eq!(
        (read("found.cqo"), read("themes/found.cql")),
        ("1 2 3 5 9 11 16 17 ".into(), "xxxxxxxx".into())
    );
    folder.file("found.cqo", "of another program");
    run(r#"cql() mate writefile("found.cqo" "x")"#).code(0);
    assert_eq!(read("found.cqo"), "xxxxxxxx");
    folder.file("mine.cql", "cql() mate");
    std::fs::remove_file(folder.path().join("q-out.pgn")).expect("it is there");
    for name in [
        "themes/q.cql",
        "mine.cql",
        "../found.cqo",
        text(&folder.path().join("found.cqo")),
    ] {
        let query = format!("cql() mate writefile({name:?} \"y\")");
        run(&query)
            .code(1)
            .stdout(predicate::str::contains("cannot write the file"));
        assert_eq!(read("themes/q.cql"), query);
    }
    assert_eq!(
        (read("found.cqo"), read("mine.cql")),
        ("xxxxxxxx".into(), "cql() mate".into())
    );
    assert!(!folder.path().join("q-out.pgn").exists());
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    for arguments in [&[][..], &["-help"], &["--H"]] {
        let help = predicate::str::contains("-matchcount A [B]");
        cql(folder.path(), arguments).assert().code(0).stdout(help);
    }
    for argument in ["-version", "-v", "--VERSION"] {
        let version = predicate::str::contains(env!("CARGO_PKG_VERSION"));
        cql(folder.path(), &[argument]).assert().code(0).stdout(version);
    }
    cql(folder.path(), &["-hhdb", "help"])
        .assert()
        .code(0)
        .stdout(predicate::str::contains("  commendation\n"));
}

#[test]
fn errors_go_to_standard_output_and_end_with_1() {
    let folder = Folder::new();
    folder.file("bad.cql", "cql() chekc");
    folder.file("stop.cql", "cql() ply==3 cql_abort");
    folder.file("q.cql", "cql() mate");
    for (arguments, message) in [
        (&["-i", CLASSICS, "bad"][..], "unknown name `chekc`"),
        (
            &["-i", CLASSICS, "stop"],
            "`cql_abort` ends the run (game 1, positionid 3)",
        ),
        (&["-i", CLASSICS, "missing"], "missing.cql"),
        (&["-i", "missing.pgn", "q"], "missing.pgn"),
        (&["q"], "no games"),
        (&["-gamenumber", "5", "2", "q"], "-gamenumber"),
        (&["-u", "new.cql", "q"], "does not offer"),
        (&["-i", CLASSICS, "-cql", "mate chekc", "q"], "<-cql>:1:6"),
        (&["-i", CLASSICS, "-rotate45", "-cql", "Ra1", "q"], "<-cql>:1:1"),
    ] {
        cql(folder.path(), arguments)
            .assert()
            .code(1)
            .stderr("")
            .stdout(predicate::str::contains(message));
    }
    cql(folder.path(), &["-inptu", CLASSICS, "q"])
        .assert()
        .code(1)
        .stdout("")
        .stderr(predicate::str::contains("-inptu"));
    assert_eq!(
        folder.names(),
        ["bad.cql", "q.cql", "stop.cql"],
        "no output after an error"
    );
}

#[test]
fn the_command_line_goes_before_the_header() {
    let folder = Folder::new();
    let query = "cql(input missing.pgn output header.pgn gamenumber 1 matchstring \"header\" silent) mate";
    folder.file("q.cql", query);
    let options = [
        "-input",
        CLASSICS,
        "-output",
        "line.pgn",
        "-g",
        "2",
        "3",
        "-matchstring",
        "line",
        "-quiet",
    ];
    cql(folder.path(), &[&options[..], &["q"]].concat()).assert().code(0);
    assert_eq!(folder.names(), ["line.pgn", "q.cql"]);
    let games = std::fs::read_to_string(folder.path().join("line.pgn")).expect("it is written");
    assert_eq!(games.matches("[Event ").count(), 2);
    assert_eq!(games.matches("{Game number ").count(), 2, "quiet, not silent");
    assert!(!games.contains("line}") && !games.contains("header}"));
    let loud = written("cql(matchstring \"header\") mate", &["-matchstring", "line"]);
    assert_eq!(loud.matches("{line}").count(), 8);
}

#[test]
fn filters_of_options_and_transforms() {
    assert_eq!(games("cql() mate", &[]), 8);
    assert_eq!(games("cql() mate", &["-wtm"]), games("cql() wtm mate", &[]));
    assert_eq!(
        games("cql() mate", &["-result", "0-1"]),
        games("cql() result 0-1 mate", &[])
    );
    assert_eq!(
        games("cql() .", &["-event", "American"]),
        games("cql() event \"American\"", &[])
    );
    assert_eq!(
        games("cql() .", &["-site", "London"]),
        games("cql() site \"London\"", &[])
    );
    assert_eq!(
        games("cql() ply==limit", &["-assign", "limit", "60"]),
        games("cql() ply==60", &[])
    );
    assert_eq!(games("cql() player black==name", &["-assign", "name", "Saint Brie"]), 1);
    assert_eq!(
        games("cql() mate", &["-cql", "ply>40 /// \"late\"", "-btm"]),
        games("cql() mate ply>40 btm", &[])
    );
    assert!(written("cql() mate", &["-cql", "/// \"late\""]).contains("{late CQL}"));
    assert_eq!(
        games("cql() mate", &["-year", "1850", "1860"]),
        games("cql() mate 1850<=year<=1860", &[])
    );
    assert_eq!(
        games("cql() Qf7 mate", &["-flipvertical"]),
        games("cql() flipvertical {Qf7 mate}", &[])
    );
    assert_eq!(
        games("cql() kf7", &["-flipcolor", "-cql", "R==2"]),
        games("cql() flipcolor {R==2 kf7}", &[])
    );
    assert_eq!(games("cql() mate", &["-matchcount", "0"]), 10);
}

#[test]
fn a_game_of_another_year_has_no_matching_position() {
    let all = games("cql() .", &[]);
    let old = games("cql() year<1900", &[]);
    assert!(0 < old && old < all);
    // Excluded games never match, not even with `matchcount 0`.
    assert_eq!(games("cql(matchcount 0) .", &["-year", "0", "1899"]), all - old);
}

#[test]
fn options_hold_back_what_queries_add() {
    let query = "cql() mate settag(\"Remark\" \"mate\") comment(\"over\") comment(\"over\")";
    assert!(written(query, &[]).contains("{over CQL}"));
    assert!(written(query, &[]).contains("[Remark \"mate\"]"));
    assert!(!written(query, &["-nosettag"]).contains("Remark"));
    assert!(written(query, &["-nouniquecomments"]).contains("{over over CQL}"));
    assert!(!written(query, &["-noheader"]).contains("Game number"));
    assert!(!written(query, &["-NoHeaders"]).contains("Game number"));
    let failing = "cql() initial not comment(\"kept\") or true";
    assert!(!written(failing, &[]).contains("kept"));
    assert!(written(failing, &["-alwayscomment"]).contains("kept"));
}

#[test]
fn original_comments_may_be_kept_and_variations_left_out() {
    let folder = Folder::new();
    folder.file(
        "g.pgn",
        "[Event \"?\"]\n\n{before} 1. f3 e5 2. g4 (2. e4 Nf6) 2... Nc6 (2... Qh4#) 3. e4 *\n",
    );
    folder.file("q.cql", "cql(input g.pgn variations) removecomment initial or mate");
    let run = |options: &[&str]| {
        cql(folder.path(), &[options, &["q"]].concat()).assert().code(0);
        std::fs::read_to_string(folder.path().join("q-out.pgn")).expect("it is written")
    };
    assert!(!run(&[]).contains("before"));
    assert!(run(&[]).contains("Qh4# {CQL}"));
    assert!(run(&["-noremovecomment"]).contains("{before Game number 1 CQL}"));
    assert!(!run(&["-mainline"]).contains("Qh4# {CQL}"));
    assert!(run(&["-mainline", "-variations"]).contains("Qh4# {CQL}"));
}

#[test]
fn queries_have_no_words_but_those_of_cql() {
    let folder = Folder::new();
    for query in ["cql() skewer(R q r)", "cql() intersection(R b)"] {
        folder.file("q.cql", query);
        cql(folder.path(), &["-input", CLASSICS, "q"])
            .assert()
            .stdout(predicate::str::contains("unknown name").or(predicate::str::is_empty()))
            .failure();
    }
}
