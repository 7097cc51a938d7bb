//! `skewer stats`: counts what queries find, by groups.
//!
//! Each part uses only those before it: `arguments`, `queries`, `run`.

mod arguments;
mod queries;
mod run;

pub(super) use arguments::Arguments;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Counts what queries find.
pub(super) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    run::run(arguments, color)
}
