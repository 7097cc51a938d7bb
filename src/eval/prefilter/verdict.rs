//! Removes the positions where a verdict does not hold.

use super::{BLOCKS, LOOK, Selected, white_to_move};
use crate::board::columns::{LANES, Lanes};
use crate::eval::columns;
use crate::game::Game;
use crate::query::prefilter::Verdict;

impl Selected {
    /// Deselects the positions where a verdict does not hold.
    pub(super) fn apply_verdict(&mut self, verdict: &Verdict, game: &Game) {
        let is_line = game.is_line();
        let usual = white_to_move(game, 0);
        for (index, (word, blocks)) in self.words.iter_mut().zip(game.columns().chunks(BLOCKS)).enumerate() {
            let mut left_of_word = *word;
            // From one block with selected positions to the next.
            while left_of_word != 0 {
                let place = left_of_word.trailing_zeros() as usize / LANES;
                let shift = place * LANES;
                let left = (left_of_word >> shift) as Lanes;
                left_of_word &= !(u64::from(left) << shift);
                if let Some(boards) = blocks.get(place) {
                    let block = index * BLOCKS + place;
                    let turns = if is_line { usual } else { white_to_move(game, block) };
                    self.taken += u64::from(verdict.body.work + LOOK);
                    let holding = columns::holding(&verdict.body.condition, boards, turns, left);
                    *word &= !(u64::from(left & !holding) << shift);
                }
            }
        }
    }
}
