//! Counts what queries find in parts of the games, for programs that add up the parts: the Python package on a cluster.

use std::cell::RefCell;
use std::fmt;
use std::num::NonZeroUsize;

use clap::ValueEnum;

use super::columns::columns_read_for;
use super::error::{Error, QueryError};
use super::games::Games;
use super::options::Options;
use super::query::{Query, QueryOptions};
use super::run::run_sinks;
use crate::game::Warning;
use crate::output::{Column, Holds};
use crate::query::ast::Type;
use crate::search::{Listener, on_deep_stack};
use crate::stats::{
    self, Counted, Counting, CountingSink, GroupCounts, GroupValue, Keys, Merged, Perspective, group_counts,
};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// What to count: the options of `skewer stats` with the same names.
#[derive(Clone, Debug)]
pub struct CountOptions {
    /// The keys, in the command's syntax.
    pub by: Vec<String>,
    /// Whether the move played next is a key.
    pub next: bool,
    /// A filter whose value to measure.
    pub value: Option<String>,
    /// Whether to count how often each value occurs.
    pub histogram: bool,
    /// `white`, `black`, `mover` or `query`.
    pub for_whom: Option<String>,
    /// If set, only games of this player are searched.
    pub player: Option<String>,
    /// If set, only matches of this player count.
    pub by_player: Option<String>,
    /// The largest number of groups that one part of the games may have.
    pub max_groups: NonZeroUsize,
}

/// Why something cannot be counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountError(String);

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CountError {}

/// What to count, and the groups to count it by.
#[derive(Clone, Debug)]
pub struct Counts {
    counting: Counting,
    /// The filters whose values are needed, under the names of their columns.
    columns: Vec<Column>,
    has_histograms: bool,
    by_player: Option<String>,
    max_groups: NonZeroUsize,
}

/// The counts of a part of the games.
#[derive(Debug)]
pub struct PartCounts {
    /// The groups, in no particular order.
    pub groups: Vec<GroupCounts>,
    /// Whether there were more groups than allowed. Then some are missing.
    pub is_overfull: bool,
    /// The error that kept some games, or some queries, from being counted.
    pub failure: Option<Error>,
}

impl Counts {
    /// Reads what to count.
    ///
    /// # Errors
    /// Returns an error if a key or a side is unknown, or if two columns have the same name.
    pub fn new(options: &CountOptions) -> Result<Counts, CountError> {
        let mut keys = Keys::default();
        for text in &options.by {
            let Keys(named) = text.parse().map_err(CountError)?;
            keys.0.extend(named);
        }
        if options.next {
            keys.add_next();
        }
        stats::check_names(&keys.0).map_err(|clash| CountError(format!("{}; {}", clash.message, clash.advice)))?;
        let asked = options.for_whom.as_deref().map(whom).transpose()?;
        let (player, by_player) = (options.player.as_deref(), options.by_player.as_deref());
        let counting = Counting::new(keys, asked, player, by_player, options.value.as_deref());
        let columns = counting.named_columns();
        Ok(Counts {
            columns: columns.map(|(name, filter)| Column::of_filter(name, filter)).collect(),
            counting,
            has_histograms: options.histogram,
            by_player: options.by_player.clone(),
            max_groups: options.max_groups,
        })
    }

    /// Compiles a query whose matches are to be counted.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid query, if the filter of a column has no value, or if the value to measure is not a
    /// number.
    pub fn compile(&self, text: impl AsRef<[u8]>, options: &QueryOptions) -> Result<Query, QueryError> {
        let mut options = options.clone();
        options.columns.clone_from(&self.columns);
        if let Some(player) = &self.by_player {
            options.narrowing = options.narrowing.player(player);
        }
        options.by_player.clone_from(&self.by_player);
        options.sides = self.counting.match_sides();
        let query = Query::compile_with(text, &options)?;
        match self.counting.check_measured(query.compiled()) {
            Ok(()) => Ok(query),
            Err(message) => {
                let filter = self.counting.columns().last().map_or("", String::as_str);
                let error = Diagnostic::new(Span::new(0, filter.len()), message);
                let error = error.hint("group by it: it is a key, `name=...`");
                Err(QueryError::new(
                    &Source::new("<value>", filter),
                    query.options(),
                    &error,
                ))
            }
        }
    }

    /// Returns whether a key can differ between the positions of a game. If so, `base` counts over all groups with the same
    /// [`of_game`](GroupCounts::of_game).
    pub fn is_of_positions(&self) -> bool {
        self.counting.is_of_positions()
    }

    /// Returns whether the input is a key.
    pub fn asks_for_source(&self) -> bool {
        self.counting.asks_for_source()
    }

    /// Returns whether a value is measured.
    pub fn is_measured(&self) -> bool {
        self.counting.measured().is_some()
    }

