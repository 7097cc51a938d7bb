//! `skewer search`: queries over games.

mod arguments;
mod contents;
mod many;
mod one;

pub(super) use arguments::{Arguments, variant};

use clap::ColorChoice;
use indicatif::HumanCount;

use crate::cli::engine::Databases;
use crate::cli::options::narrowing::Narrowing;
use crate::cli::{Exit, Failure, signal};
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
