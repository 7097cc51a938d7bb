//! `show`: one game as the page of results knows it.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::{Error, parse};
use super::options::Limits;
use super::search::Search;
use crate::Games;

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The number of the game, counted through the whole input from 1.
    pub game: NonZeroU32,
}

/// The game: `{"game": …}`, as `search` says it, with its first position as the only match.
///
/// # Errors
/// When there is no such game, or the games cannot be read.
pub fn show(question: &str, games: Games, limits: &Limits) -> Result<String, Error> {
    let number = parse::<Question>(question)?.game;
    let asked = json!({ "query": "cql(variations) initial", "options": { "games": [number, number], "limit": 1 } });
    let search = Search::new(&asked.to_string(), limits)?;
    let (mut shown, mut games_read) = (None, 0);
    search.run(games, &mut |event| {
        match serde_json::from_str::<Value>(event) {
            Ok(event) if event.get("game").is_some() => shown = Some(event.to_string()),
            Ok(event) => games_read = event["done"]["games"].as_u64().unwrap_or(games_read),
            Err(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    shown.ok_or_else(|| Error::new(format!("there is no game {number}; the input has {games_read}")))
}
