//! Draws the table of units: bars for each query on a logarithmic axis.
//!
//! A plotting crate would only contribute the axis: the pairs of bars, marks and values would still be rectangles and texts to place one by one.

use std::fmt::{self, Write as _};

use crate::table::Row;

/// The time of CQL 6.2 in units, on one thread: lowest, highest, and the queries. These are the figures from the start of the
/// project in November 2026. They were measured on the same games, in units of the machine of that time.
const CQL: &[(f64, f64, &[&str])] = &[
    (2.8, 2.8, &["echo-positions"]),
    (15.6, 15.6, &["mate", "stalemate", "underpromotion", "attack-count"]),
    (
        17.0,
        18.0,
        &[
            "never",
            "ray-battery",
            "elo",
            "rook-ending",
            "queen-sacrifice",
            "find-all-checks",
        ],
    ),
    (
        19.0,
        23.0,
        &[
            "imbalance",
            "opposite-castling",
            "three-checks",
            "piece-loop",
            "pin-knight",
            "passed-seventh",
            "player-regex",
        ],
    ),
    (26.0, 27.0, &["arrow-nary", "xray"]),
    (31.0, 33.0, &["shifted-chain", "ray-two-directions"]),
    (43.0, 43.0, &["knight-path"]),
    (50.0, 50.0, &["square-loop"]),
    (129.0, 129.0, &["forced-move"]),
];

/// The time that scoutfish takes to answer from its index, in units, on one thread, and the queries that it can express. From the same measurement.
const SCOUTFISH: (f64, &[&str]) = (0.41, &["mate", "rook-ending"]);

const PGN: &str = "#1f5fa8";
const DATABASE: &str = "#7fb2e5";
const PEER: &str = "#c2500a";
const INDEX: &str = "#2f7d32";
const TEXT: &str = "#1f2328";
const FAINT: &str = "#57606a";
const GRID: &str = "#d8dee4";

/// Widths and heights in pixels.
const WIDTH: f64 = 860.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 48.0;
const ROW: f64 = 26.0;
const BAR: f64 = 9.0;
/// Half of the height of a mark, and its least width.
const MARK: f64 = 6.0;

/// A logarithmic axis from left to right.
struct Axis {
    /// The power of ten at the left end.
    from: i32,
    /// The decimal logarithm at the right end.
    to: f64,
}

impl Axis {
    /// Creates an axis that covers these values and 1, with room for a number after the greatest value.
    fn around(values: impl Iterator<Item = f64> + Clone) -> Axis {
        Axis {
            from: values.clone().fold(1.0, f64::min).log10().floor() as i32,
            to: values.fold(1.0, f64::max).log10() + 0.25,
        }
    }

    /// Returns the position of a value. Values below the axis, such as 0, are at its left end.
    fn x(&self, value: f64) -> f64 {
        let from = f64::from(self.from);
        let share = (value.log10() - from) / (self.to - from);
        LEFT + share.max(0.0) * (WIDTH - LEFT - RIGHT)
    }

    /// Returns the powers of ten on the axis.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.from..=self.to.floor() as i32).map(|power| 10_f64.powi(power))
    }
}

/// Draws the rows as an SVG document, slow queries first.
pub(crate) fn draw(mut rows: Vec<Row>) -> String {
    rows.sort_by(|one, other| other.pgn[0].total_cmp(&one.pgn[0]));
    let mut out = String::new();
    write_document(&rows, &mut out).expect("a text takes what is written");
    out
}

