//! The command line of CQL, `cql OPTIONS QUERY.cql`, for existing scripts.
//!
//! Its options have one dash and long names, come before the query, and ignore case, so they need a parser of their own. Everything is
//! printed on standard output. `docs/cql-command.md` lists the differences from CQL.
//!
//! Each part uses only those before it: `options`, `arguments`.

mod arguments;
mod options;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use clap::ColorChoice;

use crate::cli::color::has_color;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::inputs::Inputs;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::outputs;
use crate::cli::outputs::print;
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::compiled;
use crate::cli::queries::files::is_query;
use crate::cli::queries::text::QueryText;
use crate::cli::search::{Found, Search, Task};
use crate::cli::signal;
use crate::eval::{Folder, Settings};
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::output::{FormatName, Guard, Kind, Look, Role};
use crate::query::hhdb_words;
use crate::search::Options;
use crate::terminal::{Visible, shown};

use arguments::{Command, Mistake, SearchArguments};

/// The name and text of the query for a command line with only games.
const DEFAULT_QUERY: (&str, &str) = ("cqldefault.cql", "cql() .");

/// The exit code of every failure.
const FAILED: u8 = 1;

/// Returns whether a program of this name behaves like CQL.
pub(super) fn is_name_of_cql(program: &Path) -> bool {
    program.file_stem().is_some_and(|name| name.eq_ignore_ascii_case("cql"))
}

/// Runs the command with the arguments after its name. Returns the exit code.
pub(super) fn run(arguments: &[OsString]) -> u8 {
    match arguments::parse(arguments) {
        Ok(Command::Help) => answer(&help()),
        Ok(Command::Version) => answer(&banner()),
        Ok(Command::HhdbWords) => answer(&hhdb_help()),
        Ok(Command::Search(arguments)) => {
            say(&banner());
            match search(*arguments) {
                Ok(exit) => exit,
                Err(failure) => {
                    say(&format!("{}\n", failure.text.trim_end()));
                    FAILED
                }
            }
        }
        Err(Mistake::Unknown(option)) => {
            // A failure to write to standard error cannot be reported.
            let _ = writeln!(
                io::stderr(),
                "error: unknown option {option}; `-help` lists the options"
            );
            FAILED
        }
        Err(Mistake::Other(message)) => {
            say(&format!("error: {message}\n"));
            FAILED
        }
    }
}

fn search(arguments: SearchArguments) -> Result<u8, Failure> {
    let color = has_color(ColorChoice::Auto, io::stdout().is_terminal());
    let SearchArguments {
        query: path,
        input,
        output,
        threads,
        options,
    } = arguments;
    let text = match &path {
        Some(path) => QueryText::from_file(path)?,
        None => QueryText::named(DEFAULT_QUERY.0, DEFAULT_QUERY.1),
    };
    let query = compiled::compile(text, options, color)?;
    let header = &query.compiled().header;
    let Some(input) = input.or_else(|| header.input.as_ref().map(PathBuf::from)) else {
        return Err(Failure::new(
            "no games: write `input FILE.pgn` into the header, or give `-input FILE.pgn`",
        ));
    };
    let output = output
        .or_else(|| header.output.as_ref().map(PathBuf::from))
        .unwrap_or_else(|| default_output(path.as_deref().unwrap_or(Path::new(DEFAULT_QUERY.0))));
    let files = match query.file_access(color) {
        Some(_) => Some(Arc::new(working_folder(path.iter().chain([&input, &output]))?)),
        None => None,
    };
    let games = Inputs::open(&[input], ReadingOptions::default()).map_err(Failure::new)?;
    games.say_left_out();
    // CQL replaces existing files, but files that it reads are still protected.
    let mut guard = Guard::new(true);
    path.iter().for_each(|query| guard.protect(Role::Query, query));
    games.protect(&mut guard);
    query.protect_compared(&mut guard);
    let interrupt = signal::handle(Interrupt::default());
    let destination = outputs::destination(&guard, Some(&output), Kind::Search(FormatName::Pgn), &interrupt)?;
    let threads = if query.compiled().is_serial() {
        NonZeroUsize::MIN
    } else {
        threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    };
    let search = Search {
        tasks: vec![Task {
            query,
            name: None,
            output: destination,
            files,
        }],
        games,
        drawn: None,
        sample: None,
        format: FormatName::Pgn,
        look: Look::default(),
        settings: Settings::default(),
        options: Options {
            threads,
            limit: None,
            rules: Rules::Cql,
            quiet: false,
            interrupt: Arc::clone(&interrupt),
        },
        guard,
        color,
    };
    let (mut warnings, mut messages) = (Visible::new(io::stderr()), Visible::new(io::stdout()));
    let mut progress = Progress::new(&mut warnings, Show::Dots).with_messages(&mut messages);
    let began = Instant::now();
    let mut exit = Exit::Success;
    for found in search.run(&mut progress)? {
        let Found { totals, placed, .. } = found?;
        let summary = format!(
            "\n{} matches of {} games in {:.2} seconds using {threads} thread(s) to {}\n",
            totals.matches,
            progress.games_read(),
            began.elapsed().as_secs_f64(),
            shown(&output),
        );
        progress.print_message(summary.as_bytes());
        exit = signal::ended_early(&interrupt, totals.games, &placed).unwrap_or(match totals.has_gaps() {
            false => Exit::Success,
            true => Exit::Error,
        });
    }
    Ok(exit.code())
}

