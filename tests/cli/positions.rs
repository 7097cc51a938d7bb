//! Lists and tables of positions as input.

use std::io::Write as _;

use predicates::prelude::*;

use super::*;

/// Black is mated in both lines; in the second one by the move that follows.
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

/// Returns a table in the layout of collections of puzzles.
fn puzzles() -> String {
    format!(
        "PuzzleId,FEN,Moves,Rating,Themes\n\
         a,{MATED},,800,mate short\n\
         b,{MATE_IN_ONE},d1d8,900,\"backRankMate, \"\"quoted\"\"\"\n\
         c,7k/P7/8/8/8/8/8/K7 w - - 3 40,a7a8q h8g7,1000,promotion\n"
    )
}

/// Returns what a search for these filters prints.
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
    // The same values in columns, with a gap as programs write it.
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
fn what_is_packed_in_another_way_is_named() {
    let folder = Folder::new();
    let path = folder.file("p.csv.br", [0x0b, 0x02, 0x80]);
    search(&["-e", "mate", text(&path)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "p.csv.br: it is packed by brotli; unpack it first",
        ));
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
        // This is PGN: a comment and a game.
        (format!("{{ {MATED} }}\n1. f3 e5 2. g4 Qh4#\n"), "1:4\n"),
    ] {
        let mut command = search(&["-e", "mate", "-f", "ids", "-"]);
        command.write_stdin(content.clone()).assert().stdout(expected);
        let path = folder.file("positions.txt", &content);
        assert_eq!(found("mate", &path, "ids"), expected, "{content}");
    }
    // The name says that this is PGN, so the line is no position unless an option says so.
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
        .stderr(predicate::str::contains(
            "a.epd:2: game 2: the FEN tag is not a position",
        ));
    let table = folder.file(
        "p.csv",
        format!("FEN,x\n\"{MATED}\",1\n,2\n{MATED},3,4\n\n{MATED},\"5\n6\"\n{MATED}\n"),
    );
    search(&["-e", "mate", "-f", "ids", text(&table)])
        .assert()
        .code(0)
        .stdout("1:0\n4:0\n5:0\n")
        .stderr(predicate::str::contains(
            "p.csv:3: game 2: the row has no position: the game is left out (and 1 more",
        ));
    // A Windows line end counts as one line end.
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
            predicate::str::contains("o.jsonl:2: game 2: not an object of JSON").and(predicate::str::contains(
                "o.jsonl:4: game 4: the column `x` holds what is not a tag: it is left out",
            )),
        );
    // A broken row at the end of a file counts, so later games keep their numbers.
    let last = folder.file("l.jsonl", "{\n");
    let mut command = search(&["-e", "mate", "-f", "ids", text(&last), text(&list), "-q"]);
    assert_eq!(stdout(&mut command), "2:0\n4:0\n");
}

/// A row without a FEN must not become a game from the usual start position.
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
            "t.csv: no positions: it has no column `FEN` or `epd`, its columns are `a`, `b`",
        ));
    // An empty table is like an empty list: the inputs after it are searched.
    let (empty, list) = (folder.file("empty.csv", "\n"), folder.file("a.epd", MATED));
    search(&["-e", "mate", "-f", "ids", text(&empty), text(&list)])
        .assert()
        .code(0)
        .stdout("1:0\n");
}

/// A row that is too long does not keep the other rows from being searched.
#[test]
fn a_row_that_does_not_end_is_left_out_alone() {
    let folder = Folder::new();
    let (long, part) = ("x".repeat(17 << 20), "x".repeat(2 << 20));
    for (name, beginning) in [("e.csv", "FEN,x\n"), ("e.epd", "")] {
        let content = format!("{beginning}{long}\n{MATED},1\n{MATED},\"{long}\n{MATED},2\n{long}");
        let line = beginning.lines().count() + 1;
        search(&["-e", "mate", "-f", "ids", text(&folder.file(name, content))])
            .assert()
            .code(0)
            .stdout("2:0\n4:0\n")
            .stderr(predicate::str::contains(format!(
                "{name}:{line}: game 1: a line of more than 16 MB: the game is left out (and 2 more"
            )));
    }
    // The second row has a quote that is not closed within 16 MB.
    let rows = format!("{MATED},{part}\n").repeat(9);
    let table = folder.file("q.csv", format!("FEN,x\n{MATED},\"a\nb\"\n{MATED},\"open\n{rows}"));
    let found: String = (1..=11).map(|number| format!("{number}:0\n")).collect();
    search(&["-e", "mate", "-f", "ids", text(&table)])
        .assert()
        .code(0)
        .stdout(found)
        .stderr(predicate::str::contains(
            "q.csv:4: game 2: a quote is not closed: the row is taken to end with its line\n",
        ));
}

