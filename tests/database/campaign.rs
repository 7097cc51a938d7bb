//! Random damage to databases and archives, for as long as you like:
//! `DATABASE_SECONDS=600 cargo test --release --test tests database:: -- --ignored --nocapture campaign`.

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;

/// A file to damage.
struct Base {
    bytes: Vec<u8>,
    /// Whether the checksums are corrected after each change, so that the damage reaches the decoders.
    is_resealed: bool,
    is_ours: bool,
}

/// Returns an archive of games like those of Lichess or Aix, with one of the encodings of Parquet.
fn archive(has_text: bool, version: WriterVersion, compression: Compression, encoding: Option<Encoding>) -> Vec<u8> {
    let moves = if has_text { "movetext (STRING)" } else { "movedata" };
    let schema = format!(
        "message games {{ optional binary White (STRING); required int32 white_elo; optional binary {moves}; }}"
    );
    let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(compression)
        .set_dictionary_enabled(encoding.is_none());
    let properties = encoding.into_iter().fold(properties, |properties, encoding| {
        properties
            .set_column_encoding("White".into(), encoding)
            .set_column_encoding(moves.split(' ').next().unwrap_or_default().into(), encoding)
    });
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).expect("Parquet");
    let mut group = writer.next_row_group().expect("a row group");
    let present = [1, 1, 0, 1, 1];
    // e4, e5, Nf3 in the encoding `Low` of Aix.
    let data: &[u8] = if has_text {
        b"1. f3 e5 2. g4 Qh4# 0-1"
    } else {
        &[12, 28, 52, 36, 6, 21, 0]
    };
    for values in [b"A player".as_slice(), b"", data] {
        let mut column = group.next_column().expect("columns").expect("a column");
        if values.is_empty() {
            let written = column
                .typed::<Int32Type>()
                .write_batch(&[1, 2400, 2500, 9, 5], None, None);
            written.expect("values");
        } else {
            let values = vec![ByteArray::from(values); 4];
            let written = column
                .typed::<ByteArrayType>()
                .write_batch(&values, Some(&present), None);
            written.expect("values");
        }
        column.close().expect("a column");
    }
    group.close().expect("a row group");
    writer.into_inner().expect("Parquet")
}

fn bases() -> Vec<Base> {
    let ours = |is_resealed| Base {
        bytes: database(),
        is_resealed,
        is_ours: true,
    };
    let mut bases = vec![ours(false), ours(true), ours(true)];
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let encodings = [
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_BYTE_ARRAY),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
    ];
    for has_text in [true, false] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for (compression, encoding) in compressions.into_iter().zip(encodings) {
                bases.push(archive(has_text, version, compression, encoding).into());
            }
        }
    }
    bases.extend(files().into_iter().map(|(_, bytes)| bytes.into()));
    bases
}

impl From<Vec<u8>> for Base {
    fn from(bytes: Vec<u8>) -> Base {
        Base {
            bytes,
            is_resealed: false,
            is_ours: false,
        }
    }
}

/// Returns where the footer of an intact file begins.
fn footer_start(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(8);
    let length = bytes[tail..].first_chunk().copied().map_or(0, u32::from_le_bytes);
    tail.saturating_sub(length as usize)
}

fn damage(bytes: &mut Vec<u8>, random: &mut Rng, only_within: Option<usize>) {
    for _ in 0..1 + random.usize(..3) {
        let footer = footer_start(bytes);
        let end = only_within.unwrap_or(bytes.len());
        let start = if only_within.is_none() && random.bool() {
            footer
        } else {
            0
        };
        if start >= end {
            return;
        }
        let at = random.usize(start..end);
        let until = |length: usize| (at + length).min(end);
        match random.u8(..8) {
            0 | 1 => bytes[at] ^= 1 << random.u8(..8),
            2 => bytes[at] = random.u8(..),
            3 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.usize(..5)],
            4 => bytes[at..until(random.usize(1..30))].fill(0),
            5 => bytes[at..until(8)].fill(0xff),
            6 if only_within.is_none() => drop(bytes.drain(at..until(random.usize(1..9)))),
            7 if only_within.is_none() => {
                let more: Vec<u8> = (0..random.usize(1..9)).map(|_| random.u8(..)).collect();
                bytes.splice(at..at, more);
            }
            _ => {
                let from = random.usize(..end);
                let length = random.usize(1..64).min(end - at).min(end - from);
                bytes.copy_within(from..from + length, at);
            }
        }
    }
}

