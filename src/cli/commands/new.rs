//! `skewer new`: writes a query file to start from.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::outputs::{self, not_stdout};
use crate::cli::queries::files::is_query;
use crate::cli::shell;
use crate::cli::signal;
use crate::library;
use crate::output::Guard;
use crate::terminal::shown;

/// Write a query file to start from
///
/// The file has a header, filters, examples for `skewer test`, and comments that explain each part. Never replaces an existing file; makes
/// missing folders.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer new knight-fork
  skewer new themes/knight-fork
  skewer test knight-fork.cql
  skewer search knight-fork.cql games.pgn

Exit code: 0 written, 2 error.")]
pub(crate) struct Arguments {
    /// The name of the query, or the path of its file; .cql is added
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// Writes the file and says what to do next.
pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut path = arguments.name.clone();
    if not_stdout(Some(&path)).is_none() {
        return Err(Failure::with_help(
            "`skewer new` writes a file, not standard output",
            "give the query a name: `skewer new knight-fork`",
        ));
    }
    let Some(name) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()) else {
        return Err(Failure::new(format_args!("{} is not a name of a file", shown(&path))));
    };
    let name = if is_query(&path) {
        name
    } else {
        path.as_mut_os_string().push(".cql");
        path.file_stem()
            .map_or(name, |stem| stem.to_string_lossy().into_owned())
    };
    outputs::only_new(&path, "name another file")?;
    outputs::write_new(&Guard::new(false), &path, &library::template(&name), false)?;
    let command = |words: &[&OsStr]| shell::shown(words.iter().map(OsString::from));
    let [skewer, test, search, games] = ["skewer", "test", "search", "games.pgn"].map(OsStr::new);
    signal::say(&format!(
        "next: change it, `{}`, `{}`",
        command(&[skewer, test, path.as_os_str()]),
        command(&[skewer, search, path.as_os_str(), games])
    ));
    Ok(Exit::Success)
}
