//! `skewer library`.

use predicates::prelude::*;

use super::*;

fn library(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.current_dir(folder.path()).arg("library").args(arguments);
    command
}

fn queries() -> Folder {
    let folder = Folder::new();
    folder.file(
        "queries/mates/smothered-mate.cql",
        "// Smothered mate: a knight mates. More.\n//? match \"6rk/5Npp/8/8/8/8/8/6K1 b\"\n//? no match \"7k/8/8/8/8/8/8/6K1 b\"\ncql() mate N->k",
    );
    folder.file("queries/any.cql", "cql() true");
    folder
}

#[test]
fn tables_list_the_queries_of_all_folders() {
    let folder = queries();
    let expected = "# Queries\n\n2 queries with 2 examples, made by skewer library.\n\n\
        | query | what it finds | examples |\n|---|---|---:|\n| [any](any.cql) |  | 0 |\n\n\
        ## Mates\n\n| query | what it finds | examples |\n|---|---|---:|\n\
        | [smothered-mate](mates/smothered-mate.cql) | Smothered mate: a knight mates. | 2 |\n";
    assert_eq!(stdout(&mut library(&folder, &["queries", "-f", "markdown"])), expected);
    let elsewhere = ["queries", "-o", "index.md"];
    library(&folder, &elsewhere).assert().code(0).stdout("").stderr("");
    let written = std::fs::read_to_string(folder.path().join("index.md")).expect("it is written");
    assert!(written.contains("(queries/mates/smothered-mate.cql)"), "{written}");
}

#[test]
fn without_a_file_there_is_a_line_for_each_query() {
    let folder = queries();
    let expected = "queries/any.cql\n\
        queries/mates/smothered-mate.cql  Smothered mate: a knight mates.\n";
    assert_eq!(stdout(&mut library(&folder, &["queries"])), expected);
}

#[test]
fn a_folder_of_queries_does_not_hide_the_library() {
    let folder = queries();
    let list = stdout(&mut library(&folder, &[]));
    assert!(list.starts_with("queries/any.cql\n"), "{list}");
    assert!(
        list.contains("\nqueries/mates/smothered-mate.cql ") && list.contains("\nmotifs/windmill "),
        "{list}"
    );
    assert!(!list.contains("\nmates/smothered-mate "), "it is the file: {list}");
    let tables = stdout(&mut library(&folder, &["--find", "windmill", "-f", "markdown"]));
    assert!(tables.contains("| windmill |"), "{tables}");
}

