//! The options of searches in questions.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::diagnostic::shortened;
use super::error::Error;
use super::text::{document, no_query};
use crate::limits::Interrupt;
use crate::query::MatchSides;
use crate::stats::Counting;
use crate::{Column, Narrowing, Options, Query, QueryError, QueryOptions};

/// The name of the query's text.
const NAME: &str = "query";

/// The first and the last number of a range, both included. `null` is an open end.
type Range = (Option<i32>, Option<i32>);

/// How a query is searched for. All of it may be left out.
#[derive(Deserialize, Clone, Default, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// The search ends after so many games that match; of a query that sorts the best are told.
    pub limit: Option<NonZeroU64>,
    /// Whether variations are searched, whatever the header of the query says.
    pub variations: Option<bool>,
    /// More values of each match: `next`, `solution`, or a name and a filter, `pawns=#P`.
    pub columns: Vec<String>,
    /// Games of this player; a part of the name will do.
    pub player: Option<String>,
    /// Games in which this player has White.
    pub white: Option<String>,
    /// Games in which this player has Black.
    pub black: Option<String>,
    /// Games of this event.
    pub event: Option<String>,
    /// Games from this place.
    pub site: Option<String>,
    /// Games with this code of the opening; its beginning will do.
    pub eco: Option<String>,
    /// Games with this result: `1-0`, `0-1`, `1/2-1/2`.
    pub result: Option<String>,
    /// Games of these years: `[1957, 1961]`.
    pub years: Option<Range>,
    /// Games in which the higher rating is one of these: `[2500, null]`.
    pub elo: Option<Range>,
    /// Games with these numbers.
    pub games: Option<Range>,
    /// Games of this variant: `standard`, `chess960` and others.
    pub variant: Option<String>,
    /// The first match of each game only.
    pub first: bool,
    /// Only so many games, drawn at random of those that all the rest leaves.
    pub sample: Option<NonZeroU64>,
    /// The same number draws the same games.
    pub seed: u64,
    /// The query has the words of CQL 6.2 alone.
    pub strict: bool,
    /// How many seconds it may take.
    pub time: Option<f64>,
    /// How many bytes what the query makes may take.
    pub memory: Option<usize>,
    /// How often loops may go round at one position before they count as endless.
    pub max_rounds: Option<NonZeroU64>,
}

/// The limits of a search, whatever its options ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time it may take.
    pub time: Option<Duration>,
    /// The number of bytes that strings, comments and other values of the query may take.
    pub memory: usize,
    /// The number of threads that evaluate games.
    pub threads: NonZeroUsize,
}

impl Default for Limits {
    fn default() -> Limits {
        let Options {
            max_memory, threads, ..
        } = Options::default();
        Limits {
            time: None,
            memory: max_memory,
            threads,
        }
    }
}

impl SearchOptions {
    /// Returns an error if there are options that only `search` has: `limit` and `columns`.
    pub(crate) fn without_table(&self) -> Result<(), Error> {
        match self.limit.is_none() && self.columns.is_empty() {
            true => Ok(()),
            false => Err(Error::new("`limit` and `columns` are options of `search`")),
        }
    }

    /// Compiles the text of a query with these options.
    pub(crate) fn compile(&self, text: &str) -> Result<Query, Error> {
        let columns = self.columns.iter().map(|column| {
            let parsed = column.parse::<Column>();
            parsed.map_err(|error| Error::new(format!("column `{column}`: {error}")))
        });
        self.compile_with(text, columns.collect::<Result<_, _>>()?, MatchSides::KeptIfKnown)
    }

    /// Compiles a query whose matches are counted by the values of filters, and perhaps by sides.
    pub(super) fn compile_counted(&self, text: &str, counting: &Counting) -> Result<Query, Error> {
        let columns = counting.columns().iter();
        let columns = columns.map(|filter| Column::of_filter("by", filter.as_str()));
        self.compile_with(text, columns.collect(), counting.match_sides())
    }

