//! Searches that options and filters narrow: which games, which positions, several filters.

use predicates::prelude::*;

use super::*;

const GAMES: &str = r#"[Event "Riga Open"]
[Site "Riga"]
[Date "1958.05.01"]
[White "Tal, Mikhail"]
[Black "Petrosian,Tigran"]
[Result "1-0"]
[WhiteElo "2600"]
[BlackElo "2700"]
[ECO "B92"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[Event "Moscow Cup"]
[Site "Moscow"]
[Date "1961.??.??"]
[White "Botvinnik, Mikhail"]
[Black "Tal, Mikhail"]
[Result "0-1"]
[WhiteElo "2500"]
[ECO "C20"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Club \"A\""]
[Site "?"]
[Date "????.??.??"]
[White "Nobody"]
[Black "Talent"]
[Result "1/2-1/2"]

1. e4 e5 (1... c5) 1/2-1/2
"#;

/// Makes a database from a PGN file, in the same folder.
fn indexed(games: &Path) -> PathBuf {
    let database = games.with_extension("parquet");
    skewer()
        .args(["index", text(games), "-o", text(&database)])
        .assert()
        .code(0);
    database
}

/// Returns the ids that a query finds with these arguments when the results go to a folder.
fn found_beside_others(folder: &Folder, query: &str, games: &Path, arguments: &[&str]) -> String {
    let query = folder.file("query.cql", query);
    let results = folder.path().join("results");
    let run = [text(&query), text(games), "--out-dir", text(&results), "-f", "ids"];
    search(&[&run[..], arguments].concat()).assert().code(0);
    std::fs::read_to_string(results.join("query.ids")).expect("it is written")
}

/// Returns the numbers of the games that a search with these arguments finds.
fn found(arguments: &[&str]) -> String {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let all = [arguments, &[text(&games), "-f", "ids"]].concat();
    let output = search(&all).output().expect("the command runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        said.is_empty() || lines.is_empty() && said.starts_with("note: no game is left"),
        "{said}"
    );
    lines
        .lines()
        .map(|line| line.split(':').next().unwrap_or(line))
        .collect()
}

#[test]
fn each_option_leaves_the_games_of_its_filter() {
    for (option, value, numbers) in [
        ("--player", "Tal", "123"),
        ("--player", "Tal, Mikhail", "12"),
        ("--player", "Petrosian, Tigran", "1"),
        ("--player", "tAL", "123"),
        ("--player", "mikhail tal", ""),
        ("--white", "Tal", "1"),
        ("--black", "Tal", "23"),
        ("--event", "Cup", "2"),
        ("--site", "Riga", "1"),
        ("--eco", "B9", "1"),
        ("--result", "0-1", "2"),
        ("--result", "1/2-1/2", "3"),
        ("--year", "1958", "1"),
        ("--year", "1958-1961", "12"),
        ("--year", "1960-", "2"),
        ("--year", "-1960", "1"),
        ("--elo", "2600-", "1"),
        ("--elo", "2400-2550", "2"),
        ("--elo", "-3000", "12"),
        ("--games", "2", "2"),
        ("--games", "2-", "23"),
        ("--games", "-2", "12"),
        ("--games", "4-9", ""),
    ] {
        assert_eq!(found(&["-e", "initial", option, value]), numbers, "{option} {value}");
    }
    assert_eq!(
        found(&["-e", "initial", "--player", "Tal", "--player", "Botvinnik"]),
        "2"
    );
    assert_eq!(
        found(&["-e", "initial", "--player", "Tal", "--year", "1958-", "--result", "1-0"]),
        "1"
    );
}

#[test]
fn narrowing_holds_with_databases_and_many_queries() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let database = indexed(&games);
    for (option, value, expected) in [
        ("--black", "Tal,", "2:4\n"),
        ("--year", "1950-1960", "1:5\n"),
        ("--games", "2-3", "2:4\n"),
        ("--elo", "2600-", "1:5\n"),
    ] {
        let arguments = ["-e", "mate", option, value, text(&database), "-f", "ids"];
        search(&arguments).assert().code(0).stdout(expected);
    }
    let arguments = ["-e", "btm", "--white", "Tal"];
    assert_eq!(found_beside_others(&folder, "cql() mate", &games, &arguments), "1:5\n");
}

