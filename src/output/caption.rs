//! How drawings and lines of EPD name a game.

use super::facts::{GameFacts, TagName};
use super::text::text;

/// What a tag says, if it says something.
pub(super) fn known_tag(game: &dyn GameFacts, name: TagName) -> Option<String> {
    let value = game.tag(name).map(text)?;
    (!value.is_empty() && value != "?").then(|| value.into_owned())
}

/// The players with something between their names, if one of them is known; who is not is a question mark.
pub(super) fn players(game: &dyn GameFacts, between: &str) -> Option<String> {
    let players = [TagName::White, TagName::Black].map(|name| known_tag(game, name));
    let is_known = players.iter().any(Option::is_some);
    is_known.then(|| players.map(|name| name.unwrap_or_else(|| "?".to_owned())).join(between))
}

/// The event, and its year as far as it is known.
pub(super) fn event_and_year(game: &dyn GameFacts) -> String {
    let known = known_tag(game, TagName::Event).into_iter().chain(year(game));
    known.collect::<Vec<_>>().join(" ")
}

/// The year, if it is known.
pub(super) fn year(game: &dyn GameFacts) -> Option<String> {
    let date = known_tag(game, TagName::Date).filter(|date| !date.starts_with('?'))?;
    date.split('.').next().map(str::to_owned)
}

/// The name that a row of a list or table of positions has there.
#[cfg(feature = "files")]
pub(super) fn row_name(game: &dyn GameFacts) -> Option<String> {
    const TAGS: [&[u8]; 3] = [b"id", b"PuzzleId", b"Id"];
    let name = TAGS.iter().find_map(|tag| game.value(tag))?;
    let name = text(name).into_owned();
    (!name.is_empty()).then_some(name)
}
