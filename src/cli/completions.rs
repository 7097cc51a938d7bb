//! `skewer completions` and `skewer man`: files for shells and for `man`, made from the definition of the command line.

use std::fs;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Exit, Failure, print};

/// Print a script that completes skewer's arguments in a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer completions bash > ~/.local/share/bash-completion/completions/skewer
  skewer completions zsh > ~/.zfunc/_skewer        with ~/.zfunc in fpath
  skewer completions fish > ~/.config/fish/completions/skewer.fish
  skewer completions powershell >> $PROFILE")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, or write those of all subcommands
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer man | man -l -
  skewer man --out-dir ~/.local/share/man/man1")]
pub(super) struct Manual {
    /// Write skewer.1, skewer-search.1 and the others into this folder
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

/// Prints the script.
pub(super) fn complete(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "skewer", &mut script);
    print(&script)
}

/// Prints a page or writes all of them.
pub(super) fn manual(arguments: &Manual) -> Result<Exit, Failure> {
    let Some(folder) = &arguments.out_dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command())
            .render(&mut page)
            .map_err(Failure::new)?;
        return print(&page);
    };
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .map_err(|error| {
            Failure::new(format_args!(
                "cannot write manual pages into {}: {error}",
                folder.display()
            ))
        })?;
    Ok(Exit::Success)
}
