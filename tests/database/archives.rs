//! Archives of other programs that are damaged or have unexpected columns.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use skewer::limits::Memory;

use super::*;

#[test]
fn damaged_archives_are_refused_at_once() {
    let queries = [compiled("cql() true"), compiled("cql(variations) mate")];
    for (name, bytes) in files() {
        if name.contains("version-") {
            continue;
        }
        for query in &queries {
            let begin = Instant::now();
            let message = searched(query, &name, &bytes, FormatName::Pgn).expect_err(&name);
            assert!(message.contains(&name), "{message}");
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{name}: {:?}",
                begin.elapsed()
            );
        }
    }
}

/// The values of a column. Text may be missing.
enum Column<'a> {
    Bytes(&'a [Option<&'a [u8]>]),
    Numbers(&'a [i32]),
    /// Lists of numbers. Both lists and numbers may be missing.
    Lists(&'a [Option<&'a [Option<i32>]>]),
}

/// Returns an archive with a schema in the notation of Parquet. Without columns it has no rows.
fn archive(schema: &str, columns: &[Column<'_>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message games {{ {schema} }}")).expect("a schema"));
    let properties = Arc::new(WriterProperties::default());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("Parquet");
    if columns.is_empty() {
        return writer.into_inner().expect("Parquet");
    }
    let mut group = writer.next_row_group().expect("a row group");
    for column in columns {
        let mut cells = group.next_column().expect("columns").expect("a column");
        match column {
            Column::Bytes(values) => {
                let levels: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
                let values: Vec<ByteArray> = values.iter().flatten().map(|value| ByteArray::from(*value)).collect();
                cells.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)
            }
            Column::Numbers(values) => cells.typed::<Int32Type>().write_batch(values, None, None),
            Column::Lists(lists) => {
                let (mut values, mut depths, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
                for list in *lists {
                    let elements = list.unwrap_or_default();
                    if elements.is_empty() {
                        depths.push(list.is_some().into());
                        repetitions.push(0);
                    }
                    for (index, element) in elements.iter().enumerate() {
                        depths.push(2 + i16::from(element.is_some()));
                        repetitions.push(i16::from(index > 0));
                        values.extend(*element);
                    }
                }
                cells
                    .typed::<Int32Type>()
                    .write_batch(&values, Some(&depths), Some(&repetitions))
            }
        }
        .expect("values");
        cells.close().expect("a column");
    }
    group.close().expect("a row group");
    writer.into_inner().expect("Parquet")
}

fn error(schema: &str, columns: &[Column<'_>]) -> String {
    let query = compiled("cql() true");
    searched(&query, "a.parquet", &archive(schema, columns), FormatName::Ids).expect_err("it is refused")
}

#[test]
fn row_groups_that_are_not_damaged_are_searched() {
    let schema =
        Arc::new(parse_message_type("message games { optional binary movetext (STRING); }").expect("a schema"));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("Parquet");
    for games in [3, 700, 2] {
        let mut group = writer.next_row_group().expect("a row group");
        let mut cells = group.next_column().expect("columns").expect("a column");
        let texts = vec![ByteArray::from("1. f3 e5 2. g4 Qh4# 0-1"); games];
        cells
            .typed::<ByteArrayType>()
            .write_batch(&texts, Some(&vec![1; games]), None)
            .expect("values");
        cells.close().expect("a column");
        group.close().expect("a row group");
    }
    let mut bytes = writer.into_inner().expect("Parquet");
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes.clone())).expect("Parquet");
    let (start, length) = file.metadata().row_group(1).column(0).byte_range();
    bytes[start as usize..(start + length) as usize].fill(0xff);
    for threads in [1, 3] {
        let found =
            printed(&compiled("cql() mate"), "a.parquet", &bytes, FormatName::Ids, threads).expect("it is read");
        assert_eq!(found.output, b"1:4\n2:4\n3:4\n704:4\n705:4\n");
        assert_eq!((found.totals.games, found.totals.unreadable), (705, 700));
        let log = String::from_utf8(found.log).expect("text");
        assert!(
            log.starts_with(
                "warning: a.parquet:4: game 4: the rows up to 703 cannot be read: the column `movetext` is damaged"
            ),
            "{log}"
        );
        assert_eq!(log.lines().count(), 1, "{log}");
    }
}