#[test]
fn a_quote_that_is_not_closed_ends_with_its_line() {
    let folder = Folder::new();
    let open = folder.file("open.csv", format!("FEN,x\n{MATED},\"a\nb\"\n{MATED},\"c\n{MATED},d\n"));
    search(&["-e", "mate", "-f", "ids", text(&open)])
        .assert()
        .code(0)
        .stdout("1:0\n2:0\n3:0\n")
        .stderr(
            "warning: open.csv:4: game 2: a quote is not closed: the row is taken to end with its line\n"
                .replace("open.csv", text(&open)),
        );
}

/// All faults of a row are reported, in one message.
#[test]
fn what_is_odd_in_a_row_is_said() {
    let folder = Folder::new();
    for (name, content, expected) in [
        (
            "few.csv",
            format!("FEN,x,y\n{MATED},1,2\n{MATED}\n"),
            "few.csv:3: game 2: the row has 1 value, and there are 3 columns: the others count as empty\n",
        ),
        (
            "none.csv",
            format!("FEN,x\n,2\n{MATED},1\n"),
            "none.csv:2: game 1: the row has no position: the game is left out\n",
        ),
        (
            "odd.csv",
            format!("FEN,cp,depth,x\n{MATED},much,deep,1\n"),
            "odd.csv:2: game 1: the columns `cp`, `depth` hold no number: they are left out\n",
        ),
        (
            "odd.jsonl",
            format!("{{\"fen\": \"{MATED}\", \"a\": {{}}, \"b\": [{{}}], \"cp\": \"x\"}}\n"),
            "odd.jsonl:1: game 1: the columns `a`, `b` hold what is not a tag: they are left out; the column `cp` holds no number: it is left out\n",
        ),
        (
            "two.csv",
            format!("id,fen,FEN\n1,{MATED},{MATE_IN_ONE}\n"),
            "two.csv:1: the column `FEN` is left out: the positions are those of the column `fen`\n",
        ),
        (
            "both.csv",
            format!("EPD,Fen\n{MATE_IN_ONE},{MATED}\n"),
            "both.csv:1: the column `EPD` is left out: the positions are those of the column `Fen`\n",
        ),
        (
            "two.epd",
            format!("{MATED} FEN \"{MATE_IN_ONE}\"; id 1;\n"),
            "two.epd:1: game 1: the column `FEN` holds a position beside that of the row: it is left out\n",
        ),
        (
            "twice.epd",
            format!("{MATED} id 1; id 2;\n"),
            "twice.epd:1: game 1: the tag `id` has different values; the last one counts\n",
        ),
        (
            "twice.csv",
            format!("FEN,WhiteElo,white_elo\n{MATED},1,2\n"),
            "twice.csv:2: game 1: the tag `WhiteElo` has different values; `elo` takes the first one, `tag` the last one\n",
        ),
        (
            "high.csv",
            format!("FEN,WhiteElo\n{MATED},4100\n"),
            "high.csv:2: game 1: the WhiteElo tag `4100` is above 4000, the highest rating, and counts as that\n",
        ),
        (
            "open.csv",
            format!("FEN,Moves\n{MATED},{{mated * \n"),
            "open.csv:2: game 1: a comment of the moves has no closing brace: it ends with them\n",
        ),
    ] {
        let path = folder.file(name, content);
        let mut command = search(&["-e", "mate", "-f", "pgn", text(&path)]);
        let output = command.output().expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let warning = format!("warning: {}", text(&path).replace(name, expected));
        assert!(said.starts_with(&warning), "{name}: {said}");
        assert_eq!(said.matches("warning: ").count(), 1, "{said}");
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            found.matches(&format!("[FEN \"{MATED}\"]")).count(),
            found.matches("[FEN ").count(),
            "{found}"
        );
        assert!(found.contains("[FEN "), "{name}");
    }
}

/// If the moves of a row end inside of a comment, the next column is not part of the comment.
#[test]
fn a_comment_in_which_moves_end_has_no_result_in_it() {
    let folder = Folder::new();
    let rows = [
        "d1d2 {open * g8f8,0-1",
        "d1d2 ; a 1-0,0-1",
        "d1d2 {open 1-0,0-1",
        "\"d1d2 ; a line\ng8f8\",0-1",
        "d1d2 {closed} 0-1,0-1",
    ];
    let rows: String = rows.iter().map(|row| format!("{MATE_IN_ONE},{row}\n")).collect();
    let table = folder.file("c.csv", format!("FEN,Moves,Result\n{rows}"));
    let comments = "{open * g8f8}\n{a 1-0}\n{open 1-0}\n{a line}\n{closed}\n";
    let mut command = search(&["-e", "ply==1", "-f", "pgn", "-q", text(&table)]);
    let found = stdout(&mut command);
    for comment in comments.lines() {
        assert!(found.contains(&comment.replace('}', " ")), "{comment}: {found}");
    }
    let mut command = search(&["-e", "result 0-1 initial", "-f", "ids", "-q", text(&table)]);
    assert_eq!(stdout(&mut command), "1:0\n2:0\n3:0\n4:0\n5:0\n");
    let mut command = search(&["-e", "ply==2", "-f", "ids", "-q", text(&table)]);
    assert_eq!(stdout(&mut command), "4:2\n");
}

