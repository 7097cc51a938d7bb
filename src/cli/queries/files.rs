//! The query files that a path stands for.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::failure::Failure;
use crate::search::Id;
use crate::syntax::nearest;
use crate::terminal::shown;

/// Returns whether the name is that of a query.
pub(crate) fn is_query(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("cql"))
}

/// Refuses queries where games are expected. They would be read as files without games.
pub(crate) fn only_games(inputs: &[PathBuf]) -> Result<(), Failure> {
    match inputs.iter().find(|path| is_query(path)) {
        Some(query) => Err(Failure::with_help(
            format_args!("{} is a query, and games are expected in its place", shown(query)),
            "the query comes first: `skewer search QUERY.cql GAMES.pgn`",
        )),
        None => Ok(()),
    }
}

/// If a path does not exist, returns a file or folder in the same folder with nearly the same name.
pub(crate) fn near(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter();
    let names = entries.flatten().flatten();
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    // The folder also contains links that lead nowhere.
    names.retain(|other| other != name);
    names.sort();
    // Files of games have the same extension, so only the part before it is compared.
    let stem = |name: &str| {
        Path::new(name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let close = nearest(name, names.iter().map(String::as_str))?;
    if stem(name) != stem(close) {
        nearest(&stem(name), [&*stem(close)].into_iter())?;
    }
    Some(folder.map_or_else(|| PathBuf::from(close), |folder| folder.join(close)))
}

/// Returns advice for an input that does not exist: a file with nearly the same name, or what else it may be, such as the number of a
/// position, or a part of filters that the shell has split.
pub(crate) fn instead_of(path: &Path) -> Option<String> {
    if path.exists() || path.as_os_str() == "-" {
        return None;
    }
    if let Some(close) = near(path) {
        return Some(format!("did you mean {}?", shown(&close)));
    }
    let name = path.to_str()?;
    if name.parse::<u64>().is_ok() {
        return Some(format!(
            "a number alone is not a file: `-n {name}` limits a search, `--top {name}` a table, and `skewer show games.pgn {name}` shows a game"
        ));
    }
    let advice = if name.parse::<Id>().is_ok() {
        "numbers of games and positions come after the inputs: `skewer show games.pgn 5:33`"
    } else if name.replace('.', ":").parse::<Id>().is_ok() {
        "a position is written with a colon: `5:33`"
    } else if name.matches('/').count() == 7 {
        "a FEN comes after `--fen` in `skewer why`; a search reads it from a file such as positions.fen"
    } else if name.contains("://") {
        "skewer reads files; a download can be piped: `curl -L URL | skewer search -e 'FILTERS' -`"
    } else if name.starts_with('~') || name.contains('*') {
        "between quotes the shell leaves `~` and `*` as they are; without a pattern, name the folder"
    } else if !name.contains(['.', '/']) {
        "it has no ending such as .pgn; put filters between single quotes: `skewer search -e 'R attacks k' games.pgn`"
    } else {
        return None;
    };
    Some(advice.to_owned())
}

/// Returns the queries that a path stands for: those in a folder and its subfolders, or the path itself.
pub(crate) fn named(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_dir() {
        in_folder(path)
    } else {
        Ok(vec![path.to_owned()])
    }
}

/// Returns the queries in a folder and its subfolders, ordered by path.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = shown(error.path().unwrap_or(folder));
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
            shown(folder)
        )));
    }
    Ok(files)
}
