//! The commands: the arguments of each, and what it does.
//!
//! Each part uses only those before it: `board`, `completions`, `check`, `help`, `explain`, `format`, `library`, `lsp`, `new`,
//! `search`, `index`, `serving`, `mcp`, `show`, `stats`, `test`, `ui`, `why`.

mod board;
mod check;
pub(super) mod completions;
mod explain;
mod format;
mod help;
mod index;
mod library;
mod lsp;
mod mcp;
mod new;
mod search;
mod serving;
mod show;
mod stats;
mod test;
#[cfg(feature = "ui")]
mod ui;
mod why;

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::{ColorChoice, Subcommand};

pub use explain::explained;

use crate::cli::color::has_color;
use crate::cli::failure::fail;
use crate::cli::legacy;

/// The command that was asked for.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    Search(Box<search::Arguments>),
    Show(Box<show::Arguments>),
    Stats(Box<stats::Arguments>),
    Check(check::Arguments),
    Fmt(format::Arguments),
    Index(index::Arguments),
    Explain(explain::Arguments),
    Why(Box<why::Arguments>),
    Board(board::Arguments),
    Test(test::Arguments),
    Library(library::Arguments),
    New(new::Arguments),
    #[cfg(feature = "ui")]
    Ui(ui::Arguments),
    Lsp(lsp::Arguments),
    Mcp(mcp::Arguments),
    Help(help::Arguments),
    Completions(completions::Completions),
    Man(completions::Manual),
    /// Behave like the `cql` command: `skewer cql -input games.pgn query.cql`
    ///
    /// So does a copy of this program, or a link to it, that is named `cql`.
    #[command(disable_help_flag = true)]
    Cql {
        /// Options of CQL and the query file; -help lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<OsString>,
    },
}

/// Runs a command of the program. Returns the exit code of the process.
pub(super) fn execute(program: clap::Command, command: &Command, choice: ColorChoice) -> u8 {
    let color = has_color(choice, io::stderr().is_terminal());
    let result = match command {
        Command::Search(arguments) => search::execute(arguments, choice, color),
        Command::Show(arguments) => show::execute(arguments, choice),
        Command::Stats(arguments) => stats::execute(arguments, color),
        Command::Check(arguments) => check::execute(arguments, color),
        Command::Fmt(arguments) => format::execute(arguments, color),
        Command::Index(arguments) => index::execute(arguments, color),
        Command::Explain(arguments) => explain::execute(arguments, color),
        Command::Why(arguments) => why::execute(arguments, choice, color),
        Command::Test(arguments) => test::execute(arguments, choice),
        Command::Library(arguments) => library::execute(arguments, color),
        Command::New(arguments) => new::execute(arguments),
        Command::Board(arguments) => board::execute(arguments, choice, color),
        #[cfg(feature = "ui")]
        Command::Ui(arguments) => ui::execute(arguments),
        Command::Lsp(arguments) => lsp::execute(arguments),
        Command::Mcp(arguments) => mcp::execute(arguments),
        Command::Completions(arguments) => completions::complete(arguments),
        Command::Man(arguments) => completions::manual(arguments, program),
        Command::Help(arguments) => help::execute(arguments, program, has_color(choice, io::stdout().is_terminal())),
        Command::Cql { arguments } => return legacy::run(arguments),
    };
    result.unwrap_or_else(|failure| fail(&failure)).code()
}
