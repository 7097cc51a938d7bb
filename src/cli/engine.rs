//! Where the command line meets language and games.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::query_text::QueryText;
use crate::eval::report::Stop;
use crate::eval::{Program, Settings};
use crate::game::{Input, Source as Games};
use crate::output::Totals;
use crate::query::explain::{Explanation, explain};
use crate::query::{self, Header};
use crate::search::{self, Error, InputGames, Options, Progress};
use crate::syntax::{Diagnostic, Source};

/// A compiled query and its text.
pub(super) struct Query {
    source: Source,
    options: query::Options,
    query: query::Query,
}

/// Reads and checks a query, with the options of the command line. With `color` the diagnostic has colours.
pub(super) fn compile(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    let QueryText {
        name,
        bytes,
        filters_only,
    } = text;
    let source = Source::new(name, bytes);
    let options = query::Options {
        filters_only,
        ..options
    };
    match query::compile(&source, &options) {
        Ok(query) => Ok(Query { source, options, query }),
        Err(diagnostic) => Err(rendered(&source, &options, &diagnostic, color)),
    }
}

impl Query {
    /// The header.
    pub(super) fn header(&self) -> &Header {
        &self.query.header
    }

    /// Its text.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// How it is evaluated.
    pub(super) fn explanation(&self) -> Explanation {
        explain(&self.query)
    }

    /// Whether it is evaluated on one thread only.
    pub(super) fn is_serial(&self) -> bool {
        self.query.is_serial()
    }

    /// An error at the first place where the query reads or writes a file.
    pub(super) fn file_access(&self, color: bool) -> Option<Failure> {
        let diagnostic = Diagnostic::new(self.query.file_access?, "the query wants to read or write files")
            .label("not without being allowed to")
            .hint("`--allow-files DIR` lets it use the files of one folder");
        Some(Failure::rendered(diagnostic.render(&self.source, color)))
    }

    /// Searches the games.
    pub(super) fn search(
        &self,
        games: Inputs,
        settings: Settings,
        options: &Options,
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Totals, Error> {
        search::run(
            &Program::new(&self.query, settings),
            InputGames::new(games.sources),
            search::readers(&self.query, options.format),
            options,
            out,
            progress,
        )
    }

    /// Why the evaluation ended the run, with its place in the query.
    pub(super) fn stopped(&self, stop: &Stop, color: bool) -> Failure {
        rendered(&self.source, &self.options, &stop.diagnostic, color)
    }
}

fn rendered(source: &Source, options: &query::Options, error: &Diagnostic, color: bool) -> Failure {
    let (text, error) = options.text_of(source, error);
    Failure::rendered(error.render(text, color))
}

/// Inputs that exist.
pub(super) struct Inputs {
    sources: Vec<Games>,
    bytes: Option<u64>,
}

impl Inputs {
    /// Finds files and folders, `-` for standard input.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Inputs, Error> {
        let mut sources = Vec::new();
        for path in paths {
            sources.extend(Input::from(path.as_path()).sources()?);
        }
        let size = |path: &PathBuf| std::fs::metadata(path).ok().map(|metadata| metadata.len());
        Ok(Inputs {
            sources,
            bytes: paths.iter().map(size).sum(),
        })
    }

    /// How many bytes there are to read; `None` when that is not known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}