#[test]
fn games_that_are_left_out_do_not_match_as_games_without_matches() {
    assert_eq!(found(&["-e", "cql(matchcount 0) castle"]), "");
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let query = ["-e", "cql(matchcount 0) castle", text(&games), "-f", "count"];
    search(&query).assert().code(0).stdout("games: 3\npositions: 0\n");
    let narrowed = [&query[..], &["--white", "Tal"]].concat();
    search(&narrowed).assert().code(0).stdout("games: 1\npositions: 0\n");
}

#[test]
fn game_numbers_of_option_and_header_must_both_hold() {
    assert_eq!(found(&["-e", "cql(gamenumber 1 2) initial", "--games", "2-3"]), "2");
    assert_eq!(found(&["-e", "cql(gamenumber 1) initial", "--games", "2-3"]), "");
}

#[test]
fn first_leaves_one_position_of_each_game() {
    assert_eq!(found(&["-e", "wtm", "--first"]), "123");
    assert_eq!(found(&["-e", "wtm"]).len(), 3 + 3 + 2);
    search(&["-e", "cql(matchcount 2 9) wtm", "--first", CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("matchcount").and(predicate::str::contains("leave out --first")));
}

#[test]
fn a_query_file_and_filters_must_both_match() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql() mate message \"mate\"");
    assert_eq!(stdout(&mut search(&[text(&query), "-q", CLASSICS, "-f", "ids"])), MATES);
    let output = search(&[text(&query), "-e", "wtm", CLASSICS, "-f", "ids"])
        .output()
        .expect("it runs");
    let white = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!white.is_empty() && white.len() < MATES.len(), "{white}");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        messages.lines().count(),
        white.lines().count(),
        "messages of positions that match: {messages}"
    );
    // The order of the arguments does not matter.
    assert_eq!(
        stdout(&mut search(&["-q", "-e", "wtm", text(&query), CLASSICS, "-f", "ids"])),
        white
    );
    assert_eq!(
        stdout(&mut search(&["-e", "mate", "-e", "wtm", CLASSICS, "-f", "ids"])),
        white
    );
    assert_eq!(
        stdout(&mut search(&["-e", "cql() mate", "-e", "wtm", CLASSICS, "-f", "ids"])),
        white
    );
    let none = search(&[text(&query), "-e", "wtm", "-e", "btm", CLASSICS, "-f", "ids"])
        .output()
        .expect("it runs");
    assert_eq!((none.status.code(), none.stdout.len()), (Some(1), 0));
}

#[test]
fn filters_beside_a_query_do_not_run_into_it() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql() --(castle)");
    let alone = stdout(&mut search(&[text(&query), CLASSICS, "-f", "ids"]));
    assert!(!alone.is_empty());
    for filters in ["true", "path --", "not initial"] {
        let both = stdout(&mut search(&[text(&query), "-e", filters, CLASSICS, "-f", "ids"]));
        assert_eq!(both, alone, "{filters}");
    }
}

#[test]
fn two_whole_queries_are_refused_and_errors_point_into_their_text() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql() mate");
    for arguments in [
        &[text(&query), "-e", "cql() wtm"][..],
        &["-e", "cql() mate", "-e", "cql() wtm"],
    ] {
        search(&[arguments, &[CLASSICS]].concat())
            .assert()
            .code(2)
            .stderr(predicate::str::contains("there are two queries"));
    }
    search(&[text(&query), "-e", "wtn", CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("unknown name `wtn`").and(predicate::str::contains("<-e>:1:1")));
}

#[test]
fn a_query_where_games_are_expected_is_an_error() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql() mate");
    let other = folder.file("other.cql", "cql() check");
    let database = folder.path().join("games.parquet");
    for arguments in [
        vec!["search", "-e", "mate", CLASSICS, text(&query)],
        vec!["index", text(&query), "-o", text(&database)],
    ] {
        skewer()
            .args(&arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(
                "is a query, and games are expected in its place",
            ));
    }
    assert!(!database.exists());
    for arguments in [
        &["search", text(&query), text(&other), CLASSICS][..],
        &["search", "-e", "mate", text(&query), text(&other), CLASSICS],
        &["search", "smothered-mate", "windmill", CLASSICS],
    ] {
        skewer().args(arguments).assert().code(2).stdout("").stderr(
            predicate::str::contains("is another query, and games are expected in its place")
                .and(predicate::str::contains(" --out-dir results"))
                .and(predicate::str::contains(" | skewer search ")),
        );
    }
}

