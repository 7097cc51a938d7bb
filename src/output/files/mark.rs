//! The mark by which skewer recognises files that it has written.
//!
//! The content of most results does not say where it comes from, so the mark is kept outside of it: in an extended attribute of the file, or
//! on Windows in an alternate stream. It contains a checksum, so a file that someone has changed is no longer recognised as a result.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::super::FormatName;

/// The kind of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What a search found.
    Search(FormatName),
    /// The table for many queries.
    Summary,
    /// A list of queries.
    LibraryList,
    /// An index of queries as a page.
    LibraryPage,
    /// An index of the pages of many queries.
    ResultsPage,
    /// An index of queries as tables.
    LibraryTables,
    /// A report of self-tests.
    SelfTests,
    /// The drawing of a position.
    Board,
    /// A page of the manual.
    Manual,
    /// A table of counts.
    Stats,
    /// A database of games.
    Database,
    /// A table of duplicate games.
    Duplicates,
    /// A new query, or games that its self-tests name.
    Query,
    /// A file that a query has written.
    Written,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Search(format) => return write!(f, "search-{}", format.extension()),
            Kind::Summary => "summary",
            Kind::LibraryList => "library-list",
            Kind::LibraryPage => "library-page",
            Kind::ResultsPage => "results-page",
            Kind::LibraryTables => "library-tables",
            Kind::SelfTests => "self-tests",
            Kind::Board => "board",
            Kind::Manual => "manual",
            Kind::Stats => "stats",
            Kind::Duplicates => "duplicates",
            Kind::Database => "database",
            Kind::Query => "query",
            Kind::Written => "written",
        })
    }
}

impl Kind {
    /// Returns the text near the beginning of every file of this kind, if it names skewer as its maker.
    fn signature(self) -> Option<&'static str> {
        match self {
            Kind::Search(FormatName::Html) => Some("<meta name=\"generator\" content=\"skewer "),
            Kind::LibraryPage | Kind::ResultsPage => Some("<meta name=\"generator\" content=\"skewer\">"),
            Kind::LibraryTables => Some(", made by skewer library."),
            Kind::SelfTests => Some("<testsuites name=\"skewer test\""),
            Kind::Manual => Some(concat!("\"skewer ", env!("CARGO_PKG_VERSION"), "\"")),
            _ => None,
        }
    }
}

/// The number of bytes in which to look for a signature.
const BEGINNING: u64 = 4096;

/// A running checksum of the bytes written.
#[derive(Clone, Default)]
pub(super) struct Checksum {
    length: u64,
    crc: crc32fast::Hasher,
}

impl Checksum {
    /// Adds bytes to the checksum.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.crc.update(bytes);
    }

    fn mark(self, kind: Kind) -> String {
        format!("{kind} {} {:08x}", self.length, self.crc.finalize())
    }
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Marks a complete file as a result. Some file systems cannot keep marks.
pub(super) fn set(file: &File, path: &Path, kind: Kind, checksum: Checksum) {
    // Without a mark the file is still what the user wanted. The next run will only not replace it unasked.
    let _ = store::write(file, path, &checksum.mark(kind));
}

/// The origin of an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// It is a result of the kind in question, unchanged since skewer wrote it.
    SameKind,
    /// It is a result of another kind, unchanged since skewer wrote it.
    OtherKind,
    /// It was changed after skewer wrote it.
    Changed,
    /// Nothing says that skewer wrote it.
    Unknown,
}

/// Returns the origin of the file at a path.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn origin(path: &Path, kind: Kind) -> io::Result<Origin> {
    let mut file = File::open(path)?;
    let Some(mark) = store::read(&file, path) else {
        return is_signed(&mut file, kind).map(|signed| if signed { Origin::SameKind } else { Origin::Unknown });
    };
    let mut checksum = Checksum::default();
    io::copy(&mut BufReader::with_capacity(1 << 16, file), &mut checksum)?;
    let found = checksum.mark(kind);
    let rest = |mark: &str| mark.split_once(' ').map(|(_, rest)| rest.to_owned());
    Ok(if mark == found {
        Origin::SameKind
    } else if rest(&mark) == rest(&found) {
        Origin::OtherKind
    } else {
        Origin::Changed
    })
}

/// Returns whether a file contains games that a search found: its mark says so, and its length is unchanged.
pub(crate) fn is_found(path: &Path) -> bool {
    let found = || {
        let file = File::open(path).ok()?;
        let mark = store::read(&file, path)?;
        let (length, _) = mark.strip_prefix("search-")?.split_once(' ')?.1.split_once(' ')?;
        Some(length.parse() == Ok(file.metadata().ok()?.len()))
    };
    found() == Some(true)
}

/// Returns whether the content names skewer as its maker.
fn is_signed(file: &mut File, kind: Kind) -> io::Result<bool> {
    let Some(signature) = kind.signature() else {
        return Ok(false);
    };
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning)?;
    Ok(memchr::memmem::find(&beginning, signature.as_bytes()).is_some())
}

/// Keeps marks in an extended attribute.
#[cfg(unix)]
mod store {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use xattr::FileExt;

    const NAME: &str = "user.skewer.result";

    pub(super) fn write(file: &File, _: &Path, mark: &str) -> io::Result<()> {
        file.set_xattr(NAME, mark.as_bytes())
    }

    pub(super) fn read(file: &File, _: &Path) -> Option<String> {
        String::from_utf8(file.get_xattr(NAME).ok()??).ok()
    }
}

/// Keeps marks in an alternate stream of the file, which moves with it when it is renamed.
#[cfg(not(unix))]
mod store {
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    pub(super) fn write(_: &File, path: &Path, mark: &str) -> io::Result<()> {
        if cfg!(windows) {
            fs::write(stream(path), mark)
        } else {
            Ok(())
        }
    }

    pub(super) fn read(_: &File, path: &Path) -> Option<String> {
        fs::read_to_string(stream(path)).ok()
    }

    fn stream(path: &Path) -> PathBuf {
        let mut name = OsString::from(path);
        name.push(":skewer.result");
        PathBuf::from(name)
    }
}
