//! Output to hand out: EPD, games that begin at their matches, matches drawn at random, boards without marks.

use std::collections::BTreeSet;

use predicates::prelude::*;
use serde_json::Value;

use super::*;

/// White mates in one move with either rook. The game has no moves.
const TWO_MATES: &str = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 3 40";
/// Black can mate in one, but plays another move.
const MISSED: &str = "[White \"M\u{fc}ller, \\\"Max\\\"\"]\n[Black \"A\\\\B\"]\n[Event \"Cup\"]\n[Date \"1999.01.02\"]\n[PlyCount \"3\"]\n\
     [Result \"0-1\"]\n\n1. f3 {weak} e5 2. g4 {?? [%clk 0:01:00]} Nc6 (2... d6 {also misses it} 3. h3 Qh4#) 3. e3 Qh4+ 0-1\n";

/// Returns what a search prints.
fn found(filters: &str, path: &Path, arguments: &[&str]) -> String {
    stdout(search(&["-e", filters, text(path)]).args(arguments))
}

/// Returns the lines of a search for checks in [`CLASSICS`], which has many.
fn checks(arguments: &[&str]) -> Vec<String> {
    let found = found("check", Path::new(CLASSICS), arguments);
    found.lines().map(str::to_owned).collect()
}

#[test]
fn epd_names_all_moves_that_were_tried() {
    let folder = Folder::new();
    let list = folder.file("two.fen", format!("{TWO_MATES}\n"));
    let expected = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - bm Ra8# Rb8#; fmvn 40; hmvc 3; id \"1:0\";\n";
    for filters in [
        "legal --(mate)",
        "flipcolor {legal --(mate)}",
        "#legal --(mate) == 2",
        "check or legal --(mate)",
        "k attacks g7 legal R--(mate)",
    ] {
        assert_eq!(found(filters, &list, &["-f", "epd"]), expected, "{filters}");
    }
    let promotions = folder.file("p.fen", "7k/2P5/7K/8/8/8/8/8 w - - 0 1\n");
    let line = found("legal --(mate)", &promotions, &["-f", "epd"]);
    assert!(
        line.contains(" bm c8=R# c8=Q#;") || line.contains(" bm c8=Q# c8=R#;"),
        "{line}"
    );
}

#[test]
fn epd_names_no_move_of_another_board() {
    let folder = Folder::new();
    let list = folder.file("two.fen", format!("{TWO_MATES}\n6k1/5ppp/8/8/8/8/8/RR4K1 b - - 0 1\n"));
    for filters in [
        "wtm not legal --(stalemate)",
        "btm pass (legal --(mate))",
        "wtm move legal all:not stalemate",
        "wtm without (h7 legal --(check))",
        "wtm move legal from R to a8",
    ] {
        let line = found(filters, &list, &["-f", "epd"]);
        assert!(line.lines().count() == 1 && !line.contains("bm"), "{filters}: {line}");
    }
}

#[test]
fn epd_names_the_move_played_next_where_none_was_tried() {
    let folder = Folder::new();
    let games = folder.file("missed.pgn", MISSED);
    let line = |filters: &str| found(filters, &games, &["-f", "epd"]);
    let caption = r#"c0 "Müller, \"Max\" - A\\B, Cup 1999"; fmvn 2; hmvc 0; id "1:3";"#;
    let board = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -";
    assert_eq!(line("ply==3"), format!("{board} bm Nc6; {caption}\n"));
    assert_eq!(line("legal --(mate) ply==3"), format!("{board} bm Qh4#; {caption}\n"));
    let last = found("mate", Path::new(CLASSICS), &["-f", "epd"]);
    assert!(last.lines().count() == 8 && !last.contains(" bm "), "{last}");
}

