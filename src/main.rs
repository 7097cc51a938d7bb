//! The `skewer` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    skewer::cli::run(std::env::args_os())
}
