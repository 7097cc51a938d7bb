//! Compaction: boards that are left of several sparse blocks move to one block, so that all lanes do useful work.

use smallvec::SmallVec;

use crate::board::columns::{Boards, LANES, Lanes, first_lanes};
use crate::board::stretches::STRETCH;
use crate::eval::columns;
use crate::query::algebra::BoardCond;

/// Successive positions of one of several games. They are in one word of sixty-four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// The place of the game among those that wait, if it is one of them.
    pub(super) game: Option<usize>,
    /// The id of the first position.
    pub(super) first: usize,
    /// How many they are.
    pub(super) len: usize,
}

/// Positions that wait to be asked together.
#[derive(Debug, Default)]
pub(super) struct Compacted {
    boards: Option<Box<Boards>>,
    /// Which positions they are, lane by lane.
    runs: SmallVec<[Run; 4]>,
    filled: usize,
    /// Where White is to move.
    turns: Lanes,
}

impl Compacted {
    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.filled >= LANES
    }

    /// Adds a position, which has a lane of some boards.
    pub(super) fn add(&mut self, run: Run, boards: &Boards, lane: usize, turn: Lanes) {
        let compacted = self.boards.get_or_insert_with(Box::default);
        compacted.copy_lane(self.filled, boards, lane);
        self.add_run(run, turn);
    }

    /// Adds positions that have half of some boards. There must be nothing but halves.
    pub(super) fn add_half(&mut self, run: Run, boards: &Boards, half: usize, turns: Lanes) {
        let compacted = self.boards.get_or_insert_with(Box::default);
        compacted.copy_half(self.filled / STRETCH, boards, half);
        self.add_run(run, turns);
    }

    fn add_run(&mut self, run: Run, turns: Lanes) {
        self.turns |= turns << self.filled;
        self.filled += run.len;
        self.runs.push(run);
    }

    /// Takes all positions that others have compacted one by one, if there is room for them.
    pub(super) fn take_over(&mut self, others: &mut Compacted) {
        if self.filled == 0 || self.filled + others.filled > LANES {
            return;
        }
        if let Some(boards) = &others.boards {
            for (lane, run) in others.runs.iter().enumerate() {
                self.add(*run, boards, lane, others.turns >> lane & 1);
            }
        }
        others.clear();
    }

    fn clear(&mut self) {
        self.runs.clear();
        self.filled = 0;
        self.turns = 0;
    }

    /// Takes the positions where a verdict does not hold out of their runs: bit 0 is the first of a run. What is compacted begins anew.
    pub(super) fn apply_verdict(&mut self, verdict: &BoardCond, mut take_out: impl FnMut(Run, Lanes)) {
        let Some(boards) = self.boards.as_ref().filter(|_| self.filled > 0) else {
            return;
        };
        let failing = !columns::holding(verdict, boards, self.turns, first_lanes(self.filled));
        let mut lane = 0;
        for run in &self.runs {
            take_out(*run, failing >> lane & first_lanes(run.len));
            lane += run.len;
        }
        self.clear();
    }
}
