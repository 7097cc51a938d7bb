//! The columns about a whole game, and the cells of all columns.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use shakmaty::Color;

use super::columns::ColumnValue;
use super::facts::GameFacts;
use super::text::text;
use super::text::written;
use crate::eval::report::SortValue;

/// The name of a column about a game, and the function that makes its cell.
pub(super) type GameColumn = (&'static str, for<'g> fn(game: &'g dyn GameFacts) -> Cell<'g>);

/// The columns that are the same for all positions of a game.
pub(super) const OF_GAME: [GameColumn; 9] = [
    ("white", |game| tag(game, b"White")),
    ("black", |game| tag(game, b"Black")),
    ("white_elo", |game| rating(game, Color::White)),
    ("black_elo", |game| rating(game, Color::Black)),
    ("event", |game| tag(game, b"Event")),
    ("site", |game| tag(game, b"Site")),
    ("date", |game| tag(game, b"Date")),
    ("result", |game| tag(game, b"Result")),
    ("eco", |game| tag(game, b"ECO")),
];

fn tag<'g>(game: &'g dyn GameFacts, name: &[u8]) -> Cell<'g> {
    game.tag(name).map_or(Cell::Unknown, |value| Cell::Text(text(value)))
}

fn rating(game: &dyn GameFacts, color: Color) -> Cell<'_> {
    let rating = game.rating(color);
    rating.map_or(Cell::Unknown, |rating| Cell::Number(rating.into()))
}

/// The value of a cell.
pub(super) enum Cell<'g> {
    Unknown,
    Number(u64),
    Signed(i64),
    Truth(bool),
    Text(Cow<'g, str>),
}

impl<'g> Cell<'g> {
    /// Returns what `write` writes as a cell, or `Unknown` if it writes nothing.
    pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> Cell<'g> {
        let written = written(write);
        match written.is_empty() {
            true => Cell::Unknown,
            false => Cell::Text(written.into()),
        }
    }

    pub(super) fn of(value: Option<ColumnValue>) -> Cell<'g> {
        match value {
            None => Cell::Unknown,
            Some(ColumnValue::Number(number)) => Cell::Signed(number.into()),
            Some(ColumnValue::Text(text)) => Cell::Text(text.into()),
            Some(ColumnValue::Truth(holds)) => Cell::Truth(holds),
        }
    }

    /// Returns the value of a sort key as a cell.
    pub(super) fn of_sort_key(value: Option<&'g SortValue>) -> Cell<'g> {
        match value {
            None => Cell::Unknown,
            Some(SortValue::Number(number)) => Cell::Signed((*number).into()),
            Some(SortValue::Text(bytes)) => Cell::Text(text(Cow::Borrowed(bytes))),
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Unknown => serializer.serialize_none(),
            Cell::Number(number) => serializer.serialize_u64(*number),
            Cell::Signed(number) => serializer.serialize_i64(*number),
            Cell::Truth(holds) => serializer.serialize_bool(*holds),
            Cell::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// The values of the sort keys, without titles.
pub(super) struct SortValues<'a>(pub(super) &'a [Option<SortValue>]);

impl Serialize for SortValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|value| Cell::of_sort_key(value.as_ref())))
    }
}

/// A game, serialized as a map of the columns about the whole game.
pub(super) struct GameRow<'g>(pub(super) &'g dyn GameFacts);

impl Serialize for GameRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(OF_GAME.iter().map(|(name, cell)| (name, cell(self.0))))
    }
}
