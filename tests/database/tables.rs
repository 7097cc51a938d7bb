//! Games as rows in memory.
//!
//! Searches find the same as in the file that the rows come from, and read no more columns than they announce.

use std::ops::ControlFlow;

use bytes::Bytes;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

use skewer::{FoundGame, GameTable, Games, Options, Query, Sink, Warning, run_all};

use super::database;

/// Returns the column names of a Parquet file, and its rows.
fn rows(file: &[u8]) -> (Vec<String>, Vec<Vec<Field>>) {
    let reader = SerializedFileReader::new(Bytes::from(file.to_vec())).expect("Parquet");
    let mut names = Vec::new();
    let rows = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row");
        names = row.get_column_iter().map(|(name, _)| name.clone()).collect();
        row.get_column_iter().map(|(_, value)| value.clone()).collect()
    });
    let rows = rows.collect();
    (names, rows)
}

/// Returns these columns of a file as a table.
fn table(file: &[u8], wanted: &[&str]) -> GameTable {
    let (names, rows) = rows(file);
    let mut table = GameTable::new(rows.len());
    for (place, name) in names
        .iter()
        .enumerate()
        .filter(|(_, name)| wanted.contains(&name.as_str()))
    {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        let (mut are_texts, mut numbers) = (false, Vec::new());
        for row in &rows {
            let (value, number) = match &row[place] {
                Field::Str(text) => {
                    are_texts = true;
                    (Some(text.as_bytes()), None)
                }
                Field::Bytes(bytes) => (Some(bytes.data()), None),
                Field::Int(number) => (None, Some(i64::from(*number))),
                Field::Long(number) => (None, Some(*number)),
                _ => (None, None),
            };
            numbers.push(number);
            places.push(value.map(|value| {
                bytes.extend_from_slice(value);
                bytes.len() - value.len()..bytes.len()
            }));
        }
        let are_numbers = numbers.iter().any(Option::is_some);
        table = match (are_numbers, are_texts) {
            (true, _) => table.numbers(name, numbers),
            (false, true) => table.texts(name, bytes, places),
            (false, false) => table.bytes(name, bytes, places),
        };
    }
    table
}

fn names(file: &[u8]) -> Vec<String> {
    rows(file).0
}

fn frugal() -> Options {
    let mut options = Options::default();
    options.comments = false;
    options
}

/// Returns what a search finds, or its error.
fn found(query: &str, games: Games, options: &Options) -> Result<Vec<FoundGame>, String> {
    let query = Query::compile(query).expect("the query is right");
    let search = query.search_with(games, options).map_err(|error| error.to_string())?;
    search.map(|game| game.map_err(|error| error.to_string())).collect()
}

const QUERIES: [&str; 7] = [
    "cql() mate",
    "cql(variations) check",
    "cql() true",
    "cql() elo white > 2300",
    "cql() tag \"Annotator\" ~~ \"C\" o-o-o",
    "cql() #A <= 5",
    "cql() originalcomment ~~ \"caf\"",
];

/// Returns the rows of a database, with only the columns that a search reads.
fn database_of(file: &[u8], query: &str, options: &Options) -> Games {
    let compiled = Query::compile(query).expect("the query is right");
    let names = names(file);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let read = skewer::columns_read(&[&compiled], &names, options);
    Games::of_table("odd.pgn", table(file, &read))
}

#[test]
fn rows_of_a_database_give_what_its_file_gives() {
    let file = database();
    for query in QUERIES {
        let expected = found(query, Games::of_bytes("odd.pgn", file.clone()), &frugal()).expect("it is searched");
        let of_rows = found(query, database_of(&file, query, &frugal()), &frugal()).expect("it is searched");
        let values = |games: &[FoundGame]| -> Vec<_> {
            let of_game = |game: &FoundGame| {
                (
                    game.number(),
                    game.tags()
                        .map(|(n, v)| (n.to_owned(), v.to_owned()))
                        .collect::<Vec<_>>(),
                    game.matches().to_vec(),
                )
            };
            games.iter().map(of_game).collect()
        };
        assert_eq!(values(&of_rows), values(&expected), "{query}");
    }
}

#[test]
fn columns_that_are_not_read_are_not_needed() {
    let mut options = frugal();
    options.tags = Some(vec!["White".to_owned()]);
    let file = database();
    let read = |query: &str| {
        let query = Query::compile(query).expect("the query is right");
        let names = names(&file);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        skewer::columns_read(&[&query], &names, &options).len()
    };
    assert!(read("cql() true") < read("cql() ply >= 2 mate"), "facts");
    assert!(read("cql() mate") < 14, "of 37");
    let games = found("cql() mate", database_of(&file, "cql() mate", &options), &options).expect("it is searched");
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].tags().collect::<Vec<_>>(), [("White", "B"), ("Result", "0-1")]);
}

#[test]
fn a_column_that_is_missing_is_named() {
    let file = database();
    let some = ["events", "outcome", "movedata", "line", "pgn", "FEN"];
    let error =
        found("cql() mate", Games::of_table("frame", table(&file, &some)), &frugal()).expect_err("it lacks some");
    assert!(
        error.contains("cannot read frame: the column `") && error.contains("it is missing, and this search reads it"),
        "{error}"
    );
    let error = found(
        "cql() mate",
        Games::of_table("frame", table(&file, &["White"])),
        &frugal(),
    )
    .expect_err("no moves");
    assert!(
        error.contains("a table without games: it has no column `movetext`"),
        "{error}"
    );
    let numbers = GameTable::new(1).numbers("movetext", [Some(1)]);
    let error = found("cql() mate", Games::of_table("frame", numbers), &frugal()).expect_err("no text");
    assert!(
        error.contains("the column `movetext` holds numbers, where text is expected"),
        "{error}"
    );
}

