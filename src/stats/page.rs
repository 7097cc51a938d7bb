//! The table as a page for the browser, with a drawing in each row.

use std::fmt::Write as _;

use super::columns::{Column, Side, columns};
use super::drawing::{Axis, HEIGHT, WIDTH};
use super::plot::STYLE as DRAWINGS;
use super::table::Table;
use crate::output::{escaped, filled};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// Returns the table as one self-contained file without a script.
pub(super) fn page(table: &Table, title: &str) -> String {
    let columns: Vec<(Column, Option<Axis>)> = columns(table)
        .into_iter()
        .filter_map(|column| match column.panel {
            None => Some((column, None)),
            // A panel with nothing to draw takes no space.
            Some(panel) => panel.axis(table).map(|axis| (column, Some(axis))),
        })
        .collect();
    let keys = table.columns.len();
    filled(PAGE, |name| match name {
        "title" => escaped(title).into(),
        "style" => STYLE.into(),
        "drawings" => DRAWINGS.into(),
        "head" => columns.iter().map(head).collect::<String>().into(),
        "rows" => rows(table, &columns, keys).into(),
        _ => "".into(),
    })
}

fn class(column: &Column) -> &'static str {
    match column.side {
        Side::Left => "",
        Side::Right => " class=\"number\"",
    }
}

/// Returns the title of a column, with the axis of a drawing.
fn head((column, axis): &(Column, Option<Axis>)) -> String {
    let class = class(column);
    let Some(axis) = axis else {
        return format!("<th scope=\"col\"{class}>{}</th>\n", escaped(&column.title));
    };
    let title = axis.panel.title();
    let mut head = format!("<th scope=\"col\" class=\"drawing\"><span class=\"unseen\">{title}, drawn</span>");
    let marks = axis
        .marks()
        .map(|(x, label)| format!("<text class=\"mark\" x=\"{x:.1}\" y=\"15\">{label}</text>"));
    head += &drawing(&marks.collect::<String>());
    head + "</th>\n"
}

/// Returns a drawing as wide as a panel and as high as a row.
fn drawing(shapes: &str) -> String {
    format!(
        "<svg aria-hidden=\"true\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">{shapes}</svg>"
    )
}

fn rows(table: &Table, columns: &[(Column, Option<Axis>)], keys: usize) -> String {
    let mut html = String::new();
    for (index, row) in table.rows.iter().enumerate() {
        html.push_str("<tr>");
        for (place, (column, axis)) in columns.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = match axis {
                Some(axis) => {
                    let marks = axis.marks();
                    let mut shapes: String = marks
                        .map(|(x, _)| format!("<path class=\"grid\" d=\"M{x:.1} 0v{HEIGHT}\"/>"))
                        .collect();
                    axis.draw(row, &mut shapes);
                    write!(html, "<td class=\"drawing\">{}</td>", drawing(&shapes))
                }
                None => {
                    let text = escaped(column.texts.get(index).map_or("", String::as_str));
                    let class = class(column);
                    match place < keys {
                        true => write!(html, "<th scope=\"row\"{class}>{text}</th>"),
                        false => write!(html, "<td{class}>{text}</td>"),
                    }
                }
            };
        }
        html.push_str("</tr>\n");
    }
    html
}