#[test]
fn json_names_queries_files_and_themes() {
    let folder = queries();
    let listed = |arguments: &[&str]| -> serde_json::Value {
        let output = library(&folder, arguments).output().expect("it runs");
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let file = serde_json::json!({
        "name": "mates/smothered-mate",
        "file": "queries/mates/smothered-mate.cql",
        "description": "Smothered mate: a knight mates.",
    });
    assert_eq!(listed(&["--json"])[1], file);
    assert_eq!(listed(&["-f", "json", "--find", "smothered"])[0], file);
    let of_library = &listed(&["--json", "--find", "windmill"])[0];
    assert_eq!(
        (&of_library["name"], &of_library["file"]),
        (&"motifs/windmill".into(), &serde_json::Value::Null)
    );
    assert_eq!(listed(&["--json", "-q", "--find", "qqqq zzzz"]), serde_json::json!([]));
}

#[test]
fn queries_are_found_by_words_of_names_and_comments() {
    let folder = queries();
    for words in ["KNIGHT more", "smothered mates", "mate"] {
        let found = stdout(&mut library(&folder, &["queries", "--find", words]));
        assert!(
            found.starts_with("queries/mates/smothered-mate.cql  "),
            "{words}: {found}"
        );
        assert_eq!(found.lines().count(), 1, "{words}: {found}");
    }
    for (words, said) in [
        (
            "knight rook",
            "No query mentions all of `knight rook`. The nearest is queries/mates/smothered-mate.cql.",
        ),
        ("8/8/8", "No query mentions `8/8/8`."),
        ("oth", "No query mentions `oth`."),
        (
            "duplicate",
            "No query mentions `duplicate`. `skewer help duplicate` says how to ask for it.",
        ),
    ] {
        library(&folder, &["queries", "--find", words])
            .assert()
            .code(1)
            .stdout("")
            .stderr(format!("{said}\n"));
    }
    let table = stdout(&mut library(&folder, &["queries", "--find", "any", "-f", "markdown"]));
    assert!(table.contains("1 query with 0 examples"), "{table}");
}

#[test]
fn the_page_draws_what_the_first_example_shows() {
    let page = stdout(&mut library(&queries(), &["queries", "-f", "html"]));
    assert_eq!(page.matches("<article>").count(), 2);
    assert_eq!(page.matches("<svg viewBox").count(), 1, "one of them has an example");
    assert_eq!(page.matches("href=\"#skewer-n\"").count(), 1, "the knight");
    assert!(page.contains("Smothered mate: a knight mates.</p>"), "{page}");
}

#[test]
fn a_query_that_is_wrong_is_listed_and_reported() {
    let folder = queries();
    folder.file("queries/wrong.cql", "// Wrong.\ncql() mte");
    library(&folder, &["queries", "-f", "markdown"])
        .assert()
        .code(2)
        .stdout(predicate::str::contains("| [wrong](wrong.cql) | Wrong. | 0 |"))
        .stderr(predicate::str::contains("unknown name `mte`").and(predicate::str::contains("wrong.cql:2:7")));
    library(&folder, &["nowhere"]).assert().code(2).stdout("");
}

/// Returns a command that runs in an empty folder.
fn elsewhere(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.current_dir(folder.path()).args(arguments);
    command
}

#[test]
fn the_library_is_in_the_program() {
    let folder = Folder::new();
    let list = stdout(&mut elsewhere(&folder, &["library"]));
    assert!(list.lines().count() >= 338, "{list}");
    assert!(list.contains("\nmates/smothered-mate "), "{list}");
    for name in ["smothered-mate", "mates/smothered-mate"] {
        elsewhere(&folder, &["search", name, CLASSICS, "-f", "ids"])
            .assert()
            .code(0)
            .stdout("16:11\n")
            .stderr("");
        elsewhere(&folder, &["check", name]).assert().code(0).stderr("");
        elsewhere(&folder, &["explain", name]).assert().code(0);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn self_tests_of_the_library_run_anywhere_also_with_its_games() {
    let folder = Folder::new();
    elsewhere(
        &folder,
        &[
            "test",
            "windmill",
            "queen-sacrifice",
            "double-check",
            "double-bishop-sacrifice",
        ],
    )
    .assert()
    .code(0)
    .stdout(predicate::str::starts_with("4 queries, ").and(predicate::str::contains(" 0 failed, 0 errors")));
    elsewhere(&folder, &["test", "windmill", "--bless"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("skewer library --copy motifs/windmill"));
    assert!(folder.names().is_empty());
}

#[test]
fn a_page_of_the_library_is_made_anywhere() {
    let folder = Folder::new();
    elsewhere(&folder, &["library", "--find", "windmill", "-o", "page.html"])
        .assert()
        .code(0)
        .stderr("");
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("it is written");
    assert!(
        page.contains("<h3>Windmill</h3>") && page.contains("<svg viewBox"),
        "{page}"
    );
    let tables = stdout(&mut elsewhere(
        &folder,
        &["library", "--find", "windmill", "-f", "markdown"],
    ));
    assert!(
        tables.starts_with("# Queries\n") && tables.contains("\n| windmill | A piece"),
        "{tables}"
    );
}

#[test]
fn names_come_first_in_what_is_found_and_slips_are_forgiven() {
    let folder = Folder::new();
    let first = |words: &str| {
        let found = stdout(&mut elsewhere(&folder, &["library", "--find", words]));
        found.split_whitespace().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first("smothered mates"), "mates/smothered-mate");
    assert_eq!(first("Windmills"), "motifs/windmill");
    elsewhere(&folder, &["library", "--find", "windmil"]).assert().code(0);
    elsewhere(&folder, &["library", "--find", "zugzwnag"])
        .assert()
        .code(0)
        .stdout(predicate::str::contains("zugzwang"))
        .stderr("No query mentions `zugzwnag`; showing `zugzwang`.\n");
    elsewhere(&folder, &["library", "--find", "windmill stalemate hedgehog"])
        .assert()
        .code(1)
        .stdout("")
        .stderr(
            predicate::str::starts_with("No query mentions all of `windmill stalemate hedgehog`. The nearest are ")
                .and(predicate::str::contains("hedgehog")),
        );
}

#[test]
fn what_players_call_a_theme_finds_it_among_the_first_three() {
    let folder = Folder::new();
    for (words, theme) in [
        ("knight forks", "motifs/knight-fork"),
        ("the fork of a knight", "motifs/knight-fork"),
        ("back rank mate", "mates/back-rank-mate"),
        ("backrank", "mates/back-rank-mate"),
        ("rook endgame", "endgames/rook-ending"),
        ("opposite colored bishops", "endgames/opposite-coloured-bishops"),
        ("bishops of opposite color", "endgames/opposite-coloured-bishops"),
        ("French Defense", "openings/french-advance"),
        ("mate in two", "what-if/mate-in-two"),
        ("bishop pair", "structures/bishop-pair"),
        ("pawn up", "structures/pawn-up"),
        ("Troitzky line", "endgames/two-knights-pawn-behind-troitsky-line"),
        ("Grunfeld", "openings/gruenfeld-defence"),
        ("Grünfeld", "openings/gruenfeld-defence"),
        ("Greek gift", "sacrifices/greek-gift"),
        ("isolani", "structures/isolated-queen-pawn"),
        ("IQP", "structures/isolated-queen-pawn"),
        ("OCB", "endgames/opposite-coloured-bishops"),
        ("KID", "openings/kings-indian-defence"),
        ("QGA", "openings/queens-gambit-accepted"),
        ("ep", "motifs/en-passant"),
        ("xray", "motifs/x-ray-defence"),
        ("fortress", "endgames/rook-and-pawn-fortress-against-queen"),
        ("pinned", "motifs/absolute-pin"),
        ("sacrif queen", "sacrifices/queen-sacrifice"),
        ("castle", "games/late-castling"),
        ("sac on h7", "sacrifices/queen-on-h7"),
        ("king hunt", "games/king-march"),
        ("king walk", "games/king-march"),
        ("stalemate trick", "studies/stalemate-sacrifice"),
        ("intermezzo", "motifs/zwischenzug"),
        ("see-saw", "motifs/windmill"),
        ("seesaw", "motifs/windmill"),
        ("overworked", "motifs/overloaded-defender"),
        ("removing the defender", "motifs/removal-of-the-guard"),
        ("double attack", "motifs/knight-fork"),
        ("7th rank", "structures/rooks-on-the-seventh"),
        ("short games", "games/miniature"),
        ("triangulate", "endgames/triangulation"),
        ("Spanish", "openings/ruy-lopez-exchange"),
        ("Russian", "openings/petrov-defence"),
        ("Novotny", "studies/novotny"),
        ("Réti", "studies/reti-manoeuvre"),
        ("reciprocal zugzwang", "tablebases/mutual-zugzwang"),
        ("thematic try", "tablebases/try-refuted-by-mutual-zugzwang"),
        ("waiting move", "tablebases/tempo-to-lose"),
        ("stalemate trap", "tablebases/stalemate-to-avoid"),
        ("time scramble", "analysed-games/bullet-scramble"),
        ("premoves", "analysed-games/premove"),
        ("strict threefold repetition", "games/threefold-repetition-by-the-rules"),
        ("hanging queen", "what-if/threat-to-win-the-queen"),
        ("obtrusive", "what-if/promoted-men-in-the-setup"),
    ] {
        let found = stdout(&mut elsewhere(&folder, &["library", "--find", words]));
        let first: Vec<&str> = found
            .lines()
            .take(3)
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        assert!(first.contains(&theme), "{words}: {first:?}");
    }
    for words in ["xyzzyq", "hippopotamus", "lift"] {
        elsewhere(&folder, &["library", "--find", words])
            .assert()
            .code(1)
            .stdout("")
            .stderr(format!("No query mentions `{words}`.\n"));
    }
    // Parts of longer words do not count.
    let found = stdout(&mut elsewhere(&folder, &["library", "--find", "pawn up"]));
    assert!(
        !found.contains("isolated-pawn-couple") && !found.contains("support"),
        "{found}"
    );
    for words in ["", " ", "?"] {
        elsewhere(&folder, &["library", "--find", words])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("write some words"));
    }
}

#[test]
fn a_section_stands_for_a_folder() {
    let folder = Folder::new();
    let list = stdout(&mut elsewhere(&folder, &["library", "sacrifices"]));
    assert!(list.lines().count() > 10, "{list}");
    assert!(list.lines().all(|line| line.starts_with("sacrifices/")), "{list}");
    let found = stdout(&mut elsewhere(&folder, &["library", "mates/", "--find", "bishop"]));
    assert!(found.lines().all(|line| line.starts_with("mates/")), "{found}");
    for (name, advice) in [
        (
            "smothered-mate",
            "`skewer library --copy mates/smothered-mate -o -` prints it",
        ),
        ("forks", "words are looked for with --find: skewer library --find forks"),
        ("two words", "skewer library --find 'two words'"),
    ] {
        elsewhere(&folder, &["library", name]).assert().code(2).stderr(
            predicate::str::contains(format!("there is no folder {name}")).and(predicate::str::contains(advice)),
        );
    }
    folder.file("mates/own.cql", "// Mine.\ncql() mate");
    let own = stdout(&mut elsewhere(&folder, &["library", "mates"]));
    assert_eq!(own, "mates/own.cql  Mine.\n");
}

#[test]
fn a_query_of_the_library_is_printed() {
    let folder = Folder::new();
    elsewhere(&folder, &["library", "--copy", "smothered-mate", "-o", "-"])
        .assert()
        .code(0)
        .stdout(predicate::str::starts_with("// Smothered mate: "))
        .stderr("");
    assert!(folder.names().is_empty());
}

#[test]
fn a_file_goes_before_a_query_of_the_library_and_both_are_found() {
    let folder = Folder::new();
    folder.file("queries/mates/smothered-mate.cql", "// Mine.\ncql() stalemate");
    folder.file("windmill.cql", "cql() mate");
    elsewhere(&folder, &["search", "smothered-mate", CLASSICS])
        .assert()
        .code(1)
        .stderr("note: smothered-mate is the file queries/mates/smothered-mate.cql, not the query of the library\n");
    elsewhere(&folder, &["search", "windmill", CLASSICS, "-f", "ids"])
        .assert()
        .code(0)
        .stdout(MATES)
        .stderr("note: windmill is the file windmill.cql, not the query of the library\n");
    elsewhere(&folder, &["search", "-q", "windmill", CLASSICS])
        .assert()
        .code(0)
        .stderr("");
    // A copy is the same as the query of the library.
    let copied = stdout(&mut elsewhere(
        &folder,
        &["library", "--copy", "bodens-mate", "-o", "-"],
    ));
    folder.file("bodens-mate.cql", copied);
    elsewhere(&folder, &["search", "bodens-mate", CLASSICS])
        .assert()
        .stderr("");
    let found = stdout(&mut elsewhere(&folder, &["library", "--find", "smothered"]));
    assert!(found.contains("queries/mates/smothered-mate.cql "), "{found}");
    assert!(found.contains("\nmates/") || found.contains("\nsacrifices/"), "{found}");
    assert!(!found.contains("\nmates/smothered-mate "), "it is the file: {found}");
}

#[test]
fn a_name_that_is_nowhere_or_twice_is_an_error_with_advice() {
    let folder = Folder::new();
    for (name, advice) in [
        (
            "hedgehog",
            "name one of them: `openings/hedgehog`, `structures/hedgehog`",
        ),
        ("smothered", "the library has `mates/smothered-mate`"),
        ("smotherd-mate", "the library has `mates/smothered-mate`"),
        ("smothered-mate.cql", "the library has `mates/smothered-mate`"),
        ("xyzzy", "filters are written after -e: `-e 'xyzzy'`"),
    ] {
        elsewhere(&folder, &["search", name, CLASSICS])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(format!("= help: {advice}")).or(predicate::str::contains(advice)));
    }
}

#[test]
fn all_queries_of_a_section_run_in_one_pass() {
    let folder = Folder::new();
    elsewhere(
        &folder,
        &[
            "search",
            "windmill",
            "smothered-mate",
            CLASSICS,
            "--out-dir",
            "results",
            "-f",
            "ids",
        ],
    )
    .assert()
    .code(0);
    let results = Folder::names(&folder);
    assert_eq!(results, ["results"]);
    let result = |name: &str| std::fs::read_to_string(folder.path().join("results").join(name)).expect("it is written");
    assert_eq!(result("smothered-mate.ids"), "16:11\n");
    assert!(result("windmill.ids").starts_with("4:41\n"));
    let all = ["search", "studies", CLASSICS, "--games", "1", "--out-dir", "more"];
    elsewhere(&folder, &all).output().expect("the command runs");
    assert!(result("../more/summary.csv").lines().count() > 10);
}

#[test]
fn a_copy_of_a_query_comes_with_its_games_and_replaces_nothing() {
    let folder = Folder::new();
    elsewhere(&folder, &["library", "--copy", "windmill"])
        .assert()
        .code(0)
        .stdout("")
        .stderr("wrote windmill.cql\nwrote examples/classics.pgn\n");
    elsewhere(&folder, &["test", "windmill.cql"]).assert().code(0);
    elsewhere(
        &folder,
        &["library", "--copy", "bodens-mate", "-q", "-o", "mine/boden.cql"],
    )
    .assert()
    .code(0)
    .stdout("")
    .stderr("");
    assert!(folder.path().join("mine/boden.cql").is_file());
    for arguments in [
        &["--copy", "windmill"][..],
        &["--copy", "smothered-mate", "-o", "windmill.cql"],
    ] {
        elsewhere(&folder, &[&["library"], arguments].concat())
            .assert()
            .code(2)
            .stderr(predicate::str::contains("windmill.cql is there already"));
    }
    elsewhere(
        &folder,
        &["library", "--copy", "smothered-mate", "-o", "windmill.cql", "--force"],
    )
    .assert()
    .code(0);
    let replaced = std::fs::read_to_string(folder.path().join("windmill.cql")).expect("it is there");
    assert!(replaced.starts_with("// Smothered mate"));
    // The example games that are already in the folder have the same content, so they stay.
    elsewhere(&folder, &["library", "--copy", "motifs/double-check"])
        .assert()
        .code(0)
        .stderr("wrote double-check.cql\n");
    folder.file("examples/classics.pgn", "mine");
    elsewhere(&folder, &["library", "--copy", "queen-sacrifice"])
        .assert()
        .code(2);
    assert!(!folder.path().join("queen-sacrifice.cql").exists());
    elsewhere(&folder, &["library", "--copy", "no such query"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("the library has no query `no such query`"));
}

#[test]
fn a_new_query_is_ready_to_run_and_replaces_nothing() {
    let folder = Folder::new();
    elsewhere(&folder, &["new", "knight-fork"])
        .assert()
        .code(0)
        .stdout("")
        .stderr(predicate::str::starts_with("wrote knight-fork.cql\nnext: "));
    let file = ["knight-fork.cql"];
    for command in [&["check", "--deny", "warnings"][..], &["fmt", "--check"], &["test"]] {
        elsewhere(&folder, &[command, &file].concat()).assert().code(0);
    }
    elsewhere(&folder, &["search", "knight-fork.cql", CLASSICS])
        .assert()
        .code(0);
    elsewhere(&folder, &["new", "my theme"])
        .assert()
        .code(0)
        .stderr(predicate::str::contains("`skewer test 'my theme.cql'`"));
    elsewhere(&folder, &["new", "-"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("give the query a name"));
    let written = folder.file("mine.cql", "mine");
    for name in ["knight-fork", "knight-fork.cql", "mine"] {
        elsewhere(&folder, &["new", name])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("is there already"));
    }
    assert_eq!(std::fs::read_to_string(written).expect("it is there"), "mine");
    elsewhere(&folder, &["new", "themes/pins/fork"])
        .assert()
        .code(0)
        .stderr(predicate::str::starts_with("wrote themes/pins/fork.cql\n"));
    elsewhere(&folder, &["test", "themes"]).assert().code(0);
    elsewhere(&folder, &["new", "mine.cql/fork"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot make mine.cql: ").and(predicate::str::contains("os error").not()));
    elsewhere(&folder, &["new", "v1.2"]).assert().code(0);
    assert!(folder.path().join("v1.2.cql").exists());
}
