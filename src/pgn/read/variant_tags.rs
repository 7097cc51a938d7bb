//! Finds the variant of a game by its tags: by `Variant`, otherwise by what chess servers write in `Event`.
//!
//! FICS and ICC have no `Variant` tag. They name the variant in a phrase that people do not use for tournaments: `FICS rated crazyhouse game`,
//! `ICC w27 3 0`. Only such complete phrases count, word by word.

use crate::chess::{Variant, is_no_position};
use crate::game::{Tags, WarningKind, shown};

/// Why it is unknown how a game begins or by which rules it is played.
#[derive(Debug)]
pub(crate) struct BadSetup {
    pub(crate) kind: WarningKind,
    /// The tag that is to blame.
    pub(crate) tag: &'static [u8],
    pub(crate) message: String,
}

impl BadSetup {
    /// Creates the fault of a FEN tag that is not a valid start position.
    pub(crate) fn of_fen(what: &str) -> BadSetup {
        BadSetup {
            kind: WarningKind::BadStart,
            tag: b"FEN",
            message: format!("the FEN tag is {what}: the game is left out"),
        }
    }

    /// Creates the fault of an event that names no variant with a known start.
    fn of_event(kind: WarningKind, message: String) -> BadSetup {
        BadSetup {
            kind,
            tag: b"Event",
            message,
        }
    }
}

/// What an `Event` tag says about the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EventVariant<'e> {
    /// Nothing certain.
    Nothing,
    Variant(Variant),
    /// Chess from a position that the `FEN` tag must give.
    FromPosition(&'e str),
    /// An unknown variant of a server.
    Unknown(&'e str),
}

/// Returns the variant of a game with these tags.
pub(crate) fn variant_of(tags: &Tags) -> Result<Variant, BadSetup> {
    if let Some(name) = tags.raw(b"Variant").filter(|name| names_something(name)) {
        return Variant::of_name(name).ok_or_else(|| BadSetup {
            kind: WarningKind::UnknownVariant,
            tag: b"Variant",
            message: format!("the variant `{}` is unknown: the game is left out", shown(name)),
        });
    }
    let has_start = || tags.raw(b"FEN").is_some_and(|fen| !is_no_position(fen));
    match announced(tags.raw(b"Event").unwrap_or_default()) {
        EventVariant::Variant(variant) => Ok(variant),
        EventVariant::FromPosition(name) if !has_start() => {
            let name = shown(name.as_bytes());
            let message = format!("the game is `{name}`, and no FEN tag gives its start position: it is left out");
            Err(BadSetup::of_event(WarningKind::BadStart, message))
        }
        EventVariant::Nothing | EventVariant::FromPosition(_) => Ok(Variant::Standard),
        EventVariant::Unknown(name) => {
            let name = shown(name.as_bytes());
            let message = format!("the variant `{name}` of the Event tag is unknown: the game is left out");
            Err(BadSetup::of_event(WarningKind::UnknownVariant, message))
        }
    }
}

/// Returns whether a name consists of more than signs such as `?`.
fn names_something(name: &[u8]) -> bool {
    name.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// The beginnings of `Event` tags that may name a variant, in any case.
const BEGINNINGS: [&[u8]; 6] = [b"FICS", b"ICS", b"ICC", b"Rated", b"Casual", b"Live Chess"];

/// Returns whether an `Event` tag may say something about the variant.
pub(crate) fn may_name_variant(event: &[u8]) -> bool {
    let event = event.trim_ascii_start();
    BEGINNINGS.iter().any(|known| {
        event
            .get(..known.len())
            .is_some_and(|beginning| beginning.eq_ignore_ascii_case(known))
    })
}

/// Returns what an `Event` tag says about the variant.
fn announced(event: &[u8]) -> EventVariant<'_> {
    let Ok(event) = str::from_utf8(event) else {
        return EventVariant::Nothing;
    };
    let event = event.trim_ascii();
    let (first, rest) = first_word(event);
    let is = |known: &str| first.eq_ignore_ascii_case(known);
    if is("FICS") || is("ICS") || is("ICC") {
        match (rated_game(rest), first_word(rest).0) {
            (Some(name), _) => of_server(name),
            (None, wild) if is("ICC") => of_icc(wild),
            (None, _) => EventVariant::Nothing,
        }
    } else if is("Rated") || is("Casual") {
        // Lichess. Its games have a `Variant` tag unless it was removed.
        rated_game(event).map_or(EventVariant::Nothing, known_variant)
    } else if let Some(name) = event.strip_prefix("Live Chess - ") {
        // Chess.com. Events other than variants may follow.
        known_variant(name)
    } else {
        EventVariant::Nothing
    }
}

/// Splits a text into its first word and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    (first, rest.trim_ascii())
}