/// Keeps the warnings of a search.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Sink for Warnings {
    fn game(&mut self, _game: FoundGame) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn warning(&mut self, warning: &Warning) {
        self.0.push(warning.to_string());
    }
}

#[test]
fn a_row_that_cannot_be_read_is_a_warning() {
    let moves = [12u8, 28, 0, 9, 9, 0];
    let table = || {
        GameTable::new(3)
            .numbers("events", [Some(0), Some(0), Some(0)])
            .numbers("men_least", [None, None, None])
            .numbers("men_most", [None, None, None])
            .numbers("outcome", [Some(1), Some(9), Some(0)])
            .texts("FEN", Vec::new(), [])
            .bytes("pgn", Vec::new(), [])
            .bytes("line", Vec::new(), [])
            // The second row has an unknown result, and the third has illegal moves.
            .bytes("movedata", moves.to_vec(), [Some(0..3), Some(0..3), Some(3..6)])
    };
    let mut options = frugal();
    options.tags = Some(Vec::new());
    // Where kings and pawns alone are asked, no other moves are looked at before a position matches.
    for text in ["cql() true", "cql() Ke1 Pa2"] {
        let query = Query::compile(text).expect("a query");
        let mut search = query
            .search_with(Games::of_table("frame", table()), &options)
            .expect("it begins");
        let numbers: Vec<u64> = search.by_ref().map(|game| game.expect("it goes on").number()).collect();
        assert_eq!(numbers, [1], "{text}");
        let warnings: Vec<String> = search.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "frame:2: game 2: the row cannot be read: an unknown result",
                "frame:3: game 3: the row cannot be read: game 3 has moves that cannot be played"
            ],
            "{text}"
        );
    }
    // It is left out of each search of a pass.
    let queries = ["cql() Ke1 Pa2", "cql() Ke1 Pb2"].map(|text| Query::compile(text).expect("a query"));
    let mut warnings = queries.each_ref().map(|_| Warnings::default());
    let searches = queries.iter().zip(&mut warnings);
    let searches = searches.map(|(query, sink)| (query, sink as &mut dyn Sink));
    let outcomes = run_all(searches, Games::of_table("frame", table()), &options).expect("it begins");
    for outcome in outcomes {
        let totals = outcome.expect("it goes on");
        assert_eq!((totals.games, totals.matches, totals.unreadable), (3, 1, 2));
    }
    let texts = warnings.map(|Warnings(texts)| texts);
    assert_eq!(texts[0].len(), 2, "{texts:?}");
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn evaluations_and_clocks_of_aix_archives_are_read_if_somebody_asks() {
    // 1. f3 e5 2. g4 Qh4#, and a byte that names the encoding.
    const FOOLS_MATE: &[u8] = &[13, 21, 52, 36, 14, 30, 59, 31, 0];
    let names = ["movedata", "evals", "clocks_white", "clocks_black", "White"];
    let found_by = |text: &str| {
        let query = Query::compile(text).expect("a query");
        let mut options = frugal();
        options.tags = Some(Vec::new());
        let read = skewer::columns_read(&[&query], &names, &options);
        let mut table = GameTable::new(3).bytes("movedata", FOOLS_MATE, vec![Some(0..FOOLS_MATE.len()); 3]);
        let lists: [(&str, &[Option<i32>], _); 3] = [
            (
                "evals",
                &[Some(-12), None, Some(-32_768), Some(7)],
                [Some(0..3), None, Some(3..9)],
            ),
            ("clocks_white", &[Some(3723), Some(5)], [Some(0..2), Some(0..1), None]),
            ("clocks_black", &[Some(60)], [None, Some(0..1), Some(1..1)]),
        ];
        for (name, elements, places) in lists {
            if read.contains(&name) {
                table = table.lists(name, elements, places);
            }
        }
        let games = found(text, Games::of_table("frame", table), &options).expect("it is searched");
        let ids = games.iter().flat_map(|game| {
            let matches = game.matches().iter();
            matches.map(|found| (game.number(), found.position_id()))
        });
        (read.len(), ids.collect::<Vec<_>>())
    };
    assert_eq!(found_by("cql() eval == -12"), (4, vec![(1, 1)]));
    assert_eq!(found_by("cql() eval == -99999"), (4, vec![(1, 3)]));
    assert_eq!(found_by("cql() clock"), (4, vec![(1, 1), (1, 3), (2, 1), (2, 2)]));
    assert_eq!(found_by("cql() clock == 37230"), (4, vec![(1, 1), (2, 1)]));
    assert_eq!(found_by("cql() mate"), (1, vec![(1, 4), (2, 4), (3, 4)]));
}

#[test]
fn rows_of_others_are_read_by_their_movetext() {
    let text = "1. f3 e5 2. g4 Qh4# 0-1";
    let rows = 1500;
    let table = GameTable::new(rows)
        .numbers("white_elo", (0..rows).map(|row| Some(row as i64)))
        .texts(
            "movetext",
            text.as_bytes().to_vec(),
            (0..rows).map(|row| (row % 3 != 0).then_some(0..text.len())),
        );
    let games = found(
        "cql() mate elo white > 1400",
        Games::of_table("frame", table),
        &frugal(),
    )
    .expect("it is searched");
    let numbers: Vec<u64> = games.iter().map(FoundGame::number).collect();
    let expected: Vec<u64> = (1402..=1500).filter(|number| (number - 1) % 3 != 0).collect();
    assert_eq!(numbers, expected);
    assert_eq!(games[0].rating(skewer::Color::White), Some(1402));
}
