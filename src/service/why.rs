//! `why`: explains why a query matches at a position, or why not.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::error::Error;
use super::options::{SearchOptions, refused};
use super::position;
use crate::Options;
use crate::game::Game;
use crate::limits::Interrupt;
use crate::why::Why;

/// The time for trying changes.
const LONGEST: Duration = Duration::from_secs(10);

/// The number of bytes that values of the query may take meanwhile.
const MOST_BYTES: usize = 256 << 20;

/// The question: a single position, or a position of a game.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
    /// A position.
    #[serde(default)]
    pub fen: Option<String>,
    /// A game as PGN.
    #[serde(default)]
    pub game: Option<String>,
    /// The `positionid` in the game. The default is 0, its first position.
    #[serde(default)]
    pub position: u32,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the text is not a valid query, there is no such position, or the time is up.
pub fn why(question: Question) -> Result<Why, Error> {
    let query = SearchOptions::default().compile(&question.query)?;
    let options = Options {
        max_memory: MOST_BYTES,
        interrupt: Some(Arc::new(Interrupt::after(LONGEST))),
        ..Options::default()
    };
    let answer = match (&question.fen, &question.game) {
        (Some(fen), None) => query.why_fen(&position::start(fen)?.fen, &options),
        (None, Some(pgn)) => {
            let game = Game::of_pgn(pgn).ok_or_else(|| Error::new("the text does not have exactly one game"))?;
            query.why_in(&game, question.position, &options)
        }
        _ => return Err(Error::new("ask for a `fen`, or for a `game` and a `position`")),
    };
    let answer = answer.map_err(|error| refused(&question.query, &error))?;
    answer.ok_or_else(|| Error {
        hint: Some("a query without `variations` sees the main line alone".to_owned()),
        ..Error::new("the query sees no such position, or it took too long")
    })
}