/// Corrects the checksums of the columns, which are at `places`, and that of the footer.
fn reseal(bytes: &mut [u8], places: &[std::ops::Range<usize>]) {
    let find = |bytes: &[u8], key: &str| {
        let mut windows = bytes.windows(key.len());
        windows.position(|window| window == key.as_bytes())
    };
    let sums: String = places
        .iter()
        .map(|place| format!("{:08x}", crc32fast::hash(&bytes[place.clone()])))
        .collect();
    // The key is followed by the type and the length of the value. The length takes two bytes if it is over 127.
    let at = find(bytes, "skewer.checksums").expect("the key") + "skewer.checksums".len() + 3;
    bytes[at..at + sums.len()].copy_from_slice(sums.as_bytes());
    let at = find(bytes, "skewer.footer").expect("the key") + "skewer.footer".len() + 2;
    bytes[at..at + 8].fill(b'0');
    let sum = format!("{:08x}", crc32fast::hash(&bytes[footer_start(bytes)..bytes.len() - 8]));
    bytes[at..at + 8].copy_from_slice(sum.as_bytes());
}

/// Returns the most memory that the process has used, in kilobytes, where the system shows it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

#[test]
#[ignore = "it takes as long as it is told to"]
fn campaign() {
    let number = |name: &str, default: u64| {
        env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
            .unwrap_or(default)
    };
    let (seconds, seed) = (number("DATABASE_SECONDS", 60), number("DATABASE_SEED", 1));
    let bases = bases();
    let searches = [
        (compiled("cql(quiet) mate"), FormatName::Ids),
        (compiled("cql(variations) check comment(ply)"), FormatName::Pgn),
        (compiled("cql() elo>0 or originalcomment or R==2"), FormatName::Csv),
        (compiled("cql(variations) true"), FormatName::Jsonl),
    ];
    let answer = |search: usize, bytes: &[u8]| {
        let (query, format) = &searches[search];
        searched(query, "games.parquet", bytes, *format).map(|printed| (printed.output, printed.log))
    };
    let intact: Vec<Vec<_>> = bases
        .iter()
        .map(|base| (0..searches.len()).map(|search| answer(search, &base.bytes)).collect())
        .collect();
    let metadata = ParquetMetaDataReader::decode_metadata(
        &bases[0].bytes[footer_start(&bases[0].bytes)..bases[0].bytes.len() - 8],
    );
    let metadata = metadata.expect("the footer of a database");
    let chunks = metadata.row_groups().iter().flat_map(|group| group.columns());
    let places: Vec<_> = chunks
        .map(|chunk| chunk.byte_range())
        .map(|(start, length)| start as usize..(start + length) as usize)
        .collect();
    let mut random = Rng::with_seed(seed);
    let (begin, mut tried, mut errors, mut worst) = (Instant::now(), 0_u64, 0_u64, Duration::ZERO);
    while begin.elapsed().as_secs() < seconds {
        let base = random.usize(..bases.len());
        let mut bytes = bases[base].bytes.clone();
        let columns = bases[base].is_resealed.then(|| footer_start(&bytes));
        damage(&mut bytes, &mut random, columns);
        if bases[base].is_resealed {
            reseal(&mut bytes, &places);
        }
        let search = random.usize(..searches.len());
        fs::write(env::temp_dir().join("skewer-campaign.parquet"), &bytes).expect("a file for what is tried");
        let start = Instant::now();
        let found = answer(search, &bytes);
        worst = worst.max(start.elapsed());
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "trial {tried} takes {:?}",
            start.elapsed()
        );
        tried += 1;
        errors += u64::from(found.is_err());
        if bases[base].is_ours && !bases[base].is_resealed && found.is_ok() {
            assert_eq!(found, intact[base][search], "trial {tried} changes an answer");
        }
        let megabytes = peak().unwrap_or(0) >> 10;
        assert!(megabytes < 300, "trial {tried} takes {megabytes} MB");
    }
    println!(
        "{tried} trials, {errors} errors, the longest {worst:?}, {:?} kB",
        peak()
    );
}
