//! The output formats.

use super::*;

fn mates(format: &str) -> String {
    stdout(&mut search(&["-e", "mate", "--format", format, CLASSICS]))
}

#[test]
fn ids() {
    assert_eq!(mates("ids"), MATES);
}

#[test]
fn count() {
    assert_eq!(mates("count"), "games: 8\npositions: 8\n");
    search(&["-e", "stalemate", "--format", "count", CLASSICS])
        .assert()
        .code(1)
        .stdout("games: 0\npositions: 0\n");
}

#[test]
fn fen() {
    let fens = mates("fen");
    assert_eq!(fens.lines().count(), 8);
    assert_eq!(
        fens.lines().next(),
        Some("rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7")
    );
}

#[test]
fn pgn_has_matching_games_with_comments() {
    let games = mates("pgn");
    assert_eq!(games.matches("[Event \"").count(), 8);
    assert!(games.contains("{Game number 1}\n1.e4 e5 2.Nf3 d6"), "{games}");
    assert!(games.contains("7.Nd5# {CQL} 1-0\n\n\n[Event"), "{games}");
}

#[test]
fn csv_has_a_header_and_a_row_for_each_position() {
    let table = mates("csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "file,game,positionid,ply,movenumber,side,fen,white,black,white_elo,black_elo,event,site,date,result,eco,move,comment,query_side"
        )
    );
    let opera = lines.nth(3).expect("there are eight rows");
    assert!(
        opera.contains(",5,33,33,17,black,1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17,"),
        "{opera}"
    );
    assert!(
        opera.ends_with(
            "\"Morphy, Paul\",Duke of Brunswick and Count Isouard,,,Casual game,Paris,1858.??.??,1-0,,Rd8#,,"
        )
    );
    assert_eq!(lines.count(), 4);
}

#[test]
fn jsonl_has_an_object_for_each_position() {
    let query = "sort \"plies\" ply settag(\"Theme\" \"mate\") mate gamenumber==9";
    let output = stdout(&mut search(&["-e", query, "--format", "jsonl", CLASSICS]));
    assert_eq!(output.lines().count(), 1);
    let line: serde_json::Value = serde_json::from_str(&output).expect("each line is JSON");
    assert_eq!(line["white"], "Réti, Richard");
    assert_eq!(line["positionid"], 21);
    assert_eq!(line["side"], "black");
    assert_eq!(line["white_elo"], serde_json::Value::Null);
    assert_eq!(line["sort"], serde_json::json!({"plies": 21}));
    assert_eq!(line["tags"], serde_json::json!({"Theme": "mate"}));
}

#[test]
fn cells_that_look_like_formulas_are_quoted_on_demand() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[White \"=HYPERLINK(1)\"]\n[Black \"＠b\"]\n\n1. e4 *\n");
    for (format, separator) in [("csv", ","), ("tsv", "\t")] {
        let run = |options: &[&str]| stdout(search(&["-e", "initial", "-f", format, text(&games)]).args(options));
        let plain = ["", "=HYPERLINK(1)", "＠b", ""].join(separator);
        assert!(run(&[]).contains(&plain), "{format}");
        let quoted = ["", "'=HYPERLINK(1)", "'＠b", ""].join(separator);
        assert!(run(&["--quote-formulas"]).contains(&quoted), "{format}");
    }
}

#[test]
fn options_that_a_format_has_no_use_for_are_refused() {
    for (format, options, reason) in [
        (
            "json",
            &["--quote-formulas"][..],
            "--quote-formulas is for csv and tsv, and the format is json",
        ),
        (
            "html",
            &["--flip"],
            "--flip is for boards drawn with characters, and the format is html",
        ),
        (
            "csv",
            &["--plain"],
            "--plain is about marks on boards, and the format csv draws none",
        ),
        (
            "html",
            &["--layout", "sheet", "--column", "next"],
            "--column is for tables, and a sheet has only diagrams",
        ),
    ] {
        let mut command = search(&["-e", "mate", "-f", format, CLASSICS]);
        let assert = command.args(options).assert().code(2).stdout("");
        assert.stderr(predicates::str::contains(reason));
    }
}

/// A game whose names and date are spelled differently from what queries see.
const AS_WRITTEN: &str = "[White \"Vachier-Lagrave,M\"]\n[Black \"van der Wiel,J. (2510)\"]\n[Date \"2017.13.1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

