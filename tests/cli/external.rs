//! Parquet files that other programs have written, and how other programs read ours.

use std::fs::File;
use std::process::Command as Process;
use std::sync::Arc;

use aix_chess_compression::{CompressionLevel, Encode, Encoder};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use predicates::prelude::*;
use shakmaty::{Chess, Position as _, san::San};

use super::*;

/// The moves of two games; the first one ends in mate.
const GAMES: [&str; 2] = ["f3 e5 g4 Qh4#", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 a6 Be2 g6 O-O"];

/// The values of a column.
enum Column {
    Bytes(Vec<Vec<u8>>),
    Numbers(Vec<i32>),
    Longs(Vec<i64>),
}

fn texts(values: [&str; 2]) -> Column {
    Column::Bytes(values.map(|value| value.as_bytes().to_vec()).to_vec())
}

/// Writes a Parquet file of one row group. The schema is in the notation of Parquet.
fn parquet(folder: &Folder, schema: &str, columns: &[Column]) -> PathBuf {
    parquet_of_groups(folder, schema, &[columns])
}

fn parquet_of_groups(folder: &Folder, schema: &str, groups: &[&[Column]]) -> PathBuf {
    let path = folder.path().join("external.parquet");
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let file = File::create(&path).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::default())).expect("Parquet");
    for columns in groups {
        write_group(&mut writer, columns);
    }
    writer.close().expect("Parquet");
    path
}

fn write_group(writer: &mut SerializedFileWriter<File>, columns: &[Column]) {
    let mut group = writer.next_row_group().expect("a row group");
    for column in columns {
        let mut cells = group.next_column().expect("columns").expect("a column");
        match column {
            Column::Bytes(values) => {
                let values: Vec<ByteArray> = values.iter().map(|value| ByteArray::from(value.as_slice())).collect();
                cells.typed::<ByteArrayType>().write_batch(&values, None, None)
            }
            Column::Numbers(values) => cells.typed::<Int32Type>().write_batch(values, None, None),
            Column::Longs(values) => cells.typed::<Int64Type>().write_batch(values, None, None),
        }
        .expect("values");
        cells.close().expect("a column");
    }
    group.close().expect("a row group");
}

#[test]
fn archives_with_movetext_are_searched() {
    let folder = Folder::new();
    let schema = "message schema {
        required binary Event (STRING);
        required binary White (STRING);
        required int32 WhiteElo (INTEGER(16,true));
        required int32 UTCDate (DATE);
        required binary Result (STRING);
        required binary movetext (STRING);
    }";
    let movetext = ["1. f3 { [%eval -0.4] } e5 2. g4 Qh4# 0-1", "1. e4 c5 2. Nf3 *"];
    let columns = [
        texts(["Rated \"Blitz\" game", "Casual"]),
        texts(["A", "B"]),
        Column::Numbers(vec![1500, 2701]),
        Column::Numbers(vec![18262, 18263]),
        texts(["0-1", "*"]),
        texts(movetext),
    ];
    let path = parquet(&folder, schema, &columns);
    let run = |query: &str, format: &str| stdout(&mut search(&["-e", query, "-f", format, text(&path)]));
    assert_eq!(run("mate tag \"Event\" ~~ \"^Rated .Blitz. game\"", "ids"), "1:4\n");
    assert_eq!(run("elo white > 2700 terminal", "ids"), "2:3\n");
    assert_eq!(run("tag \"UTCDate\" == \"2020.01.01\" initial", "ids"), "1:0\n");
    assert!(
        run("mate", "pgn").contains("1.f3 {[%eval -0.4]} 1...e5"),
        "{}",
        run("mate", "pgn")
    );
    let indexed = folder.path().join("own.parquet");
    let mut command = skewer();
    command.args(["index", text(&path), "-o", text(&indexed)]);
    command.assert().code(0);
    let own = stdout(&mut search(&["-e", "mate", text(&indexed)]));
    assert_eq!(own, run("mate", "pgn"));
}

