//! What a query says of a position in its comments.

use super::facts::GameFacts;
use crate::chess::Position;
use crate::eval::report::GameReport;

/// What every position that matches is said to be, which says nothing.
pub(crate) const MARKER: &[u8] = b"CQL";

/// The comments of the query on a position, without those that say nothing of it.
pub(crate) fn remarks<'r>(
    game: &dyn GameFacts,
    report: &'r GameReport,
    position: &Position,
) -> impl Iterator<Item = &'r [u8]> {
    let number = format!("Game number {}", game.number());
    let id = position.id;
    let own = report.comments.iter().filter(move |(at, text)| {
        // Those on the initial position may be about the whole game: its number, or values of sort keys, which begin with a blank.
        let is_of_game = *at == 0 && (text.starts_with(b" ") || *text == number.as_bytes());
        *at == id && text != MARKER && !is_of_game
    });
    own.map(|(_, text)| text.as_slice())
}
