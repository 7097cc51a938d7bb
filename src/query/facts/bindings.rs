//! Which variables keep a value for no longer than the rest of a block.
//!
//! Such a variable is assigned before it is read, each time the block is evaluated. So an assignment that a failing block leaves behind
//! cannot be observed, nor can the number of evaluations. If the variable is never changed, its value can be substituted for it.

use std::collections::{BTreeSet, HashSet};

use crate::query::ast::node::{Cond, Flow, Node, Set};
use crate::query::ast::numbers::FindCount;
use crate::query::ast::variables::{PersistentVariable, SetVar, Variable};
use crate::query::ast::visit::{Child, Children, Subtree};
use crate::query::ast::{Assignment, Bound, CondExpr, NumExpr, PosExpr, Range, SetExpr, StrExpr, TextItem};

/// The variables of a query that are never read with a value from an earlier evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// Aliases: they name a set for the rest of a block and are never changed. Sorted.
    sets: Vec<SetVar>,
    /// Loop variables: they have a value only inside loops over them. Sorted.
    looped: Vec<Variable>,
    /// Definitely assigned variables: wherever they are read, a block or a loop around has given them a value. Sorted.
    valued: Vec<Variable>,
}

impl Bindings {
    /// Analyzes a body. If the query `asks_for_names`, that is, whether variables have a value, nothing is known of any variable.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable], asks_for_names: bool) -> Bindings {
        if asks_for_names {
            return Bindings::default();
        }
        let mut search = Search::default();
        search.look(Child::Condition(body));
        let is_kept = |variable: &Variable| persistent.iter().any(|persistent| persistent.variable == *variable);
        let is_local = |variable: &SetVar| {
            let variable = Variable::Set(*variable);
            !search.loose.contains(&variable)
                && !search.changed.contains(&variable)
                && !search.looped.contains(&variable)
                && !is_kept(&variable)
        };
        let mut sets: Vec<SetVar> = search.named.iter().copied().filter(is_local).collect();
        sets.sort_unstable_by_key(|variable| variable.index());
        let looped = search.looped.difference(&search.assigned);
        let mut looped: Vec<Variable> = looped.copied().filter(|variable| !is_kept(variable)).collect();
        looped.sort_unstable();
        // By a loop or by assignments: when a loop is over its variable has no value.
        let valued = search.looped.symmetric_difference(&search.assigned);
        let mut valued: Vec<Variable> = valued
            .copied()
            .filter(|variable| !is_kept(variable) && !search.loose.contains(variable))
            .collect();
        valued.sort_unstable();
        Bindings { sets, looped, valued }
    }

    /// Whether a variable is definitely assigned wherever it is read.
    pub(crate) fn has_value(&self, variable: Variable) -> bool {
        self.valued.binary_search(&variable).is_ok()
    }

    /// Whether a variable has a value only inside loops over it.
    pub(crate) fn is_of_loops(&self, variable: Variable) -> bool {
        self.looped.binary_search(&variable).is_ok()
    }

    /// Returns the variable and its set if a condition only introduces an alias.
    pub(crate) fn named<'q>(&self, condition: &'q Node<CondExpr>) -> Option<(SetVar, &'q Set)> {
        match &condition.kind {
            CondExpr::Assign(Assignment::Set(variable, set)) if self.has(*variable) => Some((*variable, set)),
            _ => None,
        }
    }

    /// Whether a variable is an alias of a set.
    pub(crate) fn has(&self, variable: SetVar) -> bool {
        let by_place = self.sets.binary_search_by_key(&variable.index(), |known| known.index());
        by_place.is_ok()
    }
}

/// The variables that a body may read with a value from an earlier evaluation of it, in order.
pub(crate) fn may_be_stale(body: &Cond) -> Vec<Variable> {
    let mut search = Search {
        sets_of_tests: true,
        ..Search::default()
    };
    search.look(Child::Condition(body));
    // When a loop is over its variable has no value.
    let again = search.assigned.intersection(&search.looped);
    let stale = search.loose.intersection(&search.assigned).chain(again);
    let stale: BTreeSet<Variable> = stale.copied().collect();
    stale.into_iter().collect()
}

/// Which variables may be read with a value from an earlier evaluation.
#[derive(Debug)]
pub(crate) struct Escapes {
    /// Variables whose values may escape the block or loop that assigns them.
    open: HashSet<Variable>,
    /// The query asks whether variables have a value.
    are_asked_for: bool,
}