#[test]
fn tables_of_positions_are_searched() {
    let folder = Folder::new();
    let schema = "message schema {
        required binary PuzzleId (STRING);
        required binary FEN (STRING);
        required binary Moves (STRING);
        required int32 Rating;
        required int32 cp;
        required int32 depth;
    }";
    let columns = [
        texts(["a", "b"]),
        texts(["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "no position"]),
        texts(["d1d8", ""]),
        Column::Numbers(vec![900, 1000]),
        Column::Numbers(vec![-12, 13]),
        Column::Numbers(vec![20, 21]),
    ];
    let path = parquet(&folder, schema, &columns);
    let run = |query: &str| stdout(&mut search(&["-e", query, "-f", "ids", text(&path)]));
    assert_eq!(run("mate tag \"PuzzleId\" == \"a\" tag \"Rating\" == \"900\""), "1:1\n");
    assert_eq!(run("eval==-12 evaldepth==20"), "1:0\n");
    search(&["-e", "mate", text(&path)])
        .assert()
        .stderr(predicate::str::contains(
            "external.parquet:2: game 2: the FEN tag is not a position",
        ));
}

#[test]
fn a_list_of_texts_is_a_tag() {
    let folder = Folder::new();
    let path = folder.path().join("lists.parquet");
    let schema = "message schema {
        required binary FEN (STRING);
        required group Themes (LIST) { repeated group list { optional binary element (STRING); } }
    }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let file = File::create(&path).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::default())).expect("Parquet");
    let mut group = writer.next_row_group().expect("a row group");
    let bytes = |values: &[&str]| -> Vec<ByteArray> { values.iter().map(|value| ByteArray::from(*value)).collect() };
    let mut cells = group.next_column().expect("columns").expect("a column");
    let fens = bytes(&[
        "8/8/8/8/8/8/8/K6k b - -",
        "8/8/8/8/8/8/8/K5k1 b - -",
        "8/8/8/8/8/8/8/K4k2 b - -",
    ]);
    cells
        .typed::<ByteArrayType>()
        .write_batch(&fens, None, None)
        .expect("values");
    cells.close().expect("a column");
    let mut cells = group.next_column().expect("columns").expect("a column");
    // The rows have two themes, none, and one with a missing value.
    let themes = bytes(&["fork", "pin", "mate"]);
    let (depths, repetitions) = (Some(&[2, 2, 0, 1, 2][..]), Some(&[0, 1, 0, 0, 1][..]));
    cells
        .typed::<ByteArrayType>()
        .write_batch(&themes, depths, repetitions)
        .expect("values");
    cells.close().expect("a column");
    group.close().expect("a row group");
    writer.close().expect("Parquet");
    let run = |query: &str| stdout(&mut search(&["-e", query, "-f", "ids", text(&path)]));
    assert_eq!(run("tag \"Themes\" == \"fork pin\""), "1:0\n");
    assert_eq!(run("tag \"Themes\" == \"mate\""), "3:0\n");
    assert_eq!(run("true"), "1:0\n2:0\n3:0\n");
}

#[test]
fn the_language_of_the_letters_can_be_named_for_archives() {
    let folder = Folder::new();
    let schema = "message schema { required binary White (STRING); required binary movetext (STRING); }";
    let columns = [texts(["A", "B"]), texts(["1. Pf3 Pf6 1/2-1/2", "1. d4 Pf6 1-0"])];
    let path = parquet(&folder, schema, &columns);
    let output = search(&["-e", "terminal", text(&path)]).output().expect("a search");
    let warnings = String::from_utf8_lossy(&output.stderr);
    assert!(warnings.contains("--language says which one"), "{warnings}");
    let fens = |path: &std::path::Path, arguments: &[&str]| {
        let mut command = search(&["-q", "-e", "terminal", "-f", "fen", text(path)]);
        stdout(command.args(arguments))
    };
    let dutch = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2\n\
                 rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2\n";
    assert_eq!(fens(&path, &["--language", "nl"]), dutch);
    let indexed = folder.path().join("own.parquet");
    let mut command = skewer();
    command.args(["index", "--language", "nl", text(&path), "-o", text(&indexed)]);
    command.assert().code(0).stderr("");
    assert_eq!(fens(&indexed, &[]), dutch);
}

