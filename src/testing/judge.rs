//! Compares what a search has found in an example with what was expected.

use super::expectation::{At, Example, Match};
use super::failure::{Failure, MarkedBoard};
use crate::chess::Position;
use crate::game::Game;
use crate::moves::moves_to;
use crate::search::Hit;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// The number of positions to list. The rest is only counted.
const LISTED: usize = 12;

/// An expectation and the result of the search for it.
pub(super) struct Case<'a> {
    /// The place of the expectation.
    pub(super) span: Span,
    pub(super) claim: &'a Match,
    /// The game as the query sees it.
    pub(super) game: &'a Game,
    pub(super) hit: &'a Hit,
}

/// Returns an error at the first position of `at` that a game does not have.
///
/// `game` is the game as the query sees it; `all` is the number of its positions including variations.
pub(super) fn missing_position(at: &At, game: &Game, all: usize) -> Option<Diagnostic> {
    let count = game.positions.len();
    let (id, span) = at.ids.iter().find(|(id, _)| *id as usize >= count)?;
    let error = Diagnostic::new(*span, format!("there is no position {id}")).label(match count {
        1 => "the game has no moves, its only position is 0".to_owned(),
        count => format!("the positions of this game are 0 to {}", count - 1),
    });
    Some(if (*id as usize) < all {
        error.hint("the header of the query has no `variations`, so only the main line is searched")
    } else {
        error
    })
}

impl Case<'_> {
    /// Returns the failure, or `None` if everything is as expected.
    pub(super) fn failure(&self) -> Option<Failure> {
        match (&self.claim.at, self.claim.negated) {
            (None, false) if !self.hit.matched => Some(self.nothing_matches()),
            (None, true) if self.hit.matched => Some(self.something_matches()),
            (None, _) => None,
            (Some(at), true) => self.wrong(at.ids.iter().filter(|(id, _)| self.found().contains(id)), true),
            (Some(at), false) => self
                .wrong(at.ids.iter().filter(|(id, _)| !self.found().contains(id)), false)
                .or_else(|| at.exactly.then(|| self.others(at)).flatten()),
        }
    }

    /// Returns the positions that a search would print.
    fn found(&self) -> &[u32] {
        if self.hit.matched { &self.hit.positions } else { &[] }
    }

    /// Returns a failure for positions of `at` that match although they should not, or the other way round.
    fn wrong<'i>(&self, ids: impl Iterator<Item = &'i (u32, Span)>, matches: bool) -> Option<Failure> {
        let wrong: Vec<_> = ids.copied().collect();
        let &(first, span) = wrong.first()?;
        let ids: Vec<u32> = wrong.iter().map(|(id, _)| *id).collect();
        let verb = match (ids.len(), matches) {
            (1, true) => "matches",
            (1, false) => "does not match",
            (_, true) => "match",
            (_, false) => "do not match",
        };
        let diagnostic = Diagnostic::new(span, format!("{} {verb}", listed(&ids))).label(if matches {
            "expected not to match"
        } else {
            "expected to match"
        });
        Some(self.fails(diagnostic, first))
    }

    /// Returns a failure for positions that match although `at exactly` does not name them.
    fn others(&self, at: &At) -> Option<Failure> {
        let is_other = |id: &u32| at.ids.iter().all(|(named, _)| named != id);
        let others: Vec<u32> = self.found().iter().copied().filter(is_other).collect();
        let first = *others.first()?;
        let verb = if others.len() == 1 { "matches" } else { "match" };
        let (_, start) = *at.ids.first()?;
        let (_, end) = *at.ids.last()?;
        let diagnostic = Diagnostic::new(start.to(end), format!("{} {verb}, too", listed(&others)))
            .label("expected to be all that match");
        Some(self.fails(diagnostic, first))
    }

    fn nothing_matches(&self) -> Failure {
        let message = match self.claim.example {
            Example::Fen(_) => "the position does not match",
            _ if !self.hit.positions.is_empty() => "the game does not match, though some of its positions do",
            _ => "no position matches",
        };
        let diagnostic = Diagnostic::new(self.span, message).label("expected to match");
        let last_of_main_line =
            std::iter::successors(self.game.positions.first(), |position| self.game.first_child(position));
        let last = last_of_main_line.last().map_or(0, |position| position.id);
        self.fails(diagnostic, last)
    }

    fn something_matches(&self) -> Failure {
        let message = match (&self.claim.example, self.found()) {
            (Example::Fen(_), _) => "the position matches".to_owned(),
            (_, []) => "the game matches".to_owned(),
            (_, [id]) => format!("position {id} matches"),
            (_, ids) => format!("{} match", listed(ids)),
        };
        let diagnostic = Diagnostic::new(self.span, message).label("expected not to match");
        self.fails(diagnostic, self.found().first().copied().unwrap_or(0))
    }

    /// Returns a failure that shows a position.
    fn fails(&self, diagnostic: Diagnostic, shown: u32) -> Failure {
        let is_alone = matches!(self.claim.example, Example::Fen(_));
        let position = self.game.positions.get(shown as usize);
        Failure {
            diagnostic,
            scene: position.map(|position| scene(self.game, position, is_alone)),
            note: if is_alone { None } else { Some(self.what_matches()) },
        }
    }

    /// Returns a line about what was found.
    fn what_matches(&self) -> String {
        let all = match self.game.positions.len() {
            1 => "1 position".to_owned(),
            count => format!("{count} positions"),
        };
        let found = &self.hit.positions;
        let mut note = match found.len() {
            0 => format!("none of {all} matches"),
            1 => format!("of {all} this one matches: {}", numbers(found)),
            _ => format!("of {all} these match: {}", numbers(found)),
        };
        if !self.hit.matched && !found.is_empty() {
            note += "; `matchcount` in the header excludes the game";
        }
        note
    }
}

/// Returns `position 3` or `positions 3, 5`.
fn listed(ids: &[u32]) -> String {
    let s = if ids.len() == 1 { "" } else { "s" };
    format!("position{s} {}", numbers(ids))
}

/// Returns the first few numbers, separated by commas.
fn numbers(ids: &[u32]) -> String {
    let shown: Vec<String> = ids.iter().take(LISTED).map(u32::to_string).collect();
    let rest = match ids.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &rest
}

/// Returns a position to show, with the squares of the last move marked.
pub(super) fn scene(game: &Game, position: &Position, is_alone: bool) -> MarkedBoard {
    let marks = position.arrival.squares().into_iter().flat_map(<[_; 2]>::from);
    let turn = format!("{:?} to move", position.turn);
    let line = moves_to(game, position);
    let caption = match (is_alone, line.is_empty()) {
        (true, _) => turn,
        (false, true) => format!("position {}, {turn}", position.id),
        (false, false) => format!("position {}, {turn} after {line}", position.id),
    };
    MarkedBoard {
        board: position.board,
        marks: marks.collect(),
        caption,
    }
}
