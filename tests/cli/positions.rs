//! Lists and tables of positions as input.

use std::io::Write as _;

use predicates::prelude::*;

use super::*;

/// Black is mated in both; the second is reached by a move.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

/// A table as collections of puzzles have it.
fn puzzles() -> String {
    format!(
        "PuzzleId,FEN,Moves,Rating,Themes\n\
         a,{MATED},,800,mate short\n\
         b,{MATE_IN_ONE},d1d8,900,\"backRankMate, \"\"quoted\"\"\"\n\
         c,7k/P7/8/8/8/8/8/K7 w - - 3 40,a7a8q h8g7,1000,promotion\n"
    )
}

/// What a search for these filters prints.
fn found(filters: &str, path: &Path, format: &str) -> String {
    stdout(&mut search(&["-e", filters, "-f", format, text(path)]))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("packing works");
    encoder.finish().expect("packing works")
}

#[test]
fn a_list_has_a_position_a_line_and_its_operations_are_tags() {
    let folder = Folder::new();
    let list = format!("{MATED} bm none; id \"one; two\";\n\n{MATE_IN_ONE} ; easy\r\n8/8/8/8/8/8/8/K6k b - -\n");
    for name in ["a.epd", "a.FEN"] {
        let path = folder.file(name, &list);
        assert_eq!(
            found("mate tag \"id\" == \"one; two\"", &path, "ids"),
            "1:0\n",
            "{name}"
        );
        assert_eq!(found("tag \"c0\" == \"easy\"", &path, "ids"), "2:0\n", "{name}");
        assert_eq!(
            found("[Aa]==2", &path, "fen"),
            "8/8/8/8/8/8/8/K6k b - - 0 1\n",
            "{name}"
        );
    }
}

#[test]
fn a_row_of_a_table_is_a_game_that_plays_its_moves() {
    let folder = Folder::new();
    let commas = puzzles();
    let tabs = commas
        .replace("\"backRankMate, \"\"quoted\"\"\"", "other")
        .replace(',', "\t");
    for (name, table) in [("p.csv", &commas), ("p.tsv", &tabs), ("tabs.csv", &tabs)] {
        let path = folder.file(name, table);
        assert_eq!(found("mate", &path, "ids"), "1:0\n2:1\n", "{name}");
        assert_eq!(
            found("Qa8 btm", &path, "fen"),
            "Q6k/8/8/8/8/8/8/K7 b - - 0 40\n",
            "{name}"
        );
        assert_eq!(
            found("tag \"Themes\" ~~ \"^promo\" terminal", &path, "ids"),
            "3:2\n",
            "{name}"
        );
    }
    let path = folder.path().join("p.csv");
    let quoted = "[Themes \"backRankMate, \\\"quoted\\\"\"]";
    assert!(found("tag \"Themes\" ~~ \"quoted\" initial", &path, "pgn").contains(quoted));
    assert_eq!(found("tag \"Rating\" == \"1000\" initial", &path, "ids"), "3:0\n");
}

#[test]
fn evaluated_positions_have_an_evaluation_and_its_line() {
    let folder = Folder::new();
    let lines = format!(
        "{{\"fen\": \"{MATE_IN_ONE}\", \"evals\": [{{\"pvs\": [{{\"cp\": 5, \"line\": \"a1a2\"}}], \"depth\": 9}}, \
         {{\"pvs\": [{{\"mate\": 1, \"line\": \"d1d8\"}}, {{\"cp\": 0}}], \"depth\": 30}}]}}\n\
         {{\"fen\": \"8/8/8/8/8/8/8/K6k b - -\", \"evals\": [{{\"pvs\": [{{\"cp\": -12}}], \"depth\": 20}}], \"tags\": [\"a\", \"b\"]}}\n"
    );
    let path = folder.file("e.jsonl", &lines);
    assert_eq!(found("evaldepth==30 --(mate)", &path, "ids"), "1:0\n");
    assert_eq!(found("eval==-12 tag \"tags\" == \"a b\"", &path, "ids"), "2:0\n");
    // The same in columns, with a gap as programs write it.
    let table =
        format!("fen,line,depth,knodes,cp,mate\n{MATE_IN_ONE},d1d8,30,7,,1\n8/8/8/8/8/8/8/K6k b - -,,20.0,,-12.0,\n");
    let path = folder.file("e.csv", &table);
    assert_eq!(
        found("evaldepth==30 --(mate) tag \"knodes\" == \"7\"", &path, "ids"),
        "1:0\n"
    );
    assert_eq!(found("eval==-12 evaldepth==20", &path, "ids"), "2:0\n");
}

