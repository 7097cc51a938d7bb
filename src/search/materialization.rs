//! Late materialization: the positions of a game from a database are made only when some query needs them.

use crate::board::columns::Parts;
use crate::query::Query;
#[cfg(feature = "database")]
use crate::query::Shortcuts;

/// What of the boards is put side by side, and whether that comes before the positions of a game are made.
///
/// Boards side by side take half the time of positions, and often show that nothing can be found in a game. Where most games
/// turn out to need their positions all the same, they are made at once. Answers are the same either way.
#[derive(Clone, Debug, Default)]
pub(super) struct Materialization {
    side_by_side: Parts,
    /// Positions may be made only when someone needs them.
    #[cfg(feature = "database")]
    may_wait: bool,
    #[cfg(feature = "database")]
    trials: Trials,
}

/// What became of the games that were laid out lately.
#[cfg(feature = "database")]
#[derive(Clone, Debug, Default)]
struct Trials {
    /// How many there were, and how many of them needed positions.
    made: u32,
    needed: u32,
    /// How many of the next games are replayed at once.
    replayed: u32,
}

impl Materialization {
    /// For queries that are asked together.
    pub(super) fn of(queries: &[&Query]) -> Materialization {
        Materialization {
            side_by_side: queries.iter().map(|query| query.parts_side_by_side()).collect(),
            #[cfg(feature = "database")]
            may_wait: queries
                .iter()
                .all(|query| query.shortcuts.contains(Shortcuts::LATE_POSITIONS)),
            #[cfg(feature = "database")]
            trials: Trials::default(),
        }
    }

    /// What of the boards is put side by side.
    pub(super) fn side_by_side(&self) -> Parts {
        self.side_by_side
    }
}

#[cfg(feature = "database")]
impl Materialization {
    /// After so many games that were laid out, the way is chosen anew.
    const TRIALS: u32 = 32;
    /// If more of them needed their positions, the next games are replayed at once: to do both costs about half as much again.
    const MOST_NEEDED: u32 = 20;
    /// So many are replayed then.
    const REPLAYED: u32 = 512;

    /// Whether boards are put side by side before the positions of the next game are made.
    pub(super) fn begins_with_columns(&mut self) -> bool {
        let trials = &mut self.trials;
        if trials.made == Materialization::TRIALS {
            let is_wasted = trials.needed > Materialization::MOST_NEEDED;
            *trials = Trials {
                replayed: if is_wasted { Materialization::REPLAYED } else { 0 },
                ..Trials::default()
            };
        }
        if trials.replayed > 0 {
            trials.replayed -= 1;
            return false;
        }
        trials.made += 1;
        self.may_wait && !self.side_by_side.is_empty()
    }

    /// Learns that a game that was laid out needs positions.
    pub(super) fn learn_of_need(&mut self) {
        self.trials.needed += 1;
    }
}
