//! `funnel`: counts how many games and positions each filter of a query leaves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{Error, parse};
use super::events::{Emit, End, Event, EventSender, RunListener, Warnings};
use super::options::{Limits, SearchOptions, refused};
use super::pass::Pass;
use crate::limits::{Interrupt, locked};
use crate::why::FunnelReport;
use crate::{Games, Options, Query};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Question {
    /// A whole query or filters alone.
    query: String,
    /// The options of the search, without `limit` and `columns`.
    #[serde(default)]
    options: SearchOptions,
}

/// The last event.
#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    report: FunnelReport,
    /// The warnings about the games.
    #[serde(flatten)]
    warnings: Warnings,
}

/// A funnel that is ready to run.
pub struct Funnel {
    query: Query,
    options: Options,
    interrupt: Arc<Interrupt>,
}

/// The last event has the counts: `{"done": {"steps": […]}}`.
impl Pass for Funnel {
    fn new(question: &str, limits: &Limits) -> Result<Funnel, Error> {
        let question: Question = parse(question)?;
        question.options.without_table()?;
        let query = question.options.compile(&question.query)?;
        let (options, interrupt) = question.options.of_search(limits)?;
        Ok(Funnel {
            query,
            options,
            interrupt,
        })
    }

    fn interrupt(&self) -> &Arc<Interrupt> {
        &self.interrupt
    }

    fn run(&self, games: Games, emit: &mut Emit<'_>) -> Result<(), Error> {
        let events = EventSender::new(emit, &self.interrupt);
        let mut listener = RunListener::new(&events, games.plain_length()).without_messages();
        let report = self.query.funnel_heard(games, &self.options, &mut listener);
        let report = report.map_err(|error| refused(&String::from_utf8_lossy(self.query.text()), &error))?;
        if End::of(&self.interrupt).is_some() {
            return Err(Error::new("it was ended before all games were looked at"));
        }
        let done = Done {
            report,
            warnings: listener.into_warnings(),
        };
        locked(&events).say(&Event::<_, ()>::Done(done));
        Ok(())
    }
}
