//! Damaged databases of skewer.

use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use skewer::limits::InterruptHandle;

use super::*;

/// Returns searches that read tags, moves, comments, facts and warnings.
fn searches() -> [(Query, FormatName); 3] {
    [
        (compiled("cql(quiet) check"), FormatName::Ids),
        (compiled("cql(variations) check comment(ply)"), FormatName::Pgn),
        (compiled("cql() elo>0 or originalcomment or R==2"), FormatName::Csv),
    ]
}

/// Flips each of these bits of a database, and asserts that each answer stays the same or becomes an error.
fn flip(database: &[u8], bits: impl Iterator<Item = usize>) {
    let searches = searches();
    let answer = |(query, format): &(Query, FormatName), bytes: &[u8]| {
        let printed = searched(query, "games.parquet", bytes, *format);
        printed.map(|printed| (printed.output, printed.log, printed.totals))
    };
    let intact = searches.each_ref().map(|search| answer(search, database));
    let mut damaged = database.to_vec();
    for bit in bits {
        let (place, mask) = (bit / 8, 1 << (bit % 8));
        damaged[place] ^= mask;
        for (search, intact) in searches.iter().zip(&intact) {
            assert!(intact.is_ok(), "{intact:?}");
            let found = answer(search, &damaged);
            match &found {
                Ok(_) => assert_eq!(&found, intact, "bit {bit} changes an answer"),
                Err(message) => assert!(message.contains("games.parquet:"), "bit {bit}: {message}"),
            }
        }
        damaged[place] ^= mask;
    }
}

/// Returns where a text is in a file.
fn place(file: &[u8], text: &str) -> usize {
    let mut places = file.windows(text.len());
    places
        .position(|window| window == text.as_bytes())
        .expect("it is there")
}

#[test]
fn no_flipped_bit_changes_an_answer() {
    let database = database();
    let bits = database.len() * 8;
    // All bits that mark the file as a database, and a sample of the others.
    let mut places: Vec<usize> = (0..4).chain(database.len() - 8..database.len()).collect();
    for key in ["skewer.version", "skewer.checksums", "skewer.footer"] {
        let start = place(&database, key);
        places.extend(start - 4..start + key.len() + 6);
    }
    let complete = places.into_iter().flat_map(|place| place * 8..place * 8 + 8);
    flip(&database, complete.chain((0..bits).step_by(211)));
}

/// Takes minutes. Run it with `cargo test --release --test tests database:: -- --ignored every_single_bit`.
#[test]
#[ignore = "it takes minutes"]
fn every_single_bit() {
    let database = database();
    flip(&database, 0..database.len() * 8);
}

#[test]
fn a_database_that_is_cut_anywhere_is_refused() {
    let database = database();
    let (query, format) = &searches()[0];
    for length in 0..database.len() {
        let found = searched(query, "games.parquet", &database[..length], *format);
        let message = found.expect_err("it is not complete");
        assert!(
            message.starts_with("cannot read games.parquet: "),
            "{length}: {message}"
        );
    }
}

#[test]
fn what_is_named_or_begins_or_ends_like_parquet_is_parquet() {
    let database = database();
    let (query, format) = &searches()[0];
    let error = |name, bytes: &[u8]| searched(query, name, bytes, *format).expect_err("it is damaged");
    assert_eq!(
        error("lost.parquet", b""),
        "cannot read lost.parquet: an empty file, not a Parquet file"
    );
    let neither = "not a Parquet file: it does not begin with `PAR1`";
    assert_eq!(
        error("zeros.Parquet", &[0; 5_000]),
        format!("cannot read zeros.Parquet: {neither}")
    );
    assert_eq!(
        error("x.parquet", b"1. e4 *"),
        format!("cannot read x.parquet: {neither}")
    );
    let mut headless = database.clone();
    headless[1] ^= 4;
    let message = "cannot read games: a damaged Parquet file: it does not begin with `PAR1`";
    assert_eq!(error("games", &headless), message);
    let tail = database.len() - 1;
    let message = "cannot read games: not a complete Parquet file: it does not end with `PAR1`";
    assert_eq!(error("games", &database[..tail]), message);
}

#[test]
fn files_that_should_have_games_and_have_none_are_told() {
    let empty = Writer::new(Vec::new()).and_then(Writer::finish).expect("a database");
    let (query, format) = &searches()[0];
    let log = |name, bytes: &[u8]| {
        let printed = searched(query, name, bytes, *format).expect("it can be read");
        assert_eq!(printed.totals.games, 0);
        String::from_utf8(printed.log).expect("text")
    };
    assert_eq!(log("none.pgn", b""), "warning: none.pgn: the file has no games\n");
    assert_eq!(
        log("none.parquet", &empty),
        "warning: none.parquet: the file has no games\n"
    );
    assert_eq!(log("none", b""), "warning: none: the file has no games\n");
}

