//! `--column`, and the side for which a query holds.

use std::collections::BTreeMap;

use parquet::file::reader::{FileReader, SerializedFileReader};
use predicates::prelude::*;
use serde_json::{Value, json};

use super::*;

/// A queen gives check: a white one in most games, a black one in a few.
const QUEEN_CHECK: &str = "flipcolor {btm Q attacks k}";

/// Returns the rows of a search in JSON.
fn rows(arguments: &[&str]) -> Vec<Value> {
    let json = stdout(search(&["-q", "-f", "json"]).args(arguments));
    serde_json::from_str(&json).expect("it is JSON")
}

/// Returns the values of a column.
fn column(rows: &[Value], name: &str) -> Vec<Value> {
    rows.iter().map(|row| row[name].clone()).collect()
}

/// Returns the rows of a table, without its header.
fn cells(table: &str, delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .from_reader(table.as_bytes());
    let records = reader.records().map(|record| record.unwrap());
    records
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn every_match_says_of_which_side_the_query_holds() {
    let found = rows(&["-e", QUEEN_CHECK, CLASSICS]);
    let sides = column(&found, "query_side");
    for (row, side) in found.iter().zip(&sides) {
        // The side that gave the check has just moved.
        assert_eq!(*side, if row["side"] == "black" { "white" } else { "black" });
    }
    assert!(sides.contains(&json!("white")) && sides.contains(&json!("black")));
    // A query that is the same with exchanged colours holds for both sides. There is no side without a transform that exchanges
    // colours, and none where it cannot be determined.
    for (query, expected) in [
        ("flipcolor mate", json!("both")),
        ("mate", Value::Null),
        ("flipvertical {mate}", Value::Null),
        ("mate not flipcolor {Q attacks k}", Value::Null),
        ("mate flipcolor {true comment(\"said\")}", json!("both")),
        ("flipcolor {true message quiet(\"said\")} mate", Value::Null),
    ] {
        let sides = column(&rows(&["-e", query, CLASSICS]), "query_side");
        assert!(
            !sides.is_empty() && sides.iter().all(|side| *side == expected),
            "{query}: {sides:?}"
        );
    }
}

/// For each player, `stats --for query` counts the rows in which the player has the side of the query.
#[test]
fn sides_are_those_that_are_counted() {
    for query in [
        QUEEN_CHECK,
        "flipcolor {Bg2 Pf2 Pg3 Ph2}",
        "flipcolor {x=R x attacks q} find flipcolor mate",
    ] {
        let mut expected = BTreeMap::new();
        for row in rows(&["-e", query, CLASSICS]) {
            let sides = match row["query_side"].as_str() {
                Some("both") => &["white", "black"][..],
                Some("white") => &["white"],
                _ => &["black"],
            };
            for side in sides {
                *expected.entry(row[*side].as_str().unwrap().to_owned()).or_insert(0) += 1;
            }
        }
        let counted = [
            "-q", "-f", "json", "--for", "query", "--by", "player", "-e", query, CLASSICS,
        ];
        let counted = stdout(skewer().arg("stats").args(counted));
        let counted: Vec<Value> = serde_json::from_str(&counted).unwrap();
        let counted = counted.iter().filter(|row| row["positions"] != 0);
        let counted = counted.map(|row| {
            (
                row["player"].as_str().unwrap().to_owned(),
                row["positions"].as_i64().unwrap(),
            )
        });
        assert_eq!(counted.collect::<BTreeMap<_, _>>(), expected, "{query}");
    }
}

#[test]
fn all_tables_have_the_side_and_the_columns() {
    let folder = Folder::new();
    let query = "x=#A flipcolor {btm Q attacks k}";
    let columns = [
        "men=x+#a",
        "kings=[Kk]",
        "name=player white",
        "before=parent",
        "mated=mate",
        "none=1/0",
        "next",
        "fen",
    ];
    let asked: Vec<&str> = columns.iter().flat_map(|column| ["--column", column]).collect();
    let asked = [&["-e", query, CLASSICS, "-n", "2"], &asked[..]].concat();
    let names = ",move,comment,query_side,men,kings,name,before,mated,none,next";
    let found = rows(&asked);
    let first = &found[0];
    for (name, expected) in [
        ("query_side", json!("black")),
        ("men", json!(31)),
        ("kings", json!("e1 e8")),
        ("name", json!("Anderssen, Adolf")),
        (
            "before",
            json!("rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2PP/RNBQK1NR b KQkq - 1 3"),
        ),
        ("mated", json!(false)),
        ("none", Value::Null),
        ("next", json!("Kf1")),
    ] {
        assert_eq!(first[name], expected, "{name}");
    }
    let csv = stdout(search(&["-q", "-f", "csv"]).args(&asked));
    assert!(csv.lines().next().unwrap().ends_with(names), "{csv}");
    let tsv = stdout(search(&["-q", "-f", "tsv"]).args(&asked));
    assert_eq!(cells(&csv, b','), cells(&tsv, b'\t'));
    let shown = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let as_text: Vec<Vec<String>> = found
        .iter()
        .map(|row| names.iter().map(|name| shown(&row[name])).collect())
        .collect();
    assert_eq!(cells(&csv, b','), as_text);
    let lines = stdout(search(&["-q", "-f", "jsonl"]).args(&asked));
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, found);

    let file = folder.path().join("a.parquet");
    search(&["-q", "-o", text(&file)]).args(&asked).assert().success();
    let table = SerializedFileReader::new(std::fs::File::open(file).unwrap()).expect("it is Parquet");
    let schema = table.metadata().file_metadata().schema_descr();
    let kind = |name: &str| {
        let column = schema.columns().iter().find(|column| column.name() == name);
        column.unwrap_or_else(|| panic!("{name}")).physical_type().to_string()
    };
    assert_eq!(
        ["query_side", "men", "kings", "before", "mated", "none", "next"].map(kind),
        [
            "BYTE_ARRAY",
            "INT64",
            "BYTE_ARRAY",
            "BYTE_ARRAY",
            "BOOLEAN",
            "INT64",
            "BYTE_ARRAY"
        ]
    );
    let row = table.get_row_iter(None).unwrap().next().unwrap().unwrap().to_string();
    let expected = "query_side: \"black\", men: 31, kings: \"e1 e8\", name: \"Anderssen, Adolf\", before: \"rnbqkbnr/pppp1ppp/8/8/2B1Pp2/8/PPPP2PP/RNBQK1NR b KQkq - 1 3\", mated: false, none: null, next: \"Kf1\"}";
    assert!(row.ends_with(expected), "{row}");
}

