//! What evaluations do beside giving a value, counted while a query is built.
//!
//! A stretch of the query in which nothing was counted may be evaluated more or less often without anybody noticing.

use super::super::Effect;
use super::Builder;

/// The counts at some place of the query.
pub(super) struct Effects {
    all: u32,
    stops: u32,
    comments: u32,
}

impl Builder {
    /// Counts what may stop the run.
    pub(super) fn may_stop(&mut self) {
        self.effects += 1;
        self.stops += 1;
    }

    /// Counts what writes comments.
    pub(super) fn writes_comment(&mut self) {
        self.effects += 1;
        self.comments += 1;
    }

    /// The counts so far.
    pub(super) fn effects(&self) -> Effects {
        Effects {
            all: self.effects,
            stops: self.stops,
            comments: self.comments,
        }
    }

    /// What the filters built since do.
    pub(super) fn effect_since(&self, before: &Effects) -> Effect {
        self.effect(before, 0)
    }

    /// The same where a filter is evaluated again in the same state: a first evaluation that stops the run ends everything,
    /// so that what may stop it does not count.
    pub(super) fn effect_but_stops_since(&self, before: &Effects) -> Effect {
        self.effect(before, self.stops - before.stops)
    }

    fn effect(&self, before: &Effects, ignored: u32) -> Effect {
        let comments = self.comments - before.comments;
        if self.effects - before.all > ignored + comments {
            Effect::Any
        } else if comments > 0 {
            Effect::Comments
        } else {
            Effect::None
        }
    }
}
