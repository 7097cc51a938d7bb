//! The contexts in which filters are evaluated at imagined positions.

use std::cell::OnceCell;
use std::mem;

use super::branch::{Branch, FIRST_ID, moved, touched};
use super::{Budget, Context, Stopped};
use crate::board::Bitboard;
use crate::game::{Position, Rights};

/// The most moves a piece can have: a queen has 27, a pawn promotes to four pieces on three squares, a king can castle to two sides.
const MOST_MOVES: usize = 28;

impl<'a> Context<'a> {
    /// Returns the castling rights in a position.
    pub(crate) fn rights(&self, at: &Position) -> Rights {
        self.game.rights_after(|| touched(self.branch, self.game, at))
    }

    /// Returns the pieces that have not moved on the way to a position.
    pub(crate) fn never_moved(&self, at: &Position) -> Bitboard {
        at.board.occupied() & !moved(self.branch, self.game, at)
    }

    /// Creates a branch that leaves the game at `base`. `moves` says whether moves lead to its positions.
    pub(crate) fn branch_at(&self, base: &'a Position, moves: bool) -> Branch<'a> {
        Branch {
            base,
            outer: self.branch,
            level: self.branch.map_or(0, |outer| outer.level + 1),
            moves,
        }
    }

    /// Returns empty places for the positions of a branch, at least as many as the position has moves.
    pub(crate) fn take_positions(&mut self, at: &Position) -> Vec<OnceCell<Position>> {
        let mut positions = self.imagined.positions.pop().unwrap_or_default();
        let most = at.board.colors.get(at.turn).count() * MOST_MOVES;
        if positions.len() < most {
            positions.resize(most, OnceCell::new());
        }
        positions
    }

    /// Keeps the places for the next branch. `taken` of them were used.
    pub(crate) fn keep_positions(&mut self, mut positions: Vec<OnceCell<Position>>, taken: usize) {
        positions
            .iter_mut()
            .take(taken)
            .for_each(|place| *place = OnceCell::new());
        self.imagined.positions.push(positions);
    }

    /// Creates the context of a branch. State that outlives the branch moves there, and [`wake`](Context::wake) moves it back.
    /// State for effects other than variables is left out, since none of them is allowed there.
    pub(crate) fn imagine<'b>(&mut self, branch: &'b Branch<'b>) -> Context<'b>
    where
        'a: 'b,
    {
        let held = self.bytes_but_variables();
        let variables = mem::take(&mut self.variables);
        let budget = Budget {
            share: mem::take(&mut self.budget.share),
            ..self.budget
        };
        Context {
            last_match: self.last_match.take(),
            endgames: mem::take(&mut self.endgames),
            rounds: self.rounds,
            trials: self.trials,
            held,
            branch: Some(branch),
            imagined: mem::take(&mut self.imagined),
            trace: self.trace.take(),
            stop: self.stop.take(),
            ..Context::new(self.query, self.prepared, self.game, self.identities, variables, budget)
        }
    }

    /// Continues after a branch that left the game at `at`.
    pub(crate) fn wake(&mut self, inner: Context<'_>, at: &Position) {
        self.variables = inner.variables;
        self.last_match = inner.last_match;
        self.endgames = inner.endgames;
        self.rounds = inner.rounds;
        self.trials = inner.trials;
        self.budget.share = inner.budget.share;
        self.imagined = inner.imagined;
        self.trace = inner.trace;
        self.stop = inner.stop;
        // Readers of an error look for its position in the game.
        if let Some(Stopped::Error(error)) = &mut self.stop
            && error.position >= FIRST_ID
        {
            error.position = at.id;
        }
    }
}
