//! The groups as a table with a row for each, in order.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::num::{NonZeroU64, NonZeroUsize};

use super::counting::{Counted, Counting};
use super::groups::{Distribution, Groups, KeyBytes, KeyValue, Tally};
use super::interval::Share;
use super::key::{Key, NamedKey};
use crate::output::decoded_text;

/// The order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "service", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub(crate) enum Order {
    /// The values of the keys
    Key,
    /// The games that match, most first
    Count,
    /// The share, greatest first
    Share,
    /// The score, best first
    Score,
}

/// Which rows a table has, and what it shows of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableOptions {
    /// The order. By default it is that of the keys or, if a key is a name, that of the numbers of games.
    pub(crate) order: Option<Order>,
    /// The fewest matching games that a group must have.
    pub(crate) min: Option<NonZeroU64>,
    /// How many of the first rows are kept.
    pub(crate) top: Option<NonZeroUsize>,
    /// Whether to show how often each measured value occurs.
    pub(crate) histogram: bool,
}

/// The counts as rows.
#[derive(Debug)]
pub(crate) struct Table {
    /// The columns of the keys.
    pub(super) columns: Vec<KeyColumn>,
    /// The name of the column that shares are computed from.
    pub(super) base: &'static str,
    /// Whether a value was measured.
    pub(super) is_measured: bool,
    /// Whether to show how often each measured value occurs.
    pub(super) has_histograms: bool,
    pub(super) rows: Vec<Row>,
}

/// A column of a key.
#[derive(Debug)]
pub(super) struct KeyColumn {
    pub(super) name: String,
    /// How many successive numbers are one value.
    pub(super) step: u32,
}

/// The counts of a group.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// One value for each key.
    pub(super) keys: Vec<KeyValue>,
    /// The index of the query.
    pub(super) query: usize,
    /// The number of games that the share of matching games is computed from.
    pub(super) base: u64,
    pub(super) tally: Tally,
    /// The measured values at the matches, if there are any.
    pub(super) values: Distribution,
}

impl Row {
    /// Returns the share of the games that match.
    pub(super) fn share(&self) -> Option<Share> {
        Share::of(self.tally.games as f64, self.base)
    }

    /// Returns the score as a share of all possible points.
    pub(super) fn score(&self) -> Option<Share> {
        let Tally {
            wins, draws, losses, ..
        } = self.tally;
        Share::of(wins as f64 + draws as f64 / 2.0, wins + draws + losses)
    }

    /// Returns the mean of the known ratings.
    pub(super) fn rating(&self) -> Option<f64> {
        let Tally {
            rating_sum, ratings, ..
        } = self.tally;
        (ratings > 0).then(|| rating_sum as f64 / ratings as f64)
    }

    /// Returns the first and the last year.
    pub(super) fn years(&self) -> Option<(u16, u16)> {
        Some(self.tally.years).filter(|(first, _)| *first > 0)
    }
}

impl Table {
    /// Creates a table without rows. If there are several queries, it has a column for them.
    pub(super) fn empty(counting: &Counting, has_several: bool, histogram: bool) -> Table {
        let names_queries = counting.keys.iter().any(|key| key.key == Key::Query);
        // Rows of several queries must be told apart.
        let query_column = (has_several && !names_queries).then(|| KeyColumn {
            name: "query".to_owned(),
            step: 1,
        });
        let columns = counting.keys.iter().map(|key| KeyColumn {
            name: key.name.clone(),
            step: key.key.step().get(),
        });
        Table {
            columns: query_column.into_iter().chain(columns).collect(),
            base: if counting.is_of_positions() {
                "matching"
            } else {
                "searched"
            },
            is_measured: counting.measured().is_some(),
            has_histograms: histogram && counting.measured().is_some(),
            rows: Vec::new(),
        }
    }

    /// Creates the table of the groups of queries with these names. If there were several queries, each row names its own, even if only one
    /// is left.
    pub(crate) fn new(
        counting: &Counting,
        counted: &Counted,
        names: &[String],
        has_several: bool,
        options: &TableOptions,
    ) -> Table {
        let table = Table::empty(counting, has_several, options.histogram);
        let has_query_column = table.columns.len() > counting.keys.len();
        let mut rows = Vec::new();
        for (query, groups, bases) in counted.groups() {
            let name = names
                .get(query)
                .map_or(KeyValue::Unknown, |name| KeyValue::Text(name.clone().into_bytes()));
            let row = |bytes: &[u8], base: u64, tally: Tally| Row {
                values: groups.values(bytes),
                keys: keys(counting, bytes, &name, has_query_column),
                query,
                base,
                tally,
            };
            rows.extend(match counting.is_of_positions() {
                true => of_positions(counting, groups, row).collect::<Vec<_>>(),
                false => bases
                    .bases()
                    .map(|key| row(key, bases.base(key), groups.of(key)))
                    .collect(),
            });
        }
        rows.retain(|row| row.tally.games >= options.min.map_or(0, NonZeroU64::get));
        let are_names = |key: &NamedKey| !key.key.is_ordered();
        let order = options
            .order
            .unwrap_or(match has_query_column && counting.keys.is_empty() {
                true => Order::Count,
                false if counting.keys.iter().any(are_names) => Order::Count,
                false => Order::Key,
            });
        rows.sort_unstable_by(|a, b| order.compare(a, b).then_with(|| by_keys(a, b)));
        rows.truncate(options.top.map_or(usize::MAX, NonZeroUsize::get));
        Table { rows, ..table }
    }
}

/// Returns the rows of groups whose keys differ between the positions of a game.
fn of_positions<'g>(
    counting: &'g Counting,
    groups: &'g Groups,
    row: impl Fn(&[u8], u64, Tally) -> Row + 'g,
) -> impl Iterator<Item = Row> + 'g {
    let (_, of_game) = counting.places();
    groups
        .found()
        .map(move |(key, tally)| row(key, groups.base(KeyBytes::first(key, of_game)), *tally))
}

/// Returns the values of the keys of a group in the order in which they were given.
pub(super) fn keys(counting: &Counting, bytes: &[u8], query: &KeyValue, has_query_column: bool) -> Vec<KeyValue> {
    let (order, _) = counting.places();
    let mut values = vec![query.clone(); counting.keys.len()];
    for (place, value) in order.iter().zip(KeyBytes::values(bytes)) {
        values[*place] = value;
    }
    if has_query_column {
        values.insert(0, query.clone());
    }
    values
}

impl Order {
    fn compare(self, a: &Row, b: &Row) -> Ordering {
        let greatest = |value: fn(&Row) -> Option<Share>| {
            let [a, b] = [a, b].map(|row| value(row).map_or(-1.0, |share| share.value));
            b.total_cmp(&a)
        };
        match self {
            Order::Key => Ordering::Equal,
            Order::Count => b.tally.games.cmp(&a.tally.games),
            Order::Share => greatest(Row::share),
            Order::Score => greatest(Row::score),
        }
    }
}

/// Compares rows by their keys. Queries with the same name stay apart.
fn by_keys(a: &Row, b: &Row) -> Ordering {
    a.keys.cmp(&b.keys).then(a.query.cmp(&b.query))
}

/// Returns a value as text, or `None` if it is not known.
pub(super) fn shown(value: &KeyValue) -> Option<Cow<'_, str>> {
    match value {
        KeyValue::Number(number) => Some(number.to_string().into()),
        KeyValue::Text(bytes) => Some(decoded_text(Cow::Borrowed(bytes))),
        KeyValue::Unknown => None,
    }
}
