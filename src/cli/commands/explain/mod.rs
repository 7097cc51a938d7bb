//! `skewer explain`: how a query is evaluated, in words.
//!
//! Each part uses only those before it: `quotes`, `words`.

mod quotes;
mod words;

use std::fmt::Write as _;

use std::path::PathBuf;

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
use crate::query;
use crate::query::explain::{self, Explanation};
use crate::search::on_deep_stack;
use crate::syntax::{Diagnostic, Source};
use quotes::Quotes;

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
    let plan = Plan::of(&explain::explain(query.compiled()), &Quotes::of(query.source()));
    let printed = match arguments.format {
        Format::Text if !arguments.json => plan.text(),
        _ => plan.json()?,
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
    Ok(Plan::of(&explain::explain(&query), &Quotes::of(source)).text())
}

/// An explanation in words.
#[derive(Serialize, Debug)]
struct Plan {
    once_per_game: Vec<ExplainedPart>,
    at_a_glance: Vec<String>,
    decided_side_by_side: bool,
    each_position: Vec<ExplainedPart>,
    reading: Vec<String>,
    threads: Vec<String>,
    shared_by_threads: bool,
}

/// A part of the query and what happens to it.
#[derive(Serialize, Debug)]
struct ExplainedPart {
    line: usize,
    column: usize,
    text: String,
    cost: f64,
    words: Vec<String>,
    parts: Vec<ExplainedPart>,
}

impl Plan {
    fn of(explanation: &Explanation, quotes: &Quotes<'_>) -> Plan {
        let parts = |parts: &[explain::Part]| parts.iter().map(|part| ExplainedPart::of(part, quotes)).collect();
        Plan {
            once_per_game: parts(&explanation.once_per_game),
            at_a_glance: words::at_a_glance(&explanation.prefilter, quotes),
            decided_side_by_side: explanation.decided_side_by_side,
            each_position: parts(&explanation.each_position),
            reading: words::reading(&explanation.reading, quotes),
            threads: words::threads(&explanation.serial, quotes),
            shared_by_threads: explanation.serial.is_empty(),
        }
    }

    fn json(&self) -> Result<String, Failure> {
        let json = serde_json::to_string_pretty(self).map_err(Failure::new)?;
        Ok(json + "\n")
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if !self.once_per_game.is_empty() {
            text += "Once per game, before its moves are read:\n";
            self.once_per_game.iter().for_each(|part| part.write(1, &mut text));
            text += "\n";
        }
        if !self.at_a_glance.is_empty() {
            list(
                "At a glance, skewer keeps only positions with:\n",
                &self.at_a_glance,
                &mut text,
            );
            text += "\n";
        }
        text += if self.decided_side_by_side {
            "At sixteen positions at once, which alone decides (one by one where comments or marks are shown):\n"
        } else {
            "At each position, one after the other as long as they match:\n"
        };
        self.each_position.iter().for_each(|part| part.write(1, &mut text));
        list("\nOf each game:\n", &self.reading, &mut text);
        list("\nThreads:\n", &self.threads, &mut text);
        text += "\n~N: estimated cost of one evaluation, in tests of one designator.\n";
        folded(&text, text_width())
    }
}

fn list(title: &str, lines: &[String], text: &mut String) {
    text.push_str(title);
    for line in lines {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
}

impl ExplainedPart {
    fn of(part: &explain::Part, quotes: &Quotes<'_>) -> ExplainedPart {
        let (line, column) = quotes.place(part.span);
        ExplainedPart {
            line,
            column,
            text: quotes.quote(part.span),
            cost: part.cost,
            words: words::part(part, quotes),
            parts: part.parts.iter().map(|part| ExplainedPart::of(part, quotes)).collect(),
        }
    }

    fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(text, "{indent}{}  {}", estimate(self.cost), self.text);
        for line in &self.words {
            let _ = writeln!(text, "{indent}    {line}");
        }
        self.parts.iter().for_each(|part| part.write(depth + 2, text));
    }
}

/// A cost with the two digits that an estimate may have.
fn estimate(cost: f64) -> String {
    let digits = cost.max(1.0).log10().floor() as i32;
    let step = 10_f64.powi((digits - 1).max(0));
    format!("~{}", (cost / step).round() * step)
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

    #[test]
    fn an_estimate_has_two_digits() {
        let shown = [0.0, 1.0, 9.4, 12.0, 99.6, 123.0, 4567.0].map(estimate);
        assert_eq!(shown, ["~0", "~1", "~9", "~12", "~100", "~120", "~4600"]);
    }
}
