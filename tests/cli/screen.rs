//! What people see on a terminal: a line for each match, boards, moves, and a pager.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::{CLASSICS, search, skewer, stdout, text};
use crate::cli::Folder;

/// Runs the command on a terminal with this many columns. Returns what appears there and the exit status.
fn on_terminal(columns: u16, arguments: &[&str], environment: &[(&str, &str)]) -> (String, ExitStatus) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&screen).expect("the terminal is ours");
    unlockpt(&screen).expect("the terminal is ours");
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&screen, size).expect("terminals have a size");
    let name = ptsname(&screen, Vec::new()).expect("it has a name");
    let name = name.to_str().expect("names of terminals are ASCII");
    let open = || {
        Stdio::from(
            File::options()
                .read(true)
                .write(true)
                .open(name)
                .expect("it can be opened"),
        )
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_skewer"));
    let unwanted = [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "LESS",
        "LC_ALL",
        "LC_CTYPE",
    ];
    for name in unwanted {
        command.env_remove(name);
    }
    command.env("PAGER", "").env("TERM", "xterm").env("LANG", "C.UTF-8");
    command.envs(environment.iter().copied());
    let mut child = command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(open())
        .stderr(open())
        .spawn()
        .expect("the command is built");
    drop(command);
    let mut screen = File::from(screen);
    let reader = thread::spawn(move || {
        let mut shown = Vec::new();
        let mut buffer = [0; 4096];
        // Reading from a terminal fails once nobody writes to it any more.
        while let Ok(length @ 1..) = screen.read(&mut buffer) {
            shown.extend_from_slice(&buffer[..length]);
        }
        shown
    });
    let status = child.wait().expect("it ends");
    let shown = reader.join().expect("it reads");
    (
        String::from_utf8(shown).expect("it is UTF-8").replace("\r\n", "\n"),
        status,
    )
}

/// Returns the text without the sequences that set colours.
fn plain(shown: &str) -> String {
    let mut parts = shown.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

/// Returns the first `count` lines that appear on a terminal, without colours.
fn lines(columns: u16, arguments: &[&str], count: usize) -> Vec<String> {
    let (shown, _) = on_terminal(columns, arguments, &[]);
    plain(&shown).lines().take(count).map(str::to_owned).collect()
}

#[test]
fn a_match_is_a_line_that_fits_the_terminal() {
    let mates = ["search", "-e", "mate", CLASSICS, "-n", "4"];
    assert_eq!(
        lines(60, &mates, 4),
        [
            "1:13       Legall de Kermeur – Saint Brie     7.Nd5# 1-0",
            "2:45       Anderssen – Kieseritzky, 1851      23.Be7# 1-0",
            "3:47       Anderssen – Dufresne, 1852         24.Bxe7# 1-0",
            "5:33       Morphy – Duke of Brunswick and C…  17.Rd8# 1-0",
        ]
    );
    assert_eq!(
        lines(100, &mates, 2),
        [
            "1:13       Legall de Kermeur – Saint Brie, Casual game 1750              7.Nd5# 1-0",
            "2:45       Anderssen, Adolf – Kieseritzky, Lionel, Casual game 1851      23.Be7# 1-0",
        ]
    );
    for columns in [1, 7, 20, 33, 80, 140] {
        for query in ["check", "check comment(\"a check that has been seen\")", "initial"] {
            let (shown, _) = on_terminal(columns, &["search", "-q", "-e", query, CLASSICS], &[]);
            let longest = plain(&shown).lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(columns.into()), "{columns} {query}: {longest:?}");
        }
    }
}

