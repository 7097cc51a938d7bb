//! The columns of the table formats.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::columns::{self, Column};
use super::facts::{GameFacts, Matched, matched};
use super::game_row::{Cell, OF_GAME};
use super::look::Look;
use super::remarks::remarks;
use super::text::text;
use crate::chess::Position;
use crate::eval::report::GameReport;

/// The name of a column, and the function that makes its cell from a game and a matching position.
type PositionColumn = (
    &'static str,
    for<'g> fn(game: &'g dyn GameFacts, position: &Position) -> Cell<'g>,
);

/// The name of a column about a match, and the function that makes its cell.
type MatchColumn = (&'static str, for<'g> fn(row: &Row<'g>) -> Cell<'g>);

/// The columns that differ between positions, and where the game comes from.
const OF_POSITION: [PositionColumn; 7] = [
    ("file", |game, _| Cell::Text(game.source().into())),
    ("game", |game, _| Cell::Number(game.number())),
    ("positionid", |_, position| Cell::Number(position.id.into())),
    ("ply", |_, position| Cell::Number(position.ply.into())),
    ("movenumber", |game, position| {
        Cell::Number(game.move_number(position).into())
    }),
    ("side", |_, position| {
        Cell::Text(position.turn.fold_wb("white", "black").into())
    }),
    ("fen", |game, position| {
        Cell::written(|out| game.write_fen(position, out))
    }),
];

/// The columns about the match.
const OF_MATCH: [MatchColumn; 2] = [
    ("move", |row| {
        Cell::written(|out| row.game.write_san(row.position(), out))
    }),
    ("comment", |row| {
        let said: Vec<_> = remarks(row.game, row.report, row.position()).collect();
        match said.is_empty() {
            true => Cell::Unknown,
            false => Cell::Text(text(Cow::Owned(said.join(&b' ')))),
        }
    }),
];

/// The columns for evaluations and clocks, in the tables of queries that use them.
const OF_MEASURES: [MatchColumn; 2] = [
    ("eval", |row| measure(row.game.evaluation(row.position()))),
    ("clock", |row| measure(row.game.clock(row.position()))),
];

/// The column for the side that the query matches for, in all tables.
const OF_SIDE: MatchColumn = ("query_side", |row| {
    let side = row.matched.query_side(row.look.side);
    side.map_or(Cell::Unknown, |side| Cell::Text(side.as_str().into()))
});

fn measure(value: Option<i32>) -> Cell<'static> {
    value.map_or(Cell::Unknown, |value| Cell::Signed(value.into()))
}

/// Returns the columns about the match, with or without measures.
fn of_match(measures: bool) -> impl Iterator<Item = &'static MatchColumn> {
    let of_measures = OF_MEASURES.iter().filter(move |_| measures);
    OF_MATCH.iter().chain(of_measures).chain([&OF_SIDE])
}

/// Returns the names of the columns that every table has, and of the measures if there are any.
pub(super) fn own_names<'n>(measures: bool) -> impl Iterator<Item = &'n str> {
    let of_position = OF_POSITION.iter().map(|(name, _)| *name);
    let of_game = OF_GAME.iter().map(|(name, _)| *name);
    let of_match = of_match(measures).map(|(name, _)| *name);
    of_position.chain(of_game).chain(of_match)
}

/// Returns the names of the columns of a [`Row`], in order.
pub(super) fn names(look: &Look) -> impl Iterator<Item = &str> {
    let added = look.columns.iter().map(Column::name);
    own_names(look.measures).chain(added)
}

/// Returns whether some table has a column of this name without being asked for it.
pub(crate) fn is_own_column(name: &str) -> bool {
    own_names(true).any(|known| known == name)
}

/// A matching position and its game. Serialized, it is a map with the columns in order.
#[derive(Clone, Copy)]
pub(super) struct Row<'g> {
    game: &'g dyn GameFacts,
    matched: Matched<'g>,
    /// What the query found in the game.
    report: &'g GameReport,
    /// Decides which columns there are.
    look: &'g Look,
}

/// Returns the rows of a game.
pub(super) fn rows<'g>(
    game: &'g dyn GameFacts,
    report: &'g GameReport,
    look: &'g Look,
) -> impl Iterator<Item = Row<'g>> {
    matched(game, report).map(move |matched| Row {
        game,
        matched,
        report,
        look,
    })
}

impl<'g> Row<'g> {
    fn position(&self) -> &'g Position {
        self.matched.position
    }

    /// Returns the cells of the columns, in order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell<'g>> {
        let row = *self;
        let (game, position, look) = (self.game, self.position(), self.look);
        let of_position = OF_POSITION.iter().map(move |(_, cell)| cell(game, position));
        let of_game = OF_GAME.iter().map(move |(_, cell)| cell(game));
        let of_match = of_match(look.measures).map(move |(_, cell)| cell(&row));
        let added = columns::values(&look.columns, game, self.matched);
        of_position.chain(of_game).chain(of_match).chain(added.map(Cell::of))
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(names(self.look).zip(self.cells()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_names_all_columns_in_order() {
        let guide = include_str!("../../docs/guide/text-and-output.md");
        let (_, section) = guide.split_once("\n## Columns\n").expect("a section of its own");
        let rows = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let listed: Vec<_> = rows
            .flat_map(|names| names.split(", "))
            .map(|name| name.trim_matches('`'))
            .collect();
        assert_eq!(listed, own_names(true).collect::<Vec<_>>());
    }
}