/// Opens the current folder for files of the query. As in CQL, they replace existing files, but not the files of the search itself, nor
/// other queries.
fn working_folder<'p>(own_files: impl Iterator<Item = &'p PathBuf>) -> Result<Folder, Failure> {
    let folder = Folder::open(Path::new("."), true);
    let folder = folder.map_err(|error| Failure::new(format_args!("cannot use the current folder: {error}")))?;
    let folder = folder.keep(|path| is_query(path) && Guard::new(false).permit(path, Kind::Written).is_err());
    Ok(own_files.fold(folder, |folder, file| folder.protect(file)))
}

/// Returns the default output: a file in the current folder, named after the query.
fn default_output(query: &Path) -> PathBuf {
    let mut name = query.file_stem().unwrap_or_default().to_owned();
    name.push("-out.pgn");
    PathBuf::from(name)
}

/// Prints the text that was asked for. Returns the exit code.
fn answer(text: &str) -> u8 {
    match print(text.as_bytes()) {
        Ok(exit) => exit.code(),
        Err(failure) => {
            fail(&failure);
            FAILED
        }
    }
}

fn say(text: &str) {
    // If standard output is closed, nothing can be printed.
    let mut out = Visible::with_colors(io::stdout());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn banner() -> String {
    format!("skewer {} as cql: CQL 6.2 queries\n", env!("CARGO_PKG_VERSION"))
}

fn help() -> String {
    format!(
        "{}\nUsage: cql [OPTIONS] QUERY.cql\n       cql [OPTIONS] -input GAMES.pgn\n\n\
         Options come before the query, in any case, with one dash or two:\n{}\n\
         Exit code: 0 after a finished run, 1 after an error.\n",
        banner(),
        options::listed()
    )
}

fn hhdb_help() -> String {
    let words: String = hhdb_words().map(|word| format!("  {word}\n")).collect();
    format!("What may follow `-hhdb` or, in a query, `hhdb` (there with quotation marks around signs):\n{words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_decides() {
        for (name, expected) in [
            ("cql", true),
            ("/usr/local/bin/cql", true),
            ("CQL.exe", true),
            ("skewer", false),
            ("cqli", false),
            ("cql/skewer", false),
            ("", false),
        ] {
            assert_eq!(is_name_of_cql(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn the_output_is_named_after_the_query_and_in_the_current_folder() {
        assert_eq!(default_output(Path::new("themes/pins.cql")), Path::new("pins-out.pgn"));
        assert_eq!(
            default_output(Path::new(DEFAULT_QUERY.0)),
            Path::new("cqldefault-out.pgn")
        );
    }

    #[test]
    fn the_help_shows_every_option_that_is_offered() {
        let help = help();
        for option in ["-input -i FILE", "-nouniquecomments", "-hhdb WORDS"] {
            assert!(help.contains(option), "{option}");
        }
        assert!(!help.contains("-gui"));
    }
}
