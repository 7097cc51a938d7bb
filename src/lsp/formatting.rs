//! Formats a document.

use gen_lsp_types::{Position, Range, TextEdit};

use crate::query::outline;
use crate::syntax::Diagnostic;
use crate::syntax::format::{Spelling, format};

use super::document::Document;

/// Returns the edit that formats a document in the style of skewer, or none if it is already formatted.
///
/// # Errors
///
/// Returns the reason why the document is not formatted: it is not a query.
pub(super) fn formatting(document: &Document) -> Result<Vec<TextEdit>, String> {
    let text = formatted(document).map_err(|error| {
        let line = document.position(error.span.start).line + 1;
        format!(
            "the query is not formatted, as it has an error in line {line}: {}",
            error.message
        )
    })?;
    if text == document.text() {
        return Ok(Vec::new());
    }
    let end = u32::try_from(document.text().len()).unwrap_or(u32::MAX);
    Ok(vec![TextEdit {
        range: Range {
            start: Position::default(),
            end: document.position(end),
        },
        new_text: text,
    }])
}

/// Returns the text in the style of skewer.
fn formatted(document: &Document) -> Result<String, Diagnostic> {
    let source = document.source();
    let outline = outline(source, &document.options())?;
    let text = format(source, &outline, Spelling::AsWritten)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
