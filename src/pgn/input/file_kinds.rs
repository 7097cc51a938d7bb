//! What a file contains, judged by its name and its first bytes.

use std::io;
use std::path::Path;

#[cfg(any(feature = "scid", feature = "chessbase"))]
use crate::foreign;
#[cfg(feature = "files")]
use crate::pgn::positions::PositionKind;

/// The first and last bytes of a database and of any other Parquet file. It is not a stream of text.
pub const DATABASE: [u8; 4] = *b"PAR1";

/// The ending of databases, in any case.
pub(super) const PARQUET: &str = ".parquet";

/// The endings of packed files, in any case.
const PACKED: [&str; 5] = [".gz", ".zst", ".bz2", ".xz", ".zip"];

/// The endings of archives, in any case, and of PGN that is packed in a way that is not read.
#[cfg(feature = "files")]
const ARCHIVES: [&str; 15] = [
    ".zip",
    ".7z",
    ".rar",
    ".tar",
    ".tgz",
    ".tbz2",
    ".txz",
    ".tzst",
    ".tar.gz",
    ".tar.bz2",
    ".tar.xz",
    ".tar.zst",
    ".pgn.br",
    ".pgn.lz4",
    ".pgn.lzma",
];

#[cfg(feature = "scid")]
const SCID: &str = "part of a Scid database; name its file that ends in `.si4` or `.si5`";
#[cfg(not(feature = "scid"))]
const SCID: &str = "part of a Scid database, and skewer was built without `scid`; export its games as PGN in Scid";
const OLD_SCID: &str = "part of a database of Scid 3; open it in Scid 4, which converts it, or export its games as PGN";
#[cfg(feature = "chessbase")]
const CHESSBASE: &str = "part of a ChessBase database; name its file that ends in `.cbh`";
#[cfg(not(feature = "chessbase"))]
const CHESSBASE: &str =
    "part of a ChessBase database, and skewer was built without `chessbase`; save its games as PGN in ChessBase";
const LOCKED_CHESSBASE: &str =
    "an archive of ChessBase with a password; unpack it in ChessBase and name the file that ends in `.cbh`";
const NEW_CHESSBASE: &str = "a ChessBase database in the format of 2023 (2CBH), which only ChessBase reads; copy its games into a database \
     with the ending .cbh there, or save them as PGN";
const OLD_CHESSBASE: &str =
    "part of a database of ChessBase for DOS; open it in ChessBase and save its games as PGN or as .cbh";
const ONE_CHESSBASE: &str = "a file of ChessBase for its own use; copy its games into a database with the ending .cbh there, or save them as PGN";
const BOOK: &str = "an opening book, which has no games; name the games that it was made of";

/// The endings of files that do not name a supported database, and of packed files without a mark at their start.
const FOREIGN: [(&[&str], &str); 11] = [
    (&["br"], "packed by brotli; unpack it first"),
    (&["lzma"], "packed by lzma; unpack it first"),
    (&["si3", "sg3", "sn3"], OLD_SCID),
    (&["si4", "sg4", "sn4", "si5", "sg5", "sn5"], SCID),
    (
        &["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbv"],
        CHESSBASE,
    ),
    (&["cbz"], LOCKED_CHESSBASE),
    (&["cbf", "cbi"], OLD_CHESSBASE),
    (&["2cbh", "2cbg"], NEW_CHESSBASE),
    (&["cbone"], ONE_CHESSBASE),
    (&["abk", "bin", "ctb", "ctg", "cto", "obk"], BOOK),
    (&["db3"], "a database of En Croissant; export its games as PGN there"),
];

/// The number of first bytes that tell what a stream is.
pub(super) const MAGIC: usize = 10;

/// The offset of the mark of a tar archive, after the name and the permissions of its first file.
const TAR_MARK: usize = 257;

/// The number of bytes that tell whether a stream is a tar archive.
pub(super) const TAR_HEADER: usize = TAR_MARK + 5;

/// Returns whether the first [`TAR_HEADER`] bytes of a stream are those of a tar archive.
pub(super) fn is_tar(beginning: &[u8]) -> bool {
    beginning.get(TAR_MARK..).is_some_and(|mark| mark == b"ustar")
}

/// What a stream contains, judged by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Text,
    Database,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    /// Something unsupported, with a name for it.
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

/// Returns whether the file name belongs to PGN, positions or a database.
pub fn holds_games(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_database = name.to_ascii_lowercase().ends_with(PARQUET) || is_foreign_database(path);
    holds_pgn(&name) || is_database || holds_positions(&name)
}

/// Returns whether the file name belongs to a supported database of another program.
#[cfg(any(feature = "scid", feature = "chessbase"))]
pub(super) fn is_foreign_database(path: &Path) -> bool {
    foreign::is_named(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Returns whether the file name belongs to a supported database of another program.
#[cfg(not(any(feature = "scid", feature = "chessbase")))]
pub(super) fn is_foreign_database(_path: &Path) -> bool {
    false
}

/// Returns whether this is the name of a list or a table, packed or not, which may have positions.
#[cfg(feature = "files")]
pub(super) fn holds_positions(name: &str) -> bool {
    PositionKind::is_named(unpacked_name(name))
}

/// Returns whether this is the name of a list or a table, packed or not, which may have positions.
#[cfg(not(feature = "files"))]
fn holds_positions(_name: &str) -> bool {
    false
}

/// Returns whether this is the name of a list of positions, packed or not.
#[cfg(feature = "files")]
pub(super) fn holds_list(name: &str) -> bool {
    PositionKind::is_list(unpacked_name(name))
}

/// Returns whether this is the name of a packed file.
pub(super) fn has_packed_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PACKED.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether this is the name of an archive.
#[cfg(feature = "files")]
pub(super) fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ARCHIVES.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether this is the name of PGN, packed or not.
pub(crate) fn holds_pgn(name: &str) -> bool {
    unpacked_name(name).to_ascii_lowercase().ends_with(".pgn")
}

/// Returns the name of a file without the ending of a packed file.
pub(super) fn unpacked_name(name: &str) -> &str {
    let has_ending = |ending: &&str| {
        let end = name.len().checked_sub(ending.len()).and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    let ending = PACKED.iter().find(|ending| has_ending(ending));
    ending.map_or(name, |ending| &name[..name.len() - ending.len()])
}

/// Refuses a file whose name belongs to a program with a format of its own.
///
/// # Errors
/// Returns an error that says what the file is.
pub(crate) fn refuse_foreign(path: &Path) -> io::Result<()> {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match FOREIGN.iter().find(|(endings, _)| endings.contains(&&*ending)) {
        Some((_, what)) => Err(not_read(what)),
        None => Ok(()),
    }
}

pub(super) fn not_read(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("it is {what}"))
}

/// Returns the error for a database that is read as a stream.
pub(crate) fn not_a_stream() -> io::Error {
    let message = "a database has to be a file, it cannot be read from a stream";
    io::Error::new(io::ErrorKind::InvalidData, message)
}
