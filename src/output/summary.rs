//! What came of several queries.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use csv::Writer;

use crate::terminal::in_a_line;

use super::csv::quoted;
use super::format::Totals;

const COLUMNS: [&str; 4] = ["query", "games", "positions", "errors"];

/// A table with one row per query: how many games and positions match, or why that is not known.
///
/// Displayed, it is for people; [`write_csv`](Summary::write_csv) is for programs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    rows: Vec<[String; 4]>,
}

impl Summary {
    /// Adds a query that was searched for.
    pub fn add(&mut self, query: &str, totals: Totals) {
        let (games, positions) = (totals.matches.to_string(), totals.positions.to_string());
        self.rows.push([query.to_owned(), games, positions, String::new()]);
    }

    /// Adds a query that is wrong or could not be evaluated to the end.
    pub fn add_error(&mut self, query: &str, message: &str) {
        let row = [query.to_owned(), String::new(), String::new(), message.to_owned()];
        self.rows.push(row);
    }

    /// Writes the table as CSV with a header row; unknown values are empty. If it `quotes`, no cell is a formula for a
    /// spreadsheet.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_csv(&self, quotes: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::from_writer(out);
        writer.write_record(COLUMNS)?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| match quotes {
                true => quoted(cell.into()),
                false => cell.into(),
            });
            writer.write_record(cells.map(|cell: Cow<'_, str>| cell.into_owned()))?;
        }
        writer.flush()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = COLUMNS.map(str::to_owned);
        let rows = || std::iter::once(&header).chain(&self.rows);
        let width = |column: usize| {
            rows()
                .map(|row| in_a_line(&row[column]).chars().count())
                .max()
                .unwrap_or(0)
        };
        let [query, games, positions] = [0, 1, 2].map(width);
        for row in rows() {
            let [name, matches, matching, errors] = row.each_ref().map(|cell| in_a_line(cell));
            let line = format!("{name:query$}  {matches:>games$}  {matching:>positions$}  {errors}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        let mut summary = Summary::default();
        let totals = Totals {
            games: 100_000,
            matches: 1234,
            positions: 56,
            ..Totals::default()
        };
        summary.add("mate", totals);
        summary.add_error("ends/broken", "no \"such\" word");
        summary
    }

    #[test]
    fn people_see_columns() {
        let expected = "\
query        games  positions  errors
mate          1234         56
ends/broken                    no \"such\" word
";
        assert_eq!(summary().to_string(), expected);
    }

    #[test]
    fn programs_see_csv() {
        let mut out = Vec::new();
        summary().write_csv(false, &mut out).unwrap();
        let expected = "query,games,positions,errors\nmate,1234,56,\nends/broken,,,\"no \"\"such\"\" word\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
