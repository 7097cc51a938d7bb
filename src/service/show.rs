//! `show`: returns one game with the data of the page of results.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::json;

use super::error::{Error, parse};
use super::options::Limits;
use super::pass::Pass;
use super::search::Search;
use crate::Games;

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The number of the game, counted through the whole input from 1.
    pub game: NonZeroU32,
}

/// Returns the game as `search` emits it, `{"game": …}`. Its first position is the only match.
///
/// # Errors
/// Returns an error if there is no such game, or if the games cannot be read.
pub fn show(question: &str, games: Games, limits: &Limits) -> Result<String, Error> {
    let number = parse::<Question>(question)?.game;
    let asked = json!({ "query": "cql(variations) initial", "options": { "games": [number, number], "limit": 1 } });
    let search = Search::new(&asked.to_string(), limits)?;
    let mut shown = None;
    search.run(games, &mut |event| {
        if event.starts_with("{\"game\":") {
            shown = Some(event.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    shown.ok_or_else(|| Error::new(format!("there is no game {number}")))
}
