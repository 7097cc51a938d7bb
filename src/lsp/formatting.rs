//! The layout of a document.

use gen_lsp_types::{Position, Range, TextEdit};

use crate::query::{Options, outline};
use crate::syntax::format::{Spelling, format};

use super::document::Document;

/// The edit that brings a document into the style of skewer; none if it is in it, or is no query.
pub(super) fn formatting(document: &Document) -> Vec<TextEdit> {
    let Some(text) = formatted(document) else {
        return Vec::new();
    };
    if text == document.text() {
        return Vec::new();
    }
    let end = u32::try_from(document.text().len()).unwrap_or(u32::MAX);
    vec![TextEdit {
        range: Range {
            start: Position::default(),
            end: document.position(end),
        },
        new_text: text,
    }]
}

/// The text in the style of skewer.
fn formatted(document: &Document) -> Option<String> {
    let source = document.source();
    let outline = outline(source, &Options::default()).ok()?;
    let text = format(source, &outline, Spelling::AsWritten).ok()?;
    String::from_utf8(text).ok()
}
