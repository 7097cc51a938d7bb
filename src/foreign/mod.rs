//! Databases of other programs. Their games become PGN, one by one.
//!
//! A database is opened once. When it is cut into blocks, only the kinds of its records are read (`heads`). The worker that gets a block writes its
//! games.
//!
//! Each part uses only those before it: `damage`, `file`, `line`, `game_text`, `database`, `scid`, `chessbase`.

#[cfg(feature = "chessbase")]
mod chessbase;
mod damage;
mod database;
mod file;
mod game_text;
mod line;
#[cfg(feature = "scid")]
mod scid;

use std::io;
use std::path::Path;
use std::sync::Arc;

pub(crate) use damage::Damage;
pub(crate) use database::{Database, Head};
pub(crate) use game_text::GameText;

/// The endings of the files that users name as databases.
const ENDINGS: &[&str] = &[
    #[cfg(feature = "chessbase")]
    ".cbh",
    #[cfg(feature = "chessbase")]
    ".cbv",
    #[cfg(feature = "scid")]
    ".si4",
    #[cfg(feature = "scid")]
    ".si5",
];

/// Returns whether the name of a file is that of a supported database.
pub(crate) fn is_named(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Opens a database, given the file that users name.
///
/// # Errors
/// Returns an error if one of its files is missing, cannot be read, or does not belong to such a database.
pub(crate) fn open(path: &Path) -> io::Result<Arc<dyn Database>> {
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match ending.as_str() {
        #[cfg(feature = "chessbase")]
        "cbh" => Ok(Arc::new(chessbase::ChessBase::open(path)?)),
        #[cfg(feature = "chessbase")]
        "cbv" => Ok(Arc::new(chessbase::ChessBase::open_archive(path)?)),
        #[cfg(feature = "scid")]
        "si4" => Ok(Arc::new(scid::Scid::open(path, scid::Version::Four)?)),
        #[cfg(feature = "scid")]
        "si5" => Ok(Arc::new(scid::Scid::open(path, scid::Version::Five)?)),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}
