//! Decides by trials on the last games whether stretches are asked before positions.

/// What asking has taken of some games.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    /// How many instructions, more or less, for how many positions.
    instructions: u64,
    positions: u64,
}

impl Taken {
    fn of_positions(self) -> u64 {
        self.instructions * 1000 / self.positions.max(1)
    }
}

/// Trials of asking nothing but positions, and of asking stretches of positions before.
#[derive(Debug)]
pub(super) struct Trials {
    without_stretches: Taken,
    with_stretches: Taken,
    games: u32,
    /// Stretches may be asked.
    may_ask: bool,
    /// They have paid.
    have_paid: bool,
}

impl Trials {
    /// This many games are spent on trials, on each of the two in turn.
    const TRIED: u32 = 48;
    /// After this many games both are tried anew.
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

    /// Whether stretches are asked of the next game.
    pub(super) fn asks_stretches(&self) -> bool {
        self.may_ask
            && match self.games < Trials::TRIED {
                true => self.games % 2 == 1,
                false => self.have_paid,
            }
    }

    /// Learns how many instructions the next game has taken, which has this many positions.
    pub(super) fn learn(&mut self, instructions: u64, positions: usize) {
        let taken = match self.asks_stretches() {
            true => &mut self.with_stretches,
            false => &mut self.without_stretches,
        };
        taken.instructions += instructions;
        taken.positions += positions as u64;
        self.games += 1;
        if self.games == Trials::TRIED {
            // The figures are rough, and flatter stretches: they have to spare a third.
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

    /// Whether stretches are asked of each of some games, where these are the instructions that a game takes without and with them.
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