fn write_document(rows: &[Row], out: &mut String) -> fmt::Result {
    let bottom = TOP + ROW * rows.len() as f64;
    let height = bottom + BOTTOM;
    // A value that a table rounds to 0.00 has no length on this axis.
    let measured = rows
        .iter()
        .flat_map(|row| [row.pgn[0], row.database[0]])
        .filter(|units| *units > 0.0);
    let axis = Axis::around(measured.chain(CQL.iter().map(|(_, to, _)| *to)));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{TEXT}\">"
    )?;
    out.push_str(
        "<title>Time of the benchmark queries in units of a plain replay, one thread, logarithmic axis</title>\n",
    );
    writeln!(
        out,
        "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#ffffff\" stroke=\"{GRID}\"/>",
        WIDTH - 1.0,
        height - 1.0
    )?;
    write_legend(out)?;
    write_axis(&axis, bottom, out)?;
    for (index, row) in rows.iter().enumerate() {
        write_row(row, &axis, TOP + ROW * index as f64, out)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

/// Writes the heading and the meaning of the colours.
fn write_legend(out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<text x=\"20\" y=\"29\" font-size=\"16\" font-weight=\"600\">Benchmark queries, one thread: time in units of a plain replay</text>"
    )?;
    let legend = [
        (20.0, PGN, "skewer, PGN"),
        (130.0, DATABASE, "skewer, database"),
        (272.0, PEER, "CQL 6.2, PGN (November 2026)"),
        (492.0, INDEX, "scoutfish, from its index (November 2026)"),
    ];
    for (x, colour, text) in legend {
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"43\" width=\"12\" height=\"12\" rx=\"2\" fill=\"{colour}\"/>"
        )?;
        writeln!(out, "<text x=\"{}\" y=\"53\">{text}</text>", x + 18.0)?;
    }
    Ok(())
}

/// Writes lines at the powers of ten, with a stronger line at one unit.
fn write_axis(axis: &Axis, bottom: f64, out: &mut String) -> fmt::Result {
    for tick in axis.ticks() {
        let x = axis.x(tick);
        writeln!(out, "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"{GRID}\"/>")?;
        let y = bottom + 17.0;
        writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{FAINT}\">{tick}</text>"
        )?;
    }
    let one = axis.x(1.0);
    writeln!(
        out,
        "<path d=\"M{one:.1} {}V{bottom}\" stroke=\"{TEXT}\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"/>",
        TOP - 6.0
    )?;
    let above = TOP - 11.0;
    writeln!(
        out,
        "<text x=\"{one:.1}\" y=\"{above}\" text-anchor=\"middle\" font-weight=\"600\">1 unit: plain replay</text>"
    )?;
    writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"{FAINT}\">units, logarithmic; less is faster</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 36.0
    )
}

/// Writes the name of a query, its bars with their values, and the mark of CQL.
fn write_row(row: &Row, axis: &Axis, top: f64, out: &mut String) -> fmt::Result {
    let middle = top + ROW / 2.0;
    writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        LEFT - 8.0,
        middle + 4.0,
        row.query.replace('&', "&amp;").replace('<', "&lt;")
    )?;
    let bars = [
        (middle - BAR - 0.5, PGN, row.pgn[0]),
        (middle + 0.5, DATABASE, row.database[0]),
    ];
    // The bars come last, so that the background of a number does not cut into the bar next to it.
    for (y, _, units) in bars {
        write_value(&format!("{units:.2}"), axis.x(units) + 4.0, y + BAR - 1.0, TEXT, out)?;
    }
    for (y, colour, units) in bars {
        let width = axis.x(units) - LEFT;
        writeln!(
            out,
            "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>"
        )?;
    }
    let (units, queries) = SCOUTFISH;
    if queries.contains(&row.query.as_str()) {
        write_mark(axis.x(units) - MARK / 2.0, MARK, middle, INDEX, out)?;
    }
    let Some((from, to, _)) = CQL.iter().find(|(_, _, queries)| queries.contains(&row.query.as_str())) else {
        return Ok(());
    };
    let (start, end) = (axis.x(*from), axis.x(*to));
    let width = (end - start).max(MARK);
    let x = (start + end - width) / 2.0;
    write_mark(x, width, middle, PEER, out)?;
    let value = if from == to {
        from.to_string()
    } else {
        format!("{from}–{to}")
    };
    write_value(&value, x + width + 4.0, middle + 3.5, PEER, out)
}

/// Writes the mark of another program.
fn write_mark(x: f64, width: f64, middle: f64, colour: &str, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" rx=\"2\" fill=\"{colour}\"/>",
        middle - MARK,
        2.0 * MARK
    )
}

/// Writes a number in small type, with a background that covers lines of the axis.
fn write_value(value: &str, x: f64, y: f64, colour: &str, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y}\" font-size=\"10\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{value}</text>"
    )
}
