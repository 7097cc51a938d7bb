//! Removes the positions where a verdict does not hold.

use super::compaction::Run;
use super::{BLOCKS, LOOK, Selected, Words, Workspace, white_to_move};
use crate::board::Bitboard;
use crate::board::columns::{Boards, LANES, Lanes};
use crate::board::stretches::STRETCH;
use crate::eval::columns;
use crate::game::Game;
use crate::query::prefilter::Verdict;

/// Of so few lanes of half a block the boards are gathered one by one.
const FEW_LANES: u32 = 3;

impl Selected {
    /// Takes out the positions where a verdict does not hold.
    ///
    /// Where few positions of a block are left, their boards are put side by side with those of others, so that no lane is asked
    /// for nothing.
    pub(super) fn apply_verdict(&mut self, verdict: &Verdict, game: &Game, workspace: &mut Workspace) {
        let is_line = game.is_line();
        let usual = white_to_move(game, 0);
        for (index, blocks) in game.columns().chunks(BLOCKS).enumerate() {
            let mut word = self.words.get(index).copied().unwrap_or(0);
            // From one block of which some are left to the next.
            while word != 0 {
                let place = word.trailing_zeros() as usize / LANES;
                let left = (word >> (place * LANES)) as Lanes;
                word &= !(u64::from(left) << (place * LANES));
                if let Some(boards) = blocks.get(place) {
                    let block = index * BLOCKS + place;
                    let turns = if is_line { usual } else { white_to_move(game, block) };
                    self.apply_verdict_to_block(verdict, block, boards, left, turns, workspace);
                }
            }
        }
    }

    /// Takes out positions that are gathered where a verdict does not hold.
    pub(crate) fn apply_verdict_to_compacted(&mut self, verdict: &Verdict, workspace: &mut Workspace) {
        workspace.halves.take_over(&mut workspace.single);
        self.apply_verdict_to_halves(verdict, workspace);
        self.apply_verdict_to_single(verdict, workspace);
    }

    /// Takes out positions of halves of blocks.
    fn apply_verdict_to_halves(&mut self, verdict: &Verdict, workspace: &mut Workspace) {
        let Workspace { waiting, halves, .. } = workspace;
        halves.apply_verdict(&verdict.body.condition, |run, failing| {
            take_out(run, failing, self.asked, &mut self.words, waiting)
        });
    }

    /// Takes out positions that are gathered one by one.
    fn apply_verdict_to_single(&mut self, verdict: &Verdict, workspace: &mut Workspace) {
        let Workspace { waiting, single, .. } = workspace;
        single.apply_verdict(&verdict.body.condition, |run, failing| {
            take_out(run, failing, self.asked, &mut self.words, waiting)
        });
    }

    /// Takes out positions of a block of which some are left, or gathers the boards of those.
    fn apply_verdict_to_block(
        &mut self,
        verdict: &Verdict,
        block: usize,
        boards: &Boards,
        left: Lanes,
        turns: Lanes,
        workspace: &mut Workspace,
    ) {
        const HALF: Lanes = Lanes::MAX >> STRETCH;
        let halves = [left & HALF, left >> STRETCH];
        if !self.gathers || halves.iter().all(|half| half.count_ones() > FEW_LANES) {
            self.taken += u64::from(verdict.body.work + LOOK);
            self.leave(block, columns::holding(&verdict.body.condition, boards, turns, left));
            return;
        }
        for (half, left) in halves.into_iter().enumerate() {
            let first = block * LANES + half * STRETCH;
            let turns = turns >> (half * STRETCH) & HALF;
            let game = self.asked;
            if left.count_ones() > FEW_LANES {
                let run = Run {
                    game,
                    first,
                    len: STRETCH,
                };
                workspace.halves.add_half(run, boards, half, turns);
                self.taken += u64::from(verdict.body.work / 2 + LOOK);
                if workspace.halves.is_full() {
                    self.apply_verdict_to_halves(verdict, workspace);
                }
                continue;
            }
            for lane in Bitboard(u64::from(left)) {
                let lane = lane.to_usize();
                let run = Run {
                    game,
                    first: first + lane,
                    len: 1,
                };
                workspace
                    .single
                    .add(run, boards, half * STRETCH + lane, turns >> lane & 1);
                self.taken += u64::from(verdict.body.work / LANES as u32 + LOOK / 2);
                if workspace.single.is_full() {
                    self.apply_verdict_to_single(verdict, workspace);
                }
            }
        }
    }

    /// Leaves these positions of a block, all of which were left before.
    fn leave(&mut self, block: usize, lanes: Lanes) {
        if let Some(word) = self.words.get_mut(block * LANES / 64) {
            let shift = block * LANES % 64;
            *word = *word & !(u64::from(Lanes::MAX) << shift) | u64::from(lanes) << shift;
        }
    }
}

/// Takes those of a run out of what is selected of its game: of the one that is being asked, or of one that waits.
fn take_out(run: Run, failing: Lanes, asked: Option<usize>, words: &mut Words, waiting: &mut [Words]) {
    let words = match run.game {
        Some(game) if run.game != asked => waiting.get_mut(game),
        _ => Some(words),
    };
    if let Some(word) = words.and_then(|words| words.get_mut(run.first / 64)) {
        *word &= !(u64::from(failing) << (run.first % 64));
    }
}
