//! Which query files a path of the command line stands for.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::Failure;

/// Whether the name is that of a query.
pub(crate) fn is_query(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("cql"))
}

/// Refuses queries where games are expected, which would be read as games without any.
pub(crate) fn only_games(inputs: &[PathBuf]) -> Result<(), Failure> {
    match inputs.iter().find(|path| is_query(path)) {
        Some(query) => Err(Failure::with_help(
            format_args!("{} is a query, and games are expected in its place", query.display()),
            "a query stands first, one for each search: `skewer search QUERY.cql GAMES.pgn`; --out-dir takes many",
        )),
        None => Ok(()),
    }
}

/// The queries that a path stands for: a folder for those in it and in the folders inside, any other path for itself.
pub(crate) fn named(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_dir() {
        in_folder(path)
    } else {
        Ok(vec![path.to_owned()])
    }
}

/// The queries in a folder and in the folders inside, ordered by path.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).display().to_string();
            match error.io_error() {
                Some(error) => Failure::new(format_args!("cannot read {path}: {error}")),
                None => Failure::new(format_args!(
                    "cannot read {path}: a link leads back to a folder around it"
                )),
            }
        })?;
        if entry.file_type().is_file() && is_query(entry.path()) {
            files.push(entry.into_path());
        }
    }
    if files.is_empty() {
        return Err(Failure::new(format_args!(
            "the folder {} has no .cql file",
            folder.display()
        )));
    }
    Ok(files)
}
