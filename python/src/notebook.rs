//! Results in notebooks.

use std::fmt::Write as _;

use pyo3::prelude::*;

use crate::matched::Match;

/// How many matches are shown.
pub(crate) const SHOWN: usize = 10;

/// The columns next to the board.
const COLUMNS: [&str; 6] = ["game", "position", "move", "white", "black", "comments"];

/// Returns an HTML table of matches with their boards.
pub(crate) fn table(heading: &str, matches: &[Match], rows: usize) -> PyResult<String> {
    let heading = heading.trim_start_matches("<skewer.Result: ").trim_end_matches('>');
    let mut page = format!("<div><p>{}</p>\n<table>\n<tr><th></th>", escaped(heading));
    for name in COLUMNS {
        // Writing to a string does not fail.
        let _ = write!(page, "<th>{name}</th>");
    }
    page.push_str("</tr>\n");
    for found in matches {
        let (link, words) = (image(&found.drawing(false)?), escaped(&found.described()));
        let _ = write!(
            page,
            "<tr><td><img width=\"200\" alt=\"{words}\" title=\"{words}\" src=\"{link}\"/></td>"
        );
        for cell in found.cells() {
            let _ = write!(page, "<td>{}</td>", escaped(&cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
    if rows > matches.len() {
        let _ = writeln!(page, "<p>and {} more</p>", rows - matches.len());
    }
    page.push_str("</div>\n");
    Ok(page)
}

/// Returns a drawing as the address of an image, so that names in it do not collide with other drawings on the page.
fn image(svg: &str) -> String {
    let mut address = "data:image/svg+xml,".to_owned();
    for character in svg.chars() {
        match character {
            '\n' => address.push(' '),
            '"' | '%' | '#' | '<' | '>' | '&' | '\u{0}'..='\u{1f}' => {
                let _ = write!(address, "%{:02X}", u32::from(character));
            }
            other => address.push(other),
        }
    }
    address
}

/// Escapes text for a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
