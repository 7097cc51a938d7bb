//! `stats`: counts what a query finds, by groups.

use std::num::{NonZeroU64, NonZeroUsize};

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::progress::ProgressListener;
use super::tool::Question;
use crate::service::stats::NamedQuery;
use crate::service::{Error, Named, Pass, SearchOptions, Stats, stats};
use crate::stats::{FileFormat, Look, Order, Perspective, write};

/// A count.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Count {
    /// What is counted, a query in CQL; without it all games, by their first positions.
    #[serde(default)]
    query: Option<String>,
    /// What to group by: `year`, `year:10`, `eco:1`, `result`, `white`, `elo:100`, or a name and a filter, `pawns=#P`.
    #[serde(default)]
    by: Vec<String>,
    /// Whose wins, rating and name count: White's unless it is given.
    #[serde(default, rename = "for")]
    for_whom: Option<Perspective>,
    /// A filter that is a number, whose mean, median, quartiles and extremes are told: `ply`.
    #[serde(default)]
    value: Option<String>,
    /// The order of the groups: by their keys unless it is given.
    #[serde(default)]
    sort: Option<Order>,
    /// Only this many groups, from the first on.
    #[serde(default)]
    top: Option<NonZeroUsize>,
    /// Only groups in which at least this many games match.
    #[serde(default)]
    min: Option<NonZeroU64>,
    /// Which inputs, by the numbers or names that `inputs` lists; all of them unless it is given.
    #[serde(default)]
    inputs: Option<Vec<Named>>,
    /// How it is searched for, without `limit` and `columns`.
    #[serde(default)]
    options: SearchOptions,
}

impl Question for Count {
    const NAME: &'static str = "stats";
    const TITLE: &'static str = "Count group by group";
    const PURPOSE: &'static str = "Counts in how many games a query matches and how they ended, group by group: by year, opening, player, rating, or any \
                                   filter. The answer is a table as CSV. Use it for “how often” and “how successful”.";

    fn answer(self, context: &ToolContext, call: &Call) -> Result<String, Error> {
        let games = context.inputs.games(self.inputs.as_deref())?;
        let queries = self.query.map(|query| NamedQuery {
            name: String::new(),
            query,
        });
        let question = stats::Question {
            queries: queries.into_iter().collect(),
            by: self.by,
            for_whom: self.for_whom,
            value: self.value,
            histogram: false,
            sort: self.sort,
            top: self.top,
            min: self.min,
            options: self.options,
        };
        let stats = Stats::of(question, &context.limits)?;
        call.begin(stats.interrupt());
        let mut listener = ProgressListener::new(call, &games);
        let (table, searched) = stats.count(games, &mut listener)?;
        let look = Look {
            title: "",
            width: None,
            quotes_formulas: false,
        };
        let rows = write(&table, FileFormat::Csv, &look).map_err(|error| Error::new(error.to_string()))?;
        Ok(format!(
            "Games searched: {searched}.\n\n{}",
            String::from_utf8_lossy(&rows)
        ))
    }
}
