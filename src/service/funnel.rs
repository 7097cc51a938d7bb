//! `funnel`: counts how many games and positions each filter of a query leaves.

use std::sync::Arc;

use serde::Serialize;

use super::error::{Error, parse};
use super::events::{Emit, End, EventSender, RunListener, Warnings};
use super::options::{Limits, refused};
use super::pass::Pass;
use super::search::{Question, Search};
use crate::Games;
use crate::limits::{Interrupt, locked};
use crate::why::FunnelReport;

/// The last event.
#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    report: FunnelReport,
    /// The warnings about the games.
    #[serde(flatten)]
    warnings: Warnings,
}

/// A search whose filters are to be counted one by one. It has no `limit` and no `columns`.
pub struct Funnel(Search);

/// The last event has the counts: `{"done": {"steps": […]}}`.
impl Pass for Funnel {
    fn new(question: &str, limits: &Limits) -> Result<Funnel, Error> {
        let question: Question = parse(question)?;
        question.options.without_table()?;
        Search::of(&question, limits).map(Funnel)
    }

    fn interrupt(&self) -> &Arc<Interrupt> {
        self.0.interrupt()
    }

    fn run(&self, games: Games, emit: &mut Emit<'_>) -> Result<(), Error> {
        let Search { query, options, .. } = &self.0;
        let events = EventSender::new(emit, self.interrupt());
        let mut listener = RunListener::new(&events, games.plain_length()).without_messages();
        let report = query.funnel_heard(games, options, &mut listener);
        let report = report.map_err(|error| refused(&String::from_utf8_lossy(query.text()), &error))?;
        if End::of(self.interrupt()).is_some() {
            return Err(Error::new("it was ended before all games were looked at"));
        }
        let done = Done {
            report,
            warnings: listener.into_warnings(),
        };
        locked(&events).say("done", &done);
        Ok(())
    }
}
