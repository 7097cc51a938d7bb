//! Positions that are imagined, and the contexts in which filters are evaluated there.
//!
//! A branch leaves the game, or another branch, at a position, and has one or more positions behind it. It lives on the stack of
//! the filter that makes it; so do its context and the references to its positions.

use std::cell::OnceCell;
use std::mem;

use crate::board::Bitboard;
use crate::chess::{Arrival, MoveKind, Position, Rights};
use crate::game::Game;

use super::budget::Budget;
use super::comments::Comments;
use super::memo::Memos;
use super::{Context, LegalCache, Stopped};
use crate::eval::paths::state::PathState;
use crate::eval::text::folder::Files;
use crate::eval::variables::dictionaries::Dictionaries;

/// The ids of imagined positions begin here; no game has as many.
const FIRST_ID: u32 = 1 << 31;

/// The ids of the positions of one branch; no position has as many moves.
const IDS: u32 = 1 << 10;

/// No piece has more moves: a queen has 27, a pawn becomes four pieces on three squares, a king castles to two sides.
const MOST_MOVES: usize = 28;

/// A branch of imagined positions.
pub(crate) struct Branch<'b> {
    /// Where it leaves the game or the other branch.
    base: &'b Position,
    /// The branch in which that is.
    outer: Option<&'b Branch<'b>>,
    /// How many branches are around it.
    level: u32,
    /// A move leads from the base to its positions; otherwise they are the base with another board.
    moves: bool,
}

/// What imagined positions are kept in. Empty where none are imagined.
#[derive(Default)]
pub(crate) struct Imagination {
    positions: Vec<Vec<OnceCell<Position>>>,
    legal: Vec<LegalCache>,
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
    played.fold(game.arrivals(before), |arrivals, arrival| arrivals | arrival.to)
}

/// The squares that moves have left or arrived at on the way to a position, which may be in a branch; null moves apart.
fn touched(branch: Option<&Branch<'_>>, game: &Game, at: &Position) -> Bitboard {
    let (played, before) = on_the_way(branch, at);
    played.fold(game.touched(before), |touched, arrival| {
        touched | arrival.from | arrival.to
    })
}

/// The moves that branches have on the way to a position, null moves apart, and where the game was left.
fn on_the_way<'b>(
    branch: Option<&'b Branch<'b>>,
    at: &'b Position,
) -> (impl Iterator<Item = Arrival> + 'b, &'b Position) {
    let first = branch.and_then(|branch| branch.having(at));
    let steps = std::iter::successors(first.map(|branch| (branch, at)), |(branch, _)| {
        Some((branch.outer?.having(branch.base)?, branch.base))
    });
    let before = steps.clone().last().map_or(at, |(branch, _)| branch.base);
    let moves = steps.filter(|(branch, position)| branch.moves && position.arrival.kind != MoveKind::Null);
    (moves.map(|(_, position)| position.arrival), before)
}

impl<'a> Context<'a> {
    /// The castling rights in a position.
    pub(crate) fn rights(&self, at: &Position) -> Rights {
        self.game.rights_after(|| touched(self.branch, self.game, at))
    }

    /// A branch that leaves the game at a position; `moves` says whether by moves.
    pub(crate) fn branch_at(&self, base: &'a Position, moves: bool) -> Branch<'a> {
        Branch {
            base,
            outer: self.branch,
            level: self.branch.map_or(0, |outer| outer.level + 1),
            moves,
        }
    }

    /// Empty places for the positions of a branch, as many as the position has moves or more.
    pub(crate) fn take_positions(&mut self, at: &Position) -> Vec<OnceCell<Position>> {
        let mut positions = self.imagined.positions.pop().unwrap_or_default();
        let most = at.board.colors.get(at.turn).count() * MOST_MOVES;
        if positions.len() < most {
            positions.resize(most, OnceCell::new());
        }
        positions
    }

    /// Keeps the places for the next branch; so many of them were taken.
    pub(crate) fn keep_positions(&mut self, mut positions: Vec<OnceCell<Position>>, taken: usize) {
        positions
            .iter_mut()
            .take(taken)
            .for_each(|place| *place = OnceCell::new());
        self.imagined.positions.push(positions);
    }

    /// The context of a branch. What outlasts it moves there, and [`wake`](Context::wake) takes it back. What filters do beside giving a
    /// value, but for variables, is left out, since none of them is allowed there.
    pub(crate) fn imagine<'b>(&mut self, branch: &'b Branch<'b>) -> Context<'b>
    where
        'a: 'b,
    {
        let held = self.bytes_but_variables();
        let mut legal = self.imagined.legal.pop().unwrap_or_default();
        legal.position = None;
        Context {
            query: self.query,
            game: self.game,
            prepared: self.prepared,
            identities: self.identities,
            memos: Memos::default(),
            variables: mem::take(&mut self.variables),
            dictionaries: Dictionaries::default(),
            last_match: self.last_match.take(),
            endgames: mem::take(&mut self.endgames),
            files: Files::default(),
            comments: Comments::default(),
            messages: Vec::new(),
            tags: Vec::new(),
            removed_comments: Vec::new(),
            keys: Vec::new(),
            commented_consecutive: Vec::new(),
            legal,
            rounds: self.rounds,
            trials: self.trials,
            kept: 0,
            held,
            budget: Budget {
                max_rounds: self.budget.max_rounds,
                called_off: self.budget.called_off,
                share: mem::take(&mut self.budget.share),
            },
            paths: PathState::default(),
            path_stacks: Vec::new(),
            line_stacks: Vec::new(),
            line_item: None,
            narrowed: None,
            branch: Some(branch),
            imagined: mem::take(&mut self.imagined),
            stop: self.stop.take(),
        }
    }

    /// Goes on after a branch that left the game at a position.
    pub(crate) fn wake(&mut self, inner: Context<'_>, at: &Position) {
        self.variables = inner.variables;
        self.last_match = inner.last_match;
        self.endgames = inner.endgames;
        self.rounds = inner.rounds;
        self.trials = inner.trials;
        self.budget.share = inner.budget.share;
        self.imagined = inner.imagined;
        self.imagined.legal.push(inner.legal);
        self.stop = inner.stop;
        // Whoever reads of an error looks for its position in the game.
        if let Some(Stopped::Error(error)) = &mut self.stop
            && error.position >= FIRST_ID
        {
            error.position = at.id;
        }
    }
}
