//! Many queries in one pass over the games.

use std::fs;
use std::path::Path;

use predicates::prelude::*;

use super::{CLASSICS, Folder, search, skewer};

/// Queries with different needs: moves, variations, comments, all games in order, all games to sort.
const QUERIES: [(&str, &str); 8] = [
    ("mate", "cql() mate"),
    ("never", "cql() false"),
    ("tag", "cql() player \"Morphy\" comment(\"here\")"),
    ("variations", "cql(variations) check"),
    ("originals", "cql() originalcomment \"a\""),
    ("persistent", "cql() mate persistent mates+=1 comment(mates)"),
    ("sorted", "cql() sort min \"least\" #A  ply>20"),
    (
        "some/numbered",
        "cql(gamenumber 3 9) mate message quiet(\"mate in \" gamenumber)",
    ),
];

fn text(path: &Path) -> &str {
    path.to_str().expect("names are UTF-8")
}

/// A game with a comment and a variation that ends in check.
const ANNOTATED: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {a good move} e5 (1... f6 2. Qh5+) 2. Nf3 *\n";

/// Returns a folder with the queries and another file of games.
fn queries() -> Folder {
    let folder = Folder::new();
    folder.file("annotated.pgn", ANNOTATED);
    for (name, query) in QUERIES {
        folder.file(&format!("queries/{name}.cql"), query);
    }
    folder
}

/// Searches for all queries of a folder, with further arguments.
fn search_all(folder: &Folder, arguments: &[&str]) -> assert_cmd::Command {
    let (queries, results) = (folder.path().join("queries"), folder.path().join("results"));
    let mut command = search(&[text(&queries), "--out-dir", text(&results)]);
    command.args(arguments);
    command
}

