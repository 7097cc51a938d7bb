//! Queries that are compiled, and what the command line says about them.

use std::env;
use std::io::{self, Write};
use std::iter;

use crate::cli::failure::Failure;
use crate::cli::queries::text::{ARGUMENT_NAME, QueryText, description};
use crate::cli::shell;
use crate::output::{About, Guard, Role};
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
    /// What there is to say about it, if it was compiled by [`compile_linted`].
    warnings: Vec<Warning>,
}

/// Reads and checks a query, with the options of the command line. With `color` the diagnostic has colours.
pub(crate) fn compile(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    compiled_by(text, options, color, |source, options| {
        query::compile(source, options).map(|query| (query, Vec::new()))
    })
}

/// The same, and notes what [`Query::warn`] says.
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

/// The error, with a note if the shell has probably taken something out of an argument.
fn shell_noted(source: &Source, error: Diagnostic) -> Diagnostic {
    let gap = source.text().trim().find("  ");
    let is_before = |gap: usize| gap <= error.span.start as usize;
    if source.name() == ARGUMENT_NAME && !source.text().contains('\n') && gap.is_some_and(is_before) {
        error.hint("in double quotes a shell replaces `$x`; in single quotes it does not")
    } else {
        error
    }
}

/// What there is to say about a query that is not run.
pub(crate) struct Checked {
    source: Source,
    options: query::Options,
    /// The warnings, or the error because of which there is no query.
    pub(crate) outcome: Result<Vec<Warning>, Diagnostic>,
}

/// Reads and checks a query, and looks for what is probably not meant.
pub(crate) fn check(text: QueryText, options: query::Options) -> Checked {
    let (source, options) = text.source(options);
    Checked {
        outcome: lint::lint(&source, &options),
        source,
        options,
    }
}

impl Checked {
    /// The text.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// An error of it for people.
    pub(crate) fn failure(&self, error: &Diagnostic, color: bool) -> Failure {
        rendered(&self.source, &self.options, error, color)
    }
}

/// Lays a query out anew. With `color` the diagnostic has colours.
pub(crate) fn format(text: QueryText, spelling: Spelling, color: bool) -> Result<Vec<u8>, Failure> {
    let (source, options) = text.source(query::Options {
        // A query that asks for variations may get them on the command line.
        header: query::HeaderOptions {
            variations: Some(true),
            ..query::HeaderOptions::default()
        },
        ..query::Options::default()
    });
    query::outline(&source, &options)
        .and_then(|outline| format::format(&source, &outline, spelling))
        .map_err(|diagnostic| rendered(&source, &options, &diagnostic, color))
}

impl Query {
    /// Says what is probably not meant.
    pub(crate) fn warn(&self, color: bool) {
        for warning in &self.warnings {
            // Nobody can be told that standard error is closed.
            let _ = writeln!(
                io::stderr(),
                "{}\n",
                warning.diagnostic.render_warning(&self.source, color)
            );
        }
    }

    /// The query itself.
    pub(crate) fn compiled(&self) -> &query::Query {
        &self.compiled
    }

    /// Lets it look at games of these numbers alone.
    pub(crate) fn look_at_games(&mut self, numbers: (i32, i32)) {
        self.compiled.header.games = Some(numbers);
    }

    /// How it was compiled.
    pub(crate) fn options(&self) -> &query::Options {
        &self.options
    }

    /// An error in its text, or of its evaluation.
    pub(crate) fn wrong(&self, error: &Diagnostic, color: bool) -> Failure {
        rendered(&self.source, &self.options, error, color)
    }

    /// Its text.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Its text and those of the filters beside it, each with its tokens.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Source, Vec<Token>)> {
        let filters = self.options.filters.iter().chain(&self.options.filters_after);
        iter::once(&self.source).chain(filters).map(|text| (text, scan(text).0))
    }

    /// An error at the first place where the query reads or writes a file.
    pub(crate) fn file_access(&self, color: bool) -> Option<Failure> {
        let diagnostic = Diagnostic::new(self.compiled.file_access?, "the query wants to read or write files")
            .label("not without being allowed to")
            .hint("`skewer search --allow-files DIR` lets it use the files of one folder");
        Some(Failure::rendered(
            &diagnostic.message,
            diagnostic.render(&self.source, color),
        ))
    }

    /// An error at the first place where the query asks tablebases, if there are none.
    pub(crate) fn lacks_tablebase(&self, color: bool) -> Option<Failure> {
        let diagnostic = self.compiled.lacks_tablebase()?;
        Some(rendered(&self.source, &self.options, &diagnostic, color))
    }

    /// No output replaces the file that it compares with.
    pub(crate) fn protect_compared(&self, guard: &mut Guard) {
        if let Some(similar) = &self.compiled.similar {
            guard.protect(Role::Compared, &similar.path);
        }
    }

    /// What the output may say about it.
    pub(crate) fn about(&self) -> About {
        let query = String::from_utf8_lossy(self.source.bytes()).into_owned();
        let name = Some(self.source.name()).filter(|name| *name != ARGUMENT_NAME);
        About {
            description: description(&query),
            command: shell::shown(env::args_os()),
            ..About::of_query(name, query)
        }
    }

    /// Why a search ended before its end; an evaluation with its place in the query.
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