#[test]
fn epd_of_a_table_has_the_names_of_its_rows() {
    let folder = Folder::new();
    let table = folder.file("t.csv", format!("PuzzleId,FEN,Moves\n00x,{TWO_MATES},a1a8\n"));
    let lines = found("true", &table, &["-f", "epd"]);
    let ids: Vec<_> = lines.lines().filter_map(|line| line.split("id ").last()).collect();
    assert_eq!(ids, ["\"00x\";", "\"00x:1\";"]);
}

#[test]
fn epd_can_be_searched_again() {
    let folder = Folder::new();
    let list = folder.path().join("checks.epd");
    search(&["-e", "check", CLASSICS, "-o", text(&list)]).assert().code(0);
    assert_eq!(
        found("true", &list, &["-f", "fen"]).lines().collect::<Vec<_>>(),
        checks(&["-f", "fen"])
    );
    let games = folder.file("missed.pgn", MISSED);
    let missed = folder.path().join("missed.epd");
    search(&["-e", "ply==3", text(&games), "-o", text(&missed)])
        .assert()
        .code(0);
    assert_eq!(
        found(
            "tag \"id\" == \"1:3\" tag \"bm\" == \"Nc6\" tag \"c0\" ~~ \"Max\"",
            &missed,
            &["-f", "ids"]
        ),
        "1:0\n"
    );
    // The operations of a position in the input are kept.
    let again = found("true", &missed, &["-f", "epd"]);
    assert_eq!(again, std::fs::read_to_string(&missed).expect("it is there"));
}

#[test]
fn operations_of_a_list_are_those_of_the_lines_that_are_found() {
    let folder = Folder::new();
    let suite = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - acd 12; am Kg2; c3 \"a; \\\"b\\\"\"; fmvn 40; hmvc 3; id \"BK.01\"; pv Ra8 Kg7;\n\
                 8/8/8/8/8/8/8/K6k w - - id \"kings\";\n";
    let list = folder.file("suite.epd", suite);
    let first = suite.lines().next().expect("it has lines");
    assert_eq!(found("R", &list, &["-f", "epd"]), format!("{first}\n"));
    let tried = found("legal --(mate)", &list, &["-f", "epd"]);
    assert_eq!(tried, format!("{}\n", first.replace(" c3", " bm Ra8# Rb8#; c3")));
    // A best move that the list already has is kept.
    let own = suite.replace("c3", "bm Rb8#; c3");
    let list = folder.file("best.epd", &own);
    let kept = found("legal --(mate)", &list, &["-f", "epd"]);
    assert_eq!(kept.lines().next(), own.lines().next());
}

#[test]
fn operations_of_a_position_are_not_those_of_a_later_one() {
    let folder = Folder::new();
    let table = "FEN,Moves,bm,id\n4k3/8/8/8/8/8/8/4K2R w K - 3 20,Ke2 Kd7 Rh8,Ke2,tst\n";
    let list = folder.file("bm.csv", table);
    let first = found("initial", &list, &["--from-match=0"]);
    assert!(
        first.contains("[bm \"Ke2\"]") && first.contains("[id \"tst\"]"),
        "{first}"
    );
    assert!(!first.contains("Game number"), "{first}");
    let later = found("ply==1", &list, &["--from-match=1"]);
    assert!(!later.contains("[bm ") && later.contains("[id \"tst\"]"), "{later}");
}

#[test]
fn positions_are_shown_as_epd() {
    let folder = Folder::new();
    let games = folder.file("missed.pgn", MISSED);
    let shown = |arguments: &[&str]| stdout(skewer().arg("show").arg(&games).args(arguments));
    let line = shown(&["1:3", "--epd"]);
    assert!(line.contains(" bm Nc6; ") && line.ends_with("id \"1:3\";\n"), "{line}");
    assert_eq!(found("ply==3", &games, &["-f", "epd"]), line);
    assert!(shown(&["1", "--epd"]).ends_with("id \"1:6\";\n"));
}

