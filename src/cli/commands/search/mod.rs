//! `skewer search`: searches games with queries.
//!
//! Each part uses only those before it: `request`, `options`, `arguments`, `header`, `index_page`, `notes`, `results_folder`, `run`, `resolve`.

mod arguments;
mod header;
mod index_page;
mod notes;
mod options;
mod request;
mod resolve;
mod results_folder;
mod run;

pub(super) use arguments::Arguments;
pub(super) use options::SearchOptions;
pub(super) use request::Request;
pub(super) use resolve::nothing_to_search;
pub(super) use run::tell_of_gaps;

use clap::ColorChoice;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Searches with one query, or with many if their results go to a folder.
pub(super) fn execute(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<Exit, Failure> {
    resolve::resolve(arguments, choice, color)?.run()
}
