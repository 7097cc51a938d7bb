//! Questions that are answered in one pass over games.

use std::sync::Arc;

use super::error::Error;
use super::events::Emit;
use super::options::Limits;
use crate::Games;
use crate::limits::Interrupt;

/// A question that is answered in one pass over games.
pub trait Pass: Send {
    /// Reads the question and compiles its queries. The time of the pass begins now.
    ///
    /// # Errors
    /// Returns an error if the question is malformed, or if a query or key is not valid.
    fn new(question: &str, limits: &Limits) -> Result<Self, Error>
    where
        Self: Sized;

    /// Returns the interrupt that ends the pass early, from any thread.
    fn interrupt(&self) -> &Arc<Interrupt>;

    /// Answers the question by events, each a JSON object without a line end. The last one is `{"done": …}`. If `emit` breaks, the pass ends
    /// without it. Progress is reported as `{"progress": …}`.
    ///
    /// # Errors
    /// Returns an error if games cannot be read, the query asks for something that cannot be done, or a thread cannot be started. A count also
    /// fails if it ends before all games are counted.
    fn run(&self, games: Games, emit: &mut Emit<'_>) -> Result<(), Error>;
}