#[test]
fn several_matches_of_a_game_stand_below_it_with_what_the_query_says() {
    let query = "check #(A attacks k) > 0 sort \"attackers\" #(A attacks k) comment(\"by White\")";
    let shown = lines(80, &["search", "-q", "-e", query, "--games", "1-1", CLASSICS], 9);
    assert_eq!(
        shown,
        [
            "1  Legall de Kermeur – Saint Brie, Casual game 1750  attackers: 1",
            "   1:11       6.Bxf7+ Ke7        by White",
            "   1:13       7.Nd5# 1-0         by White",
        ]
    );
    let shown = lines(
        80,
        &["search", "-q", "-e", "btm movenumber<=2", "--games", "1-1", CLASSICS],
        9,
    );
    assert_eq!(shown[1..], ["   1:1        1.e4 e5", "   1:3        2.Nf3 d6"]);
    let shown = lines(
        80,
        &["search", "-q", "-e", "wtm movenumber<=2", "--games", "1-1", CLASSICS],
        9,
    );
    assert_eq!(shown[1..], ["   1:0        start 1.e4", "   1:2        1...e5 2.Nf3"]);
}

#[test]
fn a_terminal_has_colors_and_pipes_and_files_have_games() {
    let mate = ["search", "-q", "-e", "mate", CLASSICS, "-n", "1"];
    let (shown, status) = on_terminal(80, &mate, &[]);
    assert!(shown.starts_with("\u{1b}[33m1:13\u{1b}[0m"), "{shown:?}");
    assert_eq!(status.code(), Some(0));
    let (shown, _) = on_terminal(80, &mate, &[("NO_COLOR", "1")]);
    assert!(shown.starts_with("1:13 "), "{shown:?}");
    let (shown, _) = on_terminal(80, &[&mate[..], &["-o", "-"]].concat(), &[]);
    assert!(shown.starts_with("[Event "), "{shown:?}");
    let folder = Folder::new();
    let file = folder.path().join("found");
    let (shown, _) = on_terminal(80, &[&mate[..], &["-o", text(&file)]].concat(), &[]);
    assert!(!shown.contains("1:13"), "{shown:?}");
    assert!(std::fs::read_to_string(file).unwrap().starts_with("[Event "));
    assert!(stdout(&mut search(&mate[1..])).starts_with("[Event "));
    let forced = stdout(
        search(&mate[1..])
            .args(["-f", "lines", "--color", "always"])
            .env("COLUMNS", "60"),
    );
    assert!(
        forced.contains("\u{1b}[1m\u{1b}[32m7.Nd5#\u{1b}[0m 1-0\n"),
        "{forced:?}"
    );
}

#[test]
fn the_command_of_cql_does_not_ask_where_it_prints() {
    let folder = Folder::new();
    let query = folder.file("q.cql", "cql() mate");
    let out = folder.path().join("out.pgn");
    let (shown, _) = on_terminal(
        80,
        &["cql", "-input", CLASSICS, "-output", text(&out), text(&query)],
        &[],
    );
    assert!(!shown.contains("1:13  "), "{shown}");
    assert!(std::fs::read_to_string(out).unwrap().starts_with("[Event "));
}

#[test]
fn names_in_games_are_no_commands() {
    let folder = Folder::new();
    let games = folder.file("g.pgn", "[White \"\u{1b}[2Jname\u{1b}[31m\"]\n\n1. e4 *\n");
    for format in ["lines", "board", "moves"] {
        let (shown, _) = on_terminal(80, &["search", "-e", "initial", "-f", format, text(&games)], &[]);
        assert!(shown.contains("\\x1b[2Jname\\x1b[31m – ?"), "{shown:?}");
    }
}

#[test]
fn boards_show_squares_and_lines_of_sight() {
    let arguments = [
        "-q",
        "-e",
        "xray (R p k)",
        "--games",
        "15-15",
        "-f",
        "board",
        "--first",
        CLASSICS,
    ];
    let drawn = stdout(search(&arguments).args(["--ascii", "--color", "never"]));
    let expected = "\
15:49  Torre, Carlos – Lasker, Emanuel, Moscow 1925
8  r . . . r n[k]. r    25.Bf6
7  p b . . . p[p]. .    Black to move
";
    assert!(drawn.starts_with(expected.lines().next().unwrap()), "{drawn}");
    assert!(drawn.contains("sees Rg3–g8"), "{drawn}");
    let file: Vec<_> = drawn
        .lines()
        .skip(1)
        .take(8)
        .map(|line| line.chars().nth(15).unwrap())
        .collect();
    assert_eq!(file, ['k', 'p', '|', '|', '|', 'R', 'P', 'K']);
    let flipped = stdout(search(&arguments).args(["--ascii", "--flip", "--color", "never"]));
    assert!(flipped.lines().nth(1).unwrap().starts_with("1  . K"), "{flipped}");
    let (shown, _) = on_terminal(80, &[&["search"], &arguments[..]].concat(), &[]);
    assert!(shown.contains("\u{1b}[38;5;16m\u{1b}[48;5;149m ♚ "), "{shown:?}");
}

