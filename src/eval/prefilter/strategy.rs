//! Decides by trials on recent games whether to test stretches before positions.

/// The cost of testing a number of games.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    /// Roughly the number of instructions, and of positions.
    instructions: u64,
    positions: u64,
}

impl Taken {
    fn of_positions(self) -> u64 {
        self.instructions * 1000 / self.positions.max(1)
    }
}

/// Trials of testing only positions, and of testing stretches of positions first.
#[derive(Debug)]
pub(super) struct Trials {
    without_stretches: Taken,
    with_stretches: Taken,
    games: u32,
    /// Whether stretches may be tested.
    may_ask: bool,
    /// Whether stretches have paid off.
    have_paid: bool,
}

impl Trials {
    /// The number of games spent on trials, alternating between the two ways.
    const TRIED: u32 = 48;
    /// The number of games after which the trials start again.
    const KEPT: u32 = 2000;

    pub(super) fn new(may_ask: bool) -> Trials {
        Trials {
            without_stretches: Taken::default(),
            with_stretches: Taken::default(),
            games: 0,
            may_ask,
            have_paid: false,
        }
    }

    /// Returns whether the stretches of the next game are tested.
    pub(super) fn asks_stretches(&self) -> bool {
        self.may_ask
            && match self.games < Trials::TRIED {
                true => self.games % 2 == 1,
                false => self.have_paid,
            }
    }

    /// Learns the cost in instructions of the next game, which has this many positions.
    pub(super) fn learn(&mut self, instructions: u64, positions: usize) {
        let taken = match self.asks_stretches() {
            true => &mut self.with_stretches,
            false => &mut self.without_stretches,
        };
        taken.instructions += instructions;
        taken.positions += positions as u64;
        self.games += 1;
        if self.games == Trials::TRIED {
            // The figures are rough and favour stretches, so these have to save a third.
            self.have_paid = self.with_stretches.of_positions() * 3 < self.without_stretches.of_positions() * 2;
        }
        if self.games == Trials::KEPT {
            *self = Trials::new(self.may_ask);
        }
    }
}

impl Default for Trials {
    fn default() -> Trials {
        Trials::new(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each game whether its stretches are tested, given the instructions that a game takes without and with them.
    fn asked(without_stretches: u64, with_stretches: u64, games: u32) -> Vec<bool> {
        let mut trials = Trials::new(true);
        let ask = |_| {
            let asks = trials.asks_stretches();
            trials.learn(if asks { with_stretches } else { without_stretches }, 80);
            asks
        };
        (0..games).map(ask).collect()
    }

    #[test]
    fn what_takes_less_is_kept_for_a_while() {
        let asked = asked(150, 90, Trials::KEPT + 2);
        assert_eq!(asked[..4], [false, true, false, true]);
        let kept = &asked[Trials::TRIED as usize..Trials::KEPT as usize];
        assert!(kept.iter().all(|asks| *asks));
        assert_eq!(asked[Trials::KEPT as usize..], [false, true], "both are tried anew");
    }

    #[test]
    fn stretches_are_asked_only_where_that_spares_much() {
        for (without_stretches, with_stretches, asks) in [(150, 110, false), (150, 90, true), (0, 0, false)] {
            let asked = asked(without_stretches, with_stretches, Trials::TRIED + 1);
            assert_eq!(asked.last(), Some(&asks), "{without_stretches} {with_stretches}");
        }
    }
}
