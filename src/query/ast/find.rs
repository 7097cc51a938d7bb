//! `find`: a search for positions of the game (chapter 5, 8).

use super::echo::Equation;
use super::facts::Effects;
use super::node::Cond;
use super::variables::Variable;

/// `find f`
#[derive(Clone, Debug)]
pub(crate) struct Find {
    /// f
    pub body: Cond,
    /// `<--`: whether it searches back to the initial position instead of the subtree.
    pub backward: bool,
    /// Whether automatic comments are left out.
    pub quiet: bool,
    /// The effects of evaluating f.
    pub effects: Effects,
    /// The effects of evaluating f if all variables that f reads have values.
    pub effects_if_bound: Effects,
    /// The index among the memos of a game, if f depends only on the position.
    pub memo: Option<u32>,
    /// How to look up the positions where f can match, if it equates a value of the position with another value.
    pub lookup: Option<Lookup>,
}

/// How to look up the positions of a `find`. Its filter still decides.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The index among the memos of a game.
    pub memo: u32,
    /// The values that must be equal: one of the position, and one that depends on variables and the game.
    pub equations: Vec<Equation>,
    /// The variables that the filter reads.
    pub variables: Vec<Variable>,
}