#[test]
fn each_match_becomes_a_game_that_begins_there() {
    let folder = Folder::new();
    let games = folder.file("missed.pgn", MISSED);
    let whole = found("ply==3", &games, &["--from-match", "-f", "pgn"]);
    let (tags, moves) = whole.split_once("\n\n").expect("a game");
    assert_eq!(
        tags.lines().skip(7).collect::<Vec<_>>(),
        [
            "[PlyCount \"3\"]".to_owned(),
            format!("[Origin \"{} 1:3\"]", text(&games)),
            "[SetUp \"1\"]".to_owned(),
            "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\"]".to_owned(),
        ]
    );
    assert_eq!(
        moves,
        "{?? [%clk 0:01:00]}\n2...Nc6 ( 2...d6 {also misses it} 3.h3 Qh4# ) 3.e3 Qh4+ 0-1\n\n\n"
    );
    let short = found("ply==3", &games, &["--from-match", "1", "-f", "pgn"]);
    assert!(
        short.ends_with("\n2...Nc6 ( 2...d6 {also misses it} 3.h3 ) 3.e3 0-1\n\n\n"),
        "{short}"
    );
    let bare = found("ply==3", &games, &["--from-match=0"]);
    assert!(bare.ends_with("\n\n{?? [%clk 0:01:00]}\n0-1\n\n\n"), "{bare}");
    // The game is the rest of the variation with the match, and has the comment of the query.
    let variation = found(
        "ply==4 depth==1 comment(\"solve\")",
        &games,
        &["--from-match", "--variations"],
    );
    assert!(
        variation.ends_with("\n\n{also misses it solve}\n3.h3 Qh4# 0-1\n\n\n"),
        "{variation}"
    );
}

#[test]
fn exercises_are_games_that_are_searched_as_any() {
    let folder = Folder::new();
    let exercises = folder.path().join("exercises.pgn");
    search(&["-e", "check", CLASSICS, "--from-match", "2", "-o", text(&exercises)])
        .assert()
        .code(0);
    let fens = checks(&["-f", "fen"]);
    assert_eq!(
        found("initial", &exercises, &["-f", "fen"]).lines().collect::<Vec<_>>(),
        fens
    );
    let count = |filters: &str| found(filters, &exercises, &["-f", "ids"]).lines().count();
    assert_eq!(count("initial tag \"SetUp\" == \"1\""), fens.len());
    assert_eq!((count("ply==5"), count("initial not player \"?\"")), (0, fens.len()));
    assert!(count("ply==4") > fens.len() / 2);
    // Without a limit of moves, games keep all moves that they had from there on.
    let moves = |path: &Path, filters: &str| found(filters, path, &["-f", "ids"]).lines().count();
    let whole = folder.path().join("whole.pgn");
    search(&["-e", "check", CLASSICS, "--from-match", "-o", text(&whole)])
        .assert()
        .code(0);
    assert_eq!(
        moves(&whole, "initial find {terminal mate}"),
        moves(Path::new(CLASSICS), "check find {terminal mate}")
    );
}

#[test]
fn chosen_positions_become_exercises() {
    let folder = Folder::new();
    let games = folder.file("missed.pgn", MISSED);
    let shown = |arguments: &[&str]| stdout(skewer().arg("show").arg(&games).args(arguments));
    assert_eq!(
        shown(&["1:3", "--from-match", "1"]),
        found("ply==3", &games, &["--from-match", "1"])
    );
    let whole = shown(&["1", "--from-match"]);
    assert!(
        whole.contains("\n1.f3 {weak} 1...e5") && !whole.contains("SetUp"),
        "{whole}"
    );
}

#[test]
fn games_are_asked_for_where_games_are_made() {
    for format in ["fen", "csv", "html", "ids", "moves"] {
        search(&["-e", "mate", CLASSICS, "-f", format, "--from-match"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(format!(
                "there are none in the format {format}"
            )));
    }
    search(&["-e", "mate", "--from-match", CLASSICS])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "it is not a number of moves; without a number",
        ));
    skewer()
        .args(["cql", "--from-match", "-i", CLASSICS])
        .assert()
        .code(predicate::ne(0));
}

