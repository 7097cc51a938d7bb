//! What evaluations do beside giving a value, counted while a query is built.
//!
//! A stretch of the query in which nothing was counted may be evaluated more or less often without anybody noticing.

use crate::query::ast::Effect;

/// The counts at some place of the query.
#[derive(Clone, Copy, Default)]
pub(super) struct Effects {
    /// What has side effects, may end the run, or reads what changes while a game is evaluated.
    pub(super) all: u32,
    /// Of these, what does nothing but stop the run.
    stops: u32,
    /// Of those that stop the run, what does so only if a variable has no value.
    unbound: u32,
    /// Of all, what does nothing but write comments.
    comments: u32,
    /// Of all, what does nothing but give a variable a value.
    assignments: u32,
}

impl Effects {
    /// Counts what may stop the run.
    pub(super) fn may_stop(&mut self) {
        self.all += 1;
        self.stops += 1;
    }

    /// Counts what stops the run if a variable has no value.
    pub(super) fn reads_variable(&mut self) {
        self.may_stop();
        self.unbound += 1;
    }

    /// Counts what gives a variable a value.
    pub(super) fn assigns(&mut self) {
        self.all += 1;
        self.assignments += 1;
    }

    /// Counts what writes comments.
    pub(super) fn writes_comment(&mut self) {
        self.all += 1;
        self.comments += 1;
    }

    /// What the filters built since do.
    pub(super) fn effect_since(&self, before: &Effects) -> Effect {
        self.effect(before, 0)
    }

    /// The same of the body of a loop, of which assignments are told from other effects.
    pub(super) fn effect_of_loop_since(&self, before: &Effects) -> Effect {
        let assigns = self.assignments - before.assignments;
        let reads = self.unbound - before.unbound;
        match self.effect_since(before) {
            Effect::Any if self.all - before.all == assigns + reads => Effect::Assigns,
            effect => effect,
        }
    }

    /// The same where a filter is evaluated again in the same state: a first evaluation that stops the run ends everything,
    /// so that what may stop it does not count.
    pub(super) fn effect_but_stops_since(&self, before: &Effects) -> Effect {
        self.effect(before, self.stops - before.stops)
    }

    /// The same where all variables that are read have values.
    pub(super) fn effect_if_bound_since(&self, before: &Effects) -> Effect {
        self.effect(before, self.unbound - before.unbound)
    }

    fn effect(&self, before: &Effects, ignored: u32) -> Effect {
        let comments = self.comments - before.comments;
        if self.all - before.all > ignored + comments {
            Effect::Any
        } else if comments > 0 {
            Effect::Comments
        } else {
            Effect::None
        }
    }
}
