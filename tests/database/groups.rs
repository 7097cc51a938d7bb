//! Row groups that cannot contain a match are not opened.

use std::ops::Range;
use std::sync::LazyLock;

use parquet::file::reader::{FileReader, SerializedFileReader};
use skewer::limits::InterruptHandle;
use skewer::query::Shortcuts;

use super::*;

/// The number of games in a row group.
const GROUP: usize = 2048;

/// Makes a database from games.
fn of(pgn: String) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn)]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database")
}

/// Returns the games of a database of three row groups: dull games, mates, and promotions with a variation.
fn games() -> String {
    let dull = "[WhiteElo \"1500\"]\n[BlackElo \"1600\"]\n[Date \"1990.01.02\"]\n\n1. d4 d5 1/2-1/2\n\n";
    let mate = "[WhiteElo \"2600\"]\n[BlackElo \"1400\"]\n[Date \"2005.??.??\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let knight = "[FEN \"7k/P7/8/8/8/8/8/RRK5 w - - 0 1\"]\n[Date \"????.??.??\"]\n\n1. a8=N (1. a8=R+) 1... Kg7 2. Rb2 Kf6 3. Rb3 1-0\n\n";
    [dull.repeat(GROUP), mate.repeat(GROUP), knight.repeat(10)].concat()
}

static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| of(games()));

/// Returns the database with damage in every column of these row groups.
fn damaged(database: &[u8], groups: &[usize]) -> Vec<u8> {
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(database)).expect("a Parquet file");
    let mut damaged = database.to_vec();
    for group in groups {
        for column in reader.metadata().row_group(*group).columns() {
            let (start, length) = column.byte_range();
            damaged[(start + length - 1) as usize] ^= 1;
        }
    }
    damaged
}

/// Returns the numbers of the games that a query finds, or its error.
fn found(query: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let printed = searched(&compiled(query), "games.parquet", bytes, FormatName::Ids)?;
    Ok([printed.output, printed.log].concat())
}