#[test]
fn values_that_say_nothing_are_refused() {
    for (arguments, message) in [
        (["--year", "1999-1990"], "1999 is greater than 1990"),
        (["--year", "soon"], "`soon` is not a number"),
        (["--elo", "2600"], "write 2600- for 2600 and more"),
        (["--games", "-"], "write A-B, A- or -B"),
        (["--since", "100"], "such as games.parquet@100000"),
        (["--since", "all.parquet@-1"], "how many games it had is a number"),
        (["--since", "all.parquet@1"], "--since is about all.parquet"),
        (["--result", "2-0"], "1/2-1/2"),
        (["--sample", "0"], "--sample"),
        (["--seed", "1"], "--sample"),
        (["--event", "Club \"A\""], "no quotation marks"),
        (["--player", " "], "write a name"),
        (["--eco", "b90"], "begins with a capital letter: B90"),
        (["--eco", "B90-B99"], "B9 for B90 to B99"),
    ] {
        let all = [&["-e", "mate", CLASSICS], &arguments[..]].concat();
        search(&all).assert().code(2).stderr(predicate::str::contains(message));
    }
}

#[test]
fn what_a_database_has_got_since_is_searched_alone() {
    let folder = Folder::new();
    folder.file("games.pgn", GAMES);
    let index = |arguments: &[&str]| {
        let all = [&["index", "games.pgn", "-o", "all.parquet"], arguments].concat();
        skewer().args(all).current_dir(folder.path()).assert().success();
    };
    index(&[]);
    index(&["--append"]);
    let found = |arguments: &[&str]| {
        let all = [&["-e", "initial", "-f", "ids"], arguments].concat();
        stdout(search(&all).current_dir(folder.path()))
    };
    let count = found(&["games.pgn"]).lines().count();
    let since = format!("all.parquet@{count}");
    let new = found(&["--since", &since]);
    assert_eq!(new, found(&["all.parquet", "--games", &format!("{}-", count + 1)]));
    assert_eq!(new.lines().count(), count);
    assert_eq!(found(&["all.parquet", "--since", &since]), new);
    assert_eq!(found(&["--since", "all.parquet@0"]), found(&["all.parquet"]));
    let none = ["-e", "initial", "--since", "all.parquet@500"];
    let note = "note: no game is left after --since all.parquet@500\n";
    search(&none).current_dir(folder.path()).assert().code(1).stderr(note);
    let stats = ["stats", "--by", "result", "-f", "csv"];
    let counted = |arguments: &[&str]| stdout(skewer().args(stats).args(arguments).current_dir(folder.path()));
    assert_eq!(counted(&["--since", &since]), counted(&["games.pgn"]));
    assert_eq!(counted(&["all.parquet", "--since", &since]), counted(&["games.pgn"]));
    let many = |arguments: &[&str]| {
        let all = [&["draws", "--out-dir", "results"], arguments].concat();
        stdout(search(&all).current_dir(folder.path()))
    };
    folder.file("draws/all.cql", "cql() initial");
    assert_eq!(many(&["--since", &since]), many(&["all.parquet", "--since", &since]));
}

