//! The solution of a matching position: the moves that the query has tried, or else those that were played.

use crate::chess::{Arrival, Position};
use crate::eval::report::Highlights;
use crate::output::facts::{GameFacts, next_position};
use crate::output::text::{text, written};

/// The number of played plies that are shown. `page/solution.js` has both numbers, too.
const PLIES: usize = 5;
/// The largest number of plies that are shown if a match refers to them.
const MOST_PLIES: usize = 12;

/// Returns the moves as a line of text. `17.Qb8+ Nxb8 18.Rd8# 1-0` are the moves played, also if the first of them is the only one tried;
/// `17.Rd8# or 17.Qb8+` are other moves tried. Where no move follows, returns the operation `bm` of the position, or the result.
pub(super) fn solution(game: &dyn GameFacts, position: &Position, highlights: &Highlights) -> String {
    unplayed(game, position, highlights).unwrap_or_else(|| played(game, position, highlights))
}

/// Returns the solution, unless it is the moves of the game, which a page has anyway.
pub(super) fn unplayed(game: &dyn GameFacts, position: &Position, highlights: &Highlights) -> Option<String> {
    match (highlights.tried.as_slice(), next_position(game, position)) {
        ([], Some(_)) => None,
        ([only], Some(next)) if is_same(*only, next.arrival) => None,
        ([], None) => {
            let moves = game.value(b"bm").filter(|moves| !moves.is_empty())?;
            Some(text(moves).into_owned())
        }
        (tried, _) => {
            let mut moves: Vec<_> = tried
                .iter()
                .map(|tried| written(|out| game.write_tried(position, tried, out)))
                .collect();
            moves.retain(|text| !text.is_empty());
            Some(moves.join(" or "))
        }
    }
}

/// Returns whether two moves from the same position are the same.
fn is_same(one: Arrival, other: Arrival) -> bool {
    (one.from, one.to, one.promotion) == (other.from, other.to, other.promotion)
}

/// Returns the moves played from a position on: all that the match refers to, and at least a few. The result follows if the game ends there.
fn played(game: &dyn GameFacts, position: &Position, highlights: &Highlights) -> String {
    let next = next_position(game, position);
    let line = || std::iter::successors(next, |position| next_position(game, position));
    let spoken_of = highlights.line.and_then(|(_, last)| {
        let place = line().take(MOST_PLIES).position(|position| position.id == last)?;
        Some(place + 1)
    });
    let mut words = Vec::new();
    let mut last = position;
    for (index, after) in line().take(spoken_of.unwrap_or_default().max(PLIES)).enumerate() {
        // Black's moves follow White's without a number.
        let has_number = index == 0 || after.turn.is_black();
        words.push(written(|out| match has_number {
            true => game.write_move(after, out),
            false => game.write_san(after, out),
        }));
        last = after;
    }
    let is_end = last.depth == 0 && next_position(game, last).is_none();
    let result = game.tag(b"Result").filter(|result| is_end && &**result != b"*");
    words.extend(result.map(|result| text(result).into_owned()));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}
