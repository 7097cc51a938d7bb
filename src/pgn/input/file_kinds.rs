//! What a file holds, as its name and its first bytes say.

use std::io;
use std::path::Path;

#[cfg(feature = "files")]
use crate::pgn::positions::PositionKind;

/// How a database begins and ends (and every other Parquet file). It is no stream of text.
pub const DATABASE: [u8; 4] = *b"PAR1";

/// How names of databases end, in any case of letters.
pub(super) const PARQUET: &str = ".parquet";

/// How names of packed files end, in any case of letters.
const PACKED: [&str; 5] = [".gz", ".zst", ".bz2", ".xz", ".zip"];

const SCID: &str = "part of a Scid database; export its games as PGN in Scid";
const CHESSBASE: &str = "part of a ChessBase database; save its games as PGN in ChessBase";

/// Endings of files of databases that only their programs read, and of packed files without a mark at their beginning.
const FOREIGN: [(&str, &str); 15] = [
    ("br", "packed by brotli; unpack it first"),
    ("lzma", "packed by lzma; unpack it first"),
    ("si4", SCID),
    ("sg4", SCID),
    ("sn4", SCID),
    ("si5", SCID),
    ("sg5", SCID),
    ("sn5", SCID),
    ("cbh", CHESSBASE),
    ("cbg", CHESSBASE),
    ("cbf", CHESSBASE),
    ("cbi", CHESSBASE),
    ("cbv", CHESSBASE),
    ("2cbh", CHESSBASE),
    ("cbone", CHESSBASE),
];

/// How a stream begins tells what it is; so many bytes are looked at.
pub(super) const MAGIC: usize = 10;

/// The mark of a tar archive stands at this place, behind the name and the rights of its first file.
const TAR_MARK: usize = 257;

/// So many bytes of a stream tell whether it is a tar archive.
pub(super) const TAR_HEADER: usize = TAR_MARK + 5;

/// Whether the first [`TAR_HEADER`] bytes of a stream are those of a tar archive.
pub(super) fn is_tar(beginning: &[u8]) -> bool {
    beginning.get(TAR_MARK..).is_some_and(|mark| mark == b"ustar")
}

/// What a stream is, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Text,
    Database,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    /// Something that is not read, by its name.
    Foreign(&'static str),
}

impl Content {
    pub(super) fn of(magic: &[u8]) -> Content {
        match magic {
            [0x1f, 0x8b, ..] => Content::Gzip,
            // A frame of data, or one to be skipped (parallel compressors begin with those).
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Content::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] => Content::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Content::Xz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Content::Zip,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Content::Foreign("a 7z archive; unpack it first"),
            [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Content::Foreign("a RAR archive; unpack it first"),
            [0x04, 0x22, 0x4d, 0x18, ..] => Content::Foreign("packed by lz4; unpack it first"),
            [b'S', b'c', b'i', b'd', b'.', b's', b'i', 0, ..] => Content::Foreign(SCID),
            magic if magic.starts_with(&DATABASE) => Content::Database,
            _ => Content::Text,
        }
    }
}

/// Whether the file's name says that it holds PGN or positions, or is a database.
pub fn holds_games(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    holds_pgn(&name) || name.to_ascii_lowercase().ends_with(PARQUET) || holds_positions(&name)
}

/// Whether the name of a file says that it is a list or a table, packed or not, which may have positions.
#[cfg(feature = "files")]
pub(super) fn holds_positions(name: &str) -> bool {
    PositionKind::is_named(unpacked_name(name))
}

/// Whether the name of a file says that it is a list or a table, packed or not, which may have positions.
#[cfg(not(feature = "files"))]
fn holds_positions(_name: &str) -> bool {
    false
}

/// Whether the name of a file says that it is a list of positions, packed or not.
#[cfg(feature = "files")]
pub(super) fn holds_list(name: &str) -> bool {
    PositionKind::is_list(unpacked_name(name))
}

/// Whether the name of a file says that it is packed.
#[cfg(feature = "files")]
pub(super) fn has_packed_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PACKED.iter().any(|ending| name.ends_with(ending))
}

/// Whether the name of a file says that it holds PGN, packed or not.
pub(crate) fn holds_pgn(name: &str) -> bool {
    unpacked_name(name).to_ascii_lowercase().ends_with(".pgn")
}

/// The name of a file without the ending that says how it is packed.
pub(super) fn unpacked_name(name: &str) -> &str {
    let has_ending = |ending: &&str| {
        let end = name.len().checked_sub(ending.len()).and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    let ending = PACKED.iter().find(|ending| has_ending(ending));
    ending.map_or(name, |ending| &name[..name.len() - ending.len()])
}

/// Refuses a file whose name says that it is of a program that keeps games in a way of its own.
///
/// # Errors
/// One that says what it is.
pub(crate) fn refuse_foreign(path: &Path) -> io::Result<()> {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match FOREIGN.iter().find(|(known, _)| **known == ending) {
        Some((_, what)) => Err(not_read(what)),
        None => Ok(()),
    }
}

pub(super) fn not_read(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it is {what}"))
}

/// What stands for a database in place of a stream.
pub(crate) fn not_a_stream() -> io::Error {
    let message = "a database has to be a file, it cannot be read from a stream";
    io::Error::new(io::ErrorKind::InvalidData, message)
}
