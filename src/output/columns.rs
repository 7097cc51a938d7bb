//! The columns that users add to the tables of a search.

use std::fmt;
use std::io::Write as _;
use std::str::FromStr;

use super::facts::{GameFacts, Matched, next_position};
use super::text::written;
use crate::eval::report::{Extras, MatchValue};
use crate::query::ast::Type;
use crate::syntax::nearest;

/// A column that is added to the tables of a search: the value of a filter at each match, or one of the ready-made columns.
///
/// ```
/// use skewer::Column;
///
/// assert_eq!("pawns=#P".parse(), Ok(Column::of_filter("pawns", "#P")));
/// assert_eq!("next".parse(), Ok(Column::next()));
/// assert!("#P".parse::<Column>().is_err(), "it has no name");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    name: String,
    shown: Shown,
}

/// What a column shows.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shown {
    /// The position.
    Fen,
    /// The move that was played next.
    Next,
    /// The first move that was tried successfully.
    Solution,
    /// The value of a filter.
    Filter(String),
}

/// The names and descriptions of the ready-made columns, for help.
pub(crate) const READY_MADE: [(&str, &str); 3] = [
    ("next", "the move played next"),
    ("solution", "the first move that the query tries with success"),
    ("fen", "the position, which tables have anyway"),
];

/// Names that JSON objects use for other things than columns.
const TAKEN: [&str; 2] = ["sort", "tags"];

/// Why something is not a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnError(String);

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ColumnError {}

/// The type of the values in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "service", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ColumnType {
    /// Whole numbers.
    Number,
    /// Text. A set is written as its squares, such as `a1 b2`, and a position as its FEN.
    Text,
    /// Whether a condition holds.
    Truth,
}

/// The value of a column at a match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ColumnValue {
    /// A whole number.
    Number(i32),
    /// Text. A set is written as its squares, such as `a1 b2`, and a position as its FEN.
    Text(String),
    /// Whether a condition holds.
    Truth(bool),
}

impl Column {
    /// Creates a column with this name for the value of a filter. The filter comes after those of the query and may read its variables.
    pub fn of_filter(name: impl Into<String>, filter: impl Into<String>) -> Column {
        Column {
            name: name.into(),
            shown: Shown::Filter(filter.into()),
        }
    }

    /// Creates the column `next`: the move that was played next, such as `Nf3`.
    pub fn next() -> Column {
        Column::ready_made("next", Shown::Next)
    }

    /// Creates the column `solution`: the first move, such as `Nf3`, that the query tries successfully, as with `legal --(mate)`.
    pub fn solution() -> Column {
        Column::ready_made("solution", Shown::Solution)
    }

    /// Creates the column `fen`: the position as FEN, with all six fields.
    pub fn fen() -> Column {
        Column::ready_made("fen", Shown::Fen)
    }

    fn ready_made(name: &str, shown: Shown) -> Column {
        Column {
            name: name.to_owned(),
            shown,
        }
    }

    /// Returns the name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text of the filter whose value the column shows, or `None` for a ready-made column.
    pub fn filter(&self) -> Option<&str> {
        match &self.shown {
            Shown::Filter(filter) => Some(filter),
            _ => None,
        }
    }

    /// Returns what reports must contain for these columns.
    pub(crate) fn extras(columns: &[Column]) -> Extras {
        match columns.iter().any(|column| column.shown == Shown::Solution) {
            true => Extras::TRIED,
            false => Extras::empty(),
        }
    }

    /// Returns the columns that a table must add to its own. `is_taken` returns whether the table has a column of this name.
    ///
    /// # Errors
    /// Returns an error if a name is taken, or if two columns have the same name.
    pub(crate) fn beside(columns: &[Column], is_taken: impl Fn(&str) -> bool) -> Result<Vec<Column>, ColumnError> {
        let is_there = |column: &&Column| column.shown == Shown::Fen && is_taken(&column.name);
        let added: Vec<Column> = columns.iter().filter(|column| !is_there(column)).cloned().collect();
        for (place, Column { name, .. }) in added.iter().enumerate() {
            if is_taken(name) || TAKEN.contains(&name.as_str()) {
                let message = format!("`{name}` is the name of another column; give this one a name of its own");
                return Err(ColumnError(message));
            }
            if added.iter().take(place).any(|other| other.name == *name) {
                return Err(ColumnError(format!("there are two columns with the name `{name}`")));
            }
        }
        Ok(added)
    }
}

