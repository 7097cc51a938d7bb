//! `skewer completions` and `skewer man`: files for shells and for `man`, made from the definition of the command line. To complete a word,
//! a shell asks the program itself.
//!
//! Each part uses only those before it: `words`.

mod words;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io, iter};

use clap::Command;
use clap::builder::Resettable;
use clap_complete::env::{CompleteEnv, Shells};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::outputs::print;
use crate::cli::outputs::{self, Force};
use crate::output::{Destination, Guard, Kind};
use crate::terminal::shown;

pub(crate) use words::{of_columns, of_folders, of_keys, of_library, of_queries};

/// The environment variable by which the script of [`complete`] asks for completions.
const VARIABLE: &str = "SKEWER_COMPLETE";

/// Print a script that completes skewer's arguments in a shell
///
/// Completes options, files, names from the library and words of the language. The script asks skewer for them, so make it again after you
/// install another version.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer completions bash > ~/.local/share/bash-completion/completions/skewer
  skewer completions zsh > ~/.zfunc/_skewer        with ~/.zfunc in fpath
  skewer completions fish > ~/.config/fish/completions/skewer.fish
  skewer completions powershell >> $PROFILE")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

/// Print the manual page, or write those of all subcommands
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer man | man -l -
  skewer man --out-dir ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// Write skewer.1, skewer-search.1 and the others to this folder
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

/// Prints the script.
pub(crate) fn complete(arguments: &Completions) -> Result<Exit, Failure> {
    let shells = Shells::builtins();
    let shell = shells.iter().find(|shell| shell.name() == arguments.shell);
    let shell = shell.ok_or_else(|| Failure::new(format_args!("unknown shell {}", arguments.shell)))?;
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "skewer", "skewer", "skewer", &mut script)
        .map_err(Failure::new)?;
    print(&script)
}

/// Answers a shell that asks for completions. Returns `false` if no shell does.
pub(crate) fn answered(program: fn() -> Command, arguments: &[OsString]) -> Result<bool, clap::Error> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let folder = env::current_dir().ok();
    let answer = CompleteEnv::with_factory(|| words::with_topics(program()))
        .var(VARIABLE)
        .bin("skewer");
    answer.try_complete(arguments.iter().cloned(), folder.as_deref())
}

/// Prints a manual page, or writes all of them.
pub(crate) fn manual(arguments: &Manual, mut program: Command) -> Result<Exit, Failure> {
    // This names the subcommands, such as `skewer-search`.
    program.build();
    match &arguments.out_dir {
        None => print(&page(&program).map_err(Failure::new)?),
        Some(folder) => write_pages(&program, folder, arguments.force.force),
    }
}

fn write_pages(program: &Command, folder: &Path, force: bool) -> Result<Exit, Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::new(format_args!(
            "{} is not a folder for manual pages",
            shown(folder)
        )));
    }
    fs::create_dir_all(folder).map_err(|error| {
        Failure::new(format_args!(
            "cannot write manual pages into {}: {error}",
            shown(folder)
        ))
    })?;
    let guard = Guard::new(force);
    let commands = || iter::once(program).chain(program.get_subcommands());
    let permits = commands().map(|command| {
        let name = command.get_display_name().unwrap_or(command.get_name());
        guard.permit(&folder.join(format!("{name}.1")), Kind::Manual)
    });
    let permits = permits.collect::<Result<Vec<_>, _>>()?;
    for (command, permit) in commands().zip(permits) {
        let page = page(command).map_err(Failure::new)?;
        outputs::write(Destination::file(permit).map_err(outputs::unwritten)?, &page)?;
    }
    Ok(Exit::Success)
}

/// Returns the manual page of a command.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    // clap_mangen would fill the lines of the text below the options, and break examples.
    let above = command.clone().after_help(Resettable::Reset);
    clap_mangen::Man::new(above)
        .source(concat!("skewer ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    if let Some(below) = command.get_after_help() {
        page.extend(sections(&below.to_string()).bytes());
    }
    Ok(page)
}

/// Returns the text below the options. Each paragraph becomes a section; lines below a heading are not filled.
fn sections(below: &str) -> String {
    let mut roff = String::new();
    for paragraph in below.split("\n\n") {
        roff += &match paragraph.split_once(":\n") {
            Some((heading, lines)) => {
                format!(
                    ".SH {}\n.nf\n{}\n.fi\n",
                    escaped(heading).to_uppercase(),
                    escaped(lines)
                )
            }
            None => match paragraph.split_once("Exit code: ") {
                Some((_, codes)) => format!(".SH EXIT STATUS\n{}\n", escaped(codes)),
                None => format!(".SH NOTES\n{}\n", escaped(paragraph)),
            },
        };
    }
    roff
}

/// Escapes text so that roff finds no requests in it.
fn escaped(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
        let is_request = line.starts_with('.');
        if is_request { format!("\\&{line}") } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}
