//! `skewer stats`: games and positions counted group by group.

use std::collections::BTreeMap;
use std::fs;

use predicates::prelude::*;
use roxmltree::Document;

use super::*;

/// Six games: White, Black, result, ratings, date, code, moves.
const GAMES: [[&str; 8]; 6] = [
    [
        "Tal",
        "Keres",
        "1-0",
        "2600",
        "2550",
        "1958.05.01",
        "C20",
        "1. e4 e5 2. Qh5 Ke7 3. Qxe5#",
    ],
    [
        "Keres",
        "Tal",
        "1/2-1/2",
        "2500",
        "2700",
        "1959.??.??",
        "C20",
        "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7",
    ],
    [
        "Fine",
        "Tal",
        "0-1",
        "",
        "2610",
        "1961.02.03",
        "B00",
        "1. f3 e5 2. g4 Qh4#",
    ],
    ["Tal", "Fine", "*", "2620", "", "????.??.??", "", "1. d4 d5"],
    [
        "Euwe",
        "Fine",
        "0-1",
        "",
        "",
        "1935.01.01",
        "A00",
        "1. f3 e5 2. g4 Qh4#",
    ],
    [
        "Euwe",
        "Fine",
        "1-0",
        "",
        "",
        "1935.01.02",
        "C50",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4",
    ],
];

fn games(folder: &Folder) -> PathBuf {
    let games = GAMES.map(|[white, black, result, white_elo, black_elo, date, eco, moves]| {
        let tags = [
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("WhiteElo", white_elo),
            ("BlackElo", black_elo),
            ("Date", date),
            ("ECO", eco),
        ];
        let tags = tags.iter().filter(|(_, value)| !value.is_empty());
        let tags: String = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        format!("{tags}\n{moves} {result}\n\n")
    });
    folder.file("games.pgn", games.concat())
}

fn stats(arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.arg("stats").args(arguments);
    command
}

/// Returns these columns of a table, a line for each row.
fn columns(csv: &str, names: &[&str]) -> String {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let titles = reader.headers().expect("there are titles").clone();
    let places = names.iter().map(|name| titles.iter().position(|title| title == *name));
    let places: Vec<usize> = places
        .map(|place| place.unwrap_or_else(|| panic!("{names:?} in {csv}")))
        .collect();
    let rows = reader.records().map(|row| {
        let row = row.expect("it is a table");
        let cells: Vec<&str> = places.iter().map(|place| &row[*place]).collect();
        cells.join(" ") + "\n"
    });
    rows.collect()
}

/// Returns these columns of what `skewer stats` counts in the six games.
fn counted(arguments: &[&str], names: &[&str]) -> String {
    let folder = Folder::new();
    let games = games(&folder);
    let csv = stdout(&mut stats(&[&[text(&games), "-f", "csv"], arguments].concat()));
    columns(&csv, names)
}

#[test]
fn games_are_grouped_by_what_their_tags_say() {
    let by = |keys: &str, names: &[&str]| counted(&["-e", "check", "--by", keys], names);
    let numbers = ["searched", "games", "positions"];
    let with = |key: &'static str| [&[key][..], &numbers].concat();
    assert_eq!(
        by("year:10", &with("year")),
        "1930 2 1 1\n1950 2 2 2\n1960 1 1 1\n 1 0 0\n"
    );
    assert_eq!(by("eco:1", &with("eco")), "A 1 1 1\nB 1 1 1\nC 3 2 2\n 1 0 0\n");
    assert_eq!(
        by("eco", &with("eco")),
        "A00 1 1 1\nB00 1 1 1\nC20 2 2 2\nC50 1 0 0\n 1 0 0\n"
    );
    assert_eq!(
        by("result", &with("result")),
        "* 1 0 0\n0-1 2 2 2\n1-0 2 1 1\n1/2-1/2 1 1 1\n"
    );
    assert_eq!(
        by("white", &with("white")),
        "Euwe 2 1 1\nFine 1 1 1\nKeres 1 1 1\nTal 2 1 1\n"
    );
    assert_eq!(
        by("tag:Black", &["Black", "searched", "games"]),
        "Tal 2 2\nFine 3 1\nKeres 1 1\n"
    );
    assert_eq!(by("meanelo:100", &with("meanelo")), "2500 1 1 1\n2600 3 2 2\n 2 1 1\n");
    assert_eq!(
        by("whiteelo", &["whiteelo", "searched"]),
        "2500 1\n2600 1\n2620 1\n 3\n"
    );
    assert_eq!(
        by("result,eco:1", &["result", "eco", "games"]),
        "*  0\n0-1 A 1\n0-1 B 1\n1-0 C 1\n1/2-1/2 C 1\n"
    );
}

