//! Loops over squares and pieces.

use super::facts::Effects;
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
    /// The effects of evaluating f. If there are none, the loop may stop early where only a match is asked for.
    pub effects: Effects,
}
