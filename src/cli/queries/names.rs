//! Names of queries on the command line: files, and queries of the built-in library.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::queries::files::{self, is_query};
use crate::cli::queries::text::{QueryText, STDIN_PATH};
use crate::cli::signal;
use crate::library::{self, Found, Query};
use crate::terminal::shown;

/// The folder for the user's own queries.
pub(crate) const FOLDER: &str = "queries";

/// The query that a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// A file.
    File(PathBuf),
    /// A query of the library.
    Library(Query),
}

impl Named {
    /// Returns the query that a name stands for, or `None` if there is neither such a file nor such a query. A file takes precedence over a
    /// query of the library. A note says so, unless it is the same query, or `quiet` is set.
    ///
    /// # Errors
    /// Returns an error if several queries have the name.
    pub(crate) fn find(name: &Path, quiet: bool) -> Result<Option<Named>, Failure> {
        let queries = name.to_str().map(library::named).unwrap_or_default();
        if name.exists() {
            if !queries.is_empty() && !quiet {
                signal::say(&format!(
                    "note: {} is what is here, not the query of the library",
                    shown(name)
                ));
            }
            return Ok(Some(Named::File(name.to_owned())));
        }
        if let Some(file) = file_instead(name, &queries) {
            if !quiet && !is_one_of(&file, &queries) {
                let (name, file) = (shown(name), shown(&file));
                signal::say(&format!(
                    "note: {name} is the file {file}, not the query of the library"
                ));
            }
            return Ok(Some(Named::File(file)));
        }
        match queries.as_slice() {
            [] => Ok(None),
            [query] => Ok(Some(Named::Library(query.clone()))),
            several => Err(several_named(name, several)),
        }
    }

    /// Returns the text of the query.
    pub(crate) fn text(&self) -> Result<QueryText, Failure> {
        match self {
            Named::File(path) => QueryText::from_file(path),
            Named::Library(query) => Ok(QueryText::named(query.name(), query.text())),
        }
    }

    /// Returns the file, if it is one.
    pub(crate) fn into_file(self) -> Option<PathBuf> {
        match self {
            Named::File(path) => Some(path),
            Named::Library(_) => None,
        }
    }
}

impl QueryText {
    /// Reads the query that the user names instead of filters after `-e`: a query file, a query of the library, or `-` for standard input.
    /// Notes about the choice are printed unless `quiet`.
    pub(crate) fn from_name(name: &Path, quiet: bool) -> Result<(QueryText, Option<Named>), Failure> {
        if name == Path::new(STDIN_PATH) {
            return Ok((QueryText::from_stdin()?, None));
        }
        match Named::find(name, quiet)? {
            Some(named) => Ok((named.text()?, Some(named))),
            None => match QueryText::from_file(name) {
                Ok(text) => Ok((text, Some(Named::File(name.to_owned())))),
                Err(failure) => Err(match advice(name) {
                    advice if advice.is_empty() || files::near(name).is_some() => failure,
                    advice => Failure::with_help(failure.message, advice),
                }),
            },
        }
    }
}

/// Returns the error for a name that several queries of the library have.
pub(crate) fn several_named(name: &Path, queries: &[Query]) -> Failure {
    let names: Vec<_> = queries.iter().map(|query| format!("`{}`", query.name())).collect();
    Failure::with_help(
        format_args!("{} queries of the library are called `{}`", queries.len(), shown(name)),
        format_args!("name one of them: {}", names.join(", ")),
    )
}

/// Returns whether a file has the text of one of these queries.
fn is_one_of(file: &Path, queries: &[Query]) -> bool {
    fs::read(file).is_ok_and(|text| queries.iter().any(|query| query.text().as_bytes() == text))
}

/// Returns the file in the current folder with the name of these queries.
fn file_instead(name: &Path, queries: &[Query]) -> Option<PathBuf> {
    if queries.is_empty() {
        return None;
    }
    let file = format!("{}.cql", name.display());
    let in_folder = Path::new(FOLDER).join(&file);
    let in_section = match queries {
        [query] => Some(Path::new(FOLDER).join(format!("{}.cql", query.name()))),
        _ => None,
    };
    let mut candidates = [PathBuf::from(file), in_folder].into_iter().chain(in_section);
    candidates.find(|path| path.is_file())
}

/// Returns whether a word is the name of a query in the library and no file has this name.
pub(crate) fn is_library_name(name: &Path) -> bool {
    let is_known = |name| !library::named(name).is_empty();
    !name.exists() && name.to_str().is_some_and(is_known)
}

/// Returns the queries of a section of the library, if the name is one and nothing of this name exists here.
pub(crate) fn section(name: &Path) -> Vec<Query> {
    match name.to_str() {
        Some(name_of_section) if !name.exists() => library::in_section(name_of_section),
        _ => Vec::new(),
    }
}

/// Returns advice for the name of a query that does not exist.
pub(crate) fn advice(name: &Path) -> String {
    let bare = name.with_extension("");
    let bare = bare.to_string_lossy();
    if bare.starts_with(['–', '—']) {
        return "options begin with `-`, a hyphen, and this is a longer dash".to_owned();
    }
    let mut advice = Vec::new();
    if !is_query(name) {
        advice.push(format!("filters are written after -e: `-e '{}'`", shown(name)));
    }
    let of_section = library::in_section(&bare).len();
    if of_section > 0 {
        advice.push(format!(
            "the library has {of_section} queries in the section `{bare}`: `skewer search {bare} GAMES.pgn --out-dir DIR` runs them"
        ));
        return advice.join("; ");
    }
    let of_name = library::named(&bare);
    match of_name.first() {
        Some(query) => advice.push(format!("the library has `{}`", query.name())),
        None => {
            let words = bare.replace(['/', '\\'], " ");
            if let Some((near, _)) = near(&words) {
                advice.push(format!("the library has {near}; `skewer library --find` finds others"));
            } else if let Some(query) = library::labelled(&bare) {
                advice.push(format!("the library has `{}`", query.name()));
            }
        }
    }
    advice.join("; ")
}

/// Returns a few queries of the library that have similar words in their names, and whether they have exactly these words. Single letters
/// are pieces, not words.
pub(crate) fn near(words: &str) -> Option<(String, bool)> {
    if words.split_whitespace().any(|word| word.chars().count() == 1) {
        return None;
    }
    let queries: Vec<Query> = library::queries().collect();
    match library::find(words, queries.iter().map(|query| (query.name(), ""))) {
        Found::All { places, taken_for } => {
            let names = places
                .iter()
                .take(3)
                .map(|place| format!("`{}`", queries[*place].name()));
            Some((names.collect::<Vec<_>>().join(", "), taken_for.is_empty()))
        }
        Found::Nearest(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_queries_with_similar_names() {
        assert!(advice(Path::new("smotherd-mate")).ends_with("`skewer library --find` finds others"));
        assert!(advice(Path::new("smothered-mate.cql")).ends_with("the library has `mates/smothered-mate`"));
        assert!(advice(Path::new("mates")).contains("`skewer search mates GAMES.pgn --out-dir DIR` runs them"));
        assert!(advice(Path::new("mateIn2")).ends_with("the library has `tactics/puzzle-mate-in-2`"));
        assert_eq!(advice(Path::new("xyzzy")), "filters are written after -e: `-e 'xyzzy'`");
        assert_eq!(advice(Path::new("xyzzy.cql")), "");
        assert!(advice(Path::new("–e")).contains("a longer dash"));
    }
}
