//! The dependencies of the values of filters.

use std::collections::HashSet;

use crate::query::ast::echo::JoinSide;
use crate::query::ast::facts::{Effects, Facts, Reads, Use};
use crate::query::ast::node::Cond;
use crate::query::ast::variables::{PersistentVariable, Variable};

/// Returns the variables of a query that get a value other than by a loop or an `echo`.
pub(crate) fn assigned(body: &Cond, persistent: &[PersistentVariable]) -> HashSet<Variable> {
    let kept = persistent.iter().map(|persistent| persistent.variable);
    kept.chain(body.facts.variables(Use::ASSIGNED)).collect()
}

impl Facts {
    /// Returns whether a filter only looks at the board, has no effects, and costs less than a list of legal moves. The order of such tests
    /// does not matter.
    pub(crate) fn is_cheap(&self) -> bool {
        const MOST: f64 = 60.0;
        let looks_at = Reads::BOARD | Reads::TURN | Reads::PLY | Reads::PLACE;
        looks_at.contains(self.reads) && self.effects.is_empty() && self.cost < MOST && !self.has_variables()
    }

    /// Returns whether the value is constant within a game and known without its moves, and there are no effects.
    pub(crate) fn is_of_game(&self) -> bool {
        self.is_of_game_with(&HashSet::new(), false)
    }

    /// Like [`Facts::is_of_game`], if the variables `known` are constant within a game. `knows_groups` says that the groups of regular
    /// expressions are, too, because they come from an earlier match in the front of the body.
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

    /// Returns whether the value depends on more than the game, the current position and variables: on state that evaluation changes, or on
    /// whether a loop variable already had a value, which ends the run. `assigned` has the variables that get a value other than by a loop.
    pub(crate) fn depends_on_state(&self, assigned: &HashSet<Variable>) -> bool {
        self.reads.intersects(Reads::CHANGING | Reads::STEP)
            || self.effects.contains(Effects::GROUPS)
            || self.variables(Use::LOOPED).any(|variable| assigned.contains(&variable))
    }

    /// Returns whether the value is a function of the current position.
    pub(crate) fn is_of_position(&self, assigned: &HashSet<Variable>) -> bool {
        !self.depends_on_state(assigned) && self.variables(Use::FREE).next().is_none()
    }

    /// Returns whether a filter does not depend on these variables or on state.
    pub(crate) fn is_free_of(&self, variables: &HashSet<Variable>) -> bool {
        !self.depends_on_state(variables) && !self.variables(Use::FREE).any(|variable| variables.contains(&variable))
    }

    /// Returns the side of a join that a filter depends on when it is evaluated at a target. `target` is the variable of the target, if
    /// there is one.
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
