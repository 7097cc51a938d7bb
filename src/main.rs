//! The `skewer` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(skewer::cli::run(std::env::args_os()))
}
