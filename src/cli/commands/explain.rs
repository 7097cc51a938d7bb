//! `skewer explain`: how a query is evaluated, in words.

use std::path::PathBuf;

use crate::cli::commands::completions::of_queries;
use crate::cli::commands::help::layout::{folded, text_width};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::outputs;
use crate::cli::pager::Paging;
use crate::cli::queries::compiled;
use crate::cli::queries::text::{Language, QueryText};
use crate::query;
use crate::query::explain::Plan;
use crate::search::on_deep_stack;
use crate::syntax::{Diagnostic, Source};

/// Say how a query is evaluated
///
/// Prints what is asked once per game, what at each position and in which form, what cannot be shortened and why, what is read of a
/// game, and whether threads share the work. Searches nothing; inputs need not exist.
///
/// The number in front of a part is an estimate of what one evaluation costs, in tests of one designator.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer explain pins.cql
  skewer explain -e 'elo>2600 shift {Pd4 Pe5}'

Exit code: 0 explained, 2 error.")]
pub(crate) struct Arguments {
    /// The query: a file, the name of one in the library, or - for standard input
    #[arg(
        value_name = "QUERY",
        add = of_queries(),
        required_unless_present = "expression",
        conflicts_with = "expression"
    )]
    query: Option<PathBuf>,

    /// Filters, or a whole query, instead of a file
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    expression: Option<String>,

    /// How to print it
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    paging: Paging,

    #[command(flatten)]
    language: Language,

    #[command(flatten)]
    tablebase: TablebaseFolders,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// For people
    Text,
    /// One object, for programs
    Json,
}

/// Compiles the query and prints its plan.
pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let text = match (&arguments.expression, &arguments.query) {
        (Some(text), _) => QueryText::from_argument(text),
        (None, Some(path)) => QueryText::from_name(path, false)?.0,
        (None, None) => return Err(Failure::new("no query: name a file or use -e")),
    };
    let options = query::Options {
        tablebase: arguments.tablebase.tablebase(),
        ..arguments.language.options()
    };
    let query = compiled::compile(text, options, color)?;
    let plan = Plan::of(query.compiled(), query.source());
    let printed = match arguments.format {
        Format::Text if !arguments.json => lines(&plan),
        _ => serde_json::to_string_pretty(&plan).map_err(Failure::new)? + "\n",
    };
    outputs::page(&printed, arguments.paging)
}

/// How a query is evaluated, in the words of `skewer explain`.
///
/// # Errors
/// Where the text is no query.
pub fn explained(source: &Source, options: &query::Options) -> Result<String, Diagnostic> {
    let query = on_deep_stack(|| query::compile(source, options));
    let query = query.unwrap_or_else(|_| query::compile(source, options))?;
    Ok(lines(&Plan::of(&query, source)))
}

/// A plan in lines that fit on the screen.
fn lines(plan: &Plan) -> String {
    folded(&plan.text(), text_width())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_blanks() {
        for (text, shown) in [
            ("short\n  ~2  as it is\n", "short\n  ~2  as it is\n"),
            ("  one two three four five\n", "  one two three\n    four five\n"),
            ("  onetwothreefourfivesix\n", "  onetwothreefourfivesix\n"),
            ("", ""),
        ] {
            assert_eq!(folded(text, 16), shown);
        }
    }
}