#[test]
fn names_and_dates_are_those_of_the_file_in_every_format() {
    let folder = Folder::new();
    let games = folder.file("g.pgn", AS_WRITTEN);
    let database = folder.path().join("g.parquet");
    skewer()
        .args(["index", "-q", text(&games), "-o", text(&database)])
        .assert()
        .success();
    for input in [&games, &database] {
        for format in ["pgn", "csv", "tsv", "json", "jsonl", "html", "lines"] {
            let printed = stdout(&mut search(&["-e", "mate", "-f", format, text(input)]));
            assert!(printed.contains("Vachier-Lagrave,M"), "{format}: {printed}");
            assert!(printed.contains("van der Wiel,J. (2510)"), "{format}: {printed}");
            assert!(
                format == "lines" || printed.contains("2017.13.1"),
                "{format}: {printed}"
            );
        }
    }
}

#[test]
fn tables_have_the_move_what_the_query_says_and_its_sort_keys() {
    let query = "sort \"men, left\" #A mate comment(\"mate on \" to)";
    let csv = stdout(&mut search(&["-e", query, CLASSICS, "-n", "1", "-f", "csv"]));
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .ends_with(",eco,move,comment,query_side,\"men, left\""),
        "{csv}"
    );
    assert!(lines.next().unwrap().ends_with(",1-0,,Nd5#,mate on d5,,16"), "{csv}");
    let tsv = stdout(&mut search(&["-e", query, CLASSICS, "-n", "1", "-f", "tsv"]));
    assert!(tsv.ends_with("\t1-0\t\tNd5#\tmate on d5\t\t16\n"), "{tsv}");
    let json = stdout(&mut search(&["-e", query, CLASSICS, "-n", "2", "-f", "json"]));
    let rows: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(rows[0]["move"], "Nd5#");
    assert_eq!(rows[1]["comment"], "mate on e7");
    assert_eq!(rows[0]["sort"]["men, left"], 16);
    let nothing = stdout(&mut search(&["-e", "stalemate", CLASSICS, "-f", "json"]));
    assert_eq!(nothing, "[\n]\n");
}

#[test]
fn matches_are_written_as_a_table_in_parquet() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let folder = Folder::new();
    let file = folder.path().join("mates.parquet");
    let query = "sort \"game\" #A mate comment(\"mate\")";
    search(&["-e", query, CLASSICS, "-o", text(&file)]).assert().success();
    let table = SerializedFileReader::new(std::fs::File::open(file).unwrap()).expect("it is Parquet");
    let rows: Vec<_> = table
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap().to_string())
        .collect();
    assert_eq!(rows.len(), 8);
    assert!(rows[0].contains("game: 1, positionid: 13, ply: 13"), "{}", rows[0]);
    assert!(rows[0].contains("white_elo: null"), "{}", rows[0]);
    assert!(
        rows[0].ends_with("move: \"Nd5#\", comment: \"mate\", query_side: null, game_: 16}"),
        "{}",
        rows[0]
    );
}

#[test]
fn the_name_of_an_output_says_what_it_is_and_how_it_is_packed() {
    let folder = Folder::new();
    let ids = stdout(&mut search(&["-e", "mate", CLASSICS, "-f", "ids"]));
    for name in ["a.ids.gz", "a.ids.zst"] {
        let file = folder.path().join(name);
        search(&["-e", "mate", CLASSICS, "-o", text(&file)]).assert().success();
        let packed = std::fs::read(&file).unwrap();
        let unpacked = match name.ends_with(".gz") {
            true => std::io::read_to_string(flate2::read::GzDecoder::new(&packed[..])).unwrap(),
            false => String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap(),
        };
        assert_eq!(unpacked, ids);
    }
    let games = folder.path().join("a.pgn.zst");
    search(&["-e", "mate", CLASSICS, "-o", text(&games)]).assert().success();
    let again = stdout(&mut search(&["-e", "mate", text(&games), "-f", "count"]));
    assert_eq!(again, "games: 8\npositions: 8\n");
    for name in ["a.txt", "a.pgn.bz2", "a.cbh"] {
        let file = folder.path().join(name);
        search(&["-e", "mate", CLASSICS, "-o", text(&file)]).assert().code(2);
        assert!(!file.exists());
        search(&[
            "-e",
            "mate",
            CLASSICS,
            "-q",
            "-f",
            "ids",
            "-o",
            text(&folder.path().join("b.txt")),
        ])
        .assert()
        .success();
    }
}

#[test]
fn many_queries_without_a_find_hint_at_variations() {
    let folder = Folder::new();
    let games = folder.file("g.pgn", "[Event \"e\"]\n\n1. e4 (1. d4) 1... e5 *\n");
    let query = folder.file("q.cql", "cql() Pd4");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    search(&[text(&query), text(&games), "--out-dir", text(&out)])
        .assert()
        .code(1)
        .stderr("note: nothing in main lines; 1 game has variations, which --variations searches, too\n");
}