#[test]
fn a_sample_draws_games_before_they_are_searched() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", format!("{GAMES}\n").repeat(40));
    let drawn = |arguments: &[&str]| {
        let all = [&["-e", "initial", text(&games), "-f", "ids"], arguments].concat();
        stdout(&mut search(&all))
    };
    let ten = drawn(&["--sample", "10"]);
    assert_eq!(ten.lines().count(), 10);
    assert_eq!(drawn(&["--sample", "10", "--seed", "0", "-j", "1"]), ten);
    let other = drawn(&["--sample", "10", "--seed", "1"]);
    assert!(other.lines().count() == 10 && other != ten);
    // The sample is drawn from the games that the options leave. It has all of them if there are not enough.
    assert_eq!(drawn(&["--sample", "10", "--white", "Botvinnik"]).lines().count(), 10);
    assert_eq!(drawn(&["--sample", "100", "--white", "Botvinnik"]).lines().count(), 40);
    let early = drawn(&["--sample", "5", "--games", "-9"]);
    assert!(
        early.lines().count() == 5 && early.lines().all(|line| line.len() == 3),
        "{early}"
    );
    // The sample is drawn from the games that are searched, not from the games that match.
    let matching = stdout(&mut search(&[
        "-e",
        "player white \"Tal\"",
        text(&games),
        "--sample",
        "10",
        "-f",
        "count",
    ]));
    assert!(!matching.starts_with("games: 10\n"), "{matching}");

    let database = indexed(&games);
    let of_database = ["-e", "initial", text(&database), "-f", "ids", "--sample", "10"];
    assert_eq!(stdout(&mut search(&of_database)), ten);
    assert_eq!(
        found_beside_others(&folder, "cql() initial", &games, &["--sample", "10"]),
        ten
    );
    search(&["-e", "mate", "-", "--sample", "2"])
        .write_stdin(GAMES)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("standard input can be read once"));
}

#[test]
fn a_name_is_found_as_it_stands_in_the_file() {
    let game = "[White \"Carlsen,M.\"]\n[Black \"Tal\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    for name in ["Carlsen,M.", "Carlsen,M", "carlsen, m", "Carlsen,  M"] {
        for option in ["--player", "--white", "--by-player"] {
            search(&["-f", "ids", "-e", "terminal flipcolor wtm", "-", option, name])
                .write_stdin(game)
                .assert()
                .stdout("1:4\n");
        }
    }
    let note = "note: nothing is found with `player \"Carlsen,M\"`; case matters, and names are spelled as in the file with a space";
    search(&["-f", "ids", "-e", "player \"Carlsen,M\"", "-"])
        .write_stdin(game)
        .assert()
        .code(1)
        .stderr(predicate::str::starts_with(note));
}

#[test]
fn where_the_options_leave_no_game_it_is_said() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let database = indexed(&games);
    let query = folder.file("mate.cql", "cql() mate");
    let by_name = "; write names as in the file, such as `Carlsen, Magnus` or `Carlsen,M`\n";
    for (arguments, said) in [
        (&["--player", "Tal, Q."][..], "--player 'Tal, Q.'"),
        (
            &["--player", "Mikhail Tal", "--event", "Cup"],
            "--player 'Mikhail Tal' --event Cup",
        ),
    ] {
        let note = format!("note: no game is left after {said}{by_name}");
        let all = [&["-e", "mate", text(&games)], arguments].concat();
        search(&all).assert().code(1).stdout("").stderr(note.clone());
        let results = folder.path().join("results");
        let many = [&[text(&query), text(&games), "--out-dir", text(&results)], arguments].concat();
        search(&many).assert().code(1).stderr(note.clone());
        let all = [&["-e", "mate", text(&database)], arguments].concat();
        search(&all).assert().code(1).stderr(note);
    }
    for games in [&games, &database] {
        let numbers = ["-e", "mate", text(games), "--games", "500-"];
        let note = "note: no game is left after --games 500-\n";
        search(&numbers).assert().code(1).stdout("").stderr(note);
    }
    // The row groups of a database are not opened.
    let dated = folder.file("dated.pgn", GAMES.replace("????.??.??", "1990.01.01"));
    let dated = [indexed(&dated), dated];
    for said in ["--year 90-95", "--year 2100", "--elo 3000-"] {
        let (option, value) = said.split_once(' ').expect("an option with its value");
        for games in [&games, &database].into_iter().chain(&dated) {
            let arguments = ["-e", "mate", text(games), option, value];
            let note = format!("note: no game is left after {said}\n");
            search(&arguments).assert().code(1).stderr(note);
        }
    }
    for arguments in [
        &["-e", "stalemate", "--player", "Mikhail"][..],
        &["-e", "player \"Nobody\" mate", "--player", "Mikhail"],
        &["-e", "mate", "--player", "tall", "-q"],
    ] {
        let all = [arguments, &[text(&games)]].concat();
        search(&all).assert().code(1).stderr("");
    }
}

