//! Counts of parts of the games, for programs that add up the parts.

use super::cells::{Cell, cells, columns};
use super::counting::{Counted, Counting};
use super::groups::{Distribution, Groups, KeyBytes, KeyValue, Tally};
use super::key::Key;
use super::table::{Row, Table, keys};
use crate::output::Holds;

/// The counts of a group in a part of the games. To merge parts, add the counts of the same group, and the counts of equal values; keep the
/// first and the last year.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroupCounts {
    /// The index of the query.
    pub query: usize,
    /// The values of the keys that are the same in a whole game.
    pub of_game: Vec<u8>,
    /// The values of all keys. With `None`, there are no counts of a group; only `base` is set, for all groups with the same `of_game`.
    pub key: Option<Vec<u8>>,
    /// The number of games that the share of matching games is computed from.
    pub base: u64,
    /// Games that match.
    pub games: u64,
    /// Positions that match.
    pub positions: u64,
    /// Games won by the side in question, or by White if there is none.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by that side.
    pub losses: u64,
    /// The sum of the known ratings.
    pub rating_sum: u64,
    /// The number of known ratings.
    pub ratings: u64,
    /// The first and the last year, 0 if none is known.
    pub years: (u16, u16),
    /// The measured values, each with how often it occurs.
    pub values: Vec<(i32, u64)>,
}

impl GroupCounts {
    fn of(query: usize, of_game: &[u8], key: &[u8], base: u64, groups: &Groups) -> GroupCounts {
        let tally = groups.of(key);
        GroupCounts {
            query,
            of_game: of_game.to_vec(),
            key: Some(key.to_vec()),
            base,
            games: tally.games,
            positions: tally.positions,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            rating_sum: tally.rating_sum,
            ratings: tally.ratings,
            years: tally.years,
            values: groups.values(key).counts.into_iter().collect(),
        }
    }

    fn tally(&self) -> Tally {
        Tally {
            games: self.games,
            positions: self.positions,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            rating_sum: self.rating_sum,
            ratings: self.ratings,
            years: self.years,
            ..Tally::default()
        }
    }
}

/// Returns the counts group by group.
pub(crate) fn group_counts(counting: &Counting, counted: &Counted) -> Vec<GroupCounts> {
    let (_, of_game) = counting.places();
    let mut all = Vec::new();
    for (query, groups, bases) in counted.groups() {
        if counting.is_of_positions() {
            all.extend(groups.bases().map(|key| GroupCounts {
                query,
                of_game: key.to_vec(),
                base: groups.base(key),
                ..GroupCounts::default()
            }));
            let found = groups.found();
            all.extend(found.map(|(key, _)| GroupCounts::of(query, KeyBytes::first(key, of_game), key, 0, groups)));
        } else {
            let bases = bases.bases().map(|key| (key, bases.base(key)));
            all.extend(bases.map(|(key, base)| GroupCounts::of(query, key, key, base, groups)));
        }
    }
    all
}

/// The value of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum GroupValue {
    /// The value is not known.
    Unknown,
    /// A whole number.
    Integer(i64),
    /// A number with decimals.
    Real(f64),
    /// Text.
    Text(String),
}

/// The table of groups whose counts have been added up, row by row.
#[derive(Debug)]
pub(crate) struct Merged<'c> {
    counting: &'c Counting,
    names: &'c [String],
    table: Table,
    /// For each key, whether its values are texts.
    are_texts: Vec<bool>,
}

impl<'c> Merged<'c> {
    /// Creates the table for queries with these names, with a column for them if there are several. `is_number` returns whether a filter is
    /// a number, by its index among the [columns](Counting::columns).
    pub(crate) fn new(
        counting: &'c Counting,
        names: &'c [String],
        has_several: bool,
        has_histograms: bool,
        is_number: impl Fn(usize) -> bool,
    ) -> Merged<'c> {
        let table = Table::empty(counting, has_several, has_histograms);
        let is_text = |(key, column): (&Key, Option<usize>)| match key {
            Key::Value(..) => !column.is_some_and(&is_number),
            Key::Year(_) | Key::Elo(..) | Key::Ply(_) | Key::MoveNumber(_) => false,
            Key::Eco(_) | Key::Result | Key::Player | Key::Tag(_) | Key::Source | Key::Query | Key::Next => true,
        };
        let has_query_column = table.columns.len() > counting.keys.len();
        let are_texts = counting.keys_and_columns().map(is_text);
        Merged {
            are_texts: has_query_column.then_some(true).into_iter().chain(are_texts).collect(),
            counting,
            names,
            table,
        }
    }

    /// Returns the names of the columns, and the types of their values.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&str, Holds)> {
        let of_keys = self.table.columns.iter().zip(&self.are_texts);
        let of_keys = of_keys.map(|(column, is_text)| match is_text {
            true => (column.name.as_str(), Holds::Texts),
            false => (column.name.as_str(), Holds::Numbers),
        });
        of_keys.chain(columns(&self.table).map(|column| (column.name, column.holds)))
    }

    /// Returns the row of a group.
    pub(crate) fn row(&self, group: &GroupCounts) -> Vec<GroupValue> {
        let name = self.names.get(group.query);
        let name = name.map_or(KeyValue::Unknown, |name| KeyValue::Text(name.clone().into_bytes()));
        let has_query_column = self.table.columns.len() > self.counting.keys.len();
        let mut values = Distribution::default();
        for (value, count) in &group.values {
            *values.counts.entry(*value).or_default() += count;
        }
        let row = Row {
            keys: keys(
                self.counting,
                group.key.as_deref().unwrap_or_default(),
                &name,
                has_query_column,
            ),
            query: group.query,
            base: group.base,
            tally: group.tally(),
            values,
        };
        let are_texts = self.are_texts.iter().copied().chain(std::iter::repeat(false));
        let cells = cells(&self.table, &row).zip(are_texts);
        cells.map(|(cell, is_text)| value(cell, is_text)).collect()
    }
}

/// Returns the value of a cell, as text if `is_text`. An empty text is unknown.
fn value(cell: Cell<'_>, is_text: bool) -> GroupValue {
    match cell {
        Cell::Unknown => GroupValue::Unknown,
        Cell::Integer(number) if is_text => GroupValue::Text(number.to_string()),
        Cell::Integer(number) => GroupValue::Integer(number),
        Cell::Real(number) => GroupValue::Real(number),
        Cell::Text(text) => known_text(text.into_owned()),
        Cell::Counts(values) => known_text(values.to_string()),
    }
}

fn known_text(text: String) -> GroupValue {
    match text.is_empty() {
        true => GroupValue::Unknown,
        false => GroupValue::Text(text),
    }
}
