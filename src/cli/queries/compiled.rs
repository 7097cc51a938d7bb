//! Compiled queries, and messages about them.

use std::env;
use std::io::{self, Write};
use std::iter;

use crate::cli::failure::Failure;
use crate::cli::queries::text::{ARGUMENT_NAME, QueryText, description};
use crate::cli::shell;
use crate::output::{Guard, Role, SearchInfo};
use crate::query;
use crate::query::lint::{self, Warning};
use crate::search::Error;
use crate::syntax::format::{self, Spelling};
use crate::syntax::token::Token;
use crate::syntax::{Diagnostic, Source, scan};
use crate::terminal::in_a_line;

/// A compiled query and its text.
pub(crate) struct Query {
    source: Source,
    options: query::Options,
    compiled: query::Query,
    /// The warnings, if it was compiled by [`compile_linted`].
    warnings: Vec<Warning>,
}

/// Compiles a query with the options of the command line. With `color`, the diagnostic has colours.
pub(crate) fn compile(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    compiled_by(text, options, color, |source, options| {
        query::compile(source, options).map(|query| (query, Vec::new()))
    })
}

/// Compiles a query and keeps its warnings for [`Query::warn`].
pub(crate) fn compile_linted(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    compiled_by(text, options, color, lint::compile_linted)
}

fn compiled_by(
    text: QueryText,
    options: query::Options,
    color: bool,
    compile: impl Fn(&Source, &query::Options) -> Result<(query::Query, Vec<Warning>), Diagnostic>,
) -> Result<Query, Failure> {
    let (source, options) = text.source(options);
    match compile(&source, &options) {
        Ok((compiled, warnings)) => Ok(Query {
            source,
            options,
            compiled,
            warnings,
        }),
        Err(diagnostic) => Err(rendered(&source, &options, &shell_noted(&source, diagnostic), color)),
    }
}

/// Adds a note to the error if the shell has probably replaced something in an argument.
fn shell_noted(source: &Source, error: Diagnostic) -> Diagnostic {
    let gap = source.text().trim().find("  ");
    let is_before = |gap: usize| gap <= error.span.start as usize;
    let is_a_line = source.name() == ARGUMENT_NAME && !source.text().contains('\n');
    if is_a_line && error.hints.is_empty() && gap.is_some_and(is_before) {
        error.hint("in double quotes a shell replaces `$x`; in single quotes it does not")
    } else {
        error
    }
}

/// The result of checking a query that is not run.
pub(crate) struct Checked {
    source: Source,
    options: query::Options,
    /// The warnings, or the error that the query has.
    pub(crate) outcome: Result<Vec<Warning>, Diagnostic>,
}

/// Checks a query, and looks for likely mistakes.
pub(crate) fn check(text: QueryText, options: query::Options) -> Checked {
    let (source, options) = text.source(options);
    Checked {
        outcome: lint::lint(&source, &options),
        source,
        options,
    }
}

impl Checked {
    /// Returns the text.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns an error in it for people.
    pub(crate) fn failure(&self, error: &Diagnostic, color: bool) -> Failure {
        rendered(&self.source, &self.options, error, color)
    }
}

/// Formats a query. With `color`, the diagnostic has colours.
pub(crate) fn format(text: QueryText, spelling: Spelling, color: bool) -> Result<Vec<u8>, Failure> {
    let (source, options) = text.source(query::Options::default());
    query::outline(&source, &options)
        .and_then(|outline| format::format(&source, &outline, spelling))
        .map_err(|diagnostic| rendered(&source, &options, &diagnostic, color))
}

impl Query {
    /// Prints its warnings.
    pub(crate) fn warn(&self, color: bool) {
        for warning in &self.warnings {
            // A failure to write to standard error cannot be reported.
            let _ = writeln!(
                io::stderr(),
                "{}\n",
                warning.diagnostic.render_warning(&self.source, color)
            );
        }
    }

    /// Returns the typed query.
    pub(crate) fn compiled(&self) -> &query::Query {
        &self.compiled
    }

    /// Limits it to games with these numbers.
    pub(crate) fn look_at_games(&mut self, numbers: (i32, i32)) {
        self.compiled.header.games = Some(numbers);
    }

    /// Returns the options that it was compiled with.
    pub(crate) fn options(&self) -> &query::Options {
        &self.options
    }

    /// Returns the failure for an error in its text or of its evaluation.
    pub(crate) fn wrong(&self, error: &Diagnostic, color: bool) -> Failure {
        rendered(&self.source, &self.options, error, color)
    }

    /// Returns its text.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns its text and those of the additional filters, each with its tokens.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Source, Vec<Token>)> {
        let filters = self.options.filters.iter().chain(&self.options.filters_after);
        iter::once(&self.source).chain(filters).map(|text| (text, scan(text).0))
    }

    /// Returns an error at the first place where the query reads or writes a file.
    pub(crate) fn file_access(&self, color: bool) -> Option<Failure> {
        let diagnostic = Diagnostic::new(self.compiled.file_access?, "the query wants to read or write files")
            .label("not without being allowed to")
            .hint("`skewer search --allow-files DIR` lets it use the files of one folder");
        Some(Failure::rendered(
            &diagnostic.message,
            diagnostic.render(&self.source, color),
        ))
    }

    /// Returns an error at the first place where the query needs tablebases, if there are none.
    pub(crate) fn lacks_tablebase(&self, color: bool) -> Option<Failure> {
        let diagnostic = self.compiled.lacks_tablebase()?;
        Some(rendered(&self.source, &self.options, &diagnostic, color))
    }

    /// Protects the file that it compares with from being replaced by an output.
    pub(crate) fn protect_compared(&self, guard: &mut Guard) {
        if let Some(similar) = &self.compiled.similar {
            guard.protect(Role::Compared, &similar.path);
        }
    }

    /// Describes it for the output.
    pub(crate) fn about(&self) -> SearchInfo {
        let query = String::from_utf8_lossy(self.source.bytes()).into_owned();
        let name = Some(self.source.name()).filter(|name| *name != ARGUMENT_NAME);
        SearchInfo {
            description: description(&query),
            command: shell::shown(env::args_os()),
            ..SearchInfo::of_query(name, query)
        }
    }

    /// Returns the failure of a search that ended early. An evaluation error has its place in the query.
    pub(crate) fn failed(&self, error: Error, color: bool) -> Failure {
        match error {
            Error::Evaluation(stop) => self.wrong(&stop.diagnostic, color),
            Error::Output(_) => {
                Failure::with_note(error, format_args!("of the query {}", in_a_line(self.source.name())))
            }
            error => Failure::new(error),
        }
    }
}

fn rendered(source: &Source, options: &query::Options, error: &Diagnostic, color: bool) -> Failure {
    let (text, error) = options.text_of(source, error);
    Failure::rendered(&error.message, error.render(text, color))
}
