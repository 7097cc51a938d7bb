//! Loops over squares and pieces.

use super::effect::Effect;
use super::node::{Cond, Set};
use super::variables::Variable;

/// `x ∊ S f`: a loop over the squares of a set or the pieces on it.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// x: a set or piece variable.
    pub variable: Variable,
    /// S
    pub domain: Set,
    /// f
    pub body: Cond,
    /// The effect of evaluating f. If there is none, the loop may stop early where only a match is asked for.
    pub effect: Effect,
}