/// Returns the words between `rated` and `game`, if this is the whole phrase.
fn rated_game(phrase: &str) -> Option<&str> {
    let (rated, rest) = first_word(phrase);
    let (name, game) = rest.rsplit_once(' ')?;
    let is_one_of = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    (is_one_of(rated, &["rated", "unrated", "casual"]) && is_one_of(game, &["game", "match"]))
        .then_some(name.trim_ascii())
}

/// Returns the variant with this name, unless it is ordinary chess.
fn known_variant(name: &str) -> EventVariant<'_> {
    match Variant::of_name(name.as_bytes()) {
        None | Some(Variant::Standard) => EventVariant::Nothing,
        Some(variant) => EventVariant::Variant(variant),
    }
}

/// Returns the meaning of a FICS game type: a time class, a `wild` number or a variant.
fn of_server(name: &str) -> EventVariant<'_> {
    match &*name.to_ascii_lowercase() {
        "blitz" | "bullet" | "correspondence" | "lightning" | "nonstandard" | "rapid" | "slow" | "untimed" => {
            EventVariant::Variant(Variant::Standard)
        }
        // Shuffled pieces that do not castle, armies upside down, or advanced pawns. In `wild/0` and `wild/1` kings castle in a way of their own.
        "wild/2" | "wild/3" | "wild/4" | "wild/5" | "wild/8" | "wild/8a" => EventVariant::FromPosition(name),
        _ => match Variant::of_name(name.as_bytes()) {
            Some(variant) => EventVariant::Variant(variant),
            None if name.starts_with(|first: char| first.is_ascii_alphabetic()) => EventVariant::Unknown(name),
            // Time controls.
            None => EventVariant::Nothing,
        },
    }
}

/// Returns the meaning of the word after `ICC`: `w` and the number of a wild game, or a time.
fn of_icc(wild: &str) -> EventVariant<'_> {
    let Some(number) = wild.strip_prefix(['w', 'W']) else {
        return EventVariant::Nothing;
    };
    match number {
        "22" => EventVariant::Variant(Variant::Chess960),
        "23" => EventVariant::Variant(Variant::Crazyhouse),
        "25" => EventVariant::Variant(Variant::ThreeCheck),
        "26" => EventVariant::Variant(Variant::Antichess),
        "27" => EventVariant::Variant(Variant::Atomic),
        _ if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => EventVariant::Unknown(wild),
        _ => EventVariant::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_of_servers_name_variants() {
        use EventVariant::{FromPosition, Nothing, Unknown, Variant as Of};
        for (event, expected) in [
            ("FICS rated crazyhouse game", Of(Variant::Crazyhouse)),
            ("FICS unrated atomic game", Of(Variant::Atomic)),
            ("FICS rated suicide game", Of(Variant::Antichess)),
            ("FICS rated wild/fr game", Of(Variant::Chess960)),
            ("FICS rated wild/5 game", FromPosition("wild/5")),
            ("FICS rated wild/0 game", Unknown("wild/0")),
            ("FICS rated losers game", Unknown("losers")),
            ("FICS rated bughouse game", Unknown("bughouse")),
            ("FICS rated lightning game", Of(Variant::Standard)),
            ("FICS rated standard game", Of(Variant::Standard)),
            ("ICS Rated Chess Match", Of(Variant::Standard)),
            ("ICS rated atomic match", Of(Variant::Atomic)),
            ("ICC w27 3 0", Of(Variant::Atomic)),
            ("ICC w16 1 0", Unknown("w16")),
            ("ICC 5 0 u", Nothing),
            ("ICC weekend open", Nothing),
            ("Rated Three-check game", Of(Variant::ThreeCheck)),
            ("Casual King of the Hill game", Of(Variant::KingOfTheHill)),
            ("Rated Blitz game", Nothing),
            ("Rated club game", Nothing),
            ("ICS Rated 5 0 Match", Nothing),
            ("Live Chess - Chess960", Of(Variant::Chess960)),
            ("Live Chess - Chess.com", Nothing),
            ("Live Chess", Nothing),
            ("Atomic Cup", Nothing),
            ("Crazyhouse", Nothing),
            ("FICS Atomic Cup", Nothing),
            ("FICS rated atomic game, round 2", Nothing),
            ("The rated atomic game", Nothing),
            ("", Nothing),
        ] {
            assert_eq!(announced(event.as_bytes()), expected, "{event}");
            assert!(
                expected == EventVariant::Nothing || may_name_variant(event.as_bytes()),
                "{event}"
            );
        }
    }
}
