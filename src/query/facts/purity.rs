//! Purity: a part of a query is pure if it leaves no trace when the whole query fails, and cannot end the run.
//!
//! A pure part may be skipped at positions where a later part fails.

use crate::query::ast::facts::{Effects, Facts, Reads, Use};
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::sets::has_written_bounds;
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr};
use crate::query::facts::bindings::Bindings;

/// What must be known about a query to tell whether its parts are pure.
#[derive(Clone, Copy)]
pub(crate) struct Purity<'q> {
    /// How its variables get their values.
    pub(crate) bindings: &'q Bindings,
    /// Whether comments are kept when the filter around them fails.
    pub(crate) keeps_comments: bool,
    /// Whether the query reads the result of the last path.
    pub(crate) asks_for_last_path: bool,
}

impl Purity<'_> {
    /// Returns whether an expression with these facts is pure, and cheap enough to be evaluated once more.
    fn holds(self, facts: &Facts) -> bool {
        self.leaves_no_trace(facts) && !facts.reads.contains(Reads::PAIRS)
    }

    /// Returns whether an expression with these facts is pure.
    pub(crate) fn leaves_no_trace(self, facts: &Facts) -> bool {
        // After its block, nothing is left of an assignment.
        let mut harmless = Effects::ASSIGN;
        harmless.set(Effects::COMMENT, !self.keeps_comments);
        harmless.set(Effects::LAST_PATH, !self.asks_for_last_path);
        harmless.contains(facts.effects)
            && !facts.reads.intersects(Reads::CHANGING)
            && facts
                .variables(Use::READ)
                .all(|variable| self.bindings.has_value(variable))
            && facts
                .variables(Use::ASSIGNED)
                .all(|variable| self.bindings.has_value(variable))
            && facts
                .variables(Use::LOOPED)
                .all(|variable| self.bindings.is_of_loops(variable))
    }

    pub(crate) fn condition(self, condition: &CondExpr) -> bool {
        self.holds(&condition.facts())
    }

    pub(crate) fn set(self, set: &SetExpr) -> bool {
        self.holds(&set.facts())
    }

    pub(crate) fn number(self, number: &NumExpr) -> bool {
        self.holds(&number.facts())
    }

    pub(crate) fn position(self, position: &PosExpr) -> bool {
        self.holds(&position.facts())
    }

    /// Returns whether a path that does not match is pure.
    pub(crate) fn inside_path(self, path: &Path) -> bool {
        has_written_bounds(path.range) && self.holds(&Facts::of_parts(path))
    }

    /// Returns whether a line that does not match is pure.
    pub(crate) fn inside_line(self, line: &Line) -> bool {
        has_written_bounds(line.range) && self.holds(&Facts::of_parts(line))
    }
}
