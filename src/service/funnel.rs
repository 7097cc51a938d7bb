//! `funnel`: how many games and positions each filter of a query leaves.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{Error, parse};
use super::events::{End, Event, EventSender, RunListener, Warnings, locked};
use super::options::{Limits, SearchOptions, refused};
use crate::limits::Interrupt;
use crate::why::FunnelReport;
use crate::{Games, Options, Query};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Question {
    /// A whole query or filters alone.
    query: String,
    /// How it is searched for; without `limit` and `columns`.
    #[serde(default)]
    options: SearchOptions,
}

/// What is said at the end.
#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    report: FunnelReport,
    /// What is wrong with the games.
    #[serde(flatten)]
    warnings: Warnings,
}

/// A funnel that can begin.
pub struct Funnel {
    query: Query,
    options: Options,
    interrupt: Arc<Interrupt>,
}

impl Funnel {
    /// Compiles the query of a question. The time runs from now on.
    ///
    /// # Errors
    /// When the question is none, or the query is none.
    pub fn new(question: &str, limits: &Limits) -> Result<Funnel, Error> {
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

    /// What ends it early, from another thread.
    pub fn interrupt(&self) -> &Arc<Interrupt> {
        &self.interrupt
    }

    /// Goes through the games once, and says how far it has come, `{"progress": …}`, and at the end `{"done": {"steps": […]}}`.
    ///
    /// # Errors
    /// When games cannot be read, the query asks for something that cannot be done, or it is ended before it has looked at all games.
    pub fn run(&self, games: Games, emit: &mut (dyn FnMut(&str) -> ControlFlow<()> + Send)) -> Result<(), Error> {
        let speaker = EventSender::new(emit, &self.interrupt);
        let mut ear = RunListener::new(&speaker, games.plain_length()).without_messages();
        let report = self.query.funnel_heard(games, &self.options, &mut ear);
        let report = report.map_err(|error| refused(&String::from_utf8_lossy(self.query.text()), &error))?;
        if End::of(&self.interrupt).is_some() {
            return Err(Error::new("it was ended before all games were looked at"));
        }
        let done = Done {
            report,
            warnings: ear.into_warnings(),
        };
        locked(&speaker).say(&Event::<_, ()>::Done(done));
        Ok(())
    }
}
