//! `skewer check`: finds errors and likely mistakes in queries without running them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use crate::cli::commands::completions::of_queries;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::options::threads::Threads;
use crate::cli::outputs;
use crate::cli::queries::compiled::{self, Checked};
use crate::cli::queries::files;
use crate::cli::queries::text::{Language, QueryText};
use crate::query;
use crate::query::lint::{Lint, Warning};
use crate::search::in_parallel;
use crate::syntax::{Diagnostic, Source};

/// Look for errors in queries
///
/// Reads queries, checks names and types, and prints errors and likely mistakes. Searches nothing; inputs need not exist. A folder stands for
/// all .cql files in it and its subfolders, and a name from the library for that query.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer check queries/
  skewer check -e 'ray (R k)'
  skewer check --deny warnings --format json queries/

A comment `//? allow NAME` in a query turns off the warnings of that name.

Exit code: 0 no error, 1 some warning with --deny warnings, 2 some error.")]
pub(crate) struct Arguments {
    /// Query files, folders of them, names from the library, - for standard input
    #[arg(value_name = "QUERY | FOLDER", required_unless_present = "expression", add = of_queries())]
    queries: Vec<PathBuf>,

    /// Filters or a whole query, in place of files
    #[arg(
        short,
        long,
        value_name = "FILTERS",
        allow_hyphen_values = true,
        conflicts_with = "queries"
    )]
    expression: Option<String>,

    /// How to print errors and warnings: as text for people, to standard error; as one JSON object per line, or as annotations for a pull
    /// request on GitHub, to standard output
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Exit with code 1 if there are warnings
    #[arg(short = 'D', long, value_name = "WHAT")]
    deny: Option<Deny>,

    /// Errors only, no warnings
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    language: Language,

    #[command(flatten)]
    tablebase: TablebaseFolders,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Github,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Deny {
    Warnings,
}

/// Checks all queries, even if one has an error.
pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let argument = arguments
        .expression
        .iter()
        .map(|text| Ok(QueryText::from_argument(text)));
    let files = arguments.queries.iter().flat_map(|path| files(path));
    let texts: Vec<_> = argument.chain(files).collect();
    let options = query::Options {
        tablebase: arguments.tablebase.tablebase(),
        ..arguments.language.options()
    };
    let checked = in_parallel(&texts, arguments.threads.count(), |_, text| {
        let text = text.as_ref().ok()?.clone();
        Some(compiled::check(text, options.clone()))
    });
    let format = match arguments.json {
        true => Format::Json,
        false => arguments.format,
    };
    let mut exit = Exit::Success;
    for (text, checked) in texts.iter().zip(checked) {
        let worst = match (text, checked) {
            (Err((_, failure)), _) if format == Format::Text => fail(failure),
            (Err((file, failure)), _) => write(&[Report::unreadable(file, &failure.message)], format)?,
            (Ok(_), Some(checked)) if format == Format::Text => print(&checked, arguments.quiet, color),
            (Ok(_), Some(checked)) => report(&checked, arguments.quiet, format)?,
            (Ok(_), None) => Exit::Success,
        };
        exit = match worst {
            Exit::NoMatch if arguments.deny.is_none() => exit,
            Exit::NoMatch if exit == Exit::Error => exit,
            Exit::Success => exit,
            worse => worse,
        };
    }
    Ok(exit)
}

/// Returns the texts of the files that a path stands for. For a file that cannot be read, returns its name and why.
fn files(path: &Path) -> Vec<Result<QueryText, (String, Failure)>> {
    let unreadable = |path: &Path, failure| (path.display().to_string(), failure);
    match files::named(path) {
        Ok(files) => files
            .iter()
            .map(|file| match QueryText::from_name(file, false) {
                Ok((text, _)) => Ok(text),
                Err(failure) => Err(unreadable(file, failure)),
            })
            .collect(),
        Err(failure) => vec![Err(unreadable(path, failure))],
    }
}

/// Returns the exit for a query with these warnings.
fn severity_of(warnings: &[Warning]) -> Exit {
    if warnings.is_empty() {
        Exit::Success
    } else {
        Exit::NoMatch
    }
}

/// The largest number of warnings of a kind to print for people. If there are more, they usually have one cause: a program that wrote the
/// query.
const SHOWN: usize = 100;

