//! The pages of the moves in a database: a search reads only those with games that may match.

use parquet::file::reader::{FileReader as _, SerializedFileReader};

use super::*;

/// Returns a database of a hundred games. The game with this number ends in mate.
fn database_with_mate(number: usize) -> Vec<u8> {
    let game = |current: usize| match current == number {
        true => "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".to_owned(),
        false => format!("[White \"{current}\"]\n\n1. e4 e5 2. Nf3 *\n\n"),
    };
    let pgn: String = (1..=100).map(game).collect();
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn.as_bytes())]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database")
}

/// Returns what a search prints, or its error.
fn ids(text: &str, database: &[u8]) -> Result<String, String> {
    let printed = searched(
        &compiled(&format!("cql() {text}")),
        "games.parquet",
        database,
        FormatName::Ids,
    )?;
    Ok(String::from_utf8(printed.output).expect("text"))
}

#[test]
fn pages_without_games_that_may_match_are_not_read() {
    let database = database_with_mate(50);
    let file = SerializedFileReader::new(bytes::Bytes::from(database.clone())).expect("a Parquet file");
    let group = file.metadata().row_group(0);
    let column = group
        .columns()
        .iter()
        .find(|column| column.column_path().string() == "movedata")
        .expect("the moves");
    let (start, length) = column.byte_range();
    let (start, end) = (start as usize, (start + length) as usize);
    let mate = ids("mate", &database);
    assert_eq!(mate.as_deref(), Ok("50:4\n"));
    let damaged = |place: usize| {
        let mut damaged = database.clone();
        damaged[place] ^= 1;
        damaged
    };
    let (mut unread, mut refused) = (0, 0);
    for place in start..end {
        let damaged = damaged(place);
        match ids("mate", &damaged) {
            Ok(found) => {
                assert_eq!(Ok(found), mate, "byte {place}");
                unread += 1;
            }
            Err(message) => {
                assert!(
                    message.contains("the column `movedata` is damaged: its checksum is wrong"),
                    "{message}"
                );
                refused += 1;
            }
        }
    }
    assert!(
        refused > 0 && unread > refused,
        "{refused} of {} bytes are read",
        refused + unread
    );
    // A search for all games reads all pages.
    let message = ids("true", &damaged(start + 20)).expect_err("the first page is damaged");
    assert!(message.contains("the column `movedata` is damaged"), "{message}");
}

#[test]
fn what_is_wanted_of_a_block_changes_no_answer() {
    let database = database_with_mate(100);
    for (text, games) in [
        ("mate", 1),
        ("check", 1),
        ("ply == 3 not mate", 100),
        ("player white \"9\" ply == 1", 19),
        ("player white \"A\" mate", 1),
    ] {
        let found = ids(text, &database).expect("it can be read");
        assert_eq!(found.lines().count(), games, "{text}: {found}");
    }
}
