//! The command line: `commands` has a file for each command, `options` the options that several of them share, `queries` the ways to name a
//! query, `inputs` the games, and `search` runs queries over games.
//!
//! Each part uses only those before it: `color`, `exit`, `failure`, `progress`, `shell`, `options`, `signal`, `queries`, `inputs`, `pager`,
//! `outputs`, `search`, `legacy`, `relative_url`, `commands`, `cpu_dispatch`.

mod color;
mod commands;
#[cfg(all(unix, target_arch = "x86_64"))]
mod cpu_dispatch;
mod exit;
mod failure;
mod inputs;
mod legacy;
mod options;
mod outputs;
mod pager;
mod progress;
mod queries;
mod relative_url;
mod search;
mod shell;
mod signal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::thread;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser};

use self::commands::{Command, completions};
use self::exit::Exit;
use self::failure::{Failure, fail};
use self::options::{refusals, suggestions};
use crate::search::STACK_BYTES;

pub use self::commands::explained;

/// Finds chess positions: CQL 6.2 queries over PGN databases.
#[derive(Parser, Debug)]
#[command(
    name = "skewer",
    version,
    about,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = AFTER_HELP
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colours; `auto` depends on the terminal and on NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

const AFTER_HELP: &str = "\
Examples:
  skewer search -e 'xray (R a k)' games.pgn      a black piece between a white rook and the black king
  skewer search mate.cql games.pgn -o mates.pgn  run a query file, write the matching games
  skewer search mate.cql games.pgn -o page.html  a page for the browser, with boards
  skewer show games.pgn 5:33                     draw position 33 of game 5
  skewer stats mate.cql games.pgn --by year:10   how often, by decade, and how the games ended
  skewer library --find 'double check'           find a theme in the library of queries
  skewer search double-check games.pgn           search with a query of the library
  skewer new my-theme                            write a query file to start from
  skewer check mate.cql                          only look for errors
  skewer test queries/                           try queries on the examples in their comments
  skewer board '8/8/8/3kK3/8/8/8/8 w'            draw a position
  skewer fmt mate.cql                            lay it out in the common style
  skewer index games.pgn -o games.parquet        make a database, which is searched much faster
  skewer explain mate.cql                        how it is evaluated, and what costs most
  skewer why mate.cql games.pgn 5:33             why it matches a position, or why not
  skewer help xray                               what the guide says about a filter
  skewer ui games.pgn --open                     ask in the browser
  skewer mcp games.pgn                           let an assistant ask

Exit code: 0 some match, 1 no match, 2 error.";

/// Replaces this process with the build of the program for newer processors, with the same arguments. Returns if the installation has none,
/// or if the processor is too old.
pub fn hand_over(arguments: impl IntoIterator<Item = OsString>) {
    #[cfg(all(unix, target_arch = "x86_64"))]
    cpu_dispatch::hand_over(arguments);
    #[cfg(not(all(unix, target_arch = "x86_64")))]
    drop(arguments);
}

/// Runs the command with the arguments of a process, the first of which is the name of the program. Returns the exit code.
///
/// Output goes to standard output or files, everything else to standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some((program, arguments)) = arguments.split_first()
        && legacy::is_name_of_cql(Path::new(program))
    {
        let arguments = arguments.to_vec();
        return on_large_stack(move || legacy::run(&arguments));
    }
    match completions::answered(Cli::command, &arguments) {
        Ok(false) => {}
        Ok(true) => return Exit::Success.code(),
        Err(error) => return refused(error, &[]),
    }
    let given = arguments.clone();
    let command = Cli::command().color(color::color_argument(&arguments));
    let parsed = command
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return refused(error, &given),
    };
    on_large_stack(move || commands::execute(Cli::command(), &cli.command, cli.color))
}

/// Prints help, or what is wrong with the arguments of a command.
fn refused(error: clap::Error, arguments: &[OsString]) -> u8 {
    let mut error = error;
    let advice = suggestions::advice(&mut error, arguments);
    let command = arguments.get(1).map(|name| name.to_string_lossy());
    // A failure to write to standard error cannot be reported.
    let result = error.print().and_then(|()| io::stdout().flush());
    if !error.use_stderr()
        && let Err(failure) = outputs::printed(result)
    {
        return fail(&failure).code();
    }
    if let Some(reason) = command
        .and_then(|command| refusals::reason(&error, &command))
        .or(advice)
    {
        signal::say(&format!("\n{reason}"));
    }
    u8::try_from(error.exit_code()).unwrap_or(Exit::Error.code())
}

/// Runs a command on a thread with a stack for deep recursion, because queries nest and the code that reads and evaluates them is recursive.
fn on_large_stack(command: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    let command = thread::Builder::new().stack_size(STACK_BYTES).spawn(command);
    match command.map(thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(payload)) => panic::resume_unwind(payload),
        Err(error) => fail(&Failure::new(format_args!("cannot start a thread: {error}"))).code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
