//! Damaged databases of skewer.

use bytes::Bytes;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};

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
fn other_versions_are_refused() {
    let (query, format) = &searches()[0];
    for (digit, what) in [
        (b'3', "a database of version 3, too old: index the games again"),
        (b'7', "a database of version 7, written by a newer skewer"),
    ] {
        let other = of_version(&database(), digit);
        let message = searched(query, "other.parquet", &other, *format).expect_err("it is another version");
        assert!(message.contains(what), "{message}");
    }
}
