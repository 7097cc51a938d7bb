//! `skewer explain`: says in words how a query is evaluated.

use std::path::{Path, PathBuf};

use indicatif::HumanCount;
use serde::Serialize;

use crate::cli::commands::completions::of_queries;
use crate::cli::commands::help::layout::{folded, text_width};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::outputs;
use crate::cli::pager::Paging;
use crate::cli::queries::compiled;
use crate::cli::queries::text::{Language, QueryText};
use crate::database::Archive;
use crate::query;
use crate::query::explain::Plan;
use crate::search::on_deep_stack;
use crate::syntax::{Diagnostic, Source};
use crate::terminal::{in_a_line, shown};

/// Show how a query is evaluated
///
/// Prints what is evaluated once per game, what at each position and in which form, what cannot be optimised and why, what is read of a game,
/// and whether threads share the work. Searches nothing; inputs need not exist.
///
/// The number before each part estimates the cost of evaluating it once. The unit is the test of one piece designator.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer explain pins.cql
  skewer explain -e 'elo>2600 shift {Pd4 Pe5}'
  skewer explain smothered-mate --database games.parquet

Exit code: 0 explained, 2 error.")]
pub(crate) struct Arguments {
    /// The query: a file, a name from the library, or - for standard input
    #[arg(
        value_name = "QUERY",
        add = of_queries(),
        required_unless_present = "expression",
        conflicts_with = "expression"
    )]
    query: Option<PathBuf>,

    /// Filters or a whole query, in place of a file
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    expression: Option<String>,

    /// Also say what this database knows about the themes in the query: how many games it leaves to search
    #[arg(long, value_name = "DB.parquet")]
    database: Option<PathBuf>,

    /// The output format
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
    /// One JSON object, for programs
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
    let explained = Explained {
        plan: Plan::of(query.compiled(), query.source()),
        database: match &arguments.database {
            Some(database) => known_themes(query.compiled(), query.source().name(), database)?,
            None => Vec::new(),
        },
    };
    let printed = match arguments.format {
        Format::Text if !arguments.json => explained.text(),
        _ => serde_json::to_string_pretty(&explained).map_err(Failure::new)? + "\n",
    };
    outputs::page(&printed, arguments.paging)
}

/// The output.
#[derive(Serialize)]
struct Explained {
    #[serde(flatten)]
    plan: Plan,
    /// What a database knows about the themes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    database: Vec<String>,
}

impl Explained {
    fn text(&self) -> String {
        let mut text = lines(&self.plan);
        if !self.database.is_empty() {
            text += "\nIn the database:\n";
            self.database.iter().for_each(|line| text += &format!("  {line}\n"));
        }
        text
    }
}

/// Returns what a database knows about the themes that must hold for a query of this name to match, one line each.
fn known_themes(query: &query::Query, name: &str, database: &Path) -> Result<Vec<String>, Failure> {
    let cannot = |error| Failure::new(format_args!("cannot read {}: {error}", shown(database)));
    let archive = Archive::open(database).map_err(cannot)?;
    let known = archive.themes();
    let each = query.themes.themes().into_iter().filter_map(|theme| {
        // A theme in a file is identified by the file's name, whatever its folder.
        let is_of_name = |known: &str| *theme.name == *known || Path::new(&*theme.name).ends_with(known);
        let of_digest = known.iter().find(|(known, _)| known.digest == theme.digest);
        let what = match of_digest {
            Some((_, Some(rows))) => {
                let (some, all) = (HumanCount(rows.len()), HumanCount(archive.games()));
                format!("holds in {some} of {all} games; no others are read")
            }
            Some((_, None)) => "its games cannot be read, as the database is damaged there".to_owned(),
            None if known.iter().any(|(known, _)| is_of_name(&known.name)) => {
                "was indexed with another text or by another skewer, so it rules out no game".to_owned()
            }
            // The query itself need not have been indexed as a theme.
            None if *theme.name == *name => return None,
            None => "was not indexed, so it rules out no game".to_owned(),
        };
        Some(format!("{}: {what}", in_a_line(&theme.name)))
    });
    let lines: Vec<String> = each.collect();
    Ok(match lines.is_empty() {
        true => vec!["no theme rules out a game".to_owned()],
        false => lines,
    })
}

/// Returns how a query is evaluated, in the words of `skewer explain`.
///
/// # Errors
/// Returns an error if the text is not a valid query.
pub fn explained(source: &Source, options: &query::Options) -> Result<String, Diagnostic> {
    let query = on_deep_stack(|| query::compile(source, options));
    let query = query.unwrap_or_else(|_| query::compile(source, options))?;
    Ok(lines(&Plan::of(&query, source)))
}

/// Returns a plan in lines that fit on the screen.
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
