//! `find`: a search for positions of the game (chapter 5, 8).

use super::echo::Equation;
use super::effect::Effect;
use super::node::Cond;
use super::variables::Variable;

/// `find f`
#[derive(Clone, Debug)]
pub(crate) struct Find {
    /// f
    pub body: Cond,
    /// `<--`: the way back to the initial position instead of the subtree.
    pub backward: bool,
    /// Without automatic comments.
    pub quiet: bool,
    /// What evaluating f does.
    pub effect: Effect,
    /// The same where all variables that f reads have values.
    pub effect_if_bound: Effect,
    /// The place among the memos of a game, if f depends on nothing but the position.
    pub memo: Option<u32>,
    /// How the positions are found at which f can match, if it equates values of theirs with others.
    pub lookup: Option<Lookup>,
}

/// By what the positions of a `find` are looked up. Its filter decides in the end.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The place among the memos of a game.
    pub memo: u32,
    /// What must be equal: values of the position, and values that depend on variables and the game.
    pub equations: Vec<Equation>,
    /// The variables that the filter reads.
    pub variables: Vec<Variable>,
}