#[test]
fn archives_of_aix_are_searched_in_all_encodings() {
    for level in [CompressionLevel::Low, CompressionLevel::Medium, CompressionLevel::High] {
        let folder = Folder::new();
        let encoded = GAMES.map(|moves| {
            let mut chess = Chess::default();
            let mut encoder = Encoder::new(level);
            for word in moves.split(' ') {
                let san: San = word.trim_end_matches('#').parse().expect("a move");
                let played = san.to_move(&chess).expect("a legal move");
                encoder.encode_move(played).expect("a legal move");
                chess.play_unchecked(played);
            }
            encoder.finish().into_bytes()
        });
        let schema = "message schema {
            required binary white (STRING);
            required int32 white_elo;
            required binary movedata;
        }";
        let columns = [
            texts(["A", "B"]),
            Column::Numbers(vec![2400, 2500]),
            Column::Bytes(encoded.to_vec()),
        ];
        let path = parquet(&folder, schema, &columns);
        let run = |query: &str| stdout(&mut search(&["-e", query, "-f", "ids", text(&path)]));
        assert_eq!(run("mate"), "1:4\n", "{level:?}");
        assert_eq!(
            run("castle player white == \"B\" elo white == 2500"),
            "2:11\n",
            "{level:?}"
        );
        assert_eq!(run("gamenumber == lastgamenumber initial"), "2:0\n", "{level:?}");
    }
}

/// Returns rows of an archive, numbered from 1. In some, the text would be an open comment or several games if it were copied into PGN.
fn rows(numbers: std::ops::Range<usize>) -> [Column; 3] {
    let movetext = |number: usize| match number % 50 {
        3 => "1. e4 {never closed e5",
        4 => "1. e4 1-0\n\n[White \"other\"]\n\n1. d4 d5 *",
        5 => "1. f3 e5 2. g4 Qh4# 0-1",
        6 => "1. e4 e5 2. Nf9 *",
        7 => "",
        _ => "1. e4 e5 2. Nf3 Nc6 1/2-1/2",
    };
    let bytes = |value: String| value.into_bytes();
    [
        Column::Bytes(numbers.clone().map(|number| bytes(format!("W{number}"))).collect()),
        Column::Numbers(numbers.clone().map(|number| 1000 + number as i32).collect()),
        Column::Bytes(numbers.map(|number| bytes(movetext(number).to_owned())).collect()),
    ]
}

#[test]
fn rows_of_archives_are_games_on_any_number_of_threads() {
    let folder = Folder::new();
    let schema = "message schema {
        required binary White (STRING);
        required int32 WhiteElo;
        required binary movetext (STRING);
    }";
    let path = parquet_of_groups(&folder, schema, &[&rows(1..801), &rows(801..1_301)]);
    let indexed = folder.path().join("own.parquet");
    let mut command = skewer();
    command.args(["index", "--quiet", text(&path), "-o", text(&indexed)]);
    command.assert().code(0);
    let run = |query: &str, format: &str, threads: &str, path: &Path| {
        let output = search(&[
            "-e",
            query,
            "-f",
            format,
            "-j",
            threads,
            "--warnings",
            "all",
            text(path),
        ])
        .output()
        .expect("the command runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (text(output.stdout), text(output.stderr))
    };
    for (query, format) in [
        ("mate", "pgn"),
        ("terminal", "ids"),
        ("sort elo white initial move to d4", "csv"),
        ("gamenumber == lastgamenumber initial", "jsonl"),
    ] {
        let expected = run(query, format, "1", &path);
        for threads in ["1", "2", "7"] {
            assert_eq!(
                run(query, format, threads, &path),
                expected,
                "{query}, {threads} threads"
            );
            assert_eq!(
                run(query, format, threads, &indexed),
                expected,
                "{query}, {threads} threads, indexed"
            );
        }
    }
    let (mates, warnings) = run("mate", "ids", "2", &path);
    let expected: String = (5..1_301).step_by(50).map(|row| format!("{row}:4\n")).collect();
    assert_eq!(mates, expected, "a row is a game, whatever stands in it");
    for place in [
        "external.parquet:53: game 53: a comment has no closing brace",
        "external.parquet:1256: game 1256: ",
    ] {
        assert!(warnings.contains(place), "{place}: {warnings}");
    }
    assert_eq!(run("elo white == 2300 initial", "ids", "7", &path).0, "1300:0\n");
}