#[test]
fn where_nothing_is_found_in_main_lines_variations_are_mentioned() {
    let folder = Folder::new();
    let games = folder.file(
        "games.pgn",
        "[White \"A\"]\n\n1. f3 e5 2. g4 (2. e4) 2... Nc6 (2... Qh4#) 3. e4 *\n",
    );
    let mention = "note: nothing in main lines; 1 game has variations, which --variations searches, too\n";
    search(&["-e", "mate", text(&games)]).assert().code(1).stderr(mention);
    for arguments in [
        &["-e", "mate", "--variations"][..],
        &["-e", "stalemate", "--variations"],
        &["-e", "initial"],
        &["-e", "mate", "-q"],
        &["-e", "result 1-0 mate"],
    ] {
        let all = [arguments, &[text(&games)]].concat();
        search(&all).assert().stderr("");
    }
    let database = folder.path().join("games.parquet");
    skewer()
        .args(["index", text(&games), "-o", text(&database)])
        .assert()
        .code(0);
    let of_database =
        "note: nothing in main lines; some games of the database have variations, which --variations searches, too\n";
    search(&["-e", "mate", text(&database)])
        .assert()
        .code(1)
        .stderr(of_database);
    let results = folder.path().join("results");
    let query = folder.file("mates.cql", "cql() mate");
    let many = ["search", text(&query), text(&database), "--out-dir", text(&results)];
    skewer().args(many).assert().code(1).stderr(of_database);
    for quiet in [
        &["-e", "mate", "--variations"][..],
        &["-e", "initial"],
        &["-e", "mate", "-q"],
    ] {
        search(&[quiet, &[text(&database)]].concat()).assert().stderr("");
    }
    let plain = folder.file("plain.pgn", "[White \"A\"]\n\n1. f3 e5 2. g4 Nc6 3. e4 *\n");
    skewer()
        .args(["index", "--force", text(&plain), "-o", text(&database)])
        .assert()
        .code(0);
    search(&["-e", "mate", text(&database)]).assert().code(1).stderr("");
}

#[test]
fn what_is_told_is_told_of_what_the_query_finds() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let query = folder.file("mate.cql", "cql() mate");
    let told = |arguments: &[&str]| {
        let run = search(&[arguments, &[text(&games)]].concat())
            .output()
            .expect("it runs");
        (
            String::from_utf8(run.stdout).expect("UTF-8"),
            String::from_utf8(run.stderr).expect("UTF-8"),
        )
    };
    let (_, said) = told(&[text(&query), "-e", "message(ply)", "-e", "wtm", "-f", "ids"]);
    assert_eq!(said, "Game: 2 move 3(wtm): 4\n");
    let (_, said) = told(&["-e", "message(ply)", "-e", "mate", "-f", "ids"]);
    assert_eq!(said, "Game: 1 move 3(btm): 5\nGame: 2 move 3(wtm): 4\n");
    let (found, _) = told(&[text(&query), "-e", "sort min \"plies\" ply"]);
    let first = found.find("{Game number 2  plies: 4}").expect("the shorter game");
    assert!(
        found.find("{Game number 1  plies: 5}").expect("the longer one") > first,
        "{found}"
    );
    let (found, _) = told(&[text(&query), "-e", "comment(\"here\")"]);
    assert_eq!(found.matches("{here ").count(), 2, "{found}");
    let query = folder.file("x.cql", "cql() x=ply mate");
    let (_, said) = told(&[text(&query), "-e", "message(x)", "-f", "count"]);
    assert_eq!(said, "Game: 1 move 3(btm): 5\nGame: 2 move 3(wtm): 4\n");
}