fn result(folder: &Folder, name: &str) -> String {
    let path = folder.path().join("results").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Memory that one query takes in a game is free for the others when the game ends, even if the query fails there.
#[test]
fn a_query_that_takes_too_much_memory_takes_none_from_others() {
    let text = "a long text, again and again ".repeat(10);
    let hungry = format!("cql() x=0 while (x<100000) {{x+=1 message(\"{text}\")}}");
    for threads in ["1", "2"] {
        let folder = queries();
        folder.file("queries/a.cql", &hungry);
        let arguments = ["-f", "csv", CLASSICS, "--threads", threads];
        let assert = search_all(&folder, &[&arguments[..], &["--max-memory", "16M"]].concat()).assert();
        let errors = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert.code(2);
        assert_eq!(errors.matches("takes too much memory").count(), 1, "{errors}");
        let results = QUERIES.map(|(name, _)| result(&folder, &format!("{name}.csv")));
        let without = queries();
        search_all(&without, &arguments).assert().code(0);
        assert_eq!(
            results,
            QUERIES.map(|(name, _)| result(&without, &format!("{name}.csv")))
        );
    }
}

/// Compares the result of each query with the result of a search for that query only.
fn compare(folder: &Folder, options: &[&str]) {
    search_all(folder, options).assert().code(0);
    let format = options[1];
    for (name, _) in QUERIES {
        let query = folder.path().join(format!("queries/{name}.cql"));
        let alone = search(&[text(&query)])
            .args(options)
            .output()
            .expect("the command runs");
        let result = result(folder, &format!("{name}.{format}"));
        assert_eq!(result.into_bytes(), alone.stdout, "{name} with {options:?}");
    }
}

#[test]
fn each_result_is_that_of_the_query_alone() {
    let folder = queries();
    let (annotated, database) = (folder.path().join("annotated.pgn"), folder.path().join("games.parquet"));
    let (annotated, database) = (text(&annotated), text(&database));
    skewer()
        .args(["index", CLASSICS, annotated, "-o", database])
        .assert()
        .code(0);
    for (format, limit, threads) in [
        ("pgn", "100", "1"),
        ("pgn", "2", "3"),
        ("jsonl", "100", "2"),
        ("count", "3", "1"),
    ] {
        let options = ["-f", format, "-n", limit, "-j", threads];
        compare(&folder, &[&options[..], &[CLASSICS, annotated]].concat());
        compare(&folder, &[&options[..], &[database]].concat());
    }
    compare(&folder, &["-f", "pgn", annotated, CLASSICS]);
    for name in ["originals", "variations"] {
        let result = result(&folder, &format!("{name}.pgn"));
        assert!(result.contains(r#"[White "A"]"#), "{name}: {result}");
    }
}

#[test]
fn a_long_game_between_others_is_found_by_each_query() {
    const MATE: [&str; 7] = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"];
    let game = |name: &str, rounds: usize| {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(rounds);
        let lines: Vec<String> = [&moves[..], &MATE]
            .concat()
            .chunks(12)
            .map(|moves| moves.join(" "))
            .collect();
        format!("[White \"{name}\"]\n\n{} 1-0\n\n", lines.join("\n"))
    };
    let folder = Folder::new();
    let games = [game("Short", 0), game("Short", 1), game("Long", 3500), game("Short", 2)].concat();
    folder.file("games.pgn", &games);
    for (name, query) in [
        ("all", "cql() mate"),
        ("attacks", "cql() Q attacks k"),
        ("end", "cql() terminal"),
        ("late", "cql() ply>9000 mate"),
        ("long", "cql() player \"Long\" mate"),
        ("short", "cql() player \"Short\" mate"),
    ] {
        folder.file(&format!("queries/{name}.cql"), query);
    }
    let (pgn, database) = (folder.path().join("games.pgn"), folder.path().join("games.parquet"));
    skewer()
        .args(["index", text(&pgn), "-o", text(&database)])
        .assert()
        .code(0);
    for games in [&pgn, &database] {
        search_all(&folder, &["-f", "count", text(games)]).assert().code(0);
        let counted = ["all", "attacks", "end", "late", "long", "short"].map(|name| {
            let counted = result(&folder, &format!("{name}.count"));
            counted.lines().next().map(str::to_owned)
        });
        let expected = [4, 4, 4, 1, 1, 3].map(|games| Some(format!("games: {games}")));
        assert_eq!(counted, expected, "{}", games.display());
    }
}

#[test]
fn a_table_says_how_much_was_found() {
    let folder = queries();
    folder.file("queries/nowhere.cql", "cql() Q>8");
    let assert = search_all(&folder, &["-f", "count", CLASSICS]).assert().code(0);
    let printed = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(
        lines[0].split_whitespace().collect::<Vec<_>>(),
        ["query", "games", "positions", "errors"]
    );
    let (last, rows) = lines[1..].split_last().expect("there are rows");
    let games = |row: &&str| {
        row.split_whitespace()
            .nth(1)
            .and_then(|games| games.parse::<u64>().ok())
    };
    let games: Vec<_> = rows.iter().map(games).collect();
    assert!(
        games.iter().all(|games| *games > Some(0)) && games.is_sorted_by(|a, b| a >= b),
        "{printed}"
    );
    assert!(rows.iter().any(|row| row.starts_with("mate ")), "{printed}");
    let left_out = QUERIES.len() + 1 - rows.len();
    assert_eq!(*last, format!("{left_out} queries without a match"));
    let table = result(&folder, "summary.csv");
    assert!(
        table.starts_with("query,games,positions,errors\nmate,8,8,\nnever,0,0,\nnowhere,0,0,\n"),
        "{table}"
    );
    assert!(table.contains("\nsome/numbered,3,3,\n"), "{table}");
}

/// On a terminal the table comes last, after all messages and errors.
#[cfg(unix)]
#[test]
fn messages_do_not_push_the_table_away() {
    let folder = Folder::new();
    let queries = folder.path().join("queries");
    folder.file(
        "queries/loud.cql",
        "cql() message quiet(\"here \" ply) persistent plies+=1",
    );
    folder.file("queries/mate.cql", "cql() mate");
    folder.file("queries/never.cql", "cql() false");
    folder.file("queries/stopped.cql", "cql() if gamenumber==5 assert false");
    folder.file("queries/wrong.cql", "cql() oops");
    let skewer = assert_cmd::cargo::cargo_bin!("skewer");
    let command = format!(
        "exec '{}' search '{}' '{CLASSICS}' -f count --out-dir '{}' 2>&1",
        skewer.display(),
        text(&queries),
        text(&folder.path().join("results")),
    );
    let output = std::process::Command::new("sh").args(["-c", &command]).output();
    let shown = String::from_utf8(output.expect("there is a shell").stdout).expect("UTF-8");
    let table = shown.rfind("\nquery ").expect("a table");
    let names: Vec<_> = shown[table..]
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, ["query", "loud", "mate", "never", "stopped", "wrong"], "{shown}");
    assert!(shown.matches("loud: here ").count() > 500);
}

#[test]
fn each_query_writes_its_own_files() {
    let folder = Folder::new();
    folder.file("queries/a.cql", "cql() mate writefile (\"a.cqo\" \"a\")");
    folder.file("queries/b.cql", "cql() mate writefile (\"b.cqo\" \"b\")");
    folder.file("queries/late.cql", "cql() mate writefile (\"a.cqo\" \"x\")");
    folder.file(
        "queries/stopped.cql",
        "cql() writefile (\"c.cqo\" \"x\") assert gamenumber<5",
    );
    search_all(&folder, &["-f", "ids", "--allow-files", text(folder.path()), CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("another query of this run writes it"));
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
    assert_eq!(written("a.cqo"), Some("a".repeat(8)));
    assert_eq!(written("b.cqo"), Some("b".repeat(8)));
    assert_eq!(written("c.cqo"), None);
}

#[test]
fn broken_queries_do_not_stop_the_others() {
    let folder = Folder::new();
    folder.file("queries/broken.cql", "cql() mate oops");
    folder.file("queries/mate.cql", "cql() mate");
    folder.file("queries/stopped.cql", "cql() if gamenumber==5 assert false");
    folder.file("queries/writes.cql", "cql() mate writefile (\"a.cqo\" \"x\")");
    let earlier = folder.file("earlier/stopped.cql", "cql() gamenumber<3 initial");
    let results = folder.path().join("results");
    search(&[text(&earlier), CLASSICS, "-f", "ids", "--out-dir", text(&results)])
        .assert()
        .code(0);
    search_all(&folder, &["-f", "ids", "-j", "2", CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("broken.cql:1:12").and(predicate::str::contains("(game 5, positionid 0)")));
    assert_eq!(result(&folder, "mate.ids"), super::MATES);
    assert_eq!(result(&folder, "stopped.ids"), "1:0\n2:0\n", "the earlier result");
    let mut names: Vec<_> = fs::read_dir(folder.path().join("results"))
        .expect("there are results")
        .map(|entry| {
            entry
                .expect("it is readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(names, ["mate.ids", "stopped.ids", "summary.csv"]);
    let table = result(&folder, "summary.csv");
    let rows: Vec<_> = table.lines().collect();
    assert!(
        rows[1].starts_with("broken,,,") && rows[1].len() > "broken,,,".len(),
        "{table}"
    );
    assert_eq!(rows[2], "mate,8,8,");
    assert!(
        rows[3].starts_with("stopped,,,") && rows[3].contains("game 5"),
        "{table}"
    );
    assert!(rows[4].starts_with("writes,,,"), "{table}");
}

#[test]
fn nothing_found_is_no_match() {
    let folder = Folder::new();
    folder.file("queries/never.cql", "cql() false");
    search_all(&folder, &[CLASSICS]).assert().code(1);
    assert_eq!(result(&folder, "never.pgn"), "");
}

#[test]
fn messages_name_their_query_and_warnings_come_once() {
    let folder = Folder::new();
    let first = folder.file("first.cql", "cql() initial message quiet(\"game \" gamenumber)");
    let second = folder.file("second.cql", "cql() initial persistent games+=1");
    let games = folder.file(
        "games.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n",
    );
    let results = folder.path().join("results");
    search(&[text(&first), text(&games), text(&second), "--out-dir", text(&results)])
        .assert()
        .code(0)
        .stderr(predicate::function(|log: &str| {
            log.matches("warning:").count() == 1
                && log.starts_with("first: game 1\nfirst: game 2\n")
                && log.contains("note: with moves that are not searched: 1 game\n")
                && log
                    .lines()
                    .any(|line| line.starts_with("second: ") && line.contains("games"))
        }));
}

#[test]
fn an_input_that_cannot_be_read_leaves_no_result() {
    let folder = queries();
    let broken = folder.file("broken.pgn.zst", b"\x28\xB5\x2F\xFDthis is not zstd");
    search_all(&folder, &[CLASSICS, text(&broken)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("broken.pgn.zst"));
    let files = |folder: &Path| {
        fs::read_dir(folder).map_or(0, |entries| {
            entries.flatten().filter(|entry| entry.path().is_file()).count()
        })
    };
    assert_eq!(files(&folder.path().join("results")), 0);
}

#[test]
fn files_of_others_are_not_replaced_and_no_game_is_read_then() {
    for (name, force) in [
        ("results/mate.ids", false),
        ("results/summary.csv", false),
        ("results/games.pgn", true),
    ] {
        let folder = queries();
        let games = folder.file("results/games.pgn", ANNOTATED);
        folder.file("queries/games.cql", "cql() true");
        let before = ANNOTATED.to_owned() + "{mine}\n";
        let other = folder.file(name, &before);
        let format = if force { "pgn" } else { "ids" };
        let options: &[&str] = if force { &["--force"] } else { &[] };
        search_all(&folder, &[&["-f", format, text(&games)], options].concat())
            .assert()
            .code(2)
            .stderr(predicate::str::contains(name));
        assert_eq!(fs::read_to_string(&other).expect("it is there"), before);
        let files = fs::read_dir(folder.path().join("results"))
            .expect("it is there")
            .count();
        assert!(files <= 2, "nothing else is written");
        if !force {
            search_all(&folder, &["-f", format, text(&games), "--force"])
                .assert()
                .code(0);
            search_all(&folder, &["-f", format, text(&games)]).assert().code(0);
        }
    }
}

#[test]
fn results_that_cannot_be_written_keep_no_others_back() {
    let folder = Folder::new();
    for number in 10..30 {
        folder.file(&format!("queries/q{number}.cql"), "cql() mate");
    }
    // A folder blocks the temporary file of the output, so it cannot be written.
    for number in [12, 13, 25] {
        folder.file(&format!("results/.skewer-q{number}.count.tmp/mine"), "");
    }
    let output = search_all(&folder, &[CLASSICS, "-f", "count"])
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let places: Vec<_> = [12, 13, 25]
        .iter()
        .map(|number| errors.find(&format!("q{number}.count: ")))
        .collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{errors}");
    for number in 10..30 {
        let path = folder.path().join(format!("results/q{number}.count"));
        assert_eq!(path.exists(), ![12, 13, 25].contains(&number), "{number}");
    }
}

#[cfg(unix)]
#[test]
fn many_queries_take_few_open_files() {
    let folder = Folder::new();
    for number in 0..60 {
        folder.file(&format!("queries/q{number}.cql"), format!("cql() gamenumber=={number}"));
    }
    let (queries, results) = (folder.path().join("queries"), folder.path().join("results"));
    let skewer = assert_cmd::cargo::cargo_bin!("skewer");
    let command = format!(
        "ulimit -n 24 && exec '{}' search '{}' '{CLASSICS}' -j 2 --out-dir '{}'",
        skewer.display(),
        text(&queries),
        text(&results),
    );
    for run in ["first", "one that replaces the results"] {
        let output = std::process::Command::new("sh").args(["-c", &command]).output();
        let output = output.expect("there is a shell");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{run}: {messages}");
        assert_eq!(fs::read_dir(&results).expect("it is there").count(), 61, "{run}");
    }
}

#[test]
fn results_go_to_one_place_only() {
    search(&["q.cql", "g.pgn", "--out-dir", "results", "-o", "x.pgn"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot be used with"));
}
