//! Boards of several blocks that are put side by side, so that no lane is asked for nothing.

use smallvec::SmallVec;

use super::columns;
use crate::board::columns::{Boards, LANES, Lanes};
use crate::board::stretches::STRETCH;
use crate::query::columns::CondColumn;

/// A position of one of several games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The place of the game among those that wait, if it is one of them.
    pub(super) game: Option<usize>,
    /// The id of the position.
    pub(super) id: usize,
}

/// Positions that wait to be asked together.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    boards: Option<Box<Boards>>,
    /// Which positions they are, and where White is to move.
    places: SmallVec<[Place; LANES]>,
    turns: Lanes,
}

impl Gathered {
    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.places.len() >= LANES
    }

    /// Adds a lane of a block.
    pub(super) fn add(&mut self, place: Place, boards: &Boards, lane: usize, turn: Lanes) {
        let gathered = self.boards.get_or_insert_with(Box::default);
        gathered.copy_lane(self.places.len(), boards, lane);
        self.turns |= turn << self.places.len();
        self.places.push(place);
    }

    /// Adds half of a block, of successive positions of a game. There must be nothing but halves.
    pub(super) fn add_half(&mut self, first: Place, boards: &Boards, half: usize, turns: Lanes) {
        let gathered = self.boards.get_or_insert_with(Box::default);
        gathered.copy_half(self.places.len() / STRETCH, boards, half);
        self.turns |= turns << self.places.len();
        let ids = first.id..first.id + STRETCH;
        self.places.extend(ids.map(|id| Place { id, ..first }));
    }

    /// Takes all positions that others have gathered, if there is room for them.
    pub(super) fn take_over(&mut self, others: &mut Gathered) {
        if self.places.is_empty() || self.places.len() + others.places.len() > LANES {
            return;
        }
        if let Some(boards) = &others.boards {
            for (lane, place) in others.places.iter().enumerate() {
                self.add(*place, boards, lane, others.turns >> lane & 1);
            }
        }
        others.clear();
    }

    fn clear(&mut self) {
        self.places.clear();
        self.turns = 0;
    }

    /// Takes out the positions where a verdict does not hold. What is gathered begins anew.
    pub(super) fn settle(&mut self, verdict: &CondColumn, mut take_out: impl FnMut(Place)) {
        let Some(boards) = self.boards.as_ref().filter(|_| !self.places.is_empty()) else {
            return;
        };
        let holding = columns::holding(verdict, boards, self.turns);
        for (lane, place) in self.places.iter().enumerate() {
            if holding >> lane & 1 == 0 {
                take_out(*place);
            }
        }
        self.clear();
    }
}