impl Escapes {
    /// Analyzes a body.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable], are_asked_for: bool) -> Escapes {
        let mut search = Search::default();
        search.look(Child::Condition(body));
        let Search {
            loose: mut open,
            looped,
            assigned,
            ..
        } = search;
        // When a loop is over its variable has no value.
        open.extend(assigned.intersection(&looped));
        open.extend(persistent.iter().map(|persistent| persistent.variable));
        Escapes { open, are_asked_for }
    }

    /// Whether the assignments in the body of a loop cannot be observed outside, if the body does nothing but assign and read: only the
    /// body reads what it assigns, and all that it reads is assigned.
    pub(crate) fn are_hidden_in(&self, body: &Cond, looped: Variable) -> bool {
        let mut search = Search {
            valued: vec![looped],
            ..Search::default()
        };
        search.look(Child::Condition(body));
        !self.are_asked_for
            && search.assigned.is_disjoint(&search.loose)
            && search.assigned.is_disjoint(&self.open)
            && search.loose.is_disjoint(&self.open)
    }
}

/// A walk through a query in the order of evaluation.
#[derive(Default)]
struct Search {
    /// The variables that have a value here, given in one of the blocks or loops around.
    valued: Vec<Variable>,
    /// All variables of sets that a block gave a value.
    named: HashSet<SetVar>,
    /// Those that are read or changed where they may have a value from before, or that get one for more than the rest of a block.
    loose: HashSet<Variable>,
    /// Those of which a block changes the value that it has given them.
    changed: HashSet<Variable>,
    /// Those that get a value in any way but by a loop.
    assigned: HashSet<Variable>,
    /// Those that a loop gives values.
    looped: HashSet<Variable>,
    /// `x =? S` counts as giving x a value for the rest of a block, as the block fails where it does not.
    sets_of_tests: bool,
}

impl Search {
    fn look(&mut self, child: Child<'_>) {
        let is_done = match &child {
            Child::Condition(condition) => self.condition(&condition.kind),
            Child::Set(set) => self.set(&set.kind),
            Child::Number(number) => self.number(&number.kind),
            Child::String(string) => self.string(&string.kind),
            Child::Position(position) => match &position.kind {
                PosExpr::Flow(flow) => self.flow(flow),
                PosExpr::Variable(variable) => self.read(Variable::Position(*variable)),
                PosExpr::Path(path) => self.range(path.range),
                PosExpr::Line(line) => self.range(line.range),
                _ => false,
            },
            _ => false,
        };
        if !is_done {
            child.parts(&mut |part| self.look(part));
        }
    }