#[test]
fn columns_have_the_values_of_the_language() {
    let found = rows(&[
        "-e",
        "mate",
        CLASSICS,
        "--column",
        "plies=ply",
        "--column",
        "here=currentfen",
        "--column",
        "to=to",
        "--column",
        "before=parent:currentfen",
        "--column",
        "there=parent",
    ]);
    assert_eq!(found.len(), 8);
    for row in &found {
        assert_eq!(row["plies"], row["ply"]);
        assert_eq!(row["here"], row["fen"]);
        assert_eq!(row["before"], row["there"]);
    }
    assert_eq!(column(&found, "to")[..3], [json!("d5"), json!("e7"), json!("e7")]);
}

/// `next` is the move that was played in the game, with the same numbers as in `stats --next`.
#[test]
fn next_is_the_move_that_was_played() {
    let found = rows(&["-e", "initial", CLASSICS, "--column", "next"]);
    assert_eq!(column(&found, "next").iter().filter(|next| **next == "e4").count(), 11);
    let last = rows(&["-e", "terminal", CLASSICS, "--column", "next"]);
    assert!(last.iter().all(|row| row["next"].is_null()));
    let checks = rows(&["-e", "--(check)", CLASSICS, "--column", "next"]);
    assert!(
        checks
            .iter()
            .all(|row| row["next"].as_str().unwrap().ends_with(['+', '#'])),
        "{checks:?}"
    );
}