#[test]
fn a_group_has_results_ratings_and_years() {
    let all = counted(
        &["-e", "check"],
        &[
            "searched",
            "games",
            "wins",
            "draws",
            "losses",
            "score",
            "rating",
            "first_year",
            "last_year",
        ],
    );
    // The known ratings: 2600, 2550, 2500, 2700 and 2610.
    assert_eq!(all, "6 4 1 1 2 0.375 2592.0 1935 1961\n");
    let shares = counted(
        &["-e", "check", "--by", "result"],
        &["share", "share_low", "share_high"],
    );
    assert_eq!(
        shares,
        "0.0 0.0 0.793451\n1.0 0.34238 1.0\n0.5 0.094531 0.905469\n1.0 0.206549 1.0\n"
    );
}

/// A player has games with both colours, and wins with both.
#[test]
fn players_have_the_games_of_both_colours() {
    let players = counted(
        &["-e", "check", "--by", "player", "--sort", "key"],
        &["player", "searched", "games", "wins", "draws", "losses", "rating"],
    );
    assert_eq!(
        players,
        "Euwe 2 1 0 0 1 \nFine 4 2 1 0 1 \nKeres 2 2 0 1 1 2525.0\nTal 4 3 2 1 0 2636.67\n"
    );
}

#[test]
fn a_side_may_be_spoken_of() {
    let names = ["elo", "searched", "games", "wins", "draws", "losses"];
    let mover = counted(&["-e", "check", "--for", "mover", "--by", "elo:1000"], &names);
    // A Black player rated 2550 is mated, and one rated 2700 takes a queen. White is mated twice, without a rating.
    assert_eq!(mover, "2000 4 2 0 1 1\n 4 2 0 0 2\n");
    let black = counted(&["-e", "check", "--for", "black", "--by", "elo:1000"], &names);
    assert_eq!(black, "2000 3 3 1 1 1\n 3 1 1 0 0\n");
    let of_tal = counted(
        &["--for", "black", "--player", "tal", "--by", "black"],
        &["black", "searched", "games", "wins", "draws", "losses", "rating"],
    );
    assert_eq!(of_tal, "Tal 2 2 1 1 0 2655.0\n");
}

/// Grouped by a key of positions, a share is a share of the games that match.
#[test]
fn positions_are_grouped_too() {
    let names = ["ply", "matching", "games", "positions"];
    assert_eq!(counted(&["-e", "check", "--by", "ply:5"], &names), "0 4 2 2\n5 4 2 2\n");
    assert_eq!(
        counted(
            &["-e", "check", "--by", "movenumber,result"],
            &["movenumber", "result", "matching", "games"]
        ),
        "3 0-1 2 2\n3 1-0 1 1\n3 1/2-1/2 1 1\n"
    );
}

#[test]
fn next_counts_the_moves_played() {
    let names = ["next", "matching", "games", "wins", "draws", "losses"];
    assert_eq!(
        counted(&["--next"], &names),
        "e4 6 3 2 1 0\nf3 6 2 0 0 2\nd4 6 1 0 0 0\n"
    );
    // Three games end here, and one continues.
    assert_eq!(
        counted(&["-e", "check", "--next"], &names),
        " 4 3 1 0 2\nKxf7 4 1 0 1 0\n"
    );
}

