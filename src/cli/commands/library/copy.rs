//! `skewer library --copy`: copies a query of the library to a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::outputs::print;
use crate::cli::outputs::{self, Force, not_stdout};
use crate::cli::queries::names::{advice, several_named};
use crate::library::{self, GAMES, Query};
use crate::output::{Guard, Kind};

/// Writes the query with a name to a file of that name, or to `output`, and the games of its self-tests to the same folder. If `output` is
/// `-`, prints the query. Says what it has written, unless `quiet`.
pub(super) fn execute(name: &str, output: Option<&Path>, force: Force, quiet: bool) -> Result<Exit, Failure> {
    let query = query(name)?;
    if output.is_some() && not_stdout(output).is_none() {
        return print(query.text().as_bytes());
    }
    let file = output.map_or_else(
        || PathBuf::from(format!("{}.cql", query.short_name())),
        Path::to_path_buf,
    );
    let mut files = vec![(file.clone(), query.text())];
    if query.text().contains(GAMES) {
        let games = file.parent().unwrap_or(Path::new("")).join(GAMES);
        if !fs::read(&games).is_ok_and(|found| found == library::games().as_bytes()) {
            files.push((games, library::games()));
        }
    }
    let guard = Guard::new(force.force);
    // All permissions are checked before anything is written.
    for (path, _) in &files {
        if !force.force {
            outputs::only_new(path, "name another file with -o, or replace it with `--force`")?;
        }
        guard.permit(path, Kind::Query)?;
    }
    for (path, text) in files {
        outputs::write_new(&guard, &path, text, quiet)?;
    }
    Ok(Exit::Success)
}

/// Returns the query of the library with a name, even if there is a file of that name.
fn query(name: &str) -> Result<Query, Failure> {
    match library::named(name).as_slice() {
        [query] => Ok(query.clone()),
        [] => {
            let message = format_args!("the library has no query `{name}`");
            Err(match advice(Path::new(&format!("{name}.cql"))) {
                advice if advice.is_empty() => Failure::with_help(message, "`skewer library --find WORDS` finds one"),
                advice => Failure::with_help(message, advice),
            })
        }
        several => Err(several_named(Path::new(name), several)),
    }
}
