//! What a search decides about an evaluation, beside the query.

use std::sync::Arc;

use crate::eval::evaluator::Evaluator;
use crate::eval::files::folder::Folder;
use crate::eval::prepared::Prepared;
use crate::eval::report::{Compiled, Extras, Stop};
use crate::game::Game;
use crate::limits::{Interrupt, Memory};
use crate::query::{Query, Shortcuts, SortKey};
use crate::syntax::token::Span;

/// How often loops may go round at one position if nothing else is said.
const MOST_ROUNDS: u64 = 10_000_000;

/// What a search decides about an evaluation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How often `loop`, `while` and loops over keys may go round at one position before they count as endless. Filters that
    /// are tried at many positions or squares may be evaluated ten times as often.
    pub max_rounds: u64,
    /// Where `readfile` and `writefile` find files. Without it they end the run.
    pub files: Option<Arc<Folder>>,
    /// How much memory what the queries make may take; one budget for all that have these settings.
    pub memory: Arc<Memory>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_rounds: MOST_ROUNDS,
            files: None,
            memory: Arc::default(),
        }
    }
}

/// A query and how it is evaluated.
#[derive(Clone, Debug)]
pub struct Evaluation<'q> {
    query: &'q Query,
    settings: Settings,
}

impl<'q> Evaluation<'q> {
    /// A query that is evaluated with these settings.
    pub fn new(query: &'q Query, settings: Settings) -> Evaluation<'q> {
        Evaluation { query, settings }
    }
}

impl Compiled for Evaluation<'_> {
    type Game = Game;
    type Prepared = Prepared;
    type Evaluator<'p>
        = Evaluator<'p>
    where
        Self: 'p;

    fn needs_last_game(&self) -> bool {
        self.query.needs.last_game_number.is_some()
    }

    fn prepare(&self, last_game: Option<u64>, interrupt: &Arc<Interrupt>) -> Result<Prepared, Stop> {
        Prepared::new(self.query, last_game, &self.settings.memory, interrupt)
    }

    fn evaluator<'p>(&'p self, prepared: &'p Prepared, extras: Extras) -> Evaluator<'p> {
        Evaluator::new(self.query, prepared, &self.settings, extras)
    }

    fn sort_keys(&self) -> &[SortKey] {
        &self.query.sort_keys
    }

    fn is_serial(&self) -> bool {
        self.query.is_serial()
    }

    fn may_wait(&self) -> bool {
        !self.is_serial() && self.query.shortcuts.contains(Shortcuts::WINDOWS)
    }

    fn memory(&self) -> &Arc<Memory> {
        &self.settings.memory
    }

    fn span(&self) -> Span {
        self.query.body.span
    }

    fn game_numbers(&self) -> Option<(i32, i32)> {
        self.query.header.games
    }
}
