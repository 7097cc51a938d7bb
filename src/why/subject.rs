//! What is asked about.

use std::sync::Arc;

use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;

/// A position of a game, and how queries are evaluated there.
pub struct Subject<'s> {
    /// The game, read with all that is in it.
    pub game: &'s Game,
    /// The number of the position.
    pub position: u32,
    /// How queries are evaluated. They use no files.
    pub settings: &'s Settings,
    /// Ends it early.
    pub interrupt: &'s Arc<Interrupt>,
}
