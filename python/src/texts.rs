//! Functions on the text of a query that need no search.

use pyo3::prelude::*;
use skewer::query::{self, Options, lint};
use skewer::syntax::{Diagnostic, Source, format as layout};

use crate::error::{QueryError, guarded, in_python};

/// Returns the options for a text, which may have no header.
fn options(source: &Source) -> Options {
    Options {
        filters_only: !query::has_header(source.text()),
        ..Options::default()
    }
}

fn refused(source: &Source, options: &Options, error: &Diagnostic) -> PyErr {
    let (text, error) = options.text_of(source, error);
    let place = text.place(error.span.start);
    QueryError::new_err((
        in_python(&error.render(text, false)),
        in_python(&error.message),
        place.line,
        place.column,
        error.hints.iter().map(|hint| in_python(hint)).collect::<Vec<_>>(),
    ))
}

/// A warning: its name, its line and column, the message, hints, and its rendered form.
type Told = (&'static str, usize, usize, String, Vec<String>, String);

/// Returns the warnings about a query.
#[pyfunction]
pub(crate) fn check(text: &[u8], name: &str) -> PyResult<Vec<Told>> {
    guarded(|| {
        let source = Source::new(name, text);
        let options = options(&source);
        let warnings = lint::lint(&source, &options).map_err(|error| refused(&source, &options, &error))?;
        let told = warnings.into_iter().map(|warning| {
            let place = source.place(warning.diagnostic.span.start);
            let drawn = in_python(&warning.diagnostic.render_warning(&source, false));
            let skewer::syntax::Diagnostic { message, hints, .. } = warning.diagnostic;
            let hints = hints.iter().map(|hint| in_python(hint)).collect();
            (
                warning.lint.name(),
                place.line,
                place.column,
                in_python(&message),
                hints,
                drawn,
            )
        });
        Ok(told.collect())
    })
}

/// Formats a query.
#[pyfunction]
pub(crate) fn format(text: &[u8], name: &str) -> PyResult<String> {
    guarded(|| {
        let source = Source::new(name, text);
        let options = options(&source);
        let laid_out = query::outline(&source, &options)
            .and_then(|outline| layout::format(&source, &outline, layout::Spelling::AsWritten));
        let laid_out = laid_out.map_err(|error| refused(&source, &options, &error))?;
        Ok(String::from_utf8_lossy(&laid_out).into_owned())
    })
}

/// Explains how a query is evaluated.
#[pyfunction]
pub(crate) fn explain(text: &[u8], name: &str) -> PyResult<String> {
    guarded(|| {
        let source = Source::new(name, text);
        let options = options(&source);
        skewer::cli::explained(&source, &options).map_err(|error| refused(&source, &options, &error))
    })
}