    /// Returns which of the given columns are [read](super::columns_read) to count with these queries.
    pub fn columns_read<'a>(&self, queries: &[&Query], columns: &[&'a str]) -> Vec<&'a str> {
        columns_read_for(queries, columns, &self.counting.tags())
    }

    /// Counts a part of the games for queries that were [compiled](Counts::compile) with `self`.
    ///
    /// # Errors
    /// Returns an error if a file does not exist or a thread cannot be started.
    pub fn count(
        &self,
        queries: &[Query],
        games: impl Into<Games>,
        options: &Options,
        hear: &mut (dyn FnMut(&Warning) + Send),
    ) -> Result<PartCounts, Error> {
        let sources = games.into().sources()?;
        let interrupt = options.interrupt();
        let count = || {
            let counted = Counted::new(queries.iter().map(Query::compiled), self.max_groups.get());
            let counted = RefCell::new(counted);
            let searches = queries.iter().zip(CountingSink::of_queries(&self.counting, &counted));
            let outcomes = run_sinks(searches, sources, options, &interrupt, &mut WarningListener(hear));
            let counted = counted.into_inner();
            PartCounts {
                groups: group_counts(&self.counting, &counted),
                is_overfull: counted.is_overfull(),
                failure: outcomes.map_or_else(Some, |outcomes| outcomes.into_iter().find_map(Result::err)),
            }
        };
        on_deep_stack(count).map_err(Error::Thread)
    }

    /// Returns the columns of the table of all groups: their names, and for each a value of its type. The columns are the same whichever
    /// groups there are.
    pub fn columns(&self, queries: &[Query], names: &[String]) -> Vec<(String, GroupValue)> {
        let merged = self.merged(queries, names);
        let columns = merged.columns().map(|(name, holds)| {
            let kind = match holds {
                Holds::Numbers => GroupValue::Integer(0),
                Holds::Reals => GroupValue::Real(0.0),
                Holds::Truths | Holds::Texts => GroupValue::Text(String::new()),
            };
            (name.to_owned(), kind)
        });
        columns.collect()
    }

    /// Returns the rows of that table, one for each group in their order. The groups' counts have been added up.
    pub fn rows(&self, queries: &[Query], names: &[String], groups: &[GroupCounts]) -> Vec<Vec<GroupValue>> {
        let merged = self.merged(queries, names);
        groups.iter().map(|group| merged.row(group)).collect()
    }

    fn merged<'c>(&'c self, queries: &[Query], names: &'c [String]) -> Merged<'c> {
        let is_number = |column: usize| {
            let mut queries = queries.iter();
            queries.all(|query| query.compiled().columns.get(column) == Some(&Type::Number))
        };
        Merged::new(&self.counting, names, names.len() > 1, self.has_histograms, is_number)
    }
}

/// Returns the side that a word names.
fn whom(word: &str) -> Result<Perspective, CountError> {
    Perspective::from_str(word, false).map_err(|_| {
        CountError(format!(
            "wins are those of white, black, mover or query, and `{word}` is not one of these"
        ))
    })
}

/// Receives warnings. What queries print is not part of a count.
struct WarningListener<'h>(&'h mut (dyn FnMut(&Warning) + Send));

