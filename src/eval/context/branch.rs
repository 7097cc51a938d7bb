//! Branches of imagined positions.
//!
//! A branch leaves the game, or another branch, at a position, and has one or more positions. It lives on the stack of the filter that
//! makes it, as do its context and the references to its positions.

use std::cell::OnceCell;

use crate::board::Bitboard;
use crate::chess::{MoveKind, Position};
use crate::game::Game;

/// The ids of imagined positions begin here; no game has as many.
pub(super) const FIRST_ID: u32 = 1 << 31;

/// The ids of the positions of one branch; no position has as many moves.
const IDS: u32 = 1 << 10;

/// A branch of imagined positions.
pub(crate) struct Branch<'b> {
    /// Where it leaves the game or the other branch.
    pub(super) base: &'b Position,
    /// The branch in which that is.
    pub(super) outer: Option<&'b Branch<'b>>,
    /// How many branches are around it.
    pub(super) level: u32,
    /// A move leads from the base to its positions; otherwise they are the base with another board.
    pub(super) moves: bool,
}

/// What imagined positions are kept in. Empty where none are imagined.
#[derive(Default)]
pub(crate) struct Imagination {
    pub(super) positions: Vec<Vec<OnceCell<Position>>>,
}

impl<'b> Branch<'b> {
    /// The id of the first position of the branch.
    pub(crate) fn first_id(&self) -> u32 {
        FIRST_ID + self.level * IDS
    }

    /// The branch of this one and those around it that has the position.
    fn having(&'b self, at: &Position) -> Option<&'b Branch<'b>> {
        let level = at.id.checked_sub(FIRST_ID)? / IDS;
        std::iter::successors(Some(self), |branch| branch.outer).find(|branch| branch.level == level)
    }
}

/// The position before another one, which may be in a branch.
pub(super) fn parent<'a>(branch: Option<&'a Branch<'a>>, game: &'a Game, at: &Position) -> Option<&'a Position> {
    match branch.and_then(|branch| branch.having(at)) {
        None => game.parent(at),
        Some(branch) if branch.moves => Some(branch.base),
        Some(branch) => parent(branch.outer, game, branch.base),
    }
}

/// The squares on which moves have arrived on the way to a position, which may be in a branch; null moves apart.
pub(crate) fn arrivals(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.arrivals(before), |arrivals, after| arrivals | after.arrival.to)
}

/// The squares that moves have left or arrived at on the way to a position, which may be in a branch; null moves apart.
pub(super) fn touched(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.touched(before), |touched, after| {
        touched | after.arrival.from | after.arrival.to
    })
}

/// The squares from and to which pieces have moved on the way to a position, which may be in a branch; a rook that castles moves, too.
pub(super) fn moved(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.moved(before), |moved, after| moved | game.moved_by(after))
}

/// The positions after moves that branches have on the way to a position, null moves apart, and where the game was left.
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
