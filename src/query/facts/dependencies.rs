//! What the values of filters depend on.

use std::collections::HashSet;

use crate::query::ast::echo::JoinSide;
use crate::query::ast::facts::{Effects, Facts, Reads, Use};
use crate::query::ast::node::Cond;
use crate::query::ast::variables::{PersistentVariable, Variable};

/// The variables of a query that something other than a loop or an `echo` gives a value.
pub(crate) fn assigned(body: &Cond, persistent: &[PersistentVariable]) -> HashSet<Variable> {
    let kept = persistent.iter().map(|persistent| persistent.variable);
    kept.chain(body.facts.variables(Use::ASSIGNED)).collect()
}

impl Facts {
    /// Whether a filter only looks at the board, does nothing else, and costs less than a list of legal moves. Such tests may change places.
    pub(crate) fn is_cheap(&self) -> bool {
        const MOST: f64 = 60.0;
        let looks_at = Reads::BOARD | Reads::TURN | Reads::PLY | Reads::PLACE;
        looks_at.contains(self.reads) && self.effects.is_empty() && self.cost < MOST && !self.has_variables()
    }

    /// Whether the value is constant within a game, known without its moves, and nothing else is done.
    pub(crate) fn is_of_game(&self) -> bool {
        self.is_of_game_with(&HashSet::new(), false)
    }

    /// The same if some variables are constant within a game, and perhaps the groups of regular expressions, because those of a match in front
    /// are read.
    pub(crate) fn is_of_game_with(&self, known: &HashSet<Variable>, knows_groups: bool) -> bool {
        let known_effects = if knows_groups {
            Effects::GROUPS
        } else {
            Effects::empty()
        };
        known_effects.contains(self.effects)
            && !self
                .reads
                .intersects(Reads::HERE | Reads::TREE | Reads::PAIRS | Reads::CHANGING | Reads::STEP)
            && self.variables(Use::FREE).all(|variable| known.contains(&variable))
    }

    /// Whether the value depends on more than the game, the current position and variables: on what evaluation changes, or on whether a loop
    /// variable had a value before, which ends the run. `assigned` are the variables that something other than a loop binds.
    pub(crate) fn depends_on_state(&self, assigned: &HashSet<Variable>) -> bool {
        self.reads.intersects(Reads::CHANGING | Reads::STEP)
            || self.effects.contains(Effects::GROUPS)
            || self.variables(Use::LOOPED).any(|variable| assigned.contains(&variable))
    }

    /// Whether the value is a function of the current position.
    pub(crate) fn is_of_position(&self, assigned: &HashSet<Variable>) -> bool {
        !self.depends_on_state(assigned) && self.variables(Use::FREE).next().is_none()
    }

    /// Whether a filter neither reads nor binds some variables, nor depends on state.
    pub(crate) fn is_free_of(&self, variables: &HashSet<Variable>) -> bool {
        !self.depends_on_state(variables) && !self.variables(Use::FREE).any(|variable| variables.contains(&variable))
    }

    /// Returns the side of a join that a filter depends on when it is evaluated at a target, which may have a variable.
    pub(crate) fn side_of_join(&self, target: Option<Variable>, assigned: &HashSet<Variable>) -> JoinSide {
        let is_target = |variable| Some(variable) == target;
        if self.depends_on_state(assigned) {
            JoinSide::Pair
        } else if !self.reads.intersects(Reads::HERE) && !self.variables(Use::FREE).any(is_target) {
            JoinSide::Source
        } else if self.variables(Use::FREE).all(is_target) {
            JoinSide::Target
        } else {
            JoinSide::Pair
        }
    }
}
