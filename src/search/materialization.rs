//! Late materialization: the positions of a game from a database are made only when some query needs them.

use crate::board::columns::Parts;
use crate::query::{Query, Shortcuts};

/// Which columns are laid out side by side, and whether that happens before the positions of a game are made.
///
/// Laying out boards takes half the time of making positions, and often shows that nothing can be found in a game. If most games turn out to
/// need their positions anyway, they are made at once. The answers are the same either way.
#[derive(Clone, Debug, Default)]
pub(super) struct Materialization {
    side_by_side: Parts,
    /// Whether positions may wait until a query needs them.
    may_wait: bool,
    trials: Trials,
}

/// The recent games that were laid out.
#[derive(Clone, Debug, Default)]
struct Trials {
    /// The number of these games, and of those that needed positions.
    made: u32,
    needed: u32,
    /// How many of the next games are replayed at once.
    replayed: u32,
}

impl Materialization {
    /// Creates the state for queries that are evaluated together.
    pub(super) fn of(queries: &[&Query]) -> Materialization {
        let side_by_side: Parts = queries.iter().map(|query| query.parts_side_by_side()).collect();
        Materialization {
            side_by_side,
            may_wait: {
                let have_verdicts = || queries.iter().all(|query| query.verdict.is_some());
                let is_late = |query: &&Query| query.shortcuts.contains(Shortcuts::LATE_POSITIONS);
                queries.iter().all(is_late) && (!side_by_side.is_empty() || have_verdicts())
            },
            trials: Trials::default(),
        }
    }

    /// Returns which columns are laid out.
    pub(super) fn side_by_side(&self) -> Parts {
        self.side_by_side
    }

    /// The number of games that are laid out before the method is chosen again.
    const TRIALS: u32 = 32;
    /// If more of them needed their positions, the next games are replayed at once: doing both costs about half as much again.
    const MOST_NEEDED: u32 = 20;
    /// The number of games that are then replayed at once.
    const REPLAYED: u32 = 512;

    /// Returns whether the boards of the next game are laid out before its positions are made.
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
        self.may_wait
    }

    /// Records that a game that was laid out needs positions.
    pub(super) fn learn_of_need(&mut self) {
        self.trials.needed += 1;
    }
}