#[test]
fn moves_are_those_of_the_game_with_the_matches_marked() {
    let shown = stdout(&mut search(&[
        "-q", "-e", "check", "--games", "1-1", "-f", "moves", CLASSICS,
    ]));
    let expected = "\
1  Legall de Kermeur – Saint Brie, Casual game 1750
1.e4 e5 2.Nf3 d6 3.Bc4 Bg4 4.Nc3 g6 5.Nxe5 Bxd1 [6.Bxf7+] Ke7 [7.Nd5#] 1-0

";
    assert_eq!(shown, expected);
    let folder = Folder::new();
    let games = folder.file("g.pgn", "1. e4 (1. d4 d5 2. c4) 1... e5 2. Ke2 *\n");
    let shown = stdout(&mut search(&[
        "-q",
        "-e",
        "Pd4 btm",
        "--variations",
        "-f",
        "moves",
        text(&games),
    ]));
    assert_eq!(shown, "1  ? – ?\n1.e4 e5 2.Ke2 *\n[1.d4] d5 [2.c4]\n\n");
}

#[test]
fn long_output_goes_through_the_pager() {
    let checks = ["search", "-e", "check", CLASSICS];
    let (shown, _) = on_terminal(80, &checks, &[("PAGER", "sed 's/^/|/'")]);
    let shown = plain(&shown);
    assert!(shown.starts_with("|1  Legall"), "{shown}");
    assert!(
        shown.lines().any(|line| line.starts_with("15 of 18 games match")),
        "{shown}"
    );
    let (shown, _) = on_terminal(80, &checks, &[("PAGER", "printenv LESS; cat")]);
    assert!(shown.starts_with("FRX\n"), "{shown}");
    for unpaged in [&["--no-pager"][..], &["-o", "-", "--no-pager", "-f", "lines"]] {
        let (shown, _) = on_terminal(80, &[&checks[..], unpaged].concat(), &[("PAGER", "sed 's/^/|/'")]);
        assert!(plain(&shown).starts_with("1  Legall"), "{shown}");
    }
    let (shown, _) = on_terminal(80, &checks, &[("PAGER", "there-is-no-such-program")]);
    assert!(plain(&shown).starts_with("1  Legall"), "{shown}");
    let piped = stdout(skewer().args(checks).args(["-f", "lines"]).env("PAGER", "sed 's/^/|/'"));
    assert!(piped.starts_with("1  Legall"), "{piped}");
}

#[test]
fn long_texts_go_through_the_pager_too() {
    for command in [
        &["help", "check"][..],
        &["help", "--list"],
        &["library", "--find", "smothered"],
        &["library", "-f", "markdown", "--find", "smothered"],
        &["explain", "-e", "mate"],
        &["show", CLASSICS, "1"],
    ] {
        let (shown, status) = on_terminal(80, command, &[("PAGER", "sed 's/^/¦/'")]);
        assert!(plain(&shown).starts_with('¦'), "{command:?}: {shown}");
        assert_eq!(status.code(), Some(0), "{command:?}");
        let unpaged = [command, &["--no-pager"]].concat();
        let (shown, _) = on_terminal(80, &unpaged, &[("PAGER", "sed 's/^/¦/'")]);
        assert!(!plain(&shown).contains('¦'), "{command:?}: {shown}");
        let (shown, status) = on_terminal(80, command, &[("PAGER", "true")]);
        assert_eq!((&*shown, status.code()), ("", Some(0)), "{command:?}");
    }
}

#[test]
fn a_list_of_queries_breaks_between_words() {
    let (shown, _) = on_terminal(100, &["library", "--find", "smothered mate", "--no-pager"], &[]);
    let shown = plain(&shown);
    assert!(shown.lines().count() > 1, "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("a knight mates a king that has its own pieces on every square beside it."),
        "{shown}"
    );
}

#[test]
fn what_is_shown_is_written_as_the_name_says() {
    let folder = Folder::new();
    let written = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let output = ["show", CLASSICS, "1:13", "-o", text(&path)];
        skewer().args(output).args(more).assert().code(0).stdout("").stderr("");
        std::fs::read(path).expect("it is written")
    };
    let fen = written("a.fen", &[]);
    assert!(fen.ends_with(b" b KQ - 2 7\n"), "{}", String::from_utf8_lossy(&fen));
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(
        &mut flate2::read::GzDecoder::new(&*written("b.fen.gz", &[])),
        &mut unpacked,
    )
    .unwrap();
    assert_eq!(unpacked, fen);
    assert_eq!(written("c.txt", &["--fen"]), fen);
    assert!(written("d.html", &[]).starts_with(b"<!DOCTYPE html>"));
    skewer()
        .args(["show", CLASSICS, "1", "-o", text(&folder.path().join("e.txt"))])
        .assert()
        .code(2)
        .stderr(predicates::str::contains(
            "skewer does not know what to write into a file that ends in .txt",
        ));
    let json = stdout(skewer().args(["show", CLASSICS, "1:13", "--json"]));
    let rows: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(rows[0]["move"], "Nd5#");
}

