//! `skewer search`: queries over games.

mod arguments;
mod contents;
mod many;
mod one;

pub(super) use arguments::{Arguments, variant};

use clap::ColorChoice;

use crate::cli::{Exit, Failure};

/// Searches with one query, or with many where their results have a folder.
pub(super) fn execute(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<Exit, Failure> {
    match &arguments.out_dir {
        Some(folder) => many::execute(arguments, folder, color),
        None => one::execute(arguments, choice, color),
    }
}