#[test]
fn positions_that_become_games_say_that_they_have_a_position() {
    let folder = Folder::new();
    let setups = |path: &Path| {
        found("true", path, &["-f", "pgn"])
            .matches("[SetUp \"1\"]\n[FEN \"")
            .count()
    };
    let table = format!("FEN,SetUp,Moves\n{TWO_MATES},0,a1a8\n{TWO_MATES},,\n");
    assert_eq!(setups(&folder.file("t.csv", table)), 2);
    assert_eq!(setups(&folder.file("t.epd", format!("{TWO_MATES}\n"))), 1);
    assert_eq!(
        setups(&folder.file("t.jsonl", format!("{{\"fen\": \"{TWO_MATES}\"}}\n"))),
        1
    );
    // A game of a PGN file is not changed.
    assert_eq!(
        setups(&folder.file("t.pgn", format!("[FEN \"{TWO_MATES}\"]\n\n*\n"))),
        0
    );
}

#[test]
fn matches_are_drawn_from_all_and_stay_in_order() {
    let all = checks(&["-f", "ids"]);
    let ten = checks(&["-f", "ids", "--sample-matches", "10"]);
    assert_eq!(ten.len(), 10);
    let is_drawn = |id: &&String| ten.contains(id);
    assert_eq!(all.iter().filter(is_drawn).cloned().collect::<Vec<_>>(), ten);
    for arguments in [["-j", "1"], ["-j", "4"], ["--seed", "0"]] {
        let drawn = checks(&[&["-f", "ids", "--sample-matches", "10"], &arguments[..]].concat());
        assert_eq!(drawn, ten, "{arguments:?}");
    }
    let others = checks(&["-f", "ids", "--sample-matches", "10", "--seed", "5"]);
    assert!(others.len() == 10 && others != ten);
    // A smaller sample is a part of the larger one. A sample that asks for more matches than there are has them all.
    let three: BTreeSet<_> = checks(&["-f", "ids", "--sample-matches", "3"]).into_iter().collect();
    assert!(three.len() == 3 && three.iter().all(|id| ten.contains(id)));
    assert_eq!(checks(&["-f", "ids", "--sample-matches", "100000"]), all);
    let games = std::fs::read(CLASSICS).expect("it is there");
    let piped = stdout(search(&["-e", "check", "-f", "ids", "--sample-matches", "10", "-"]).write_stdin(games));
    assert_eq!(piped.lines().collect::<Vec<_>>(), ten);
}

#[test]
fn every_match_is_as_likely_as_the_others() {
    let all = checks(&["-f", "ids"]);
    let mut drawn = vec![0; all.len()];
    for seed in 0..60 {
        for id in checks(&[
            "-f",
            "ids",
            "--sample-matches",
            "20",
            "--seed",
            &seed.to_string(),
            "-j",
            "1",
        ]) {
            let place = all.iter().position(|known| *known == id).expect("it is one of all");
            drawn[place] += 1;
        }
    }
    let expected = 60.0 * 20.0 / all.len() as f64;
    let half: usize = drawn[..all.len() / 2].iter().sum();
    assert!((500..700).contains(&half), "{half}");
    assert!(drawn.iter().all(|count| (*count as f64) < expected * 4.0), "{drawn:?}");
}

