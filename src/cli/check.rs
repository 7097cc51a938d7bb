//! `skewer check`: errors of queries without running them.

use std::path::PathBuf;

use super::query_text::{Language, QueryText};
use super::{Exit, Failure, engine, fail};

/// Look for errors in queries
///
/// Reads queries and checks names and types, prints what is wrong, and searches nothing. Inputs need not exist.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer check queries/*.cql
  skewer check -e 'ray (R k)'

Exit code: 0 no error, 2 some error.")]
pub(super) struct Arguments {
    /// Query files
    #[arg(value_name = "QUERY.cql", required_unless_present = "expression")]
    queries: Vec<PathBuf>,

    /// Filters, or a whole query, instead of files
    #[arg(
        short,
        long,
        value_name = "FILTERS",
        allow_hyphen_values = true,
        conflicts_with = "queries"
    )]
    expression: Option<String>,

    #[command(flatten)]
    language: Language,
}

/// Checks all queries, also after an error.
pub(super) fn run(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let argument = arguments
        .expression
        .iter()
        .map(|text| Ok(QueryText::from_argument(text)));
    let files = arguments.queries.iter().map(|path| QueryText::from_file(path));
    let mut exit = Exit::Success;
    for text in argument.chain(files) {
        if let Err(failure) = text.and_then(|text| engine::compile(text, arguments.language.options(), color)) {
            exit = fail(&failure);
        }
    }
    Ok(exit)
}
