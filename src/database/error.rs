//! Errors about files.

use std::io;

/// Returns the error of a damaged file.
pub(super) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Returns whether an error means that the file is damaged. Other errors mean that it cannot be read now, for example because a disk fails or memory
/// is used up.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// Returns an error of a column with this name.
pub(super) fn in_column(name: &str, error: &io::Error) -> io::Error {
    let what = if is_damage(error) { " is damaged" } else { "" };
    io::Error::new(error.kind(), format!("the column `{name}`{what}: {error}"))
}
