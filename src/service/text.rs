//! The texts of queries in questions.

use super::diagnostic::Diagnostic;
use super::error::Error;
use crate::lsp::{Document, Encoding};
use crate::query::{self, Query};
use crate::syntax;

/// The name of the text, which has no file.
const NAME: &str = "query";

/// Returns the document of a text, which is a whole query or only filters.
pub(super) fn document(text: String) -> Document {
    let mut document = Document::new(NAME, text, 0, Encoding::Utf16);
    document.filters = true;
    document
}

/// Compiles the query of a document.
pub(super) fn compile(document: &Document) -> Result<Query, Error> {
    query::compile(document.source(), &document.options()).map_err(|error| no_query(document, &error))
}

/// Returns the error for a text that is not a query.
pub(super) fn no_query(document: &Document, error: &syntax::Diagnostic) -> Error {
    let diagnostic = Diagnostic::of_error(document, error);
    Error {
        hint: diagnostic.help.first().cloned(),
        message: format!(
            "the query has an error in line {}: {}",
            diagnostic.line, diagnostic.message
        ),
        diagnostics: vec![diagnostic],
    }
}