/// The solution is the first move that is tried and accepted, for either side to move, with the piece that a pawn becomes.
#[test]
fn a_solution_is_a_move_that_is_tried() {
    let mates = rows(&[
        "-e",
        "flipcolor {wtm legal --(mate)}",
        CLASSICS,
        "--column",
        "solution",
        "--column",
        "next",
    ]);
    let solutions = column(&mates, "solution");
    assert!(
        solutions
            .iter()
            .all(|solution| solution.as_str().unwrap().ends_with('#')),
        "{solutions:?}"
    );
    // Where the game ends with the mate, most solutions are the move that was played.
    let played = mates
        .iter()
        .filter(|row| row["next"].as_str().is_some_and(|next| next.ends_with('#')));
    assert!(played.clone().count() >= 8);
    assert!(played.filter(|row| row["next"] == row["solution"]).count() >= 6);

    let folder = Folder::new();
    let positions = folder.file(
        "a.fen",
        "8/P6k/8/8/8/8/8/K7 w - - 0 1\n4k3/8/8/8/8/8/8/4K2R w - - 0 1\n",
    );
    let solved = |query: &str| {
        let found = rows(&["-e", query, text(&positions), "--column", "solution"]);
        column(&found, "solution")
    };
    assert_eq!(solved("legal --=N(true)"), [json!("a8=N")]);
    assert_eq!(solved("Kh1 or true"), [Value::Null, Value::Null], "nothing is tried");
    let plain = stdout(&mut search(&["-q", "-f", "csv", "-e", "legal --(mate)", CLASSICS]));
    let more = stdout(&mut search(&[
        "-q",
        "-f",
        "csv",
        "-e",
        "legal --(mate)",
        CLASSICS,
        "--column",
        "solution",
    ]));
    assert_eq!(plain.lines().count(), more.lines().count());
}

#[test]
fn columns_are_the_same_from_a_database_and_for_any_number_of_threads() {
    let folder = Folder::new();
    let database = folder.path().join("g.parquet");
    skewer()
        .args(["index", "-q", CLASSICS, "-o", text(&database)])
        .assert()
        .success();
    for query in [QUEEN_CHECK, "flipcolor {Bg2 Pf2 Pg3 Ph2}", "flipcolor {find mate}"] {
        let asked = |input: &str, threads: &str| {
            let mut found = rows(&[
                "-e",
                query,
                input,
                "--threads",
                threads,
                "--column",
                "men=#A+#a",
                "--column",
                "next",
                "--column",
                "old=find <-- check",
            ]);
            found.iter_mut().for_each(|row| row["file"] = Value::Null);
            found
        };
        let expected = asked(CLASSICS, "1");
        assert!(!expected.is_empty());
        assert_eq!(asked(CLASSICS, "3"), expected, "{query}");
        assert_eq!(asked(text(&database), "2"), expected, "{query}");
    }
}

#[test]
fn columns_stand_before_the_sort_keys_and_leave_the_matches_as_they_are() {
    let query = "sort \"men\" #A mate comment(\"mate on \" to)";
    let csv = stdout(&mut search(&[
        "-q",
        "-f",
        "csv",
        "-e",
        query,
        CLASSICS,
        "--column",
        "pawns=#P",
        "--column",
        "said=comment(\"nothing\")",
    ]));
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",comment,query_side,pawns,said,men"),
        "{csv}"
    );
    assert!(csv.contains("mate on d5") && !csv.contains("nothing"), "{csv}");
    let plain = stdout(&mut search(&["-q", "-f", "csv", "-e", query, CLASSICS]));
    assert_eq!(csv.lines().count(), plain.lines().count());
}