#[test]
fn whose_matches_are_found_and_how_names_are_written_is_said() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let said = |arguments: &[&str]| {
        let run = search(&[arguments, &["-f", "count", text(&games)]].concat())
            .output()
            .expect("it runs");
        String::from_utf8(run.stderr).expect("UTF-8")
    };
    const AGAINST: &str = "note: matches against Tal are among these";
    for (arguments, is_said) in [
        (&["-e", "Q attacks k", "--player", "Tal"][..], true),
        (&["-e", "flipcolor {Q attacks k}", "--player", "Tal"], true),
        (&["-e", "flipcolor {Q attacks k}", "--black", "Tal"], true),
        (&["-e", "q attacks K", "--black", "Tal"], false),
        (&["-e", "mate", "--player", "Tal"], false),
        (&["-e", "[Qq] attacks [Kk]", "--player", "Tal"], false),
        (
            &["-e", "flipcolor {player white \"Tal\" Q attacks k}", "--player", "Tal"],
            false,
        ),
        (&["-e", "Q attacks k", "--player", "Tal", "-q"], false),
        (&["-e", "Q attacks k"], false),
    ] {
        assert_eq!(said(arguments).contains(AGAINST), is_said, "{arguments:?}");
    }
    for (query, is_said) in [
        ("player \"tal\"", true),
        ("player white \"Mikhail Tal\" mate", true),
        ("event \"cup\"", true),
        ("player \"Tal\"", false),
        ("stalemate", false),
    ] {
        let expected = "; case matters, and names are spelled as in the file";
        assert_eq!(said(&["-e", query]).contains(expected), is_said, "{query}");
    }
}

#[test]
fn the_round_and_titles_are_tags_that_can_be_read() {
    let folder = Folder::new();
    let games = folder.file(
        "games.pgn",
        "[Round \"9\"]\n[WhiteTitle \"GM\"]\n\n1. e4 *\n\n[Round \"9.1\"]\n\n1. d4 *\n\n[BlackTitle \"IM\"]\n\n1. c4 *\n",
    );
    for games in [indexed(&games), games] {
        for (query, expected) in [
            ("initial tag \"Round\" == \"9\"", "1:0\n"),
            ("initial tag \"Round\" ~~ \"^9\"", "1:0\n2:0\n"),
            ("initial tag \"WhiteTitle\" == \"GM\"", "1:0\n"),
            ("initial (tag \"BlackTitle\") ~~ \"M\"", "3:0\n"),
        ] {
            let mut command = search(&["-e", query, "-f", "ids", text(&games)]);
            command
                .assert()
                .code(0)
                .stdout(expected)
                .stderr(predicate::str::contains("error").not());
        }
    }
    for (query, advice) in [
        ("tag \"round\" == \"9\"", "\"Round\""),
        ("tag \"Result\" == \"1-0\"", "`result 1-0`"),
        ("tag \"WhiteElo\" == \"1\"", "`elo white`"),
        ("settag(\"Round\" \"1\")", "Round"),
    ] {
        skewer()
            .args(["check", "-e", query])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(advice));
    }
    let strict = ["check", "--strict", "-e", "tag \"Round\" == \"9\""];
    skewer().args(strict).assert().code(2);
}

/// The query as written matches for White, and its copy with exchanged colours for Black.
#[test]
fn matches_of_one_player_are_found() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let database = indexed(&folder.file("copy.pgn", GAMES));
    let ids = |games: &Path, query: &str, player: &str| {
        stdout(&mut search(&[
            "-e",
            query,
            text(games),
            "-f",
            "ids",
            "--by-player",
            player,
        ]))
    };
    for games in [&games, &database] {
        for query in [
            "flipcolor {mate btm}",
            "mate flipcolor {Q attacks k}",
            "flipcolor {x=Q x attacks k mate}",
        ] {
            assert_eq!(ids(games, query, "tal,"), "1:5\n2:4\n", "{query}");
            assert_eq!(ids(games, query, "botvinnik"), "", "{query}");
        }
        assert_eq!(ids(games, "mate btm", "tal"), "1:5\n");
        assert_eq!(ids(games, "mate wtm", "tal"), "");
        assert_eq!(ids(games, "mate reversecolor {Q attacks k}", "tal"), "2:4\n");
    }
    // Comments are kept only where the query holds for that player.
    let csv = stdout(&mut search(&[
        "-e",
        "flipcolor {wtm comment(\"here\")} ply<=1",
        text(&games),
        "-f",
        "csv",
        "--by-player",
        "Botvinnik",
    ]));
    assert_eq!(csv.matches("here").count(), 1, "{csv}");
    search(&["-e", "find flipcolor {mate btm}", text(&games), "--by-player", "Tal"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("put `flipcolor` around all filters"));
}
