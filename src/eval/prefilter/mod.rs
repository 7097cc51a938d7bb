//! Selects the positions of a game that fulfil the prefilter, before the body is evaluated.
//!
//! The tests run one after the other, each on all positions that are left, so that what a test needs is computed once per game and the same
//! few instructions run over all positions.
//!
//! Each part uses only those before it: `strategy`, `bitset`, `self`, `narrowing`, `batch`, `verdict`.

pub(crate) mod batch;
mod bitset;
mod narrowing;
mod strategy;
mod verdict;

use std::array;
use std::mem;

use crate::board::Color;
use crate::board::columns::{LANES, Lanes};
use crate::eval::columns;
use crate::game::Game;
use crate::query::Shortcuts;
use crate::query::prefilter::{Prefilter, Verdict};
use bitset::{TOGETHER, Words, are_empty};
use strategy::Trials;

/// About how many instructions it takes for each lane to come to a block.
const LOOK: u32 = 4;

/// How many blocks the bits of a word are for.
const BLOCKS: usize = u64::BITS as usize / LANES;

/// Some of the positions of a game.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    words: Words,
    trials: Trials,
    /// What the game has taken so far: about how many instructions for each lane.
    taken: u64,
    /// Stretches are asked what is asked of positions.
    asks_stretches: bool,
}

impl Selected {
    /// Nothing yet.
    pub(crate) fn new(shortcuts: Shortcuts) -> Selected {
        Selected {
            trials: Trials::new(shortcuts.contains(Shortcuts::STRETCHES)),
            ..Selected::default()
        }
    }

    /// Selects the positions of a game that fulfil a prefilter; perhaps some that do not fulfil what only a longer look would find
    /// out. With a verdict, which needs the boards of all of them side by side, exactly those where it holds, too.
    pub(crate) fn select(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        self.fill(game.len());
        self.taken = 0;
        self.asks_stretches = self.trials.asks_stretches();
        self.ask(prefilter, verdict, game);
        self.trials.learn(self.taken, game.len());
    }

    /// Takes what is selected away.
    pub(crate) fn take(&mut self) -> Words {
        mem::take(&mut self.words)
    }

    /// Selects what was taken away.
    pub(crate) fn set(&mut self, words: Words) {
        self.words = words;
    }

    fn ask(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        if let Some((cover, work)) = verdict.and_then(|verdict| verdict.body.cover.as_ref())
            && self.asks_stretches
        {
            self.narrow_to_stretches(*work, game, |stretches| columns::perhaps(cover, stretches));
            if self.is_empty() {
                return;
            }
            // What is asked before a verdict follows from it.
            self.asks_stretches = false;
        }
        // A verdict asks what holds, and asks it of those positions alone that pass the rest.
        self.narrow(verdict.map_or(prefilter, |verdict| &verdict.before), game);
        if self.is_empty() {
            return;
        }
        if let Some(verdict) = verdict {
            self.apply_verdict(verdict, game);
        }
    }

    /// Selects none.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds the ids of the positions to some numbers, in order.
    pub(crate) fn write_ids(&self, numbers: &mut Vec<u32>) {
        for (word, first) in self.words.iter().zip((0..).step_by(64)) {
            // Run by run, as often most positions are selected.
            let mut left = *word;
            while left != 0 {
                let begin = left.trailing_zeros();
                let end = begin + (left >> begin).trailing_ones();
                numbers.extend(first + begin..first + end);
                left &= u64::MAX.checked_shl(end).unwrap_or(0);
            }
        }
    }

    /// Whether there is none.
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

    /// Which positions of a block are left.
    fn lanes(&self, block: usize) -> Lanes {
        let word = self.words.get(block * LANES / 64).copied().unwrap_or(0);
        (word >> (block * LANES % 64)) as Lanes
    }
}

/// At which positions of a block White is to move.
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