/// Queries, and the row groups that each of them opens.
const QUERIES: [(&str, Range<usize>); 29] = [
    ("cql() mate", 1..2),
    ("cql() --=N", 2..3),
    ("cql() R>=2 A<=4", 2..3),
    ("cql() a==16 ply >= 3", 1..2),
    ("cql() ply >= 5", 2..3),
    ("cql() elo white > 2500 initial", 1..2),
    ("cql() elo >= 2600 initial", 1..2),
    ("cql() 1550 < elo black initial", 0..1),
    ("cql() year < 2000 initial", 0..1),
    ("cql() year >= 2000 initial", 1..2),
    ("cql(result 1-0) terminal", 2..3),
    ("cql() year == 1850 or elo white > 2700 initial", 0..0),
    ("cql() (year < 2000 or result 0-1) initial", 0..2),
    ("cql() eval > 300", 0..0),
    ("cql(variations) stalemate", 2..3),
    ("cql() #R <= 2 initial", 0..3),
    ("cql(gamenumber 2049 2049) initial", 1..2),
    ("cql(gamenumber 2048 2049) initial", 0..2),
    ("cql(gamenumber 2000 9000) mate", 1..2),
    ("cql(gamenumber 3 7) player \"A\"", 0..1),
    ("cql(gamenumber 3 9000 matchcount 0) mate message(\"here\")", 0..3),
    ("cql() fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"", 0..2),
    ("cql() fen \"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR\"", 0..1),
    (
        "cql() likeboard \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\"",
        1..2,
    ),
    (
        "cql() likeboard \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBN1 w\"",
        0..0,
    ),
    (
        "cql() flipcolor likeboard \"rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR b\"",
        1..2,
    ),
    (
        "cql() currentfen == \"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2\"",
        1..2,
    ),
    ("cql() \"7k/P7/8/8/8/8/8/RRK5 w - - 0 1\" == currentfen", 2..3),
    ("cql(variations) fen \"R6k/8/8/8/8/8/8/RRK5\"", 2..3),
];

#[test]
fn row_groups_without_what_a_query_wants_are_not_opened() {
    for (query, wanted) in QUERIES {
        let intact = found(query, &DATABASE).expect("the database is intact");
        let others: Vec<usize> = (0..3).filter(|group| !wanted.contains(group)).collect();
        assert_eq!(found(query, &damaged(&DATABASE, &others)), Ok(intact), "{query}");
        for group in wanted {
            let error = found(query, &damaged(&DATABASE, &[group])).expect_err(query);
            assert!(error.contains("checksum is wrong"), "{query}: {error}");
        }
    }
}

/// Games in row groups that are not opened count like games of PGN: as outside of the narrowing.
#[test]
fn row_groups_outside_the_narrowing_are_left_alone() {
    let games = games();
    for (narrowing, opened) in [
        ("year>=2100", 0..0),
        ("year>=2100 year<=2100", 0..0),
        ("elo>=3000 elo<=3100", 0..0),
        ("year>=2005 year<=2010", 1..2),
        ("elo>=1500 elo<=2000", 0..2),
        ("result 1-0", 2..3),
    ] {
        let options = query::Options {
            narrowing: vec![Source::new("narrowing", narrowing)],
            ..query::Options::default()
        };
        let query = query::compile(&Source::new("q", "cql() ply==0"), &options).expect("the query is right");
        let others: Vec<usize> = (0..3).filter(|group| !opened.contains(group)).collect();
        let damaged = damaged(&DATABASE, &others);
        let totals = [("games.pgn", games.as_bytes()), ("games.parquet", &damaged)].map(|(name, bytes)| {
            let totals = printed(&query, name, bytes, FormatName::Count, 2)
                .expect("a search")
                .totals;
            (totals.games, totals.left_alone, totals.matches, totals.unreadable)
        });
        assert_eq!(totals[0], totals[1], "{narrowing}");
        assert_eq!(totals[0].0, 2 * GROUP as u64 + 10);
    }
}

/// Positions of games are found in a database, and in a copy of it.
#[test]
fn boards_are_found_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let pgn = std::fs::read_to_string(examples.join("classics.pgn")).expect("the games");
    let dull = "[White \"A\"]\n\n1. d4 d5 1/2-1/2\n\n".repeat(GROUP);
    // The games are in both row groups.
    let database = of([&pgn, "\n\n", &dull, &pgn].concat());
    std::fs::write(&path, &database).expect("a file");
    let copy = Writer::append(&path, InterruptHandle::default(), Vec::new()).and_then(Writer::finish);
    let copy = copy.expect("a database");
    let positions = searched(&compiled("cql() true"), "games.pgn", pgn.as_bytes(), FormatName::Fen).expect("games");
    let fens = String::from_utf8(positions.output).expect("text");
    let mut random = fastrand::Rng::with_seed(4);
    let chosen: Vec<&str> = fens.lines().filter(|_| random.u32(..40) == 0).collect();
    assert!(chosen.len() > 20);
    for fen in chosen {
        let query = format!("cql() likeboard \"{fen}\"");
        let options = query::Options {
            shortcuts: Shortcuts::empty(),
            ..query::Options::default()
        };
        let plain = query::compile(&Source::new("q", query.as_str()), &options).expect("the query is right");
        let ids = |query: &Query, database: &[u8]| {
            let found = searched(query, "games.parquet", database, FormatName::Ids).expect("it is intact");
            String::from_utf8(found.output).expect("text")
        };
        let expected = ids(&plain, &database);
        assert!(!expected.is_empty());
        assert_eq!(ids(&compiled(&query), &database), expected, "{fen}");
        assert_eq!(ids(&compiled(&query), &copy), expected, "{fen}");
    }
}

/// Flips the first bit of the byte that `part` chooses in a column of a row group.
fn flipped(database: &[u8], group: usize, column: &str, part: impl Fn(u64) -> u64) -> Vec<u8> {
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(database)).expect("a Parquet file");
    let columns = reader.metadata().row_group(group).columns();
    let named = columns.iter().find(|chunk| chunk.column_path().string() == column);
    let (start, length) = named.expect("the column").byte_range();
    let mut damaged = database.to_vec();
    damaged[(start + part(length)) as usize] ^= 1;
    damaged
}

