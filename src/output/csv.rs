//! Matching positions as a table.

use std::borrow::Cow;

use csv::WriterBuilder;

use super::row::{self, Cell, Row};
use super::{About, Format, GameFacts, matching_positions};
use crate::eval::report::GameReport;

/// Comma-separated values in UTF-8 with a header row; unknown values are empty.
pub(super) struct Csv {
    /// Texts that a spreadsheet would take for formulas begin with an apostrophe.
    pub(super) quotes: bool,
}

/// A text in which no spreadsheet sees a formula: behind an apostrophe if it begins like one.
pub(super) fn quoted(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    }
}

impl Format for Csv {
    fn shows_tags(&self) -> bool {
        true
    }

    fn begin(&self, _about: &About, out: &mut Vec<u8>) {
        let names: Vec<_> = row::names().collect();
        out.extend_from_slice(names.join(",").as_bytes());
        out.push(b'\n');
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let mut positions = matching_positions(game, report).peekable();
        if positions.peek().is_none() {
            return;
        }
        let mut writer = WriterBuilder::new().has_headers(false).from_writer(out);
        for position in positions {
            // Rows have no nested values and vectors take everything: neither this nor the flush on drop can fail.
            let row = Row { game, position };
            let cells = row.cells().map(|cell| match cell {
                Cell::Text(text) if self.quotes => Cell::Text(quoted(text)),
                cell => cell,
            });
            let cells: Vec<_> = cells.collect();
            let _ = writer.serialize(cells);
        }
    }
}
