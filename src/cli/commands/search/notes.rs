//! Hints after a search: why nothing was found, and what else to try.

use crate::cli::inputs::any_has_variations;
use crate::cli::options::narrowing::{NAMES, Narrowing};
use crate::cli::queries::compiled::Query;
use crate::cli::search::Found;
use crate::cli::shell;
use crate::cli::signal;
use crate::output::Totals;
use crate::pgn::Source;
use crate::syntax::token::{Token, TokenKind};

/// Prints hints about what was found in `files`. Some depend on the query; these are only for single queries. `is_watched` says whether
/// someone watches the search.
pub(super) fn hint(found: &[&Found], is_single: bool, is_watched: bool, narrowing: &Narrowing, files: &[Source]) {
    let first = found.first();
    let single = first.filter(|_| is_single);
    if let Some(found) = single {
        hint_at_sides(found, narrowing);
    }
    if !first.is_some_and(|found| hint_at_narrowing(found.totals, narrowing))
        && !single.is_some_and(|found| hint_at_names(found))
        && !hint_at_variations(found, files)
        && let Some(found) = single.filter(|_| is_watched)
    {
        hint_at_why(found.totals);
    }
}

/// If a query has found nothing, says how to find out why.
fn hint_at_why(totals: Totals) {
    if totals.matches == 0 && totals.games > 0 {
        signal::say(
            "note: nothing is found; `skewer why` in place of `skewer search` says which filter removes the games",
        );
    }
}

/// If the options leave no game to search, says so. Returns whether it did.
fn hint_at_narrowing(totals: Totals, narrowing: &Narrowing) -> bool {
    let said = narrowing
        .said()
        .filter(|_| totals.left_alone == totals.games && (totals.games > 0 || narrowing.games().is_some()));
    if let Some(said) = &said {
        signal::say(&format!("note: no game is left after {said}"));
    }
    said.is_some()
}

/// If a query that found nothing asks for names in an unusual spelling, says how names are spelled. Returns whether it did.
fn hint_at_names(found: &Found) -> bool {
    if found.totals.matches > 0 || found.totals.games == 0 {
        return false;
    }
    let text = odd_name(&found.query);
    if let Some(text) = text {
        signal::say(&format!("note: nothing is found with `{text}`; {NAMES}"));
    }
    text.is_some()
}

/// If the games of a player are searched for what one side does, says that matches may be those of the opponent.
fn hint_at_sides(found: &Found, narrowing: &Narrowing) {
    let player = match sides(&found.query) {
        _ if found.totals.matches == 0 || narrowing.by_player().is_some() => None,
        Sides::One => narrowing.player_of_any_color(),
        Sides::Either => narrowing.any_player(),
        Sides::Both | Sides::OfPlayer => None,
    };
    if let Some(player) = player {
        signal::say(&format!(
            "note: matches against {player} are among these; `--by-player {}` finds those of {player} alone",
            shell::quoted(player)
        ));
    }
}

/// If queries found nothing and there are variations, says that these can be searched, too. Returns whether it did.
fn hint_at_variations(found: &[&Found], files: &[Source]) -> bool {
    let missed = found
        .iter()
        .filter(|found| !found.query.compiled().header.variations && found.totals.matches == 0)
        .map(|found| found.totals.with_variations);
    let games = match missed.max() {
        None => return false,
        // The moves of a database are read without its variations.
        Some(0) if any_has_variations(files) => "some games of the database have".to_owned(),
        Some(0) => return false,
        Some(1) => "1 game has".to_owned(),
        Some(count) => format!("{count} games have"),
    };
    signal::say(&format!(
        "note: nothing in main lines; {games} variations, which --variations searches, too"
    ));
    true
}

/// The sides that a query is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sides {
    /// Both, in the same way.
    Both,
    /// White and Black, in different ways.
    One,
    /// One side, and then the other in its place.
    Either,
    /// The query itself asks for players.
    OfPlayer,
}

/// Returns the sides that a query is about.
fn sides(query: &Query) -> Sides {
    let all: Vec<Token> = query.texts().flat_map(|(_, tokens)| tokens).collect();
    let has = |word: &'static str| all.iter().any(|token| token.kind == TokenKind::Word(word));
    let is_of_one = |token: &Token| match &token.kind {
        TokenKind::Designator(designator) => designator.contents != designator.contents.color_swapped(),
        TokenKind::Word(word) => matches!(*word, "wtm" | "btm"),
        _ => false,
    };
    if has("player") {
        Sides::OfPlayer
    } else if has("flipcolor") {
        Sides::Either
    } else if all.iter().any(is_of_one) {
        Sides::One
    } else {
        Sides::Both
    }
}

/// Returns the first name in the query that is hardly ever spelled like that in a file: in small letters, or like `Magnus Carlsen`. A name
/// without a space after a comma never matches: `player white "carlsen,m"`.
fn odd_name(query: &Query) -> Option<&str> {
    let is_small = |text: &[u8]| text.first().is_some_and(u8::is_ascii_lowercase);
    let is_close = |text: &[u8]| text.windows(2).any(|pair| pair[0] == b',' && pair[1] != b' ');
    let is_odd_name = |text: &[u8]| is_small(text) || is_close(text) || text.contains(&b' ') && !text.contains(&b',');
    query.texts().find_map(|(source, tokens)| {
        tokens.iter().enumerate().find_map(|(at, token)| {
            let kind = |at: usize| tokens.get(at).map(|token| &token.kind);
            let is_side = |kind: &TokenKind| matches!(kind, TokenKind::Word("white" | "black"));
            let place = match token.kind {
                TokenKind::Word("player") => at + 1 + usize::from(kind(at + 1).is_some_and(is_side)),
                TokenKind::Word("event" | "site") => at + 1,
                _ => return None,
            };
            let TokenKind::String(text) = kind(place)? else {
                return None;
            };
            let is_odd = if token.kind == TokenKind::Word("player") {
                is_odd_name(text)
            } else {
                is_small(text)
            };
            is_odd.then(|| source.slice(token.span.to(tokens[place].span)))
        })
    })
}