#[test]
fn packed_positions_are_unpacked() {
    let folder = Folder::new();
    let table = puzzles();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(table.as_bytes()).expect("packing works");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, content) in [
        ("notes.csv", "a,b\n1,2\n"),
        ("p.csv", &*table),
        ("q.epd", MATED),
        ("readme.txt", MATED),
    ] {
        archive.start_file(name, options).expect("packing works");
        archive.write_all(content.as_bytes()).expect("packing works");
    }
    for (name, bytes, expected) in [
        ("p.csv.gz", gzip(table.as_bytes()), "1:0\n2:1\n"),
        (
            "p.csv.zst",
            zstd::encode_all(table.as_bytes(), 1).expect("packing works"),
            "1:0\n2:1\n",
        ),
        ("p.csv.bz2", bzip2.finish().expect("packing works"), "1:0\n2:1\n"),
        (
            "p.zip",
            archive.finish().expect("packing works").into_inner(),
            "1:0\n2:1\n4:0\n",
        ),
    ] {
        let path = folder.file(name, bytes);
        assert_eq!(found("mate", &path, "ids"), expected, "{name}");
    }
}

#[test]
fn the_first_line_tells_what_a_name_does_not() {
    let folder = Folder::new();
    let object = format!("{{\"id\": 1, \"fen\": \"{MATED}\"}}\n");
    let table = puzzles();
    for (content, expected) in [
        (format!("\u{feff}\n{MATED}\n"), "1:0\n"),
        (object, "1:0\n"),
        (table.clone(), "1:0\n2:1\n"),
        // PGN: a comment and a game.
        (format!("{{ {MATED} }}\n1. f3 e5 2. g4 Qh4#\n"), "1:4\n"),
    ] {
        let mut command = search(&["-e", "mate", "-f", "ids", "-"]);
        command.write_stdin(content.clone()).assert().stdout(expected);
        let path = folder.file("positions.txt", &content);
        assert_eq!(found("mate", &path, "ids"), expected, "{content}");
    }
    // The name says PGN, and CQL knows nothing else.
    let path = folder.file("a.pgn", MATED);
    assert_eq!(found("mate", &path, "ids"), "");
    let mut command = search(&["-e", "mate", "-f", "ids", "--positions", text(&path)]);
    assert_eq!(stdout(&mut command), "1:0\n");
    let list = folder.file("a.epd", MATED);
    let query = folder.file("q.cql", "cql() mate");
    let mut command = skewer();
    command
        .args(["cql", "-i", text(&list), text(&query)])
        .current_dir(folder.path());
    command
        .assert()
        .stdout(predicate::str::contains("0 matches of 0 games"));
}

#[test]
fn a_row_that_cannot_be_read_is_a_warning_and_the_others_are_searched() {
    let folder = Folder::new();
    let list = folder.file("a.epd", format!("{MATED}\nno position\n{MATED}\n"));
    search(&["-e", "mate", "-f", "ids", text(&list)])
        .assert()
        .code(0)
        .stdout("1:0\n3:0\n")
        .stderr(predicate::str::contains("a.epd:2: game 2: the FEN tag is no position"));
    let table = folder.file(
        "p.csv",
        format!("FEN,x\n\"{MATED}\",1\n,2\n{MATED},3,4\n\n{MATED},\"5\n6\"\n{MATED}\n"),
    );
    search(&["-e", "mate", "-f", "ids", text(&table)])
        .assert()
        .code(0)
        .stdout("1:0\n4:0\n5:0\n")
        .stderr(predicate::str::contains(
            "p.csv:3: game 2: the row has no position (and 1 more",
        ));
    let open = folder.file("open.csv", format!("FEN,x\n{MATED},\"a\nb\"\n{MATED},\"c\n{MATED},d\n"));
    search(&["-e", "mate", "-f", "ids", text(&open)])
        .assert()
        .code(0)
        .stdout("1:0\n2:0\n")
        .stderr(
            "warning: open.csv:4: game 2: the row takes in all that follows: probably a quote is not closed\n"
                .replace("open.csv", text(&open)),
        );
    // Line ends of Windows are counted once.
    let windows = folder.file("w.csv", format!("FEN\r\n{MATED}\r\nx\r\n"));
    search(&["-e", "mate", "-f", "ids", text(&windows)])
        .assert()
        .stdout("1:0\n")
        .stderr(predicate::str::contains("w.csv:3: game 2"));
    let lines = format!("{{\"fen\": \"{MATED}\"}}\n{{\"fen\": 3\n[]\n{{\"fen\": \"{MATED}\", \"x\": {{}}}}\n");
    let objects = folder.file("o.jsonl", lines);
    search(&["-e", "mate", "-f", "ids", text(&objects)])
        .assert()
        .code(0)
        .stdout("1:0\n4:0\n")
        .stderr(
            predicate::str::contains("o.jsonl:2: game 2: no object of JSON").and(predicate::str::contains(
                "o.jsonl:4: game 4: the column `x` holds what is no tag: it is left out",
            )),
        );
    // The numbers of the games after it go on behind a row at the end.
    let last = folder.file("l.jsonl", "{\n");
    let mut command = search(&["-e", "mate", "-f", "ids", text(&last), text(&list), "-q"]);
    assert_eq!(stdout(&mut command), "2:0\n4:0\n");
}