    /// Each of these says whether it has looked at the parts, too.
    fn condition(&mut self, condition: &CondExpr) -> bool {
        match condition {
            CondExpr::Flow(flow) => self.flow(flow),
            CondExpr::Assign(assignment) => {
                let variable = assignment.variable();
                let is_new = assignment.binds().is_some() || matches!(assignment, Assignment::Unbind(_));
                if is_new || !self.valued.contains(&variable) {
                    self.loose.insert(variable);
                }
                self.changed.insert(variable);
                self.assigned.insert(variable);
                false
            }
            CondExpr::AllSquares(squares) => self.over(Variable::Set(squares.variable), &squares.domain, &squares.body),
            CondExpr::AllPieces(pieces) => self.over(Variable::Piece(pieces.variable), &pieces.domain, &pieces.body),
            CondExpr::AllFused(fused) => self.over(Variable::Set(fused.variable), &fused.domain, &fused.kept),
            CondExpr::Message { items, .. } | CondExpr::Comment(items) => self.text(items),
            CondExpr::Move(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn set(&mut self, set: &SetExpr) -> bool {
        match set {
            SetExpr::Flow(flow) => self.flow(flow),
            SetExpr::Variable(variable) => self.read(Variable::Set(*variable)),
            SetExpr::Direction { range, .. } => self.range(*range),
            SetExpr::Piece(variable) => self.read(Variable::Piece(*variable)),
            SetExpr::Squares(squares) => self.over(Variable::Set(squares.variable), &squares.domain, &squares.body),
            SetExpr::Pieces(pieces) => self.over(Variable::Piece(pieces.variable), &pieces.domain, &pieces.body),
            SetExpr::FusedLoop(fused) => self.over(Variable::Set(fused.variable), &fused.domain, &fused.kept),
            SetExpr::Move(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn number(&mut self, number: &NumExpr) -> bool {
        match number {
            NumExpr::Flow(flow) => self.flow(flow),
            NumExpr::Variable(variable) => self.read(Variable::Number(*variable)),
            NumExpr::Identity(variable) => self.read(Variable::Piece(*variable)),
            NumExpr::Find(_, FindCount::Within(range)) | NumExpr::CountVersions(_, range) => self.range(Some(*range)),
            NumExpr::Path(path) => self.range(path.range),
            NumExpr::Line(line) => self.range(line.range),
            NumExpr::ConsecutiveMoves(run) => {
                for name in [&run.first, &run.second] {
                    self.read(Variable::Position(name.variable));
                }
                self.range(run.range)
            }
            NumExpr::CountMoveLegal(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn string(&mut self, string: &StrExpr) -> bool {
        match string {
            StrExpr::Flow(flow) => self.flow(flow),
            StrExpr::Variable(variable) => self.read(Variable::String(*variable)),
            StrExpr::Text(items) => self.text(items),
            _ => false,
        }
    }

    fn flow<N: Subtree>(&mut self, flow: &Flow<N>) -> bool {
        let Some((tests, value)) = flow.as_block() else {
            return false;
        };
        let outside = self.valued.len();
        for test in tests {
            match &test.kind {
                CondExpr::Assign(
                    assignment @ (Assignment::Set(..)
                    | Assignment::Number(..)
                    | Assignment::String(..)
                    | Assignment::Position(..)),
                ) => {
                    assignment.children(&mut |part| self.look(part));
                    let variable = assignment.variable();
                    // Behind this block it is read with another value than that of the block around.
                    if self.valued.iter().take(outside).any(|valued| *valued == variable) {
                        self.loose.insert(variable);
                    }
                    self.valued.push(variable);
                    self.assigned.insert(variable);
                    if let Variable::Set(variable) = variable {
                        self.named.insert(variable);
                    }
                }
                CondExpr::Assign(Assignment::NonEmptySet(variable, set)) if self.sets_of_tests => {
                    self.look(Child::Set(set));
                    self.valued.push(Variable::Set(*variable));
                    self.assigned.insert(Variable::Set(*variable));
                }
                _ => self.look(Child::Condition(test)),
            }
        }
        value.child(&mut |part| self.look(part));
        self.valued.truncate(outside);
        true
    }

    fn over(&mut self, variable: Variable, domain: &Set, body: &impl Subtree) -> bool {
        self.look(Child::Set(domain));
        self.looped.insert(variable);
        self.valued.push(variable);
        body.child(&mut |part| self.look(part));
        self.valued.pop();
        true
    }

    fn read(&mut self, variable: Variable) -> bool {
        if !self.valued.contains(&variable) {
            self.loose.insert(variable);
        }
        false
    }

    /// Reads the bounds that are variables.
    fn range(&mut self, range: Option<Range>) -> bool {
        if let Some(Range::Within(least, most)) = range {
            for bound in [least, most] {
                if let Bound::Variable(variable, _) = bound {
                    self.read(Variable::Number(variable));
                }
            }
        }
        false
    }

    fn text(&mut self, items: &[TextItem]) -> bool {
        for item in items {
            if let TextItem::Variable(variable, _) = item {
                self.read(*variable);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    /// How many variables of a query only name a set.
    fn count(filters: &str) -> usize {
        let text = format!("cql() {filters}");
        let query = query::compile(&Source::new("test", text), &Options::default()).expect("the query compiles");
        Bindings::of(&query.body, &query.persistent, !query.bound_names.is_empty())
            .sets
            .len()
    }

    #[test]
    fn a_name_for_the_rest_of_a_block_is_found() {
        assert_eq!(count("X = P & passedpawns #X >= 2"), 1);
        assert_eq!(count("flipcolor { X = P & passedpawns Y = up 1 X Y & X }"), 2);
        assert_eq!(count("function F(S) { S attacks k } F(R) F(Q)"), 2, "one a call");
        assert_eq!(count("wtm { X = R #X == 2 } not { X = r X == . }"), 1);
    }

    #[test]
    fn a_value_that_lasts_longer_is_none() {
        assert_eq!(count("{ X = R wtm } X == ."), 0, "read behind the block");
        assert_eq!(count("X = R X |= r #X >= 2"), 0, "changed");
        assert_eq!(count("X = R {X = r wtm} #X >= 2"), 0, "changed in a block inside");
        assert_eq!(count("wtm or { X = R } isbound X"), 0, "asked for");
        assert_eq!(count("persistent X = [] X = R #X >= 2"), 0, "kept");
        assert_eq!(count("if wtm X = R #X >= 2"), 0, "not always set");
    }
}
