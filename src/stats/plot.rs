//! The table as a drawing: a row for each group with its keys, and panels for share, score and values.

use std::fmt::Write as _;

use super::columns::{Column, Side, columns, keys};
use super::drawing::{Axis, HEIGHT, Panel, WIDTH, axes};
use super::table::Table;
use crate::output::escaped;

/// The style of a drawing, also of those on a page.
pub(super) const STYLE: &str = include_str!("plot.css");

/// About the width of a letter.
const LETTER: f64 = 7.5;

/// The space around everything and between two columns.
const MARGIN: f64 = 20.0;

/// The height above the rows.
const TOP: f64 = 90.0;

/// Returns the table as an SVG document.
pub(super) fn plot(table: &Table, title: &str) -> String {
    let axes: Vec<Axis> = axes(table).collect();
    let names: Vec<Column> = keys(table).collect();
    let numbers = columns(table);
    let bottom = TOP + table.rows.len() as f64 * HEIGHT;
    let mut body = String::new();
    let mut left = MARGIN;
    for column in &names {
        left = texts(column, left, &mut body) + MARGIN;
    }
    for axis in &axes {
        let titles = numbers_of(axis.panel, table.base);
        for column in numbers.iter().filter(|column| titles.contains(&&*column.title)) {
            left = texts(column, left, &mut body) + MARGIN;
        }
        panel(axis, table, left, bottom, &mut body);
        left += WIDTH + 2.0 * MARGIN;
    }
    let (width, height) = (
        left.max(MARGIN * 2.0 + title.chars().count() as f64 * LETTER * 1.3),
        bottom + MARGIN,
    );
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"32\">{title}</text>\n{body}</svg>\n"
    )
}

/// Returns the titles of the number columns before a panel. Shares are computed from the column `base`.
fn numbers_of(panel: Panel, base: &'static str) -> Vec<&'static str> {
    match panel {
        Panel::Share => vec![base, "games", "share"],
        Panel::Score => vec!["score"],
        Panel::Values => vec!["median"],
    }
}

/// Appends the texts of a column below its title. Returns the position of its right edge.
fn texts(column: &Column, left: f64, out: &mut String) -> f64 {
    let right = left + column.width() as f64 * LETTER;
    let (x, anchor) = match column.side {
        Side::Left => (left, "start"),
        Side::Right => (right, "end"),
    };
    let mut text = |class: &str, y: f64, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        );
    };
    text("head", TOP - 10.0, &column.title);
    for (row, cell) in column.texts.iter().enumerate() {
        text("cell", TOP + (row as f64 + 0.7) * HEIGHT, cell);
    }
    right
}

/// Appends a panel with its axis above it.
fn panel(axis: &Axis, table: &Table, left: f64, bottom: f64, out: &mut String) {
    let _ = writeln!(out, "<g transform=\"translate({left:.1} 0)\">");
    let _ = writeln!(
        out,
        "<text class=\"head\" x=\"0\" y=\"{}\">{}</text>",
        TOP - 30.0,
        axis.panel.title()
    );
    for (x, label) in axis.marks() {
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom}\"/>");
        let _ = writeln!(
            out,
            "<text class=\"mark\" x=\"{x:.1}\" y=\"{}\">{label}</text>",
            TOP - 10.0
        );
    }
    for (row, group) in table.rows.iter().enumerate() {
        let _ = write!(out, "<g transform=\"translate(0 {:.1})\">", TOP + row as f64 * HEIGHT);
        axis.draw(group, out);
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n");
}
