//! Selects the positions of a game that fulfil the prefilter, before the body is evaluated.
//!
//! The tests run one after another, each on all positions that are left. So the data that a test needs is computed once per game, and the same
//! few instructions run over all positions.
//!
//! Each part uses only those before it: `strategy`, `bitset`, `self`, `narrowing`, `lone`, `verdict`.

mod bitset;
pub(crate) mod lone;
mod narrowing;
mod strategy;
mod verdict;

use std::array;

use crate::board::Color;
use crate::board::columns::{LANES, Lanes};
use crate::eval::columns;
use crate::game::Game;
use crate::query::Shortcuts;
use crate::query::prefilter::{Prefilter, Verdict};
use bitset::{TOGETHER, Words, are_empty};
use strategy::Trials;

/// Roughly the instructions for each lane that it takes to reach a block.
const LOOK: u32 = 4;

/// The number of blocks that one word covers.
const BLOCKS: usize = u64::BITS as usize / LANES;

/// A selection of the positions of a game.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    words: Words,
    trials: Trials,
    /// The cost of the game so far: roughly the instructions for each lane.
    taken: u64,
    /// Whether stretches are tested before positions.
    asks_stretches: bool,
}

impl Selected {
    /// Creates an empty selection.
    pub(crate) fn new(shortcuts: Shortcuts) -> Selected {
        Selected {
            trials: Trials::new(shortcuts.contains(Shortcuts::STRETCHES)),
            ..Selected::default()
        }
    }

    /// Selects the positions of a game that fulfil a prefilter, and perhaps others that only a costlier test would rule out.
    /// With a verdict, which needs the boards of all positions in columns, selects exactly the positions where it also holds.
    pub(crate) fn select(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        self.fill(game.len());
        self.taken = 0;
        self.asks_stretches = self.trials.asks_stretches();
        self.ask(prefilter, verdict, game);
        self.trials.learn(self.taken, game.len());
    }

    fn ask(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        if let Some((cover, work)) = verdict.and_then(|verdict| verdict.body.cover.as_ref())
            && self.asks_stretches
        {
            self.narrow_to_stretches(*work, game, |stretches| columns::perhaps(cover, stretches));
            if self.is_empty() {
                return;
            }
            // Tests before a verdict follow from it.
            self.asks_stretches = false;
        }
        // A verdict decides what holds, so it only needs the positions that pass the other tests.
        self.narrow(verdict.map_or(prefilter, |verdict| &verdict.before), game);
        if self.is_empty() {
            return;
        }
        if let Some(verdict) = verdict {
            self.apply_verdict(verdict, game);
        }
    }

    /// Appends the ids of the selected positions to `numbers`, in order.
    pub(crate) fn write_ids(&self, numbers: &mut Vec<u32>) {
        for (word, first) in self.words.iter().zip((0..).step_by(64)) {
            // Run by run, since often most positions are selected.
            let mut left = *word;
            while left != 0 {
                let begin = left.trailing_zeros();
                let end = begin + (left >> begin).trailing_ones();
                numbers.extend(first + begin..first + end);
                left &= u64::MAX.checked_shl(end).unwrap_or(0);
            }
        }
    }

    /// Returns whether no position is selected.
    pub(crate) fn is_empty(&self) -> bool {
        are_empty(&self.words)
    }

    /// Selects the first `count` positions.
    fn fill(&mut self, count: usize) {
        let word = |index: usize| {
            let positions = count.saturating_sub(index * 64).min(64);
            u64::MAX.checked_shr(64 - positions as u32).unwrap_or(0)
        };
        if count <= TOGETHER * 64 && !self.words.spilled() {
            self.words = Words::from_buf(array::from_fn(word));
        } else {
            let words = count.div_ceil(64).next_multiple_of(TOGETHER);
            self.words.clear();
            self.words.extend((0..words).map(word));
        }
    }

    /// Returns the lanes of a block that are still selected.
    fn lanes(&self, block: usize) -> Lanes {
        let word = self.words.get(block * LANES / 64).copied().unwrap_or(0);
        (word >> (block * LANES % 64)) as Lanes
    }
}

/// Returns the lanes of a block in which White is to move.
fn white_to_move(game: &Game, block: usize) -> Lanes {
    if game.is_line() {
        const EVEN: Lanes = 0x5555;
        return game.first_to_move().fold_wb(EVEN, !EVEN);
    }
    let positions = game.positions.chunks(LANES).nth(block).unwrap_or_default();
    let turns = positions.iter().enumerate();
    turns.fold(0, |turns, (lane, at)| {
        turns | Lanes::from(at.turn == Color::White) << lane
    })
}

#[cfg(test)]
mod tests;