#[test]
fn values_that_no_tag_can_have_are_left_out() {
    let folder = Folder::new();
    let schema = "message schema {
        required int32 UTCDate (DATE);
        required int64 at (TIMESTAMP(MICROS,true));
        required int64 until (TIMESTAMP(MILLIS,true));
        required binary Opening (STRING);
        required binary bytes;
        required binary movetext (STRING);
    }";
    let columns = [
        Column::Numbers(vec![i32::MAX, 18263]),
        Column::Longs(vec![i64::MIN, 0]),
        Column::Longs(vec![i64::MIN, 3_723_000]),
        Column::Bytes(vec![b"not \xff UTF-8".to_vec(), b"b".to_vec()]),
        Column::Bytes(vec![vec![0, 159], vec![]]),
        texts(["1. e4 *", "1. d4 *"]),
    ];
    let path = parquet(&folder, schema, &columns);
    let pgn = stdout(&mut search(&["-e", "initial", text(&path)]));
    let is_tag = |line: &&str| line.starts_with('[') && !line.contains("\"?");
    let tags: Vec<_> = pgn.lines().filter(is_tag).collect();
    assert_eq!(
        tags,
        [
            "[Result \"*\"]",
            "[Opening \"not \u{fffd} UTF-8\"]",
            "[Result \"*\"]",
            "[UTCDate \"2020.01.02\"]",
            "[at \"1970.01.01\"]",
            "[until \"1970.01.01 01:02:03\"]",
            "[Opening \"b\"]",
        ]
    );
}

#[test]
fn files_without_games_are_refused() {
    let folder = Folder::new();
    let path = parquet(
        &folder,
        "message schema { required int32 n; }",
        &[Column::Numbers(vec![1])],
    );
    let expected = "external.parquet: a Parquet file without games: it has no column `movetext`";
    search(&["-e", "mate", text(&path)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(expected));
}

#[test]
fn others_read_the_database() {
    let folder = Folder::new();
    let path = folder.path().join("games.parquet");
    let mut command = skewer();
    command.args(["index", CLASSICS, "-o", text(&path)]);
    command.assert().code(0);
    let programs = [
        (
            "duckdb",
            "import sys, duckdb; print(duckdb.sql(f\"SELECT count(*), count(movedata), sum(plies), sum((events & 2) >> 1) FROM '{sys.argv[1]}'\").fetchall()[0])",
        ),
        (
            "polars",
            "import sys, polars as pl; d = pl.read_parquet(sys.argv[1]); print((d.height, d['movedata'].count(), d['plies'].sum(), d.filter(pl.col('events').and_(2) != 0).height))",
        ),
    ];
    for (package, program) in programs {
        let is_there = Process::new("python3")
            .args(["-c", &format!("import {package}")])
            .output();
        if !is_there.is_ok_and(|output| output.status.success()) {
            println!("skipped: there is no Python package {package}");
            continue;
        }
        let output = Process::new("python3")
            .args(["-c", program, text(&path)])
            .output()
            .expect("Python runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let plies = stdout(&mut search(&["-e", "not child", "-f", "csv", CLASSICS]));
        let games = plies.lines().count() - 1;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(shown.starts_with(&format!("({games}, {games}, ")), "{package}: {shown}");
        assert!(shown.trim_end().ends_with(", 8)"), "{package}: {shown}");
    }
}