#[test]
fn every_format_has_the_matches_that_are_drawn() {
    let folder = Folder::new();
    let drawn = |format: &str| checks(&["-f", format, "--sample-matches", "10"]);
    let ids: Vec<_> = drawn("ids");
    let games: BTreeSet<_> = ids.iter().filter_map(|id| id.split(':').next()).collect();
    assert!(games.len() < ids.len(), "a game has two of them");
    let rows = drawn("csv");
    let places = rows.iter().skip(1).map(|row| {
        let mut cells = row.split(',').skip(1);
        format!(
            "{}:{}",
            cells.next().unwrap_or_default(),
            cells.next().unwrap_or_default()
        )
    });
    assert_eq!(places.collect::<Vec<_>>(), ids);
    assert_eq!(
        drawn("epd")
            .iter()
            .filter(|line| ids.iter().any(|id| line.contains(&format!("id \"{id}\";"))))
            .count(),
        10
    );
    assert_eq!(
        (drawn("fen").len(), drawn("tsv").len(), drawn("jsonl").len()),
        (10, 11, 10)
    );
    let json: Value = serde_json::from_str(&drawn("json").join("\n")).expect("it is JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(10));
    assert_eq!(
        drawn("svg")
            .iter()
            .filter(|line| line.starts_with("<g transform"))
            .count(),
        10
    );
    let boards = drawn("board");
    assert_eq!(
        boards.iter().filter(|line| line.contains("a b c d e f g h")).count(),
        10
    );
    let lines = drawn("lines");
    let is_match = |line: &&String| ids.iter().any(|id| line.trim_start().starts_with(&format!("{id} ")));
    assert_eq!(lines.iter().filter(is_match).count(), 10);
    assert_eq!(
        lines.iter().filter(|line| !is_match(line)).count(),
        games_with_several(&ids)
    );
    let marked = |line: &String| line.matches('[').count();
    assert_eq!(drawn("moves").iter().map(marked).sum::<usize>(), 10);
    let pgn = drawn("pgn");
    assert_eq!(
        pgn.iter().filter(|line| line.starts_with("[White ")).count(),
        games.len()
    );
    let page = drawn("html");
    let matches = page.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of_page: Vec<_> = matches
        .filter_map(|game| {
            let cells = game.get("matches")?.as_array()?.clone();
            Some(
                cells
                    .iter()
                    .map(|cells| format!("{}:{}", game["number"], cells[0]))
                    .collect::<Vec<_>>(),
            )
        })
        .flatten()
        .collect();
    assert_eq!(of_page, ids);
    let exercises = checks(&["--from-match", "3", "--sample-matches", "10"]);
    assert_eq!(exercises.iter().filter(|line| line.starts_with("[FEN ")).count(), 10);
    let table = folder.path().join("t.parquet");
    search(&["-e", "check", CLASSICS, "--sample-matches", "10", "-o", text(&table)])
        .assert()
        .code(0);
    assert_eq!(found("true", &table, &["-f", "ids"]).lines().count(), 10);
}

/// Returns how many games occur several times in these ids of matches.
fn games_with_several(ids: &[String]) -> usize {
    let game = |id: &String| id.split(':').next().map(str::to_owned);
    ids.chunk_by(|a, b| game(a) == game(b))
        .filter(|of_game| of_game.len() > 1)
        .count()
}

#[test]
fn a_sorted_query_sorts_what_is_drawn() {
    let ids = checks(&["-f", "ids", "--sample-matches", "10"]);
    let sorted = stdout(&mut search(&[
        "-e",
        "check sort max \"n\" gamenumber",
        CLASSICS,
        "-f",
        "csv",
        "--sample-matches",
        "10",
    ]));
    let games: Vec<u64> = sorted
        .lines()
        .skip(1)
        .map(|row| {
            row.split(',')
                .nth(1)
                .and_then(|cell| cell.parse().ok())
                .expect("a number")
        })
        .collect();
    assert!(games.is_sorted_by(|a, b| a >= b), "{games:?}");
    let mut expected: Vec<u64> = ids
        .iter()
        .map(|id| id.split(':').next().unwrap_or_default().parse().expect("a number"))
        .collect();
    expected.sort_by(|a, b| b.cmp(a));
    assert_eq!(games, expected);
}

#[test]
fn each_of_many_queries_has_a_sample_of_its_own() {
    let folder = Folder::new();
    folder.file("q/check.cql", "cql() check");
    folder.file("q/mate.cql", "cql() mate");
    let results = folder.path().join("out");
    search(&[
        text(&folder.path().join("q")),
        CLASSICS,
        "--out-dir",
        text(&results),
        "-f",
        "ids",
    ])
    .args(["--sample-matches", "5", "--seed", "3"])
    .assert()
    .code(0);
    for filters in ["check", "mate"] {
        let alone = found(
            filters,
            Path::new(CLASSICS),
            &["-f", "ids", "--sample-matches", "5", "--seed", "3"],
        );
        let beside = std::fs::read_to_string(results.join(format!("{filters}.ids"))).expect("it is there");
        assert_eq!(beside, alone, "{filters}");
    }
    // The summary counts all matches, not only the sample.
    let summary = std::fs::read_to_string(results.join("summary.csv")).expect("it is there");
    assert!(summary.contains("mate,8,8"), "{summary}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (arguments, message) in [
        (
            &["-f", "count", "--sample-matches", "3"][..],
            "the format count says how many there are",
        ),
        (&["-n", "3", "--sample-matches", "3"], "cannot be used with"),
        (&["--sample-matches", "0"], "0"),
        (&["--seed", "3"], "--sample"),
    ] {
        search(&["-e", "mate", CLASSICS])
            .args(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(message));
    }
    skewer()
        .args(["stats", "-e", "mate", CLASSICS, "--by", "year", "--sample-matches", "3"])
        .assert()
        .code(2);
    search(&[
        "-e",
        "check",
        CLASSICS,
        "-f",
        "ids",
        "--first",
        "--sample-matches",
        "3",
        "--sample",
        "9",
    ])
    .assert()
    .code(0);
}

#[test]
fn plain_boards_have_no_marks() {
    let folder = Folder::new();
    let list = folder.file("t.csv", format!("FEN,Moves\n{TWO_MATES},a1a8\n"));
    let drawn = |format: &str, plain: &[&str]| {
        found(
            "{R attacks a8 legal --(mate)} or mate",
            &list,
            &[&["-f", format, "--ascii", "--color", "never"], plain].concat(),
        )
    };
    let (marked, plain) = (drawn("board", &[]), drawn("board", &["--plain"]));
    assert!(
        marked.contains("[R]") && marked.contains("next 40.Ra8#") && marked.contains("sees"),
        "{marked}"
    );
    assert!(
        !plain.contains(['[', '|']) && !plain.contains("next") && !plain.contains("sees") && !plain.contains("moves"),
        "{plain}"
    );
    assert!(plain.contains("White to move") && plain.contains("40.Ra8#"), "{plain}");
    let colors = |format: &str, plain: &[&str]| {
        let arguments = [&["-e", "mate", text(&list), "-f", format, "--color", "always"], plain].concat();
        stdout(&mut search(&arguments))
    };
    let last_move = "48;5;222m";
    assert!(colors("board", &[]).contains(last_move) || colors("board", &[]).contains("48;5;179m"));
    assert!(!colors("board", &["--plain"]).contains(last_move) && !colors("board", &["--plain"]).contains("48;5;179m"));
    // The colours are those of the squares of the last move, of marked squares and lines of sight, and of moves.
    let marks = ["#e3b23c", "#00808a", "#5b4bc4"];
    let (marked, plain) = (drawn("svg", &[]), drawn("svg", &["--plain"]));
    assert!(marks.iter().all(|color| marked.contains(color)), "{marked}");
    assert!(!marks.iter().any(|color| plain.contains(color)), "{plain}");
    assert_eq!(
        plain.matches("<use href=\"#skewer-r\"").count(),
        marked.matches("<use href=\"#skewer-r\"").count()
    );
    let page = drawn("html", &["--plain"]);
    assert!(page.contains("\"plain\":true") && !drawn("html", &[]).contains("\"plain\":true"));
    let game = page
        .lines()
        .find_map(|line| serde_json::from_str::<Value>(line).ok()?.get("matches").cloned());
    let game = game.expect("a game");
    assert!(
        game.as_array()
            .expect("matches")
            .iter()
            .all(|cells| (2..5).all(|cell| cells[cell] == "")),
        "{game}"
    );
}
