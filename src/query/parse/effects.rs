//! The effects of filters at the place of the query where they are.

use super::builder::Builder;
use crate::query::ast::facts::{Effects, Facts, Use};

impl Builder {
    /// Returns the effects of evaluating a filter at this place, without the effects in `ignored`. Variables of enclosing loops and calls
    /// have values.
    pub(super) fn effects(&self, facts: &Facts, ignored: Effects) -> Effects {
        let has_value = |variable| self.symbols.looping.contains(&variable) || self.symbols.passed.contains(&variable);
        let mut effects = facts.effects;
        if !self.asks_for_last_path {
            effects -= Effects::LAST_PATH;
        }
        effects.set(Effects::UNBOUND, !facts.variables(Use::NEEDED).all(has_value));
        effects - ignored
    }
}