impl FromStr for Column {
    type Err = ColumnError;

    /// Parses a column in the command's syntax: `NAME=FILTER`, or the name of a ready-made column.
    fn from_str(text: &str) -> Result<Column, ColumnError> {
        if let Some(named) = NamedFilter::of(text) {
            let NamedFilter { name, more, filter } = named?;
            return match more {
                None => Ok(Column::of_filter(name, filter)),
                Some(more) => Err(ColumnError(format!(
                    "each match has its own value in a column, so `{name}` does not take `:{more}`"
                ))),
            };
        }
        match text.trim() {
            "next" => Ok(Column::next()),
            "solution" => Ok(Column::solution()),
            "fen" => Ok(Column::fen()),
            other => {
                let names = || READY_MADE.iter().map(|(name, _)| *name);
                Err(ColumnError(match nearest(other, names()) {
                    Some(near) => format!("there is no column `{other}`; did you mean `{near}`?"),
                    None => format!(
                        "a column is a name and a filter, such as `pawns=#P`, or one of {}; `{other}` is neither",
                        names().collect::<Vec<_>>().join(", ")
                    ),
                }))
            }
        }
    }
}

/// A named filter, `NAME=FILTER`.
pub(crate) struct NamedFilter<'t> {
    pub(crate) name: &'t str,
    /// The text between a colon after the name and the equals sign: `NAME:MORE=FILTER`.
    pub(crate) more: Option<&'t str>,
    pub(crate) filter: &'t str,
}

impl<'t> NamedFilter<'t> {
    /// Splits the text. Returns `None` if it has no equals sign.
    pub(crate) fn of(text: &'t str) -> Option<Result<NamedFilter<'t>, ColumnError>> {
        let (name, filter) = text.split_once('=')?;
        let (name, more) = match name.split_once(':') {
            Some((name, more)) => (name.trim(), Some(more.trim())),
            None => (name.trim(), None),
        };
        let is_of_names = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ' ';
        Some(if name.is_empty() || !name.chars().all(is_of_names) {
            Err(ColumnError(format!(
                "before `=` comes a name for the column, and `{name}` is not one; `pawns=#P`"
            )))
        } else if filter.trim().is_empty() {
            Err(ColumnError(format!(
                "`{name}=` is followed by a filter with a value: `{name}=#P`"
            )))
        } else {
            Ok(NamedFilter { name, more, filter })
        })
    }
}

/// Returns the types of the columns. `kept` are the types of the values that the query keeps for filters.
pub(crate) fn types<'c>(columns: &'c [Column], kept: &'c [Type]) -> impl Iterator<Item = ColumnType> + 'c {
    let mut kept = kept.iter();
    columns.iter().map(move |column| match column.shown {
        Shown::Fen | Shown::Next | Shown::Solution => ColumnType::Text,
        Shown::Filter(_) => match kept.next() {
            Some(Type::Number) => ColumnType::Number,
            Some(Type::Condition) => ColumnType::Truth,
            _ => ColumnType::Text,
        },
    })
}

/// Returns the values of the columns at a match, each `None` where it is not known.
pub(crate) fn values<'c>(
    columns: &'c [Column],
    game: &'c dyn GameFacts,
    matched: Matched<'c>,
) -> impl Iterator<Item = Option<ColumnValue>> + 'c {
    let mut kept = matched.values.iter();
    let written = |write: &dyn Fn(&mut Vec<u8>)| {
        let written = written(write);
        (!written.is_empty()).then_some(ColumnValue::Text(written))
    };
    columns.iter().map(move |column| match column.shown {
        Shown::Fen => written(&|out| game.write_fen(matched.position, out)),
        Shown::Next => written(&|out| {
            if let Some(next) = next_position(game, matched.position) {
                game.write_san(next, out);
            }
        }),
        Shown::Solution => written(&|out| {
            if let Some(tried) = matched.highlights.tried.first() {
                game.write_tried_san(matched.position, tried, out);
            }
        }),
        Shown::Filter(_) => match kept.next()? {
            MatchValue::Unknown => None,
            MatchValue::Number(number) => Some(ColumnValue::Number(*number)),
            MatchValue::Truth(holds) => Some(ColumnValue::Truth(*holds)),
            value => written(&|out| write_value(value, game, out)),
        },
    })
}

