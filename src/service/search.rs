//! `search`: reports the games in which a query finds something, as they are found.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{Error, parse};
use super::events::{Emit, End, EventSender, Lines, RunListener, Warnings};
use super::options::{Limits, SearchOptions, refused};
use super::pass::Pass;
use crate::limits::{Interrupt, locked};
use crate::output::{ColumnType, FormatName, Totals};
use crate::{Games, Options, Query, SortKey};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
    /// The options of the search.
    #[serde(default)]
    pub options: SearchOptions,
}

/// The result of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Done {
    /// Games that were looked at.
    pub games: u64,
    /// Games that match.
    pub matched: u64,
    /// Positions that match.
    pub positions: u64,
    /// Games with variations, whether or not these were searched.
    pub with_variations: u64,
    /// Games that the narrowing of the search leaves out.
    pub left_alone: u64,
    /// Games of a damaged database that were not searched.
    pub unreadable: u64,
    /// Files of folders and archives that could not be read.
    pub unread_files: u64,
    /// Why it ended.
    pub end: End,
    /// The sort keys and columns.
    #[serde(flatten)]
    pub heading: Heading,
    /// The warnings about the games.
    #[serde(flatten)]
    pub warnings: Warnings,
}

/// The sort keys and columns of a search.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// The sort keys, in the order of the values `sort` of each game.
    pub sort: Vec<SortKey>,
    /// The added columns, in the order of the values `values` of each match.
    pub columns: Vec<Column>,
}

/// An added column.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values: `number`, `text` or `truth`.
    #[serde(rename = "type")]
    pub kind: ColumnType,
}

/// A search that is ready to run.
pub struct Search {
    pub(super) query: Query,
    pub(super) options: Options,
    interrupt: Arc<Interrupt>,
}

/// The first event is `{"begin": …}`. Between it and the last come `{"game": …}` with the data of a game for the page of results and its PGN,
/// and `{"message": …}`. Games come in the order of the input. If the query sorts, they come at the end, the best first. Games found before
/// an error have been emitted.
impl Pass for Search {
    fn new(question: &str, limits: &Limits) -> Result<Search, Error> {
        Search::of(&parse(question)?, limits)
    }

    fn interrupt(&self) -> &Arc<Interrupt> {
        &self.interrupt
    }

    fn run(&self, games: Games, emit: &mut Emit<'_>) -> Result<(), Error> {
        let length = games.plain_length();
        let events = EventSender::new(emit, &self.interrupt);
        locked(&events).say("begin", &self.heading());
        let (mut listener, mut lines) = (RunListener::new(&events, length), Lines::new(&events));
        let totals = self
            .query
            .write_as(games, FormatName::Games, &self.options, &mut lines, &mut listener);
        let totals = totals.map_err(|error| refused(&String::from_utf8_lossy(self.query.text()), &error))?;
        let done = self.done(&totals, listener.into_warnings());
        locked(&events).say("done", &done);
        Ok(())
    }
}

impl Search {
    /// Compiles the query.
    pub(super) fn of(question: &Question, limits: &Limits) -> Result<Search, Error> {
        let query = question.options.compile(&question.query)?;
        let (options, interrupt) = question.options.of_search(limits)?;
        Ok(Search {
            query,
            options,
            interrupt,
        })
    }

    fn heading(&self) -> Heading {
        let columns = self.query.columns().map(|(name, kind)| Column {
            name: name.to_owned(),
            kind,
        });
        Heading {
            sort: self.query.sort_keys().collect(),
            columns: columns.collect(),
        }
    }

    fn done(&self, totals: &Totals, warnings: Warnings) -> Done {
        let is_full = self.options.limit.is_some_and(|limit| totals.matches >= limit);
        let heading = self.heading();
        Done {
            games: totals.games,
            matched: totals.matches,
            positions: totals.positions,
            with_variations: totals.with_variations,
            left_alone: totals.left_alone,
            unreadable: totals.unreadable,
            unread_files: totals.unread_files,
            end: End::of(&self.interrupt).unwrap_or(match is_full && heading.sort.is_empty() {
                true => End::Limit,
                false => End::All,
            }),
            heading,
            warnings,
        }
    }
}
