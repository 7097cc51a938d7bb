//! What evaluations do beside giving a value, counted while a query is built.
//!
//! A stretch of the query in which nothing was counted may be evaluated more or less often without anybody noticing.

use super::super::paths::Purity;
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

    /// Whether it matters how often the filters built since are evaluated again in the same state. A first evaluation that
    /// stops the run ends everything, so that further ones do not count.
    pub(super) fn purity_since(&self, before: &Effects) -> Purity {
        let stops = self.stops - before.stops;
        let comments = self.comments - before.comments;
        if self.effects - before.all > stops + comments {
            Purity::Impure
        } else if comments > 0 {
            Purity::WritesComments
        } else {
            Purity::Pure
        }
    }
}
