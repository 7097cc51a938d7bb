//! Where the command line meets language and games.

use std::convert::Infallible;
use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::query_text::QueryText;
use crate::output::Totals;
use crate::search::{Error, Options, Progress};

/// A compiled query.
///
/// There is none until language and evaluation are joined with this branch: then this holds the typed query, and
/// [`Query::search`] calls [`crate::search::run`].
pub(super) struct Query {
    never: Infallible,
}

/// Reads and checks a query. With `color` the diagnostic has colours.
pub(super) fn compile(text: &QueryText, _color: bool) -> Result<Query, Failure> {
    let QueryText {
        name,
        bytes,
        filters_only,
    } = text;
    let kind = if *filters_only { "filters" } else { "query" };
    Err(Failure::rendered(format!(
        "error: this build cannot read {kind}\n --> {name}, {} bytes",
        bytes.len()
    )))
}

impl Query {
    /// The header's `input`.
    pub(super) fn input(&self) -> Option<&str> {
        match self.never {}
    }

    /// The header's `output`.
    pub(super) fn output(&self) -> Option<&str> {
        match self.never {}
    }

    /// Searches the games. With `variations` their positions exist even if the header does not say so.
    pub(super) fn search(
        &self,
        _games: Inputs,
        _variations: bool,
        _options: &Options,
        _out: &mut dyn Write,
        _progress: &mut Progress<'_>,
    ) -> Result<Totals, Error> {
        match self.never {}
    }
}

/// Opened inputs.
pub(super) struct Inputs {
    bytes: Option<u64>,
}

impl Inputs {
    /// Opens files and folders, `-` for standard input.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Inputs, Error> {
        let size = |path: &PathBuf| std::fs::metadata(path).ok().map(|metadata| metadata.len());
        Ok(Inputs {
            bytes: paths.iter().map(size).sum(),
        })
    }

    /// How many bytes there are to read; `None` when that is not known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}
