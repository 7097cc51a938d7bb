//! The subject of a question.

use std::sync::Arc;

use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;

/// A position of a game, and how queries are evaluated there.
pub struct Subject<'s> {
    /// The game, read with everything in it.
    pub game: &'s Game,
    /// The id of the position.
    pub position: u32,
    /// The settings of the evaluation. It uses no files.
    pub settings: &'s Settings,
    /// Ends the answer early.
    pub interrupt: &'s Arc<Interrupt>,
}