#[test]
fn a_pager_that_is_left_early_is_no_error() {
    let folder = Folder::new();
    let mut games = File::create(folder.path().join("g.pgn")).unwrap();
    let classics = std::fs::read(CLASSICS).unwrap();
    (0..100).try_for_each(|_| games.write_all(&classics)).unwrap();
    let games = folder.path().join("g.pgn");
    let (shown, status) = on_terminal(
        80,
        &["search", "-q", "-e", "check", text(&games)],
        &[("PAGER", "head -n 1")],
    );
    assert_eq!(plain(&shown), "1  Legall de Kermeur – Saint Brie, Casual game 1750\n");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn an_error_comes_when_the_pager_has_shown_what_was_found() {
    let query = "check and x=gamenumber x<3 or {gamenumber==3 while (true) {true}}";
    let (shown, status) = on_terminal(80, &["search", "-e", query, CLASSICS], &[("PAGER", "sed 's/^/|/'")]);
    assert!(plain(&shown).contains("error: "), "{shown}");
    assert_eq!(status.code(), Some(2), "{shown}");
}

#[test]
fn games_and_positions_are_shown_by_their_numbers() {
    let show = |arguments: &[&str]| {
        stdout(
            skewer()
                .args(["show", CLASSICS])
                .args(arguments)
                .args(["--color", "never"]),
        )
    };
    let board = show(&["5:33", "--ascii"]);
    assert!(board.starts_with("5:33  Morphy, Paul – Duke of Brunswick"), "{board}");
    assert!(board.contains("\n8  . n . R k b . r    17.Rd8#\n"), "{board}");
    assert_eq!(
        show(&["5:33", "--fen"]),
        "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17\n"
    );
    assert_eq!(show(&["5", "--fen"]), show(&["5:33", "--fen"]));
    assert!(show(&["1"]).ends_with("\n1.e4 e5 2.Nf3 d6 3.Bc4 Bg4 4.Nc3 g6 5.Nxe5 Bxd1 6.Bxf7+ Ke7 7.Nd5# 1-0\n\n"));
    assert!(show(&["1:11", "--moves"]).contains(" Bxd1 [6.Bxf7+] Ke7 "));
    assert_eq!(
        show(&["5", "1:3", "--pgn"]),
        stdout(&mut search(&[
            "-e",
            "cql(silent) gamenumber==1 or gamenumber==5",
            CLASSICS,
            "-f",
            "pgn"
        ]))
        .replace("{CQL} ", "")
    );
}

#[test]
fn ids_that_a_search_prints_are_read() {
    let ids = stdout(&mut search(&["-e", "mate", "-f", "ids", CLASSICS]));
    let fens = stdout(&mut search(&["-e", "mate", "-f", "fen", CLASSICS]));
    for arguments in [&["show", CLASSICS, "--fen"][..], &["show", CLASSICS, "-", "--fen"]] {
        assert_eq!(stdout(skewer().args(arguments).write_stdin(ids.clone())), fens);
    }
    let folder = Folder::new();
    let database = folder.path().join("g.parquet");
    skewer()
        .args(["index", "-q", CLASSICS, "-o", text(&database)])
        .assert()
        .success();
    let shown = stdout(skewer().args(["show", text(&database), "--fen"]).write_stdin(ids));
    assert_eq!(shown, fens);
}

#[test]
fn what_cannot_be_shown_is_named() {
    for (arguments, message) in [
        (
            &[CLASSICS, "5:99"][..],
            "error: game 5 has no position 99; its last is 5:33\n",
        ),
        (&[CLASSICS, "19"], "error: there is no game 19\n"),
        (
            &[CLASSICS, "5", "0:3"],
            "error: `0:3` is not a game, such as 5, nor a position of one, such as 5:33\n",
        ),
        (&[CLASSICS, "5", "5:33x"], "error: `5:33x` is not a game, such as 5,"),
        (&[CLASSICS, "5-7"], "error: `5-7` is not a game, such as 5,"),
        (&["-", "-"], "standard input cannot have both"),
        (&["q.cql", "5"], "q.cql is a query, and games are expected"),
        (&["there-is-none.pgn", "5"], "cannot read there-is-none.pgn"),
        (&[CLASSICS], "standard input, line 2: `x` is not a game"),
    ] {
        let output = skewer()
            .arg("show")
            .args(arguments)
            .write_stdin("5:33\n5 x\n")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(message), "{said}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let output = skewer().args(["show", CLASSICS]).write_stdin("").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

/// A file name with escapes that would set a colour and begin a new line if they were printed as they are.
const NAME: &str = "a\n\u{1b}[45m\u{9b}b";

#[test]
fn names_of_files_stay_text_in_their_line() {
    let folder = Folder::new();
    let named = |name: &str| format!("{NAME}{name}");
    folder.file(&named(".pgn"), "1. e4 e5 2. Ke4 *\n");
    folder.file(&named(".cql"), "//? match pgn \"1. e4\"\ncql()   mate");
    folder.file(&named("-broken.cql"), "cql() chekc");
    folder.file(&named(".parquet"), "");
    folder.file(&format!("queries/{NAME}.cql"), "// A theme.\ncql() mate");
    let (games, query, broken) = (&*named(".pgn"), &*named(".cql"), &*named("-broken.cql"));
    let (missing, database) = (&*named(".pg"), &*named(".parquet"));
    for arguments in [
        &["search", "-e", "mate", "-f", "count", games][..],
        &["search", "-e", "mate", missing],
        &["search", "-e", "mate", games, "-o", missing, "-f", "ids"],
        &["search", "-e", "mate", games, "-o", games, "--force"],
        &["search", broken, games],
        &["search", games, games],
        &["search", "queries", games, "--out-dir", "results"],
        &["index", games, "-o", database],
        &["index", database, "-o", "new.parquet"],
        &["check", broken, missing],
        &["test", query, broken],
        &["fmt", "--check", query],
        &["library", "queries"],
        &["library", NAME],
        &["new", query],
        &["cql", games],
    ] {
        let run = |command: &mut Command| {
            let output = command.current_dir(folder.path()).output().expect("the command runs");
            let said = [output.stdout, output.stderr].concat();
            String::from_utf8_lossy(&said).into_owned()
        };
        let piped = run(Command::new(env!("CARGO_BIN_EXE_skewer")).args(arguments));
        assert!(piped.contains("a\\n\\x1b[45m\\x9bb"), "{arguments:?}: {piped}");
        assert!(
            !piped.contains("\u{1b}[45m") && !piped.contains('\u{9b}'),
            "{arguments:?}: {piped}"
        );
    }
}
