//! `stats`: counts what queries find, by groups.

use std::cell::RefCell;
use std::iter;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{Error, parse};
use super::events::{Emit, End, EventSender, RunListener, Warnings};
use super::options::{Limits, SearchOptions, refused};
use super::pass::Pass;
use crate::api::run_sinks;
use crate::limits::{Interrupt, locked};
use crate::search::{Listener, on_deep_stack};
use crate::stats::{
    Counted, Counting, CountingSink, Keys, Order, Perspective, Table, TableOptions, check_names, objects,
};
use crate::{Games, Options, Query};

/// The largest number of groups.
const MOST_GROUPS: usize = 100_000;

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The queries to count. Without one, all games are counted, by their first positions.
    #[serde(default)]
    pub(crate) queries: Vec<NamedQuery>,
    /// The keys to group by: `["year:10", "eco:1", "pawns=#P"]`, as in `skewer stats --by`.
    #[serde(default)]
    pub(crate) by: Vec<String>,
    /// The side whose wins, rating and name count.
    #[serde(default, rename = "for")]
    pub(crate) for_whom: Option<Perspective>,
    /// A number whose mean, median, quartiles and extremes to report.
    #[serde(default)]
    pub(crate) value: Option<String>,
    /// Whether to report how often each of its values occurs.
    #[serde(default)]
    pub(crate) histogram: bool,
    /// The order of the groups.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// The largest number of groups to report.
    #[serde(default)]
    pub(crate) top: Option<NonZeroUsize>,
    /// The number of matching games that a group must have.
    #[serde(default)]
    pub(crate) min: Option<NonZeroU64>,
    /// The options of the search, without `limit` and `columns`.
    #[serde(default)]
    pub(crate) options: SearchOptions,
}

/// A query and its name in the table.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedQuery {
    /// The value of the column `query`.
    #[serde(default)]
    pub(crate) name: String,
    /// A whole query or filters alone.
    pub(crate) query: String,
}

/// The last event.
#[derive(Serialize)]
struct Done<R> {
    /// The groups, each with the columns of `skewer stats -f json`.
    rows: Vec<R>,
    /// Games that were looked at.
    games: u64,
    /// The warnings about the games.
    #[serde(flatten)]
    warnings: Warnings,
}

/// A count that is ready to run.
pub struct Stats {
    counting: Counting,
    queries: Vec<Query>,
    names: Vec<String>,
    table: TableOptions,
    options: Options,
    interrupt: Arc<Interrupt>,
}

/// The last event has the groups: `{"done": {"rows": […]}}`.
impl Pass for Stats {
    fn new(question: &str, limits: &Limits) -> Result<Stats, Error> {
        Stats::of(parse(question)?, limits)
    }

    fn interrupt(&self) -> &Arc<Interrupt> {
        &self.interrupt
    }

    fn run(&self, games: Games, emit: &mut Emit<'_>) -> Result<(), Error> {
        let events = EventSender::new(emit, &self.interrupt);
        let mut listener = RunListener::new(&events, games.plain_length()).without_messages();
        let (table, games) = self.count(games, &mut listener)?;
        let done = Done {
            rows: objects(&table),
            games,
            warnings: listener.into_warnings(),
        };
        locked(&events).say("done", &done);
        Ok(())
    }
}

impl Stats {
    /// Compiles the queries of a parsed question.
    ///
    /// # Errors
    /// Returns an error if a query or key is not valid.
    pub(crate) fn of(mut question: Question, limits: &Limits) -> Result<Stats, Error> {
        question.options.without_table()?;
        if question.queries.is_empty() {
            question.queries.push(NamedQuery {
                name: String::new(),
                query: "initial".to_owned(),
            });
        }
        let counting = question.counting()?;
        let compiled = question.queries.iter().map(|query| {
            let query = question.options.compile_counted(&query.query, &counting)?;
            match counting.check_measured(query.compiled()) {
                Ok(()) => Ok(query),
                Err(message) => Err(Error {
                    hint: Some("group by it: `\"by\": [\"name=...\"]`".to_owned()),
                    ..Error::new(message)
                }),
            }
        });
        let (options, interrupt) = question.options.of_search(limits)?;
        Ok(Stats {
            queries: compiled.collect::<Result<_, Error>>()?,
            names: question.queries.into_iter().map(|query| query.name).collect(),
            counting,
            table: TableOptions {
                order: question.sort,
                min: question.min,
                top: question.top,
                histogram: question.histogram,
            },
            options,
            interrupt,
        })
    }

    /// Returns the groups, and the number of games that were looked at.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Pass::run).
    pub(crate) fn count(&self, games: Games, listener: &mut (dyn Listener + Send)) -> Result<(Table, u64), Error> {
        let counted = on_deep_stack(|| {
            let counted = RefCell::new(Counted::new(self.queries.iter().map(Query::compiled), MOST_GROUPS));
            let sinks = CountingSink::of_queries(&self.counting, &counted);
            let outcomes = run_sinks(
                iter::zip(&self.queries, sinks),
                games.sources()?,
                &self.options,
                &self.interrupt,
                listener,
            )?;
            Ok((outcomes, counted.into_inner()))
        });
        let counted = counted.map_err(crate::Error::Thread).flatten();
        let (outcomes, counted) = counted.map_err(|error| refused("", &error))?;
        let mut read = 0;
        for (query, outcome) in iter::zip(&self.queries, outcomes) {
            let text = String::from_utf8_lossy(query.text());
            read = read.max(outcome.map_err(|error| refused(&text, &error))?.games);
        }
        if counted.is_overfull() {
            return Err(Error {
                hint: Some("group more coarsely, such as by `year:10` or `eco:1`".to_owned()),
                ..Error::new(format!("there are more than {MOST_GROUPS} groups"))
            });
        }
        // Shares of an arbitrary part of the games would be meaningless.
        match End::of(&self.interrupt) {
            Some(End::Time) => return Err(Error::new("the time is up: not all games were counted")),
            Some(_) => return Err(Error::new("interrupted: not all games were counted")),
            None => {}
        }
        let has_several = self.queries.len() > 1;
        let table = Table::new(&self.counting, &counted, &self.names, has_several, &self.table);
        Ok((table, read))
    }
}

impl Question {
    fn counting(&self) -> Result<Counting, Error> {
        let keys = self.by.iter().map(|keys| {
            let Keys(keys) = keys.parse::<Keys>().map_err(Error::new)?;
            Ok(keys)
        });
        let keys = keys.collect::<Result<Vec<_>, Error>>()?.concat();
        check_names(&keys).map_err(|clash| Error {
            hint: Some(clash.advice.to_owned()),
            ..Error::new(clash.message)
        })?;
        let player = self.options.player.as_deref();
        Ok(Counting::new(
            Keys(keys),
            self.for_whom,
            player,
            None,
            self.value.as_deref(),
        ))
    }
}
