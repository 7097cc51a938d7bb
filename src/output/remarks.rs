//! The comments of a query that say something about a position.

use super::facts::GameFacts;
use crate::chess::Position;
use crate::eval::report::GameReport;

/// The comment on every position that matches. It says nothing about the position.
const MARKER: &[u8] = b"CQL";

/// Returns the comments of the query on a position, without those that say nothing about it.
pub(crate) fn remarks<'r>(
    game: &dyn GameFacts,
    report: &'r GameReport,
    position: &Position,
) -> impl Iterator<Item = &'r [u8]> {
    let (id, number) = (position.id, game.number());
    let own = report.comments.iter();
    let own = own.filter(move |(at, text)| *at == id && says_something(*at, text, number));
    own.map(|(_, text)| text.as_slice())
}

/// Returns whether a comment on a position of the game with this number says something about the position.
pub(crate) fn says_something(position: u32, text: &[u8], number: u64) -> bool {
    // Comments on the initial position may be about the whole game: its number, or values of sort keys, which begin with a space.
    let is_of_game = position == 0 && (text.starts_with(b" ") || text == format!("Game number {number}").as_bytes());
    text != MARKER && !is_of_game
}
