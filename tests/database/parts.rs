//! Row groups of a file, searched separately: together they give the same results as the file, with the same numbers.

use std::fs;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use skewer::database::Writer;
use skewer::pgn::{self, Batches};
use skewer::{Games, Query};

/// Returns an archive like those of Lichess, with this many row groups of two games. The second game of each ends in mate.
fn set(groups: usize) -> Vec<u8> {
    let schema = parse_message_type("message games { required binary movetext (STRING); }").expect("a schema");
    let properties = Arc::new(WriterProperties::default());
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties).expect("Parquet");
    for _ in 0..groups {
        let mut group = writer.next_row_group().expect("a row group");
        let mut cells = group.next_column().expect("columns").expect("a column");
        let games = ["1. e4 e5 *", "1. f3 e5 2. g4 Qh4# 0-1"].map(ByteArray::from);
        cells
            .typed::<ByteArrayType>()
            .write_batch(&games, None, None)
            .expect("values");
        cells.close().expect("a column");
        group.close().expect("a row group");
    }
    writer.into_inner().expect("Parquet")
}

/// Returns a database of 2,500 games in two row groups. Every fifth game ends in mate.
fn database() -> Vec<u8> {
    let pgn = ["1. e4 e5 *\n\n"; 4].concat() + "1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let pgn = pgn.replace("1. ", "[Event \"x\"]\n\n1. ").repeat(500);
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn)]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database")
}

fn numbers(games: Games) -> Result<Vec<u64>, String> {
    let query = Query::compile("cql() mate").expect("a query");
    let search = query.search(games).map_err(|error| error.to_string())?;
    search
        .map(|game| game.map(|game| game.number()).map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn row_groups_together_are_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, file, groups) in [("set.parquet", set(5), 5), ("own.parquet", database(), 2)] {
        let path = folder.path().join(name);
        fs::write(&path, file).expect("a file");
        let sizes = skewer::row_groups(&path).expect("it is read").expect("it is Parquet");
        assert_eq!(sizes.len(), groups, "{name}");
        assert!(
            sizes.iter().all(|size| size.games > 1 && size.bytes > 0),
            "{name}: {sizes:?}"
        );
        let whole = numbers(Games::at(&path)).expect("it is searched");
        assert_eq!(whole.len(), if groups == 5 { 5 } else { 500 });
        let split = groups / 2;
        let mut parts = numbers(Games::of_row_groups(&path, 0..split)).expect("it is searched");
        let rest = numbers(Games::of_row_groups(&path, split..groups)).expect("it is searched");
        assert!(!parts.is_empty() && !rest.is_empty(), "{name}");
        parts.extend(rest);
        assert_eq!(parts, whole, "{name}");
        assert_eq!(numbers(Games::of_row_groups(&path, 1..1)), Ok(Vec::new()), "{name}");
    }
}

#[test]
fn row_groups_that_are_not_there_are_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set.parquet");
    fs::write(&path, set(2)).expect("a file");
    let error = numbers(Games::of_row_groups(&path, 1..3)).expect_err("there are two");
    assert!(
        error.ends_with("it has 2 row groups, not those from 1 up to 3: it may have changed"),
        "{error}"
    );
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, "1. e4 *").expect("a file");
    assert_eq!(skewer::row_groups(&pgn).expect("it is read"), None);
    assert!(
        numbers(Games::of_row_groups(&pgn, 0..1)).is_err(),
        "PGN has no row groups"
    );
    assert!(skewer::row_groups(folder.path().join("none.parquet")).is_err());
}
