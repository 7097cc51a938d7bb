//! A query and the settings with which it is evaluated.

use std::sync::Arc;

use crate::eval::evaluator::Evaluator;
use crate::eval::prepared::Prepared;
use crate::eval::report::{Compiled, Extras, Stop};
use crate::eval::settings::Settings;
use crate::game::Game;
use crate::limits::{Interrupt, Memory};
use crate::query::{Query, Reads, Shortcuts, SortKey};
use crate::syntax::token::Span;

/// A query with its settings.
#[derive(Clone, Debug)]
pub struct Evaluation<'q> {
    query: &'q Query,
    settings: Settings,
}

impl<'q> Evaluation<'q> {
    /// Creates the evaluation of a query with these settings.
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
        self.query.reads.contains(Reads::LAST_GAME_NUMBER)
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