#[test]
fn each_of_many_queries_has_the_columns() {
    let folder = Folder::new();
    folder.file("q/a.cql", "cql() x=#A mate");
    folder.file("q/b.cql", "cql() x=k mate");
    let (queries, results) = (folder.path().join("q"), folder.path().join("r"));
    search(&[
        "-q",
        text(&queries),
        CLASSICS,
        "-f",
        "csv",
        "--out-dir",
        text(&results),
        "--column",
        "x=x",
    ])
    .assert()
    .success();
    let first = |name: &str| {
        let table = std::fs::read_to_string(results.join(name)).unwrap();
        cells(&table, b',')[0].last().unwrap().clone()
    };
    assert_eq!([first("a.csv"), first("b.csv")], ["15", "e7"]);
}

#[test]
fn a_page_shows_the_columns() {
    let page = stdout(&mut search(&[
        "-q",
        "-f",
        "html",
        "-e",
        "mate",
        CLASSICS,
        "-n",
        "1",
        "--column",
        "pawns=#P",
        "--column",
        "odd name=\"</script>\"",
        "--column",
        "fen",
    ]));
    assert!(
        page.contains("\"columns\":[\"pawns\",\"odd name\",\"fen\"]"),
        "the names"
    );
    assert!(
        page.contains("\"values\":[[8,\"\\u003c/script>\",\"rn1q1bnr/"),
        "the values"
    );
}

#[test]
fn what_is_no_column_is_refused_before_a_game_is_read() {
    let folder = Folder::new();
    let sorted = folder.file("sorted.cql", "cql() sort \"men\" #A mate");
    for (arguments, expected) in [
        (
            &["-e", "mate", "-f", "csv", "--column", "n=chekc"][..],
            "did you mean `check`?",
        ),
        (&["-e", "mate", "-f", "csv", "--column", "n=chekc"], "<--column>:1:1"),
        (&["-e", "mate", "-f", "csv", "--column", "n=x"], "unknown name `x`"),
        (&["-e", "mate", "-f", "csv", "--column", "#P"], "`pawns=#P`"),
        (&["-e", "mate", "-f", "csv", "--column", "nxet"], "did you mean `next`?"),
        (
            &["-e", "mate", "-f", "csv", "--column", "side=#P"],
            "`side` is the name of another column",
        ),
        (
            &["-e", "mate", "-f", "csv", "--column", "query_side=#P"],
            "`query_side` is the name of another column",
        ),
        (
            &["-e", "mate", "-f", "csv", "--column", "clock=#P"],
            "`clock` is the name of another column",
        ),
        (
            &["-e", "mate", "-f", "csv", "--column", "a=#P", "--column", "a=#p"],
            "two columns with the name `a`",
        ),
        (
            &[text(&sorted), "-f", "csv", "--column", "men=#P"],
            "the query sorts by `men`",
        ),
        (
            &["-e", "mate", "-f", "pgn", "--column", "a=#P"],
            "--column is for tables, and pgn has no columns",
        ),
        (&["-e", "mate", "--column", "a=#P"], "`-f csv`"),
        (
            &["-e", "mate", "-f", "csv", "--column", "a=readfile \"x\""],
            "read or write files",
        ),
        (
            &["-e", "mate", "-f", "csv", "--column", "a=sort \"k\" ply"],
            "a value that is shown does nothing else",
        ),
        (
            &["-e", "mate", "-f", "csv", "--column", "a={message(\"x\") 1}"],
            "a value that is shown does nothing else",
        ),
    ] {
        let run = search(arguments)
            .arg(folder.path().join("none.pgn"))
            .assert()
            .code(2)
            .stdout("");
        run.stderr(predicate::str::contains(expected));
    }
}

#[test]
fn names_that_spreadsheets_take_for_formulas_are_none() {
    search(&["-e", "mate", CLASSICS, "-f", "csv", "--column", "@x=#P"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("a name for the column"));
}
