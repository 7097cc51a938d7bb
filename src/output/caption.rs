//! How drawings name a game.

use super::facts::{GameFacts, TagName};
use super::text::text;

/// What a tag says, if it says something.
pub(super) fn known_tag(game: &dyn GameFacts, name: TagName) -> Option<String> {
    let value = game.tag(name).map(text)?;
    (!value.is_empty() && value != "?").then(|| value.into_owned())
}

/// The players; who is not known is a question mark.
pub(super) fn players(game: &dyn GameFacts) -> String {
    let player = |name| known_tag(game, name).unwrap_or_else(|| "?".to_owned());
    format!("{} – {}", player(TagName::White), player(TagName::Black))
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
