//! `skewer search`: queries over games.

mod arguments;
mod contents;
mod many;
mod one;

pub(super) use arguments::{Arguments, variant};

use clap::ColorChoice;
use indicatif::HumanCount;

use crate::cli::engine::{Databases, Query, Sides};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::narrowing::{NAMES, Narrowing};
use crate::cli::signal;
use crate::output::Totals;

/// Searches with one query, or with many where their results have a folder.
pub(super) fn execute(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<Exit, Failure> {
    match &arguments.out_dir {
        Some(folder) => many::execute(arguments, folder, color),
        None => one::execute(arguments, choice, color),
    }
}

/// Says how many games were not searched because their database is damaged, if there are any; whether there are.
fn tell_of_damage(totals: Totals) -> bool {
    let games = match totals.unreadable {
        0 => return false,
        1 => "1 game was".to_owned(),
        games => format!("{} games were", HumanCount(games)),
    };
    signal::say(&format!("note: {games} not searched, as the database is damaged there"));
    true
}

/// Says that the options leave no game to search, where that is so; whether it is.
fn hint_at_narrowing(totals: Totals, narrowing: &Narrowing) -> bool {
    let said = narrowing
        .said()
        .filter(|_| totals.games > 0 && totals.left_alone == totals.games);
    if let Some(said) = &said {
        signal::say(&format!("note: no game is left by {said}"));
    }
    said.is_some()
}

/// Says how names are written, where a query that found nothing asks for some that are written otherwise; whether it does.
fn hint_at_names(totals: Totals, query: &Query) -> bool {
    if totals.matches > 0 || totals.games == 0 {
        return false;
    }
    let text = query.asks_for_odd_name();
    if let Some(text) = text {
        signal::say(&format!("note: nothing is found with `{text}`; {NAMES}"));
    }
    text.is_some()
}

/// Says that what is found may be to the other player's credit, where games of a player are searched for what one side does.
fn hint_at_sides(totals: Totals, query: &Query, narrowing: &Narrowing) {
    let player = match query.sides() {
        _ if totals.matches == 0 => None,
        Sides::One => narrowing.player_of_any_color(),
        Sides::Either => narrowing.any_player(),
        Sides::Both | Sides::OfPlayer => None,
    };
    if let Some(player) = player {
        signal::say(&format!(
            "note: matches against {player} are among these; for those of {player} alone ask `flipcolor {{player white \"{player}\" …}}`, \
             with filters for White in the place of the dots"
        ));
    }
}

/// Says of queries that found nothing in games with variations that these can be searched, too. Each comes with what it found, and
/// whether variations were searched.
fn hint_at_variations(queries: impl IntoIterator<Item = (Totals, bool)>, databases: &Databases) {
    let missed = queries
        .into_iter()
        .filter(|(totals, searched)| !searched && totals.matches == 0)
        .map(|(totals, _)| totals.with_variations);
    let games = match missed.max() {
        None => return,
        // Moves of a database are read without a look at its variations.
        Some(0) if databases.have_variations() => "some games of the database have".to_owned(),
        Some(0) => return,
        Some(1) => "1 game has".to_owned(),
        Some(count) => format!("{count} games have"),
    };
    signal::say(&format!(
        "note: nothing in main lines; {games} variations, which --variations searches, too"
    ));
}