    fn compile_with(&self, text: &str, columns: Vec<Column>, sides: MatchSides) -> Result<Query, Error> {
        let mut options = QueryOptions::default();
        NAME.clone_into(&mut options.name);
        options.variations = self.variations;
        options.strict = self.strict;
        options.narrowing = self.narrowing();
        options.columns = columns;
        options.sides = sides;
        let query = Query::compile_with(text, &options).map_err(|error| in_text(text, &error))?;
        match query.refusal() {
            Some(error) => Err(in_text(text, &error)),
            None => Ok(query),
        }
    }

    fn narrowing(&self) -> Narrowing {
        type Name = fn(Narrowing, String) -> Narrowing;
        type Numbers = fn(Narrowing, Range) -> Narrowing;
        let names: [(&Option<String>, Name); 8] = [
            (&self.player, Narrowing::player),
            (&self.white, Narrowing::white),
            (&self.black, Narrowing::black),
            (&self.event, Narrowing::event),
            (&self.site, Narrowing::site),
            (&self.eco, Narrowing::eco),
            (&self.result, Narrowing::result),
            (&self.variant, Narrowing::variant),
        ];
        let numbers: [(Option<Range>, Numbers); 3] = [
            (self.years, |narrowing, range| narrowing.years(bounds(range))),
            (self.elo, |narrowing, range| narrowing.elo(bounds(range))),
            (self.games, |narrowing, range| narrowing.games(bounds(range))),
        ];
        let mut narrowing = Narrowing::new();
        for (name, narrow) in names {
            if let Some(name) = name {
                narrowing = narrow(narrowing, name.clone());
            }
        }
        for (range, narrow) in numbers {
            if let Some(range) = range {
                narrowing = narrow(narrowing, range);
            }
        }
        if self.first {
            narrowing = narrowing.first();
        }
        match self.sample {
            Some(count) => narrowing.sample(count, self.seed),
            None => narrowing,
        }
    }

    /// Returns the options of the search, and its interrupt.
    pub(crate) fn of_search(&self, limits: &Limits) -> Result<(Options, Arc<Interrupt>), Error> {
        let asked = self.time.map(Duration::try_from_secs_f64).transpose();
        let asked = asked.map_err(|error| Error::new(format!("`time` is not a number of seconds: {error}")))?;
        let time = asked.into_iter().chain(limits.time).min();
        let interrupt = Arc::new(time.map_or_else(Interrupt::default, Interrupt::after));
        let usual = Options::default();
        let options = Options {
            threads: limits.threads,
            limit: self.limit.map(NonZeroU64::get),
            max_memory: self.memory.unwrap_or(limits.memory).min(limits.memory),
            max_rounds: self.max_rounds.map_or(usual.max_rounds, NonZeroU64::get),
            interrupt: Some(Arc::clone(&interrupt)),
            ..usual
        };
        Ok((options, interrupt))
    }
}

fn bounds((first, last): Range) -> (Bound<i32>, Bound<i32>) {
    let bound = |end: Option<i32>| end.map_or(Bound::Unbounded, Bound::Included);
    (bound(first), bound(last))
}

/// Returns the error in the text of a query, or in the text of an option.
fn in_text(text: &str, error: &QueryError) -> Error {
    match error.diagnostic() {
        (NAME, diagnostic) => no_query(&document(text.to_owned()), diagnostic),
        (name, diagnostic) => Error {
            hint: diagnostic.hints.first().cloned().map(shortened),
            ..Error::new(format!("{}: {}", name.trim_matches(['<', '>']), diagnostic.message))
        },
    }
}

/// Returns the error of a search.
pub(crate) fn refused(text: &str, error: &crate::Error) -> Error {
    match error {
        crate::Error::Evaluation(error) => in_text(text, error),
        error => Error::new(error.to_string()),
    }
}
