//! Branches of imagined positions.
//!
//! A branch leaves the game, or another branch, at a position, and has one or more positions. The filter that makes it keeps it on its
//! stack, together with its context and the references to its positions.

use std::cell::OnceCell;

use crate::board::Bitboard;
use crate::chess::{MoveKind, Position};
use crate::game::Game;

/// The first id of imagined positions. No game has that many positions.
pub(super) const FIRST_ID: u32 = 1 << 31;

/// The number of ids reserved for each branch. No position has that many moves.
const IDS: u32 = 1 << 10;

/// A branch of imagined positions.
pub(crate) struct Branch<'b> {
    /// The position at which it leaves the game or the outer branch.
    pub(super) base: &'b Position,
    /// The branch to which `base` belongs.
    pub(super) outer: Option<&'b Branch<'b>>,
    /// The number of branches around it.
    pub(super) level: u32,
    /// Whether moves lead from the base to its positions. Otherwise they are the base with another board.
    pub(super) moves: bool,
}

/// Storage for imagined positions, kept for reuse.
#[derive(Default)]
pub(crate) struct Imagination {
    pub(super) positions: Vec<Vec<OnceCell<Position>>>,
}

impl<'b> Branch<'b> {
    /// Returns the id of the first position of the branch.
    pub(crate) fn first_id(&self) -> u32 {
        FIRST_ID + self.level * IDS
    }

    /// Returns the branch that has the position: this one or one around it.
    fn having(&'b self, at: &Position) -> Option<&'b Branch<'b>> {
        let level = at.id.checked_sub(FIRST_ID)? / IDS;
        std::iter::successors(Some(self), |branch| branch.outer).find(|branch| branch.level == level)
    }
}

/// Returns the position before `at`, which may be in a branch.
pub(super) fn parent<'a>(branch: Option<&'a Branch<'a>>, game: &'a Game, at: &Position) -> Option<&'a Position> {
    match branch.and_then(|branch| branch.having(at)) {
        None => game.parent(at),
        Some(branch) if branch.moves => Some(branch.base),
        Some(branch) => parent(branch.outer, game, branch.base),
    }
}

/// Returns the squares on which moves have arrived on the way to `at`, which may be in a branch. Null moves are ignored.
pub(crate) fn arrivals(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.arrivals(before), |arrivals, after| arrivals | after.arrival.to)
}

/// Returns the squares that moves have left or arrived at on the way to `at`, which may be in a branch. Null moves are ignored.
pub(super) fn touched(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.touched(before), |touched, after| {
        touched | after.arrival.from | after.arrival.to
    })
}

/// Returns the squares from and to which pieces have moved on the way to `at`, which may be in a branch. A castling rook moves, too.
pub(super) fn moved(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.moved(before), |moved, after| moved | game.moved_by(after))
}

/// Returns the positions after moves of branches on the way to `at`, except null moves, and the position at which the game was left.
fn on_the_way<'b>(
    branch: Option<&'b Branch<'b>>,
    at: &'b Position,
) -> (impl Iterator<Item = &'b Position> + 'b, &'b Position) {
    let first = branch.and_then(|branch| branch.having(at));
    let steps = std::iter::successors(first.map(|branch| (branch, at)), |(branch, _)| {
        Some((branch.outer?.having(branch.base)?, branch.base))
    });
    let before = steps.clone().last().map_or(at, |(branch, _)| branch.base);
    let moves = steps.filter(|(branch, position)| branch.moves && position.arrival.kind != MoveKind::Null);
    (moves.map(|(_, position)| position), before)
}