fn print(checked: &Checked, quiet: bool, color: bool) -> Exit {
    match &checked.outcome {
        Err(error) => fail(&checked.failure(error, color)),
        Ok(warnings) if quiet => severity_of(warnings),
        Ok(warnings) => {
            let mut counts: BTreeMap<Lint, usize> = BTreeMap::new();
            for warning in warnings {
                let count = counts.entry(warning.lint).or_default();
                *count += 1;
                if *count > SHOWN {
                    continue;
                }
                let named = warning
                    .diagnostic
                    .clone()
                    .hint(format!("`//? allow {}` turns this warning off", warning.lint));
                // A failure to write to standard error cannot be reported.
                let _ = writeln!(io::stderr(), "{}\n", named.render_warning(checked.source(), color));
            }
            for (lint, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN) {
                let more = count - SHOWN;
                let _ = writeln!(io::stderr(), "note: {more} more warnings of the kind `{lint}`\n");
            }
            severity_of(warnings)
        }
    }
}

fn report(checked: &Checked, quiet: bool, format: Format) -> Result<Exit, Failure> {
    let source = checked.source();
    match &checked.outcome {
        Err(error) => write(&[Report::new(source, "error", "invalid-query", error)], format),
        Ok(warnings) if quiet => Ok(severity_of(warnings)),
        Ok(warnings) => {
            let reports: Vec<Report<'_>> = warnings
                .iter()
                .map(|warning| Report::new(source, "warning", warning.lint.name(), &warning.diagnostic))
                .collect();
            write(&reports, format)?;
            Ok(severity_of(warnings))
        }
    }
}

/// Prints reports, one per line. Returns an error exit if any report is an error.
fn write(reports: &[Report<'_>], format: Format) -> Result<Exit, Failure> {
    let mut lines = String::new();
    for report in reports {
        lines += &match format {
            Format::Github => report.annotation(),
            Format::Text | Format::Json => serde_json::to_string(report).map_err(Failure::new)?,
        };
        lines.push('\n');
    }
    outputs::print(lines.as_bytes())?;
    let is_error = reports.iter().any(|report| report.severity == "error");
    Ok(if is_error { Exit::Error } else { Exit::Success })
}

/// An error or a warning, for other programs.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    #[serde(flatten)]
    place: Option<Extent>,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    label: &'a str,
    help: &'a [String],
}

/// A place in a text. Lines and columns are in characters, from 1; the end is after the last character; bytes are from 0.
#[derive(Serialize)]
struct Extent {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: u32,
    end: u32,
}

impl<'a> Report<'a> {
    fn new(source: &'a Source, severity: &'static str, code: &'static str, diagnostic: &'a Diagnostic) -> Report<'a> {
        let span = diagnostic.span;
        let (first, last) = (source.place(span.start), source.place(span.end));
        Report {
            file: source.name(),
            place: Some(Extent {
                line: first.line,
                column: first.column,
                end_line: last.line,
                end_column: last.column,
                start: span.start,
                end: span.end,
            }),
            severity,
            code,
            message: &diagnostic.message,
            label: &diagnostic.label,
            help: &diagnostic.hints,
        }
    }

    /// Returns a workflow command of GitHub, which shows the report next to the lines of a pull request.
    fn annotation(&self) -> String {
        let mut properties = vec![("file", self.file.to_owned())];
        if let Some(place) = &self.place {
            properties.push(("line", place.line.to_string()));
            properties.push(("endLine", place.end_line.to_string()));
            // GitHub knows columns only within one line.
            if place.line == place.end_line {
                properties.push(("col", place.column.to_string()));
                properties.push(("endColumn", place.end_column.to_string()));
            }
        }
        properties.push(("title", format!("skewer: {}", self.code)));
        let properties = properties.iter().map(|(name, value)| {
            let value = of_command(value).replace(':', "%3A").replace(',', "%2C");
            format!("{name}={value}")
        });
        let properties = properties.collect::<Vec<_>>().join(",");
        let label = Some(self.label).filter(|label| !label.is_empty());
        let text = [Some(self.message), label].into_iter().flatten().map(str::to_owned);
        let text = text.chain(self.help.iter().map(|help| format!("help: {help}")));
        let text = text.collect::<Vec<_>>().join("\n");
        format!("::{} {properties}::{}", self.severity, of_command(&text))
    }

    /// Creates the report for a file that cannot be read. It has no place.
    fn unreadable(file: &'a str, message: &'a str) -> Report<'a> {
        Report {
            file,
            place: None,
            severity: "error",
            code: "unreadable-file",
            message,
            label: "",
            help: &[],
        }
    }
}

/// Escapes text for a workflow command of GitHub.
fn of_command(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
