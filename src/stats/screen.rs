//! The table for people: aligned columns, and bars for the shares.

use unicode_width::UnicodeWidthStr;

use super::columns::{ALWAYS, Column, DRAWN, Side, columns};
use super::table::Table;

/// Returns the table as text that fits a screen of this many columns.
pub(super) fn on_screen(table: &Table, width: Option<usize>) -> String {
    let mut columns = columns(table);
    columns.retain(|column| column.rank != DRAWN);
    let fits = |columns: &[Column]| {
        let total: usize = columns.iter().map(|column| column.width() + GAP.len()).sum();
        width.is_none_or(|width| total <= width + GAP.len())
    };
    while !fits(&columns) {
        let last = columns.iter().map(|column| column.rank).max().unwrap_or(ALWAYS);
        if last == ALWAYS {
            break;
        }
        columns.retain(|column| column.rank != last);
    }
    let titles = columns.iter().map(|column| (column, column.title.as_str()));
    let mut text = line(titles);
    for row in 0..table.rows.len() {
        let cells = columns
            .iter()
            .map(|column| (column, column.texts.get(row).map_or("", String::as_str)));
        text += &line(cells);
    }
    text
}

/// The gap between two columns.
const GAP: &str = "  ";

fn line<'c>(cells: impl Iterator<Item = (&'c Column, &'c str)>) -> String {
    let mut line = String::new();
    for (column, text) in cells {
        let blanks = " ".repeat(column.width() - text.width());
        line += &match column.side {
            Side::Left => format!("{text}{blanks}{GAP}"),
            Side::Right => format!("{blanks}{text}{GAP}"),
        };
    }
    line.truncate(line.trim_end().len());
    line.push('\n');
    line
}
