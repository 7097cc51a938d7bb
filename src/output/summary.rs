//! A summary of the results of several queries.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};

use csv::Writer;
use indicatif::HumanCount;

use crate::terminal::in_a_line;

use super::csv::quoted;
use super::format::Totals;

const COLUMNS: [&str; 4] = ["query", "games", "positions", "errors"];

/// A table with one row per query: how many games and positions match, or why that is not known.
///
/// [`Display`](fmt::Display) is for people: the queries with the most matches come first, and those without a match are only counted.
/// [`write_csv`](Summary::write_csv) is for programs and writes all queries in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    rows: Vec<Row>,
}

/// The result of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    /// The numbers of games and positions that match, or `None` for an error.
    found: Option<(u64, u64)>,
    cells: [String; 4],
}

impl Summary {
    /// Adds a query that was searched for.
    pub fn add(&mut self, query: &str, totals: Totals) {
        let (games, positions) = (totals.matches.to_string(), totals.positions.to_string());
        self.rows.push(Row {
            found: Some((totals.matches, totals.positions)),
            cells: [query.to_owned(), games, positions, String::new()],
        });
    }

    /// Adds a query that is wrong or could not be evaluated to the end.
    pub fn add_error(&mut self, query: &str, message: &str) {
        self.rows.push(Row {
            found: None,
            cells: [query.to_owned(), String::new(), String::new(), message.to_owned()],
        });
    }

    /// Returns the rows for people, and how many queries without a match are left out. A single one has a row of its own.
    fn ranked(&self) -> (Vec<&Row>, usize) {
        let (empty, mut rows): (Vec<&Row>, Vec<&Row>) =
            self.rows.iter().partition(|row| matches!(row.found, Some((0, _))));
        let left_out = match empty.as_slice() {
            [only] => {
                rows.push(only);
                0
            }
            all => all.len(),
        };
        // Errors come below what was found.
        rows.sort_by_key(|row| Reverse(row.found));
        (rows, left_out)
    }

    /// Writes the table as CSV with a header row. Unknown values are empty. If `quotes` is set, no cell is a formula for a spreadsheet.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write_csv(&self, quotes: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::from_writer(out);
        writer.write_record(COLUMNS)?;
        for row in &self.rows {
            let cells = row.cells.iter().map(|cell| match quotes {
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
        let (ranked, left_out) = self.ranked();
        let rows = || std::iter::once(&header).chain(ranked.iter().map(|row| &row.cells));
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
        match left_out {
            0 => Ok(()),
            queries => writeln!(f, "{} queries without a match", HumanCount(queries as u64)),
        }
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

    /// Returns the table for people, for queries that found this much. `None` is an error.
    fn ranked(found: &[(&str, Option<(u64, u64)>)]) -> String {
        let mut summary = Summary::default();
        for (query, found) in found {
            match *found {
                None => summary.add_error(query, "wrong"),
                Some((matches, positions)) => summary.add(
                    query,
                    Totals {
                        matches,
                        positions,
                        ..Totals::default()
                    },
                ),
            }
        }
        summary.to_string()
    }

    #[test]
    fn those_with_the_most_matches_come_first_and_zeros_are_one_line() {
        let all = [
            ("none", Some((0, 0))),
            ("few", Some((2, 9))),
            ("wrong", None),
            ("many", Some((10, 10))),
            ("more", Some((10, 30))),
            // `matchcount` excludes its games.
            ("shut", Some((0, 7))),
            ("same", Some((2, 9))),
        ];
        let expected = "\
query  games  positions  errors
more      10         30
many      10         10
few        2          9
same       2          9
wrong                    wrong
2 queries without a match
";
        assert_eq!(ranked(&all), expected);
        let only = "query  games  positions  errors\nfew        1          1\nnone       0          0\n";
        assert_eq!(ranked(&[("none", Some((0, 0))), ("few", Some((1, 1)))]), only);
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