impl Listener for WarningListener<'_> {
    fn log(&mut self, games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {
        for (warnings, _) in games {
            warnings.iter().for_each(&mut *self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const GAMES: [&str; 3] = [
        "[White \"A\"]\n[WhiteElo \"2400\"]\n[Date \"1999.12.31\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
        "[White \"A\"]\n[Date \"2001.??.??\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n",
        "[White \"B\"]\n[WhiteElo \"1800\"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n\n1. e4 e5 1/2-1/2\n\n",
    ];

    fn options(by: &[&str]) -> CountOptions {
        CountOptions {
            by: by.iter().map(|key| (*key).to_owned()).collect(),
            next: false,
            value: None,
            histogram: false,
            for_whom: None,
            player: None,
            by_player: None,
            max_groups: NonZeroUsize::MAX,
        }
    }

    /// Returns the rows of the table for games counted in these parts.
    fn rows(counts: &Counts, queries: &[Query], parts: &[String]) -> Vec<String> {
        let mut groups: BTreeMap<_, GroupCounts> = BTreeMap::new();
        let mut bases: BTreeMap<_, u64> = BTreeMap::new();
        for part in parts {
            let games = Games::of_bytes("part.pgn", part.as_str());
            let counted = counts.count(queries, games, &Options::default(), &mut |_| {});
            let counted = counted.unwrap();
            assert!(counted.failure.is_none() && !counted.is_overfull);
            for part in counted.groups {
                *bases.entry((part.query, part.of_game.clone())).or_default() += part.base;
                let key = (part.query, part.of_game.clone(), part.key.clone());
                let sum = groups.entry(key).or_insert_with(|| GroupCounts {
                    years: part.years,
                    ..GroupCounts::default()
                });
                let (first, last) = match (sum.years, part.years) {
                    ((0, _), years) | (years, (0, _)) => years,
                    (a, b) => (a.0.min(b.0), a.1.max(b.1)),
                };
                *sum = GroupCounts {
                    base: sum.base + part.base,
                    games: sum.games + part.games,
                    positions: sum.positions + part.positions,
                    wins: sum.wins + part.wins,
                    draws: sum.draws + part.draws,
                    losses: sum.losses + part.losses,
                    rating_sum: sum.rating_sum + part.rating_sum,
                    ratings: sum.ratings + part.ratings,
                    years: (first, last),
                    values: [sum.values.clone(), part.values.clone()].concat(),
                    ..part
                };
            }
        }
        let groups = groups.into_values().filter(|group| group.key.is_some());
        let groups: Vec<GroupCounts> = groups
            .map(|group| match counts.is_of_positions() {
                true => GroupCounts {
                    base: bases[&(group.query, group.of_game.clone())],
                    ..group
                },
                false => group,
            })
            .collect();
        let names = ["mates".to_owned(), "checks".to_owned()];
        let rows = counts.rows(queries, &names[..queries.len()], &groups);
        rows.iter().map(|row| format!("{row:?}")).collect()
    }

    #[test]
    fn parts_that_are_added_up_are_the_whole() {
        for (by, value, for_whom) in [
            (&[][..], None, None),
            (&["year"], None, None),
            (&["player"], None, Some("mover")),
            (&["result", "elo:200"], Some("ply"), None),
            (&["result", "pawns=#P"], Some("movenumber"), None),
            (&["next", "query"], None, Some("query")),
        ] {
            let counts = Counts::new(&CountOptions {
                value: value.map(str::to_owned),
                histogram: true,
                for_whom: for_whom.map(str::to_owned),
                ..options(by)
            });
            let counts = counts.unwrap();
            let queries =
                ["mate", "check or initial"].map(|text| counts.compile(text, &QueryOptions::default()).unwrap());
            let parts = GAMES.map(str::to_owned);
            let whole = rows(&counts, &queries, &[GAMES.concat()]);
            assert!(whole.len() > 1, "{by:?}");
            assert_eq!(rows(&counts, &queries, &parts), whole, "{by:?}");
            let names = ["mates".to_owned(), "checks".to_owned()];
            let columns = counts.columns(&queries, &names);
            assert_eq!(columns.iter().filter(|(name, _)| name == "query").count(), 1, "{by:?}");
        }
    }

    #[test]
    fn rows_are_those_of_the_command() {
        let counts = Counts::new(&options(&["year:10", "white"])).unwrap();
        let query = counts.compile("mate", &QueryOptions::default()).unwrap();
        let rows = counts_of(&counts, query);
        let (integer, text) = (GroupValue::Integer, |text: &str| GroupValue::Text(text.to_owned()));
        assert_eq!(
            rows[0][..5],
            [integer(1990), text("A"), integer(1), integer(1), integer(1)]
        );
        assert_eq!(rows[0][5..8], [1.0, 0.206_549, 1.0].map(GroupValue::Real));
        assert_eq!(
            rows[3][..5],
            [
                GroupValue::Unknown,
                GroupValue::Unknown,
                integer(1),
                integer(0),
                integer(0)
            ]
        );
        assert_eq!(rows.len(), 4);
    }

    fn counts_of(counts: &Counts, query: Query) -> Vec<Vec<GroupValue>> {
        let games = Games::of_bytes("games.pgn", GAMES.concat());
        let queries = [query];
        let counted = counts.count(&queries, games, &Options::default(), &mut |_| {}).unwrap();
        let mut rows = counts.rows(&queries, &["mates".to_owned()], &counted.groups);
        rows.sort_by_key(|row| format!("{row:?}"));
        rows
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        for (options, expected) in [
            (options(&["yaer"]), "did you mean `year`"),
            (options(&["games=#P"]), "the name of another column"),
            (options(&["x=#P", "x=#p"]), "two keys with the name `x`"),
            (
                CountOptions {
                    for_whom: Some("me".to_owned()),
                    ..options(&[])
                },
                "white, black, mover or query",
            ),
        ] {
            let error = Counts::new(&options).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let measured = CountOptions {
            value: Some("check".to_owned()),
            ..options(&[])
        };
        let counts = Counts::new(&measured).unwrap();
        let error = counts.compile("mate", &QueryOptions::default()).unwrap_err();
        assert!(error.drawn().contains("<value>:1:1"), "{}", error.drawn());
        let error = counts.compile("chekc", &QueryOptions::default()).unwrap_err();
        assert!(error.message().contains("chekc"));
    }

    #[test]
    fn too_many_groups_are_told() {
        let few = CountOptions {
            max_groups: NonZeroUsize::MIN,
            ..options(&["result"])
        };
        let counts = Counts::new(&few).unwrap();
        let query = counts.compile("mate", &QueryOptions::default()).unwrap();
        let games = Games::of_bytes("games.pgn", GAMES.concat());
        let counted = counts.count(&[query], games, &Options::default(), &mut |_| {}).unwrap();
        assert!(counted.is_overfull);
    }
}
