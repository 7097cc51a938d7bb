//! The names of games in drawings and lines of EPD.

use super::facts::GameFacts;
use super::text::text;

/// Returns the value of a tag, unless it is empty or `?`.
pub(super) fn known_tag(game: &dyn GameFacts, name: &[u8]) -> Option<String> {
    let value = game.tag(name).map(text)?;
    (!value.is_empty() && value != "?").then(|| value.into_owned())
}

/// Returns the players with `between` between their names, or `None` if both are unknown. An unknown player is a question mark.
pub(super) fn players(game: &dyn GameFacts, between: &str) -> Option<String> {
    let players = [b"White", b"Black"].map(|name| known_tag(game, name));
    let is_known = players.iter().any(Option::is_some);
    is_known.then(|| players.map(|name| name.unwrap_or_else(|| "?".to_owned())).join(between))
}

/// Returns the event and the year, as far as they are known.
pub(super) fn event_and_year(game: &dyn GameFacts) -> String {
    let known = known_tag(game, b"Event").into_iter().chain(year(game));
    known.collect::<Vec<_>>().join(" ")
}

/// Returns the year, if it is known.
pub(super) fn year(game: &dyn GameFacts) -> Option<String> {
    let date = known_tag(game, b"Date").filter(|date| !date.starts_with('?'))?;
    date.split('.').next().map(str::to_owned)
}

/// Returns the name of a position from a list or table, which its row gives.
pub(super) fn row_name(game: &dyn GameFacts) -> Option<String> {
    const TAGS: [&[u8]; 3] = [b"id", b"PuzzleId", b"Id"];
    let name = TAGS.iter().find_map(|tag| game.value(tag))?;
    let name = text(name).into_owned();
    (!name.is_empty()).then_some(name)
}
