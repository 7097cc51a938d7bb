//! `why`: explains why a query matches at a position or not, and which of its filters leaves no games.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::game::{Game, Rules};
use crate::limits::Interrupt;
use crate::output::FormatName;
use crate::search::{self, Id, NoListener, RequestedIds, TextSink, Whole, search_by_id};
use crate::service::{Error, Named, SearchOptions, position, refused};
use crate::why::{Why, text};
use crate::{Options, Query};

/// A query, and perhaps a position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyNot {
    /// A query in CQL.
    query: String,
    /// A position as `search` lists them, such as `5:33`.
    #[serde(default)]
    number: Option<String>,
    /// A position as FEN, in place of a number.
    #[serde(default)]
    fen: Option<String>,
    /// Which inputs, by the numbers or names that `inputs` lists; all of them unless it is given.
    #[serde(default)]
    inputs: Option<Vec<Named>>,
    /// How it is searched for, without `limit` and `columns`.
    #[serde(default)]
    options: SearchOptions,
}

impl Question for WhyNot {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Say why a query matches or not";
    const PURPOSE: &'static str = "Says which filters of a query fail at a position, and the smallest change under which it would match. Without a \
                                   position it counts what each filter leaves of the games. Use it when a query finds nothing, or not what was meant.";

    fn answer(self, context: &ToolContext, call: &Call) -> Result<String, Error> {
        self.options.without_table()?;
        let query = self.options.compile(&self.query)?;
        let (options, interrupt) = self.options.of_search(&context.limits)?;
        call.begin(&interrupt);
        match (&self.number, &self.fen) {
            (None, None) => self.funnel(context, &query, &options, &interrupt),
            (Some(number), None) => {
                let (game, position) = self.position(context, number, &interrupt)?;
                self.parts(query.why_in(&game, position, &options))
            }
            (None, Some(fen)) => {
                position::start(fen)?;
                self.parts(query.why_fen(fen, &options))
            }
            (Some(_), Some(_)) => Err(Error::new("ask for a `number` or for a `fen`")),
        }
    }
}

impl WhyNot {
    /// Returns the game with a number, and the index of the position in it.
    fn position(&self, context: &ToolContext, number: &str, interrupt: &Arc<Interrupt>) -> Result<(Game, u32), Error> {
        let id: Id = number.trim().parse().map_err(Error::new)?;
        let position = id.position.ok_or_else(|| Error {
            hint: Some(format!("`{id}:33` is a position of it")),
            ..Error::new(format!("`{id}` is a whole game"))
        })?;
        let requested = RequestedIds::new([id], Whole::Game).keeping_games();
        let options = search::Options {
            threads: context.limits.threads,
            rules: Rules::Full,
            interrupt: Arc::clone(interrupt),
            ..search::Options::quiet()
        };
        let sources = context.inputs.sources(self.inputs.as_deref())?;
        let mut unread = std::io::sink();
        let sink = TextSink::new(FormatName::Count, &mut unread);
        search_by_id(&requested, sources, sink, &options, &mut NoListener)
            .map_err(|error| Error::new(error.to_string()))?;
        if let Some(missing) = requested.missing().first() {
            return Err(Error::new(missing.to_string()));
        }
        let game = requested.into_games().remove(&id.game);
        let game = game.ok_or_else(|| Error::new("the time was up before the game was found"))?;
        Ok((game, position))
    }

    /// Returns the values of the query's parts at a position.
    fn parts(&self, why: Result<Option<Why>, crate::Error>) -> Result<String, Error> {
        let why = why
            .map_err(|error| refused(&self.query, &error))?
            .ok_or_else(|| Error {
                hint: Some("unless `options.variations` is true, it sees the main line alone".to_owned()),
                ..Error::new("the query sees no such position, or its time was up")
            })?;
        Ok(format!("{}\n\n{}", why.sentences.join("\n"), text::parts(&why, false)))
    }

    /// Returns what each filter leaves of the games.
    fn funnel(
        &self,
        context: &ToolContext,
        query: &Query,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<String, Error> {
        let games = context.inputs.games(self.inputs.as_deref())?;
        let report = query.funnel(games, options);
        let report = report.map_err(|error| refused(&self.query, &error))?;
        if interrupt.was_acknowledged() {
            return Err(Error::new("its time was up before all games were looked at"));
        }
        Ok(format!("{}\n\n{}", report.sentences.join("\n"), text::steps(&report)))
    }
}