#[test]
fn databases_of_the_first_version_are_read_and_renewed() {
    let (query, format) = &searches()[1];
    let path = corpus().join("version-1.parquet");
    let old = fs::read(&path).expect("the database");
    let printed = searched(query, "old.parquet", &old, *format).expect("it can be read");
    let log = String::from_utf8(printed.log).expect("text");
    let notice = "warning: old.parquet: this database was made by an older skewer";
    assert!(
        log.starts_with(notice) && log.contains("`skewer index --append -o old.parquet`"),
        "{log}"
    );
    assert!(log.contains("unreadable move `Nf9`"), "{log}");
    let new = Writer::append(&path, InterruptHandle::default(), Vec::new())
        .and_then(Writer::finish)
        .expect("a database");
    let again = searched(query, "old.parquet", &new, *format).expect("it can be read");
    assert_eq!(again.output, printed.output);
    assert!(!String::from_utf8_lossy(&again.log).contains("an older skewer"));
}

/// Converts a database to the layout of the first version, which lacks the last five columns and has only the checksums of columns.
fn first_version_of(database: Vec<u8>) -> Vec<u8> {
    const COLUMNS: usize = 37;
    let bytes = Bytes::from(database);
    let reader = SerializedFileReader::new(bytes.clone()).expect("a Parquet file");
    let metadata = reader.metadata();
    let fields = &metadata.file_metadata().schema().get_fields()[..COLUMNS];
    let schema = Type::group_type_builder("games").with_fields(fields.to_vec());
    let schema = Arc::new(schema.build().expect("a schema"));
    let properties = WriterProperties::builder().set_created_by("skewer 0.1.0".to_owned());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).expect("a file");
    let mut sums = String::new();
    for group in metadata.row_groups() {
        let mut columns = writer.next_row_group().expect("a row group");
        for column in &group.columns()[..COLUMNS] {
            let (start, length) = column.byte_range();
            sums += &format!(
                "{:08x}",
                crc32fast::hash(&bytes[start as usize..(start + length) as usize])
            );
            let result = ColumnCloseResult {
                bytes_written: length,
                rows_written: group.num_rows() as u64,
                metadata: column.clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            columns.append_column(&bytes, result).expect("a column");
        }
        columns.close().expect("a row group");
    }
    for (key, value) in [("skewer.version", "1"), ("skewer.checksums", &sums)] {
        writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }
    writer.into_inner().expect("a file")
}

/// These row groups would be copied unchanged if they had all columns.
#[test]
fn large_row_groups_of_the_first_version_are_renewed() {
    let games = |numbers: std::ops::Range<usize>| -> String {
        let game = |number| match number % 3 {
            0 => format!("[White \"A{number}\"]\n\n1. f3 e5 2. g4 (2. a3 Qh4+) 2... Qh4# 0-1\n\n"),
            1 => format!(
                "[White \"A{number}\"]\n[WhiteElo \"{}\"]\n\n1. e4 Nf9 *\n\n",
                1000 + number
            ),
            _ => format!(
                "[Black \"B{number}\"]\n[FEN \"7k/8/8/8/8/8/8/RRK5 w - - 0 1\"]\n\n1. Rb7 {{x}} 1-0\n\nstray\n\n"
            ),
        };
        numbers.map(game).collect()
    };
    let pgn = games(0..2700);
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn.as_bytes())]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    let old = first_version_of(writer.finish().expect("a database"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.parquet");
    fs::write(&path, &old).expect("a file");
    let new = Writer::append(&path, InterruptHandle::default(), Vec::new())
        .and_then(Writer::finish)
        .expect("a database");
    for (query, format) in searches() {
        let of_games = searched(&query, "games.pgn", pgn.as_bytes(), format).expect("they can be read");
        let of_old = searched(&query, "games.parquet", &old, format).expect("it can be read");
        let of_new = searched(&query, "games.parquet", &new, format).expect("it can be read");
        assert!(of_games.totals.matches > 0);
        assert_eq!(of_old.output, of_games.output);
        assert_eq!(of_new.output, of_games.output);
        assert_eq!(
            String::from_utf8_lossy(&of_new.log),
            String::from_utf8_lossy(&of_games.log)
        );
    }
}

#[test]
fn databases_of_the_second_version_are_read_and_renewed() {
    let pgn = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lichess.pgn")).expect("the games");
    let query = compiled("cql() eval>0 or clock<600 or inaccuracy message(eval \" \" clock \" \" elapsed)");
    let of_games = searched(&query, "games.pgn", &pgn, FormatName::Ids).expect("they can be read");
    let path = corpus().join("version-2.parquet");
    let old = fs::read(&path).expect("the database");
    let new = Writer::append(&path, InterruptHandle::default(), Vec::new())
        .and_then(Writer::finish)
        .expect("a database");
    for database in [old, new] {
        let found = searched(&query, "games.parquet", &database, FormatName::Ids).expect("it can be read");
        assert_eq!(
            (found.output, found.log),
            (of_games.output.clone(), of_games.log.clone())
        );
    }
}

#[test]
fn evaluations_clocks_and_symbols_are_read_from_columns() {
    let pgn = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lichess.pgn")).expect("the games");
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn.as_slice())]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    let mut database = writer.finish().expect("a database");
    flip_column(&mut database, "movetext");
    let text = "cql() message(eval \" \" evaldepth \" \" clock \" \" elapsed) nag 4 or blunder or mistake or inaccuracy or eval>0";
    let query = compiled(text);
    let of_games = searched(&query, "games.pgn", &pgn, FormatName::Ids).expect("they can be read");
    let found = searched(&query, "games.parquet", &database, FormatName::Ids).expect("the text is not read");
    assert_eq!((found.output, found.log), (of_games.output, of_games.log));
    let comments = searched(
        &compiled("cql() originalcomment"),
        "games.parquet",
        &database,
        FormatName::Ids,
    );
    assert!(comments.is_err_and(|message| message.contains("the column `movetext` is damaged")));
    flip_column(&mut database, "evals");
    let found = searched(&query, "games.parquet", &database, FormatName::Ids);
    assert!(found.is_err_and(|message| message.contains("the column `evals` is damaged")));
}

