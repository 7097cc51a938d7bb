//! Chooses the cheapest order of tests by trials on the last games.

use std::iter;

use smallvec::SmallVec;

/// What is asked of stretches of positions before anything is asked of the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strategy {
    /// Nothing.
    Blocks,
    /// The cover of the verdict, before all others.
    Cover,
    /// Each question of the prefilter, before it is asked of positions.
    Questions,
}

/// A strategy, and what it has taken.
#[derive(Debug)]
struct Trial {
    strategy: Strategy,
    /// How many instructions, more or less, for how many positions.
    taken: u64,
    positions: u64,
}

impl Trial {
    fn of(strategy: Strategy) -> Trial {
        Trial {
            strategy,
            taken: 0,
            positions: 0,
        }
    }

    fn of_positions(&self) -> u64 {
        self.taken * 1000 / self.positions.max(1)
    }
}

/// The strategies that a query may take.
#[derive(Debug)]
pub(super) struct StrategyTrials {
    /// The first of them asks nothing but the positions.
    trials: SmallVec<[Trial; 4]>,
    games: u32,
    chosen: usize,
}

impl StrategyTrials {
    /// So many games are spent on trials, on each strategy in turn.
    const TRIED: u32 = 48;
    /// After so many games the strategies are tried anew.
    const KEPT: u32 = 2000;

    /// To ask nothing but the positions, or one of these strategies.
    pub(super) fn of(others: impl IntoIterator<Item = Strategy>) -> StrategyTrials {
        StrategyTrials {
            trials: iter::once(Strategy::Blocks).chain(others).map(Trial::of).collect(),
            games: 0,
            chosen: 0,
        }
    }

    /// The strategy for the next game.
    pub(super) fn next(&self) -> Strategy {
        self.trials
            .get(self.index())
            .map_or(Strategy::Blocks, |trial| trial.strategy)
    }

    fn index(&self) -> usize {
        if self.games < StrategyTrials::TRIED {
            self.games as usize % self.trials.len()
        } else {
            self.chosen
        }
    }

    /// Learns what the strategy has taken for a game of so many positions.
    pub(super) fn learn(&mut self, taken: u64, positions: usize) {
        let index = self.index();
        if let Some(trial) = self.trials.get_mut(index) {
            trial.taken += taken;
            trial.positions += positions as u64;
        }
        self.games += 1;
        if self.games == StrategyTrials::TRIED {
            // The figures are rough, and flatter stretches: they have to spare a third.
            let limit = self.trials.first().map_or(0, Trial::of_positions) * 2;
            let trials = self.trials.iter().enumerate();
            let best = trials.min_by_key(|(_, trial)| trial.of_positions());
            self.chosen = best
                .filter(|(_, best)| best.of_positions() * 3 < limit)
                .map_or(0, |(index, _)| index);
        }
        if self.games == StrategyTrials::KEPT {
            *self = StrategyTrials::of(self.trials.iter().skip(1).map(|trial| trial.strategy));
        }
    }
}

impl Default for StrategyTrials {
    fn default() -> StrategyTrials {
        StrategyTrials::of([])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: [Strategy; 2] = [Strategy::Cover, Strategy::Questions];

    /// The strategies of some games of which each takes so much: to ask nothing but the positions, and others in order.
    fn chosen<const N: usize>(blocks: u64, others: [u64; N], games: u32) -> Vec<Strategy> {
        let mut trials = StrategyTrials::of(OTHERS.into_iter().take(N));
        let strategy = |_| {
            let strategy = trials.next();
            let place = OTHERS.iter().position(|other| *other == strategy);
            trials.learn(place.map_or(blocks, |place| others[place]), 80);
            strategy
        };
        (0..games).map(strategy).collect()
    }

    #[test]
    fn the_course_that_takes_the_least_is_kept_for_a_while() {
        let chosen = chosen(150, [90, 120], StrategyTrials::KEPT + 2);
        assert_eq!(
            chosen[..4],
            [Strategy::Blocks, Strategy::Cover, Strategy::Questions, Strategy::Blocks]
        );
        let kept = &chosen[StrategyTrials::TRIED as usize..StrategyTrials::KEPT as usize];
        assert!(kept.iter().all(|strategy| *strategy == Strategy::Cover));
        assert_eq!(
            chosen[StrategyTrials::KEPT as usize..],
            [Strategy::Blocks, Strategy::Cover],
            "they are tried anew"
        );
    }

    #[test]
    fn less_is_asked_first_only_where_that_spares_much() {
        for (blocks, others, strategy) in [
            (150, [110, 120], Strategy::Blocks),
            (150, [200, 90], Strategy::Questions),
            (150, [60, 110], Strategy::Cover),
            (0, [0, 0], Strategy::Blocks),
        ] {
            let chosen = chosen(blocks, others, StrategyTrials::TRIED + 1);
            assert_eq!(chosen.last(), Some(&strategy), "{blocks} {others:?}");
        }
        assert_eq!(
            chosen(150, [], StrategyTrials::TRIED + 1).last(),
            Some(&Strategy::Blocks)
        );
    }
}