/// Writes a value of a match as text: a set as its squares, a position as its FEN, an unknown value as nothing.
pub(crate) fn write_value(value: &MatchValue, game: &dyn GameFacts, out: &mut Vec<u8>) {
    match value {
        MatchValue::Unknown => {}
        MatchValue::Number(number) => {
            // Writing to a vector cannot fail.
            let _ = write!(out, "{number}");
        }
        MatchValue::Text(text) => out.extend_from_slice(text),
        MatchValue::Truth(holds) => out.extend_from_slice(if *holds { b"true" } else { b"false" }),
        MatchValue::Position(id) => {
            if let Some(position) = game.positions().get(*id as usize) {
                game.write_fen(position, out);
            }
        }
        MatchValue::Squares(squares) => {
            for (place, square) in squares.into_iter().enumerate() {
                if place > 0 {
                    out.push(b' ');
                }
                out.extend([square.file().char(), square.rank().char()].map(|sign| sign as u8));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_as_the_command_has_them() {
        for (text, expected) in [
            ("pawns=#P", Column::of_filter("pawns", "#P")),
            (" two words = x==\"a:b\"", Column::of_filter("two words", " x==\"a:b\"")),
            ("next", Column::next()),
            ("solution", Column::solution()),
            ("fen", Column::fen()),
            ("next=#P", Column::of_filter("next", "#P")),
        ] {
            assert_eq!(text.parse(), Ok(expected));
        }
    }

    #[test]
    fn what_is_no_column_is_refused_with_advice() {
        for (text, expected) in [
            ("#P", "`pawns=#P`, or one of next, solution, fen; `#P` is neither"),
            ("", "`` is neither"),
            ("nxt", "did you mean `next`?"),
            ("=#P", "a name for the column"),
            ("a-b=#P", "a name for the column"),
            ("pawns=", "`pawns=#P`"),
            ("pawns:5=#P", "does not take `:5`"),
        ] {
            let ColumnError(error) = text.parse::<Column>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn columns_have_names_of_their_own() {
        let beside = |texts: &[&str]| {
            let columns: Vec<Column> = texts.iter().map(|text| text.parse().unwrap()).collect();
            let added = Column::beside(&columns, |name| matches!(name, "side" | "fen"));
            added.map(|added| added.into_iter().map(|column| column.name).collect::<Vec<_>>())
        };
        assert_eq!(
            beside(&["a=#P", "fen", "next"]),
            Ok(["a", "next"].map(str::to_owned).to_vec())
        );
        for (texts, expected) in [
            (["a=#P", "a=#p"], "there are two columns with the name `a`"),
            (["next", "next"], "there are two columns with the name `next`"),
            (["a=#P", "side=#P"], "`side` is the name of another column"),
            (["a=#P", "fen=#P"], "`fen` is the name of another column"),
            (["a=#P", "sort=#P"], "`sort` is the name of another column"),
            (["a=#P", "tags=#P"], "`tags` is the name of another column"),
        ] {
            let ColumnError(error) = beside(&texts).unwrap_err();
            assert!(error.contains(expected), "{texts:?}: {error}");
        }
    }
}
