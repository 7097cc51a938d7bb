//! Errors about files.

use std::io;

/// The error of a file that is not as it should be.
pub(super) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Whether an error says that the file is damaged. Other errors say that it cannot be read now: a disk that fails, memory that is used up.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// An error of a column.
pub(super) fn in_column(name: &str, error: &io::Error) -> io::Error {
    let what = if is_damage(error) { " is damaged" } else { "" };
    io::Error::new(error.kind(), format!("the column `{name}`{what}: {error}"))
}