#[test]
fn moves_of_games_are_not_read_if_kings_and_pawns_were_never_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let database = of("[White \"A\"]\n\n1. e4 e5 2. Ke2 Ke7 3. a4 h5 *\n\n".repeat(GROUP));
    std::fs::write(&path, &database).expect("a file");
    let copy = Writer::append(&path, InterruptHandle::default(), Vec::new()).and_then(Writer::finish);
    for database in [&database, &copy.expect("a database")] {
        let damaged = flipped(database, 0, "movedata", |length| length / 4);
        for (query, is_read) in [
            ("cql() Ke2 ke7", true),
            ("cql() Ke2 ke6", false),
            ("cql() flipcolor {Kd1}", false),
            ("cql() Pa4 pe5", true),
            ("cql() [Pp][d5,h6]", false),
            ("cql() shift {Pe4 pe5}", true),
            ("cql() shift {Pd4 Pe5 pd5 pe6}", false),
            ("cql() Kg1 or Qh5", true),
            ("cql() not Kg1", true),
        ] {
            let compiled = compiled(query);
            let intact = searched(&compiled, "games.parquet", database, FormatName::Count).expect("it is intact");
            let found = printed(&compiled, "games.parquet", &damaged, FormatName::Count, 1).expect("it can be read");
            assert_eq!(found.totals.unreadable > 0, is_read, "{query}");
            assert_eq!(intact.totals.games, found.totals.games, "{query}");
            assert_eq!(intact.totals.matches > 0, is_read && !query.contains("Qh5"), "{query}");
        }
    }
}

#[test]
fn what_is_not_damaged_is_searched() {
    let mate = "[White \"A\"]\n\n1. f3 e5 2. g4 {Why?} Qh4# 0-1\n\n";
    let database = of(mate.repeat(3 * GROUP - 1));
    let end = |length: u64| length - 1;
    for (query, format, column, part, lost) in [
        // A column that is read for every game, one that is read for matching games, and one that is not read.
        ("cql() mate", FormatName::Ids, "events", end as fn(u64) -> u64, GROUP),
        ("cql() mate", FormatName::Pgn, "movetext", end, GROUP),
        ("cql() mate", FormatName::Ids, "source", end, 0),
        // A quarter into the moves, the damage affects only the games of one page.
        ("cql() true", FormatName::Count, "movedata", |length| length / 4, 32),
        ("cql() true", FormatName::Count, "movetext", end, 0),
    ] {
        let query = compiled(query);
        let damaged = flipped(&database, 1, column, part);
        let intact = printed(&query, "games.parquet", &database, format, 1).expect("it is intact");
        let of_threads =
            [1, 3].map(|threads| printed(&query, "games.parquet", &damaged, format, threads).expect(column));
        for found in &of_threads {
            assert_eq!(found.totals.games, intact.totals.games, "{column}");
            assert_eq!(found.totals.unreadable, lost as u64, "{column}");
            assert_eq!(found.totals.matches, intact.totals.matches - lost as u64, "{column}");
            assert_eq!(found.output, of_threads[0].output, "{column}");
            assert_eq!(found.log, of_threads[0].log, "{column}");
        }
        let log = String::from_utf8_lossy(&of_threads[0].log);
        let said = format!("the column `{column}` is damaged: its checksum is wrong");
        assert!(
            lost == 0 || log.starts_with("warning: games.parquet:2") && log.contains(&said),
            "{log}"
        );
        let lines = |printed: &Printed| -> Vec<Vec<u8>> {
            printed.output.split(|byte| *byte == b'\n').map(Vec::from).collect()
        };
        let numbers = lines(&intact);
        let is_known = |line: &Vec<u8>| numbers.contains(line);
        assert!(
            format != FormatName::Ids || lines(&of_threads[0]).iter().all(is_known),
            "{column}"
        );
    }
}

#[test]
fn nothing_is_passed_over_where_somebody_could_tell() {
    let every = damaged(&DATABASE, &[0]);
    for query in [
        "cql() mate or true",
        "cql(matchcount 0 100) mate",
        "cql() player \"Carlsen\" mate",
        "cql() message(\"here\") mate",
    ] {
        assert!(found(query, &every).is_err(), "{query}");
    }
    let warnings = |moves: &str| {
        let database = of(format!("[White \"A\"]\n\n{moves}\n"));
        String::from_utf8(found("cql() mate", &database).expect("it is intact")).expect("text")
    };
    assert_eq!(warnings("1. d4 *"), "");
    assert!(warnings("1. d4 Nf9 *").contains("unreadable move"));
}
