//! Boards of several blocks that are put side by side, so that no lane is asked for nothing.

use smallvec::SmallVec;

use super::columns;
use crate::board::columns::{Boards, LANES, Lanes};
use crate::board::stretches::STRETCH;
use crate::query::columns::CondColumn;

/// Positions of a game that wait to be asked together.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    boards: Option<Box<Boards>>,
    /// The ids of the positions, and where White is to move.
    ids: SmallVec<[usize; LANES]>,
    turns: Lanes,
}

impl Gathered {
    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.ids.len() >= LANES
    }

    /// Adds a lane of a block.
    pub(super) fn add(&mut self, id: usize, boards: &Boards, lane: usize, turn: Lanes) {
        let gathered = self.boards.get_or_insert_with(Box::default);
        gathered.copy_lane(self.ids.len(), boards, lane);
        self.turns |= turn << self.ids.len();
        self.ids.push(id);
    }

    /// Adds half of a block, with the ids from `first` on. There must be nothing but halves.
    pub(super) fn add_half(&mut self, first: usize, boards: &Boards, half: usize, turns: Lanes) {
        let gathered = self.boards.get_or_insert_with(Box::default);
        gathered.copy_half(self.ids.len() / STRETCH, boards, half);
        self.turns |= turns << self.ids.len();
        self.ids.extend(first..first + STRETCH);
    }

    /// Takes all positions that others have gathered, if there is room for them.
    pub(super) fn take_over(&mut self, others: &mut Gathered) {
        if self.ids.is_empty() || self.ids.len() + others.ids.len() > LANES {
            return;
        }
        if let Some(boards) = &others.boards {
            for (lane, id) in others.ids.iter().enumerate() {
                self.add(*id, boards, lane, others.turns >> lane & 1);
            }
        }
        others.clear();
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.turns = 0;
    }

    /// Takes those positions out of a selection where a verdict does not hold, and begins anew.
    pub(super) fn settle(&mut self, verdict: &CondColumn, words: &mut [u64]) {
        let Some(boards) = self.boards.as_ref().filter(|_| !self.ids.is_empty()) else {
            return;
        };
        let holding = columns::holding(verdict, boards, self.turns);
        for (lane, id) in self.ids.iter().enumerate() {
            if let Some(word) = words.get_mut(id / 64) {
                *word &= !(u64::from(!holding >> lane & 1) << (id % 64));
            }
        }
        self.clear();
    }
}