#[test]
fn columns_of_moves_have_to_be_what_they_say() {
    assert_eq!(
        error("required int32 movetext;", &[Column::Numbers(&[1])]),
        "cannot read a.parquet: the column `movetext` holds numbers, where text is expected"
    );
    assert_eq!(
        error(
            "optional binary movedata (STRING);",
            &[Column::Bytes(&[Some(b"1. e4")])]
        ),
        "cannot read a.parquet: the column `movedata` holds text, where bytes are expected"
    );
    assert_eq!(
        error("repeated binary movetext (STRING);", &[]),
        "cannot read a.parquet: the column `movetext` holds lists or groups, where text is expected"
    );
    let movetext = Column::Bytes(&[Some(b"1. e4 *"), Some(b"1. \xff")]);
    assert_eq!(
        error("optional binary movetext (STRING);", &[movetext]),
        "warning: a.parquet:1: game 1: the rows up to 2 cannot be read: the column `movetext` is not text (UTF-8) in row 2\n"
    );
    assert_eq!(
        error("required int32 moves;", &[Column::Numbers(&[1])]),
        "cannot read a.parquet: a Parquet file without games: it has no column `movetext` (text, as in the sets of Lichess), `movedata` \
         (bytes, as in Aix archives) or `FEN` or `epd` (text, positions)"
    );
}

/// The columns of Aix archives.
const AIX: &str = "optional binary movedata; \
    optional group evals (LIST) { repeated group list { optional int32 element (INTEGER(16,true)); } } \
    optional group clocks_white (LIST) { repeated group list { optional int32 element (INTEGER(16,false)); } } \
    optional group clocks_black (LIST) { repeated group list { optional int32 element (INTEGER(16,false)); } }";

/// 1. f3 e5 2. g4 Qh4#, and a byte that names the encoding.
const FOOLS_MATE: &[u8] = &[13, 21, 52, 36, 14, 30, 59, 31, 0];

#[test]
fn evaluations_and_clocks_of_aix_archives_are_comments() {
    let (wide, few) = (
        &[Some(-12), None, Some(-32_768), Some(32_767), Some(7)],
        &[Some(3_723), Some(5)],
    );
    let columns = [
        Column::Bytes(&[Some(FOOLS_MATE); 3]),
        Column::Lists(&[Some(wide), None, Some(&[])]),
        Column::Lists(&[Some(few), Some(few), None]),
        Column::Lists(&[Some(&[Some(60)]), None, None]),
    ];
    let bytes = archive(AIX, &columns);
    let query = compiled("cql() message(eval \" \" clock) eval or clock");
    let printed = searched(&query, "a.parquet", &bytes, FormatName::Ids).expect("it can be read");
    assert_eq!(
        String::from_utf8_lossy(&printed.output),
        "1:1\n1:2\n1:3\n1:4\n2:1\n2:3\n"
    );
    let found = searched(&compiled("cql() mate"), "a.parquet", &bytes, FormatName::Pgn).expect("it can be read");
    let text = String::from_utf8_lossy(&found.output);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let moves = "1.f3 {[%eval -0.12] [%clk 1:02:03]} 1...e5 {[%clk 0:01:00]} 2.g4 {[%eval #-1] [%clk 0:00:05]} \
        2...Qh4# {[%eval #1] CQL}";
    assert!(text.contains(moves), "{text}");
}

#[test]
fn columns_that_cannot_be_tags_and_rows_without_moves_are_told() {
    let schema = "required int32 Result; optional binary White (STRING); optional binary movetext (STRING);";
    let columns = [
        Column::Numbers(&[1, 2, 3]),
        Column::Bytes(&[Some(b"A"), None, Some(b"C")]),
        Column::Bytes(&[Some(b"1. f3 e5 2. g4 Qh4#"), None, Some(b"1. e4 e5")]),
    ];
    let printed = searched(
        &compiled("cql() mate"),
        "a.parquet",
        &archive(schema, &columns),
        FormatName::Ids,
    );
    let printed = printed.expect("it can be read");
    assert_eq!(printed.output, b"1:4\n");
    let log = String::from_utf8(printed.log).expect("text");
    let warnings: Vec<&str> = log.lines().collect();
    assert_eq!(
        warnings,
        [
            "warning: a.parquet: the column `Result` holds numbers, which are not tags: it is left out",
            "warning: a.parquet:2: game 2: the row has no moves"
        ]
    );
}

#[test]
fn the_pages_of_all_columns_count_against_the_memory() {
    let text = vec![b'x'; 300_000];
    let cells = [Some(text.as_slice())];
    let columns = 20;
    let schema: String = (0..columns)
        .map(|tag| format!("optional binary Tag{tag} (STRING); "))
        .collect();
    let mut all: Vec<_> = (0..columns).map(|_| Column::Bytes(&cells)).collect();
    all.push(Column::Bytes(&[Some(b"1. f3 e5 2. g4 Qh4#")]));
    let bytes = archive(&format!("{schema} optional binary movetext (STRING);"), &all);
    let query = compiled("cql() mate");
    let searched = |memory| {
        let settings = Settings {
            memory: Arc::new(Memory::new(memory)),
            ..Settings::default()
        };
        let source = pgn::Source::of_bytes("a.parquet", bytes.clone());
        search_sources(&query, settings, [source], FormatName::Ids, &Options::quiet())
    };
    assert_eq!(searched(50 << 20).expect("there is room").output, b"1:4\n");
    let error = searched(2 << 20)
        .expect_err("there is none for all columns")
        .to_string();
    assert!(error.contains("--max-memory"), "{error}");
}