/// A position that comes up twice in a game, with the same move played, is one game and two positions.
#[test]
fn a_game_counts_once_in_a_group() {
    let folder = Folder::new();
    let games = folder.file("g.pgn", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *\n");
    let csv = stdout(&mut stats(&[
        text(&games),
        "-e",
        "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"",
        "--next",
    ]));
    assert_eq!(columns(&csv, &["next", "games", "positions"]), "Nf3 1 2\ne4 1 1\n");
}

#[test]
fn rows_are_ordered_and_cut() {
    let whites = |arguments: &[&str]| {
        let all = [&["-e", "check", "--by", "white"], arguments].concat();
        counted(&all, &["white"]).replace('\n', " ")
    };
    assert_eq!(whites(&["--sort", "key"]), "Euwe Fine Keres Tal ");
    assert_eq!(whites(&["--sort", "share"]), "Fine Keres Euwe Tal ");
    assert_eq!(whites(&["--sort", "score"]), "Tal Keres Euwe Fine ");
    assert_eq!(whites(&["--sort", "score", "--top", "2"]), "Tal Keres ");
    assert_eq!(counted(&["--by", "white", "--min", "2"], &["white"]), "Euwe\nTal\n");
    let next = counted(&["--next", "--min", "2", "--top", "9"], &["next"]);
    assert_eq!(next, "e4\nf3\n");
}

/// Games that an option excludes are not counted as searched.
#[test]
fn options_narrow_what_is_searched() {
    let names = ["searched", "games"];
    assert_eq!(counted(&["-e", "check", "--player", "tal"], &names), "4 3\n");
    assert_eq!(counted(&["-e", "check", "--year", "1950-"], &names), "3 3\n");
    assert_eq!(counted(&["-e", "check", "--games", "2-4"], &names), "3 2\n");
    assert_eq!(
        counted(&["-e", "check", "--sample", "3", "--seed", "1"], &["searched"]),
        "3\n"
    );
    assert_eq!(
        counted(
            &["-e", "check year>=1950", "--by", "year:10"],
            &["year", "searched", "games"]
        ),
        "1930 2 0\n1950 2 2\n1960 1 1\n 1 0\n"
    );
}

#[test]
fn the_matches_of_a_player_are_counted_for_that_player() {
    let of_tal = |options: &[&str]| {
        let all = [&["-e", "flipcolor {btm check}"], options].concat();
        counted(&all, &["games", "wins", "draws", "losses"])
    };
    let of_side = of_tal(&["--for", "query", "--player", "tal"]);
    assert_eq!(of_tal(&["--by-player", "tal"]), of_side);
    assert_ne!(of_side.chars().next(), Some('0'), "Tal gives check in some game");
    for side in ["white", "black", "mover"] {
        let with = |player| {
            counted(
                &["-e", "check", "--for", side, player, "tal"],
                &["searched", "games", "wins", "losses"],
            )
        };
        assert_eq!(with("--by-player"), with("--player"), "{side}");
    }
}

#[test]
fn what_is_alike_for_both_colours_is_of_the_player_with_either() {
    // Tal mates twice, once with each colour; Fine is mated once and mates once.
    for query in ["mate", "flipcolor {mate}"] {
        let of = |player: &str| {
            let options = ["-e", query, "--by-player", player];
            counted(&options, &["searched", "games", "wins", "draws", "losses"])
        };
        assert_eq!(of("tal"), "4 2 2 0 0\n", "{query}");
        assert_eq!(of("fine"), "4 2 1 0 1\n", "{query}");
    }
    // A query that names a colour holds for that colour.
    let options = ["-e", "btm mate", "--by-player", "tal"];
    assert_eq!(counted(&options, &["games", "wins"]), "1 1\n");
    let options = ["-e", "mate", "--by-player", "tal", "--by", "player"];
    assert_eq!(counted(&options, &["player", "games"]), "Tal 2\n");
    let folder = Folder::new();
    let games = games(&folder);
    let found = stdout(skewer().args(["search", "-f", "ids", "-e", "mate", "--by-player", "tal", text(&games)]));
    assert_eq!(found.lines().count(), 2, "{found}");
}

#[test]
fn a_misspelt_name_of_a_query_is_not_taken_for_games() {
    let folder = Folder::new();
    let run = stats(&["smoothered-mate", text(&games(&folder))])
        .assert()
        .code(2)
        .stdout("");
    run.stderr(predicate::str::contains("smothered-mate"));
}

#[test]
fn what_queries_print_is_not_shown() {
    let folder = Folder::new();
    let run = stats(&[text(&games(&folder)), "-e", "initial message(\"seen\")"])
        .assert()
        .success();
    run.stderr("");
}

#[test]
fn several_queries_are_counted_side_by_side() {
    let folder = Folder::new();
    let games = games(&folder);
    folder.file("themes/mate.cql", "cql() mate");
    folder.file("themes/check.cql", "cql() check");
    folder.file("themes/early.cql", "cql(gamenumber 1 2) check");
    let themes = folder.path().join("themes");
    let run = |arguments: &[&str]| stdout(&mut stats(&[&[text(&themes), text(&games)], arguments].concat()));
    let names = ["query", "result", "searched", "games"];
    let rows = columns(&run(&["--by", "result", "--sort", "key"]), &names);
    let expected = "check * 1 0\ncheck 0-1 2 2\ncheck 1-0 2 1\ncheck 1/2-1/2 1 1\nearly 1-0 1 1\nearly 1/2-1/2 1 1\nmate * 1 0\nmate 0-1 2 2\nmate 1-0 2 1\nmate 1/2-1/2 1 0\n";
    assert_eq!(rows, expected);
    let named = run(&["--by", "result,query", "--sort", "key", "--top", "2"]);
    assert!(named.starts_with("result,query,searched,"), "{named}");
    assert_eq!(columns(&named, &["result", "query"]), "* check\n* mate\n");
    let library = stdout(&mut stats(&["smothered-mate", text(&games), "--by", "query"]));
    assert_eq!(
        columns(&library, &["query", "searched", "games"]),
        "smothered-mate 6 0\n"
    );
}

/// A wrong query is reported and does not stop the others.
#[test]
fn a_query_that_is_wrong_does_not_stop_others() {
    let folder = Folder::new();
    let games = games(&folder);
    folder.file("themes/a.cql", "cql() check");
    folder.file("themes/b.cql", "cql() chekc");
    folder.file("themes/c.cql", "cql() assert not mate check");
    let themes = folder.path().join("themes");
    let output = stats(&[text(&themes), text(&games), "--by", "query"]).assert().code(2);
    let output = output.get_output();
    let (csv, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(columns(&csv, &["query", "searched", "games"]), "a 6 4\n");
    assert!(
        errors.contains("chekc") && errors.contains("an assertion does not hold"),
        "{errors}"
    );
    let option = stats(&[text(&themes), text(&games), "--by", "n=chekc"])
        .assert()
        .code(2)
        .stdout("");
    let errors = String::from_utf8_lossy(&option.get_output().stderr).into_owned();
    assert_eq!(errors.matches("<--by>").count(), 1, "{errors}");
}

#[test]
fn each_query_has_a_name_of_its_own() {
    let folder = Folder::new();
    let games = games(&folder);
    let one = folder.file("one/t.cql", "cql() check");
    let other = folder.file("other/t.cql", "cql() mate");
    let wrong = folder.file("wrong.cql", "cql() chekc");
    let names = |queries: &[&Path]| {
        let mut arguments: Vec<&str> = queries.iter().map(|query| text(query)).collect();
        arguments.push(text(&games));
        let output = stats(&arguments).assert().get_output().stdout.clone();
        let names = columns(&String::from_utf8_lossy(&output), &["query"]);
        names.replace(text(folder.path()), "").replace('\n', " ")
    };
    assert_eq!(names(&[&one, &other]), "/one/t /other/t ");
    assert_eq!(names(&[&one, &wrong]), "t ", "the column is there, also for one");
}

/// The numbers are the same as those that this test counts in the results of `skewer search`.
#[test]
fn numbers_are_those_of_searches() {
    for query in ["check", "mate", "flipcolor {Bg2 Pf2 Pg3 Ph2}", "Nf5"] {
        let csv = stdout(&mut search(&["-e", query, CLASSICS, "-f", "csv"]));
        let mut expected: BTreeMap<String, (Vec<String>, u64)> = BTreeMap::new();
        for row in columns(&csv, &["result", "game"]).lines() {
            let (result, game) = row.rsplit_once(' ').expect("there are two columns");
            let (games, positions) = expected.entry(result.to_owned()).or_default();
            games.push(game.to_owned());
            games.dedup();
            *positions += 1;
        }
        let expected: String = expected
            .iter()
            .map(|(result, (games, positions))| format!("{result} {} {positions}\n", games.len()))
            .collect();
        let counted = stdout(&mut stats(&["-e", query, CLASSICS, "--by", "result"]));
        let found: String = columns(&counted, &["result", "games", "positions"])
            .lines()
            .filter(|row| !row.ends_with(" 0 0"))
            .map(|row| format!("{row}\n"))
            .collect();
        assert_eq!(found, expected, "{query}");
    }
}

#[test]
fn threads_and_databases_change_nothing() {
    let folder = Folder::new();
    let classics = fs::read_to_string(CLASSICS).expect("the games are there");
    let games = folder.file("many.pgn", classics.repeat(30));
    let database = folder.path().join("many.parquet");
    skewer()
        .args(["index", text(&games), "-o", text(&database)])
        .assert()
        .code(0);
    for arguments in [
        &["-e", "check", "--by", "year:10,eco:1"][..],
        &["-e", "mate", "--by", "player"],
        &["-e", "check", "--by", "event,ply:10,next"],
        &["-e", "xray(R a k)", "--for", "mover", "--by", "white"],
        &["mates", "--by", "result,query"],
        &["-e", "wtm check", "--by", "tag:Site", "--first"],
        &["-e", "#[Aa]<=4", "--by", "result"],
    ] {
        let run = |games: &Path, threads: &str| {
            stdout(&mut stats(&[arguments, &[text(games), "-j", threads, "-q"]].concat()))
        };
        let expected = run(&games, "1");
        assert!(expected.lines().count() > 1, "{arguments:?}");
        assert_eq!(run(&games, "3"), expected, "{arguments:?}");
        assert_eq!(run(&database, "2"), expected, "{arguments:?} in a database");
    }
}

#[test]
fn formats_say_the_same() {
    let folder = Folder::new();
    let games = games(&folder);
    let run = |arguments: &[&str]| {
        stdout(&mut stats(
            &[&[text(&games), "-e", "check", "--by", "year:10"], arguments].concat(),
        ))
    };
    let csv = run(&[]);
    assert_eq!(run(&["-f", "tsv"]).replace('\t', ","), csv);
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).expect("it is JSON");
    let rows = json.as_array().expect("it is a list");
    let lines = run(&["-f", "jsonl"]);
    let lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    assert_eq!(rows, &lines);
    assert_eq!(
        (&rows[1]["year"], &rows[1]["games"], &rows[1]["share"]),
        (&1950.into(), &2.into(), &1.0.into())
    );
    assert_eq!(rows[3]["year"], serde_json::Value::Null);
}

/// A table in Parquet has the same rows as in CSV, with typed numbers.
#[test]
fn parquet_has_types() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let folder = Folder::new();
    let games = games(&folder);
    let path = folder.path().join("counts.parquet");
    let run = [
        text(&games),
        "-e",
        "check",
        "--by",
        "year:10,mate=mate",
        "--value",
        "ply",
        "--histogram",
    ];
    stats(&[&run[..], &["-o", text(&path)]].concat()).assert().code(0);
    let csv = stdout(&mut stats(&run));
    let file = fs::File::open(&path).expect("it is written");
    let reader = SerializedFileReader::new(file).expect("it is Parquet");
    let rows = reader.get_row_iter(None).expect("it has rows");
    let mut expected = csv::Reader::from_reader(csv.as_bytes());
    let titles = expected.headers().expect("there are titles").clone();
    let mut count = 0;
    for (row, expected) in rows.zip(expected.records()) {
        let (row, expected) = (row.expect("it can be read"), expected.expect("it can be read"));
        count += 1;
        for ((name, field), (title, cell)) in row.get_column_iter().zip(titles.iter().zip(&expected)) {
            assert_eq!(name, title);
            let shown = match field {
                Field::Null => String::new(),
                Field::Long(number) => number.to_string(),
                Field::Double(number) => format!("{number:?}"),
                Field::Str(text) => text.clone(),
                other => panic!("{other:?}"),
            };
            assert_eq!(shown, cell, "{name}");
            let is_text = ["mate", "histogram"].contains(&title);
            assert_eq!(matches!(field, Field::Str(_)), is_text, "{name}");
        }
    }
    assert_eq!(count, csv.lines().count() - 1);
}