/// Flips a bit of a column.
fn flip_column(database: &mut [u8], column: &str) {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(database)).expect("a Parquet file");
    let columns = reader.metadata().row_group(0).columns();
    let named = |chunk: &&ColumnChunkMetaData| chunk.column_path().string() == column;
    let (start, length) = columns.iter().find(named).expect("the column").byte_range();
    database[(start + length) as usize - 1] ^= 1;
}

/// Returns the database, marked as another version.
fn of_version(database: &[u8], digit: u8) -> Vec<u8> {
    let mut other = database.to_vec();
    let version = place(&other, "skewer.version") + "skewer.version".len() + 2;
    assert_eq!(other[version], b'4');
    other[version] = digit;
    let sum = place(&other, "skewer.footer") + "skewer.footer".len() + 2;
    let tail = other.len() - 8;
    let length = u32::from_le_bytes(other[tail..tail + 4].try_into().expect("four bytes"));
    other[sum..sum + 8].copy_from_slice(b"00000000");
    let checksum = crc32fast::hash(&other[tail - length as usize..tail]);
    other[sum..sum + 8].copy_from_slice(format!("{checksum:08x}").as_bytes());
    other
}

#[test]
fn a_newer_version_is_refused() {
    let newer = of_version(&database(), b'7');
    let (query, format) = &searches()[0];
    let message = searched(query, "new.parquet", &newer, *format).expect_err("it is newer");
    assert!(
        message.contains("a database of version 7, written by a newer skewer"),
        "{message}"
    );
}

#[test]
fn evaluations_of_an_older_version_are_read_from_the_text() {
    let pgn = "[Event \"1\"]\n[Date \"15.10.2016\"]\n\n1. e4 {[%eval 23,24]} e5 *\n\n".repeat(600);
    let mut writer = Writer::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn)]);
    while let Some(batch) = batches.next_batch(pgn::Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    let new = writer.finish().expect("a database");
    let mut older = of_version(&new, b'3');
    flip_column(&mut older, "evals");
    let query = compiled("cql() eval==23 year==2016");
    let found = |bytes: &[u8]| searched(&query, "games.parquet", bytes, FormatName::Ids).map(|found| found.output);
    let expected = found(&new).expect("it can be read");
    assert_eq!(expected.split(|byte| *byte == b'\n').count(), 601);
    assert_eq!(found(&older).expect("the column is not read"), expected);
    // Adding to an older database makes a new one.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("older.parquet");
    std::fs::write(&path, of_version(&new, b'3')).expect("a file");
    let writer = Writer::append(&path, InterruptHandle::default(), Vec::new()).expect("a database");
    assert_eq!(
        found(&writer.finish().expect("a database")).expect("it can be read"),
        expected
    );
}
