//! Files of a database that any number of threads can read at any position.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::limits::locked;

/// One of the files of a database.
pub(super) struct PositionedFile {
    file: Mutex<File>,
    length: u64,
}

impl PositionedFile {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<PositionedFile> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(PositionedFile {
            file: Mutex::new(file),
            length,
        })
    }

    /// Returns the length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Replaces the contents of a buffer by `count` bytes from `start` on.
    ///
    /// # Errors
    /// Returns an error if the file does not have these bytes or cannot be read. Even then the buffer never becomes larger than the file.
    pub(super) fn read(&self, start: u64, count: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        let end = start.checked_add(count as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer.clear();
        buffer.resize(count, 0);
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(buffer)
    }
}

/// Returns the path of the file next to another one whose name has another ending, in small letters or in capitals.
///
/// # Errors
/// Returns an error with its name if there is no such file.
pub(super) fn companion(path: &Path, ending: &str) -> io::Result<PathBuf> {
    let names = [
        path.with_extension(ending),
        path.with_extension(ending.to_ascii_uppercase()),
    ];
    if let Some(found) = names.iter().find(|name| name.is_file()) {
        return Ok(found.clone());
    }
    let name = names.first().and_then(|name| name.file_name()).unwrap_or_default();
    let message = format!(
        "the file `{}`, which belongs to it, is not beside it",
        name.to_string_lossy()
    );
    Err(io::Error::new(io::ErrorKind::NotFound, message))
}

/// Returns the error of a file with wrong contents.
pub(super) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}
