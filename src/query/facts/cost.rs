//! Which tests may be reordered: those that only look at the board, and can neither write anything nor end the run.

use crate::query::ast::facts::{Facts, Reads};
use crate::query::ast::node::Cond;

/// From here on a test is not asked in front of others.
const DEAR: f64 = 60.0;

/// Whether a condition only looks at the board.
pub(crate) fn is_cheap(condition: &Cond) -> bool {
    let Facts {
        reads, effects, cost, ..
    } = &condition.facts;
    (Reads::BOARD | Reads::TURN | Reads::PLY | Reads::PLACE).contains(*reads)
        && effects.is_empty()
        && *cost < DEAR
        && !condition.facts.has_variables()
}