/// A query gives the same answers for boards in a game and for the same boards in a list of positions.
#[test]
fn positions_match_alone_as_they_match_in_games() {
    let folder = Folder::new();
    let positions = found("true", Path::new(CLASSICS), "fen");
    let list = folder.file("all.fen", &positions);
    let database = folder.path().join("all.parquet");
    let mut index = skewer();
    index
        .args(["index", text(&list), "-o", text(&database)])
        .assert()
        .success();
    let count = |query: &str, path: &Path| found(query, path, "ids").lines().count();
    let all = positions.lines().count();
    assert_eq!(count("true", &list), all);
    for query in [
        "check",
        "mate",
        "xray (R a k)",
        "wtm #[Aa] < 20",
        "btm {check or R attacks q}",
        "pin through k",
        "#passedpawns > 2 not check",
        "power A > power a + 3",
        "square s in _ s attackedby n",
        "stalemate or Qd1 kg8",
    ] {
        // With `-f ids` several positions of a game share a line, so FENs are counted.
        let in_games = found(query, Path::new(CLASSICS), "fen").lines().count();
        assert!(in_games < all, "{query}");
        assert_eq!(
            (count(query, &list), count(query, &database)),
            (in_games, in_games),
            "{query}"
        );
    }
    assert_eq!((count("ply>0", &list), count("terminal", &list)), (0, all));
    assert_eq!(count("--", &list), 0);
    // Several queries share the results that are computed for the positions.
    let queries = ["check", "mate", "R attacks q", "wtm #[Aa] < 20"];
    let files = queries.map(|query| folder.file(&format!("{}.cql", query.len()), format!("cql() {query}")));
    let results = folder.path().join("results");
    let mut together = search(&["-f", "ids", "-q", "--out-dir", text(&results)]);
    together.args(&files).arg(&list).assert().code(0);
    for query in queries {
        let file = results.join(format!("{}.ids", query.len()));
        let ids = std::fs::read_to_string(file).expect("each query has a file");
        assert_eq!(ids, found(query, &list, "ids"), "{query}");
    }
}

#[test]
fn lines_may_end_as_on_early_macintosh_computers() {
    let folder = Folder::new();
    let list = [MATED, MATED, ""].join("\r");
    let object = format!("{{\"fen\": \"{MATED}\"}}\r");
    let table = ["FEN", MATED, MATED].join("\r");
    for (name, content) in [
        ("a.epd", &list),
        ("a", &list),
        ("a.jsonl", &object.repeat(2)),
        ("a.csv", &table),
    ] {
        let path = folder.file(name, content);
        assert_eq!(found("mate", &path, "ids"), "1:0\n2:0\n", "{name}");
    }
}

#[test]
fn the_openings_of_lichess_are_read() {
    let folder = Folder::new();
    let header = "eco\tname\tpgn\tuci\tepd\n";
    let row = "C23\tBishop's Opening\t1. e4 e5 2. Bc4\te2e4 e7e5 f1c4\t\
        rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq -\n";
    for name in ["openings.tsv", "openings"] {
        let table = folder.file(name, format!("{header}{row}"));
        let query = "Bc4 btm tag \"name\" ~~ \"Bishop\" tag \"uci\" eco \"C23\"";
        assert_eq!(found(query, &table, "ids"), "1:0\n", "{name}");
    }
    let list = folder.file("list.jsonl", "{\"Epd\": \"4k3/8/8/8/8/8/8/4K2R w K -\"}\n");
    assert_eq!(found("Rh1", &list, "ids"), "1:0\n");
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

#[test]
fn an_array_of_json_objects_is_refused_with_advice() {
    let folder = Folder::new();
    let array = "[\n  { \"fen\": \"7k/6Q1/6K1/8/8/8/8/8 b - -\" }\n]\n";
    for name in ["array.json", "array.jsonl"] {
        let file = folder.file(name, array);
        search(&["-e", "mate", text(&file)])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(
                "a JSON array, and each line has to be an object",
            ));
    }
}
