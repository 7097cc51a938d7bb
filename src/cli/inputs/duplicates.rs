//! Files in a folder whose games would be counted twice: results of searches, and databases next to the PGN that they were made from.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::database::Archive;
use crate::output::is_found;
use crate::pgn::Source;

/// Leaves such files out and returns notes that say which. If a folder has only results, they are searched.
pub(super) fn leave_out(files: &mut Vec<Source>) -> Vec<String> {
    let is_result = |source: &Source| source.file().is_some_and(is_found);
    let (results, others): (Vec<Source>, Vec<Source>) = files.drain(..).partition(is_result);
    if others.is_empty() {
        *files = results;
        return Vec::new();
    }
    let pgn = others.iter().filter(|source| !source.is_named_parquet());
    let pgn: HashSet<&OsStr> = pgn.filter_map(|source| source.file()?.file_name()).collect();
    let (databases, rest): (Vec<Source>, Vec<Source>) =
        others.iter().cloned().partition(|source| is_made_of(source, &pgn));
    *files = rest;
    let found = (!results.is_empty()).then(|| format!("note: results of searches are left out: {}", listed(&results)));
    let databases = databases.iter().map(|database| {
        format!(
            "note: {} is left out: the PGN that it was made of is there, too",
            database.name()
        )
    });
    found.into_iter().chain(databases).collect()
}

/// Returns whether a source is a database made from files with these names.
fn is_made_of(source: &Source, pgn: &HashSet<&OsStr>) -> bool {
    if pgn.is_empty() || !source.is_named_parquet() {
        return false;
    }
    let is_there = |name: &str| Path::new(name).file_name().is_some_and(|name| pgn.contains(name));
    // A database that cannot be read is reported when it is searched.
    let archive = Archive::of_source(source).ok().flatten();
    archive.is_some_and(|archive| archive.comes_from(is_there).unwrap_or(false))
}

/// Lists the first of the files, and the number of others.
fn listed(files: &[Source]) -> String {
    const MOST: usize = 3;
    let names: Vec<&str> = files.iter().take(MOST).map(|file| &**file.name()).collect();
    match files.len().saturating_sub(MOST) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