/// A game without a FEN would begin as usual, so such a row must not become one.
#[test]
fn a_row_without_a_position_is_no_initial_position() {
    let folder = Folder::new();
    for (name, rows) in [
        ("a.epd", format!("\"{MATED}\"\n; comment\n\u{1}\n\0\0\n{MATED}\n")),
        ("b.csv", format!("FEN,x\n\u{1},1\n\"\0\",2\n,3\n\" \",4\n{MATED},5\n")),
        (
            "c.jsonl",
            format!("{{\"fen\": \"\\u0000\"}}\n{{\"fen\": \"\\u0001\"}}\n[]\n{{}}\n{{\"fen\": \"{MATED}\"}}\n"),
        ),
    ] {
        let file = folder.file(name, rows);
        let all = search(&["-e", "true", "-f", "ids", text(&file)])
            .assert()
            .code(0)
            .stdout("5:0\n");
        all.stderr(predicate::str::contains("left out: 4 games"));
        let database = folder.path().join(format!("{name}.parquet"));
        skewer()
            .args(["index", text(&file), "-o", text(&database)])
            .assert()
            .success();
        search(&["-e", "true", "-f", "ids", text(&database)])
            .assert()
            .stdout("5:0\n");
    }
}

#[test]
fn a_table_without_positions_is_an_error() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "a,b\n1,2\n");
    search(&["-e", "mate", text(&table)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "t.csv: no positions: it has no column `FEN`, its columns are `a`, `b`",
        ));
    // An empty one is like a list without lines: the inputs behind it are searched.
    let (empty, list) = (folder.file("empty.csv", "\n"), folder.file("a.epd", MATED));
    search(&["-e", "mate", "-f", "ids", text(&empty), text(&list)])
        .assert()
        .code(0)
        .stdout("1:0\n");
    let endless = format!("FEN,x\n{MATED},\"{}", "x".repeat(17 << 20));
    let table = folder.file("e.csv", endless);
    search(&["-e", "mate", text(&table)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "a row of more than 16 MB: probably a quote is not closed",
        ));
    let list = folder.file("e.epd", format!("{}\n{MATED}\n", "x".repeat(17 << 20)));
    search(&["-e", "mate", "-f", "ids", text(&list)])
        .assert()
        .code(0)
        .stdout("2:0\n")
        .stderr(predicate::str::contains("e.epd:1: game 1: a line of more than 16 MB"));
}

#[test]
fn a_folder_has_its_lists_and_on_demand_its_tables() {
    let folder = Folder::new();
    folder.file("a.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
    folder.file("b.csv", puzzles());
    folder.file("c.epd.gz", gzip(MATED.as_bytes()));
    assert_eq!(found("mate", folder.path(), "ids"), "1:4\n2:0\n");
    let mut command = search(&["-e", "mate", "-f", "ids", "--positions", text(folder.path())]);
    assert_eq!(stdout(&mut command), "1:0\n2:1\n4:0\n");
}

#[test]
fn a_database_of_positions_gives_the_same_answers() {
    let folder = Folder::new();
    let table = folder.file("p.csv", puzzles());
    let database = folder.path().join("p.parquet");
    let mut command = skewer();
    command
        .args(["index", text(&table), "-o", text(&database)])
        .assert()
        .code(0);
    for query in ["mate", "tag \"Themes\" ~~ \"mate\"", "true", "--=Q"] {
        assert_eq!(found(query, &database, "pgn"), found(query, &table, "pgn"), "{query}");
    }
}
