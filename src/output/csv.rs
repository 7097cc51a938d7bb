//! Matching positions as a table.

use std::borrow::Cow;

use csv::{Writer, WriterBuilder};

use super::columns::Column;
use super::facts::GameFacts;
use super::format::{Format, FormatTraits, SearchInfo};
use super::game_row::Cell;
use super::look::Look;
use super::row;
use super::text::titles;
use crate::eval::report::{Extras, GameReport};
use crate::query::SortKey;

/// A table in UTF-8 with a header row. Unknown values are empty. The columns of the query's sort keys come last.
pub(super) struct Csv {
    /// The character between cells, a comma or a tab.
    delimiter: u8,
    titles: Vec<String>,
    look: Look,
}

impl Csv {
    /// Creates the format for a query with these sort keys.
    pub(super) fn new(delimiter: u8, keys: &[SortKey], look: &Look) -> Csv {
        Csv {
            delimiter,
            titles: titles(keys).collect(),
            look: look.clone(),
        }
    }

    fn writer<'o>(&self, out: &'o mut Vec<u8>) -> Writer<&'o mut Vec<u8>> {
        let mut builder = WriterBuilder::new();
        builder.has_headers(false).delimiter(self.delimiter).from_writer(out)
    }

    fn shown<'c>(&self, cell: Cell<'c>) -> Cell<'c> {
        match cell {
            Cell::Text(text) if self.look.quotes_formulas => Cell::Text(quoted(text)),
            cell => cell,
        }
    }
}

/// The characters that formulas begin with. Some spreadsheets also accept the wide forms of East Asian scripts.
const BEGINNINGS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Returns the text so that no spreadsheet takes it for a formula: with an apostrophe in front if it begins like one, perhaps after white
/// space.
pub(crate) fn quoted(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_formula = text.trim_start().starts_with(BEGINNINGS);
    if is_formula || text.starts_with(['\t', '\r', '\n']) {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    }
}

// Rows have no nested values and a vector accepts everything, so neither writing nor the flush on drop can fail.
impl Format for Csv {
    fn extras(&self) -> Extras {
        Extras::REMARKS | Column::extras(&self.look.columns)
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS
    }

    fn begin(&self, _about: &SearchInfo, out: &mut Vec<u8>) {
        let names = row::names(&self.look).map(Cow::Borrowed);
        let titles = self.titles.iter().map(|title| Cow::Owned(title.clone()));
        let names = names.chain(titles).map(|name| self.shown(Cell::Text(name)));
        let _ = self.writer(out).serialize(names.collect::<Vec<_>>());
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let mut rows = row::rows(game, report, &self.look).peekable();
        if rows.peek().is_none() {
            return;
        }
        let mut writer = self.writer(out);
        for row in rows {
            let keys =
                (0..self.titles.len()).map(|key| Cell::of_sort_key(report.keys.get(key).and_then(Option::as_ref)));
            let cells = row.cells().chain(keys).map(|cell| self.shown(cell));
            let _ = writer.serialize(cells.collect::<Vec<_>>());
        }
    }
}