#[test]
fn people_see_columns_that_fit() {
    let folder = Folder::new();
    let games = games(&folder);
    let table = |columns: &str| {
        let mut command = stats(&[text(&games), "-e", "check", "--by", "year:10", "-f", "table"]);
        stdout(command.env("COLUMNS", columns))
    };
    let found = table("200");
    assert!(
        found.starts_with("     year  searched  games    share  95 %  "),
        "{found}"
    );
    assert!(
        found.contains("1930-1939         2      1   50.0 %  9.5-90.5"),
        "{found}"
    );
    assert!(found.contains("1958-1959"), "{found}");
    for width in ["80", "60", "40"] {
        let found = table(width);
        let most: usize = width.parse().expect("it is a number");
        let longest = found.lines().map(|line| line.chars().count()).max();
        assert!(longest.is_some_and(|longest| longest <= most), "{found}");
        assert!(found.contains("1930-1939         2      1"), "{found}");
    }
    assert!(table("80").contains('█'), "bars are seen on a usual terminal");
}

#[test]
fn tables_are_written_to_files() {
    let folder = Folder::new();
    let games = games(&folder);
    let path = folder.path().join("by-year.csv");
    for _ in 0..2 {
        // A second run may replace its own result.
        stats(&[text(&games), "-e", "check", "--by", "year", "-o", text(&path)])
            .assert()
            .code(0)
            .stdout("");
    }
    let written = fs::read_to_string(&path).expect("it is written");
    assert!(written.starts_with("year,searched,games,positions,share,"), "{written}");
    let other = folder.file("notes.csv", "mine");
    stats(&[text(&games), "--by", "year", "-o", text(&other)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("notes.csv"));
    assert_eq!(fs::read_to_string(&other).expect("it is there"), "mine");
    stats(&[text(&games), "--by", "year", "-o", "years.xlsx"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "it knows .txt .csv .tsv .json .jsonl .parquet",
        ));
}

#[test]
fn mistakes_are_errors_before_any_game_is_read() {
    let folder = Folder::new();
    let games = games(&folder);
    for (arguments, expected) in [
        (&["--by", "yaer"][..], "there is no key `yaer`; did you mean `year`?"),
        (&["--by", "year:0"], "`year:` is followed by a whole number, 1 or more"),
        (&["--by", "year,year:10"], "there are two keys with the name `year`"),
        (&["--by", "year", "-e", "chekc"], "chekc"),
        (
            &["--by", "year", "-e", "writefile(\"x.cqo\" \"a\")"],
            "the query wants to read or write files",
        ),
        (
            &["--by", "year", "--first", "-e", "cql(matchcount 2) check"],
            "matchcount",
        ),
        (
            &["--by", "white", "-e", "check", "--max-groups", "2"],
            "there are more than 2 groups",
        ),
    ] {
        let run = stats(&[&[text(&games)], arguments].concat())
            .assert()
            .code(2)
            .stdout("");
        run.stderr(predicate::str::contains(expected));
    }
    stats(&["-e", "check", "--by", "year"]).assert().code(2);
}

#[test]
fn the_exit_code_says_whether_something_matches() {
    let folder = Folder::new();
    let games = games(&folder);
    stats(&[text(&games), "-e", "stalemate", "--by", "result"])
        .assert()
        .code(1);
    stats(&[text(&games), "-e", "mate", "--by", "result"]).assert().code(0);
    // Counts from a part of the games would mislead, so nothing is printed.
    stats(&[text(&games), "-e", "mate", "--by", "result", "--timeout", "0"])
        .assert()
        .code(124)
        .stdout("")
        .stderr(predicate::str::contains("not all games were counted"));
}

/// A key may be a number, a set, a text or a condition of the language, and may read variables of the query.
#[test]
fn values_of_filters_are_keys() {
    let checks = |key: &str, name: &str| counted(&["-e", "x=#[Aa] check", "--by", key], &[name, "matching", "games"]);
    assert_eq!(checks("n=#[Aa]", "n"), "31 4 2\n32 4 2\n");
    assert_eq!(checks("n=x", "n"), "31 4 2\n32 4 2\n");
    assert_eq!(checks("n:20=x", "n"), "20 4 4\n");
    assert_eq!(checks("king=k", "king"), "e7 4 1\ne8 4 3\n");
    assert_eq!(checks("nothing=[Qq]a3", "nothing"), " 4 4\n");
    assert_eq!(checks("pair=P & [d4,e4,g4]", "pair"), "e4 4 2\ng4 4 2\n");
    assert_eq!(checks("who=player black", "who"), "Fine 4 1\nKeres 4 1\nTal 4 2\n");
    assert_eq!(checks("mate=mate", "mate"), "false 4 1\ntrue 4 3\n");
    assert_eq!(checks("elo=elo white", "elo"), "2500 4 1\n2600 4 1\n 4 2\n");
    let several = counted(
        &[
            "-e",
            "check",
            "--by",
            "year:100,m=mate,pawns=P & [e4,g4]",
            "--by",
            "result",
        ],
        &["year", "m", "pawns", "result", "games"],
    );
    assert_eq!(
        several,
        "1900 false e4 1/2-1/2 1\n1900 true e4 1-0 1\n1900 true g4 0-1 2\n"
    );
}

/// Asking for a value does not change what a query finds.
#[test]
fn values_change_nothing_else() {
    for query in [
        "check",
        "flipcolor {Bg2 Pf2 Pg3 Ph2}",
        "xray(R a k)",
        "x=0 find all {check x+=1}  x>3",
        "cql(matchcount 3 1000) #[Aa]<30",
        "smothered-mate",
    ] {
        let arguments = match query {
            "smothered-mate" => vec![query, CLASSICS],
            _ => vec!["-e", query, CLASSICS],
        };
        let count = stdout(&mut search(&[&arguments[..], &["-f", "count"]].concat()));
        for by in [&["--by", "p=x=7 #[Aa]"][..], &["--by", "x=check", "--value", "power A"]] {
            let csv = stdout(&mut stats(&[&arguments[..], by].concat()));
            let positions = columns(&csv, &["positions"]);
            let positions: u64 = positions.lines().map(|row| row.parse::<u64>().expect("a number")).sum();
            assert!(
                count.ends_with(&format!("positions: {positions}\n")),
                "{query} {by:?}: {count} {csv}"
            );
        }
    }
}

/// When the copy with exchanged colours matches, the points are those of Black.
#[test]
fn a_query_may_say_for_whom_it_matches() {
    let names = ["searched", "games", "positions", "wins", "draws", "losses", "rating"];
    let mates = |arguments: &[&str]| {
        counted(
            &[&["-e", "flipcolor {mate btm}", "--for", "query"], arguments].concat(),
            &names,
        )
    };
    assert_eq!(mates(&[]), "6 3 3 3 0 0 2605.0\n");
    assert_eq!(mates(&["--player", "tal"]), "4 2 2 2 0 0 2605.0\n");
    assert_eq!(mates(&["--player", "keres"]), "2 0 0 0 0 0 \n");
    let players = counted(
        &["-e", "flipcolor {mate btm}", "--for", "query", "--by", "player"],
        &["player", "searched", "games", "wins"],
    );
    assert_eq!(players, "Tal 4 2 2\nFine 4 1 1\nEuwe 2 0 0\nKeres 2 0 0\n");
    // A set, a number, and a transform among other filters.
    let wins = |query: &str| counted(&["-e", query, "--for", "query"], &["games", "wins", "draws", "losses"]);
    assert_eq!(wins("mate flipcolor {R attacks k}"), "0 0 0 0\n");
    assert_eq!(wins("mate flipcolor {Q attacks k}"), "3 3 0 0\n");
    assert_eq!(wins("check flipcolor flipvertical {Q attacks k}"), "4 3 1 0\n");
    assert_eq!(wins("flipcolor {x=Q x attacks k mate}"), "3 3 0 0\n");
    assert_eq!(wins("mate reversecolor {Q attacks k}"), "2 2 0 0\n");
    assert_eq!(wins("mate wtm"), "2 0 0 2\n");
    // A match that does not depend on the colours counts for both players.
    assert_eq!(wins("flipcolor {mate}"), "3 3 0 3\n");
}

#[test]
fn a_number_is_measured_at_matches() {
    let names = [
        "values",
        "mean",
        "min",
        "lower_quartile",
        "median",
        "upper_quartile",
        "max",
    ];
    // The matches come after 5, 5, 4 and 4 half-moves.
    let checks = counted(&["-e", "check", "--value", "ply"], &names);
    assert_eq!(checks, "4 4.5 4.0 4.0 4.5 5.0 5.0\n");
    let sets = counted(
        &["-e", "check", "--value", "[Aa]", "--by", "result"],
        &[&["result"], &names[..]].concat(),
    );
    assert_eq!(
        sets,
        "* 0      \n0-1 2 32.0 32.0 32.0 32.0 32.0 32.0\n1-0 1 31.0 31.0 31.0 31.0 31.0 31.0\n1/2-1/2 1 31.0 31.0 31.0 31.0 31.0 31.0\n"
    );
    let missing = counted(
        &["-e", "check", "--value", "elo white"],
        &["positions", "values", "mean"],
    );
    assert_eq!(missing, "4 2 2550.0\n");
    let histogram = counted(&["-e", "check", "--value", "ply", "--histogram"], &["histogram"]);
    assert_eq!(histogram, "4:2 5:2\n");
    let folder = Folder::new();
    let games = games(&folder);
    let all = ["-e", "check", "--value", "ply", "--histogram", "--json"];
    let json = stdout(&mut stats(&[&[text(&games)], &all[..]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json[0]["histogram"], serde_json::json!({"4": 2, "5": 2}));
    let chart = [
        "-e",
        "true",
        "--value",
        "ply",
        "--histogram",
        "-f",
        "table",
        "--by",
        "result",
    ];
    let chart = stdout(&mut stats(&[&[text(&games)], &chart[..]].concat()));
    assert!(chart.contains("0 to 6") && chart.contains("███"), "{chart}");
}

#[test]
fn each_row_is_drawn() {
    let folder = Folder::new();
    let games = games(&folder);
    let arguments = [text(&games), "-e", "check", "--by", "year:10", "--value", "movenumber"];
    let drawing = stdout(&mut stats(&[&arguments[..], &["-f", "svg"]].concat()));
    let document = Document::parse(&drawing).expect("it is XML");
    let of_class = |class: &str| {
        let nodes = document.descendants();
        let nodes = nodes.filter(|node| node.attribute("class") == Some(class));
        nodes.filter_map(|node| node.text()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of_class("title"), "check");
    assert_eq!(
        of_class("head"),
        "year median values searched games share share score score"
    );
    assert!(of_class("cell").contains("1930-1939 1950-1959 1960-1969"), "{drawing}");
    // No position matches in the game without a year, so it has neither a score nor a value.
    let count = |class: &str| drawing.matches(&format!("class=\"{class}\"")).count();
    assert_eq!(["bar", "dot", "box", "spread"].map(count), [4, 3, 3, 4 + 3 + 3]);
    // Half of the games from the thirties match, and all of the games from the fifties.
    let widths = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("bar"));
    let widths: Vec<_> = widths.filter_map(|node| node.attribute("width")).collect();
    assert_eq!(widths, ["90.0", "180.0", "180.0", "0.0"]);

    let page = stdout(&mut stats(
        &[&arguments[..], &["-f", "html", "--title", "Checks & mates"]].concat(),
    ));
    assert!(page.contains("<h1>Checks &amp; mates</h1>"), "{page}");
    assert_eq!(page.matches("<tr>").count(), 1 + 4, "{page}");
    let count = |class: &str| page.matches(&format!("class=\"{class}\"")).count();
    assert_eq!(["bar", "dot", "box"].map(count), [4, 3, 3]);
    for part in ["<th scope=\"row\" class=\"number\">1950-1959</th>", ">9.5-90.5<"] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn drawings_and_pages_hold_any_text() {
    let folder = Folder::new();
    let games = folder.file(
        "games.pgn",
        "[White \"<script>alert(1)</script> & {{rows}}\"]\n\n1. e4 *\n",
    );
    let arguments = [
        text(&games),
        "-e",
        "line --> btm comment(\"</style>\")",
        "--by",
        "white",
    ];
    for format in ["svg", "html"] {
        let text = stdout(&mut stats(&[&arguments[..], &["-f", format]].concat()));
        assert!(!text.contains("<script"), "{text}");
        assert!(
            text.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{rows}}"),
            "{text}"
        );
    }
    // A table without rows is a complete document, too.
    for format in ["svg", "html"] {
        let nothing = [text(&games), "-e", "mate", "--by", "ply", "-f", format];
        let whole = stats(&nothing).assert().code(1).get_output().stdout.clone();
        let whole = String::from_utf8(whole).expect("it is text");
        assert!(!whole.contains("NaN") && !whole.contains("inf"), "{whole}");
    }
}

#[test]
fn values_that_cannot_be_asked_for_are_refused() {
    let folder = Folder::new();
    let games = games(&folder);
    for (arguments, expected) in [
        (&["--by", "n=chekc"][..], "did you mean `check`?"),
        (&["--by", "tag:Round:2"], "`Round:2=int tag \"Round\"`"),
        (&["--by", "n="], "`n=` is followed by a filter"),
        (
            &["--value", "parent"],
            "expected a number, or a set whose squares are counted, and this is a position",
        ),
        (&["--by", "games=#P"], "`games` is the name of another column"),
        (&["--by", "tag:query"], "`query` is the name of another column"),
        (
            &["--value", "\"a\""],
            "expected a number, or a set whose squares are counted, and this is a string",
        ),
        (&["--value", "#P #"], "<--value>"),
        (&["--histogram"], "--value"),
        (&["--title", "Checks", "-f", "csv"], "--title is for drawings and pages"),
        (
            &["--for", "query", "-e", "find flipcolor {mate btm}"],
            "put `flipcolor` around all filters that are about one side",
        ),
        (
            &["--for", "query", "-e", "flipcolor {mate btm message(\"mate\")}"],
            "would do it twice",
        ),
        (&["--by", "n=#P", "--strict", "-e", "nosuchword"], "nosuchword"),
    ] {
        let run = stats(&[&[text(&games)], arguments].concat())
            .assert()
            .code(2)
            .stdout("");
        run.stderr(predicate::str::contains(expected));
    }
}
